package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
)

// manifestHeader names the format and its version. A change of what follows
// takes another number.
const manifestHeader = "sivu manifest 1\n"

// manifestLimit bounds, in bytes, what is read as a manifest: that of ten
// million records.
const manifestLimit = 1 << 30

// The bits of the byte that begins an entry: a class, the index of a suffix,
// and whether the file lies in the same record's folder as the one before.
const (
	tagClass      = 0x07
	tagSuffix     = 0x08
	tagSameFolder = 0x10
)

// Entry is one file of a snapshot.
type Entry struct {
	Path   string // below the output folder, slash-separated
	Size   int64  // bytes
	SHA256 [sha256.Size]byte
}

// Manifest is the list of the files of a snapshot.
type Manifest struct {
	data  []byte
	count int
	bytes int64
}

// ReadManifest reads the manifest of the snapshot in the folder out. The error
// wraps [fs.ErrNotExist] where sivu wrote none, and [ErrDamaged] where it
// cannot be trusted.
func ReadManifest(out string) (*Manifest, error) {
	data, err := readManifestFile(filepath.Join(out, filepath.FromSlash(manifest)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q holds no snapshot (%w); write one with sivu build", out, fs.ErrNotExist)
	}
	if err != nil {
		return nil, problem("read", manifest, err)
	}
	m := &Manifest{data: data}
	err = checkManifest(bytes.NewReader(data), int64(len(data)), func(e entry) {
		m.count++
		m.bytes += int64(e.size)
	})
	if err != nil {
		return nil, fmt.Errorf("%s in %q: %w; a build writes it anew", manifest, out, err)
	}
	return m, nil
}

func readManifestFile(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, manifestLimit+1))
}

// Len returns how many files the snapshot has.
func (m *Manifest) Len() int { return m.count }

// Bytes returns the size of all files together.
func (m *Manifest) Bytes() int64 { return m.bytes }

// All returns the files in the order of their paths.
func (m *Manifest) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		d := newDecoder(bytes.NewReader(m.data), int64(len(m.data)))
		for {
			e, err := d.next()
			if err != nil || !yield(Entry{e.key.path(), int64(e.size), e.sum}) {
				return
			}
		}
	}
}

// manifestWriter writes a manifest: the header, the entries in order, and the
// SHA-256 of all that.
type manifestWriter struct {
	w      *bufio.Writer
	sum    hash.Hash
	last   key
	buffer []byte
}

func newManifestWriter(w io.Writer) *manifestWriter {
	m := &manifestWriter{w: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
	m.put([]byte(manifestHeader))
	return m
}

// put leaves errors to the last Flush, which repeats the first one.
func (m *manifestWriter) put(b []byte) {
	m.sum.Write(b)
	m.w.Write(b)
}

func (m *manifestWriter) add(e *entry) {
	tag := e.key.class()
	if e.key[17] == plainSuffix {
		tag |= tagSuffix
	}
	b := append(m.buffer[:0], tag)
	switch {
	case e.key.class() == classRecord && e.key.folder() == m.last.folder():
		b[0] |= tagSameFolder
	case e.key.class() == classRecord:
		b = append(b, e.key[1:17]...)
	case e.key.class() != classIndex:
		b = binary.LittleEndian.AppendUint32(b, e.key.number())
	}
	b = binary.LittleEndian.AppendUint32(b, e.size)
	m.buffer = append(b, e.sum[:]...)
	m.last = e.key
	m.put(m.buffer)
}

func (m *manifestWriter) close() error {
	m.w.Write(m.sum.Sum(nil))
	return m.w.Flush()
}

// checkManifest reads a whole manifest and reports whether it is as sivu wrote
// it. Each entry is shown to visit.
func checkManifest(r io.ReaderAt, size int64, visit func(entry)) error {
	const least = int64(len(manifestHeader)) + sha256.Size
	if size < least || size > manifestLimit {
		return fmt.Errorf("%w: it has %d bytes", ErrDamaged, size)
	}
	header := make([]byte, len(manifestHeader))
	if _, err := r.ReadAt(header, 0); err != nil {
		return reason(err)
	}
	if string(header) != manifestHeader {
		return fmt.Errorf("%w, or of another version of sivu: it does not begin with %q", ErrDamaged, manifestHeader)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(r, 0, size-sha256.Size)); err != nil {
		return reason(err)
	}
	trailer := make([]byte, sha256.Size)
	if _, err := r.ReadAt(trailer, size-sha256.Size); err != nil && err != io.EOF {
		return reason(err)
	}
	if !bytes.Equal(sum.Sum(nil), trailer) {
		return fmt.Errorf("%w: its checksum does not fit", ErrDamaged)
	}
	for d := newDecoder(r, size); ; {
		e, err := d.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		visit(e)
	}
}

// decoder reads the entries of a manifest one by one.
type decoder struct {
	r    *bufio.Reader
	last key
}

func newDecoder(r io.ReaderAt, size int64) *decoder {
	start := int64(len(manifestHeader))
	return &decoder{r: bufio.NewReaderSize(io.NewSectionReader(r, start, size-start-sha256.Size), 64<<10)}
}

// next returns the next entry, or io.EOF after the last. It accepts only what
// a manifestWriter can write: paths of a snapshot, in order, each once.
func (d *decoder) next() (entry, error) {
	tag, err := d.r.ReadByte()
	if err != nil {
		return entry{}, err
	}
	e, ok := d.readKey(tag)
	if !ok || e.key.compare(d.last) <= 0 {
		return entry{}, fmt.Errorf("%w: an entry does not follow %s", ErrDamaged, d.last.path())
	}
	var rest [4 + sha256.Size]byte
	if _, err := io.ReadFull(d.r, rest[:]); err != nil {
		return entry{}, fmt.Errorf("%w: it ends within an entry", ErrDamaged)
	}
	e.size = binary.LittleEndian.Uint32(rest[:])
	copy(e.sum[:], rest[4:])
	d.last = e.key
	return e, nil
}

func (d *decoder) readKey(tag byte) (entry, bool) {
	k := key{0: tag & tagClass}
	if tag&tagSuffix != 0 {
		k[17] = plainSuffix
	}
	switch sameFolder := tag&tagSameFolder != 0; {
	case tag&^(tagClass|tagSuffix|tagSameFolder) != 0:
		return entry{}, false
	case k.class() == classRecord && sameFolder:
		copy(k[1:17], d.last[1:17])
		return entry{key: k}, d.last.class() == classRecord
	case sameFolder:
		return entry{}, false
	case k.class() == classRecord:
		_, err := io.ReadFull(d.r, k[1:17])
		return entry{key: k}, err == nil && k.folder() != d.last.folder()
	case k.class() == classIndex:
		return entry{key: k}, true
	case k.class() != classError && k.class() != classList:
		return entry{}, false
	}
	var number [4]byte
	if _, err := io.ReadFull(d.r, number[:]); err != nil {
		return entry{}, false
	}
	digits := strconv.FormatUint(uint64(binary.LittleEndian.Uint32(number[:])), 10)
	copy(k[1:17], digits)
	parsed, ok := parsePath(k.path())
	return entry{key: k}, ok && parsed == k
}
