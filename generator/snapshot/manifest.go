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
)

// manifestHeader names the format and its version. A change of what follows
// takes another number, and a line in manifestHeaders.
const manifestHeader = "sivu manifest 2\n"

// manifestLimit bounds, in bytes, what is read as a manifest: that of ten
// million records.
const manifestLimit = 1 << 30

// The bits of the byte that begins an entry: a kind, the index of a suffix,
// and whether the file lies in the same record's folder as the one before.
const (
	tagKind       = 0x07
	tagSuffix     = 0x38
	tagSameFolder = 0x40

	tagSuffixShift = 3
)

// The kinds of entries. What follows the first byte is the length of a name and
// the name, an id unless the folder is the same, nothing, or a number.
const (
	kindTop    = 2
	kindRecord = 3
	kindIndex  = 4
	kindList   = 5
)

var kinds = [...]byte{
	classTop: kindTop, classRecord: kindRecord, classIndex: kindIndex, classList: kindList, classEnd: kindTop,
}

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
	b := append(m.buffer[:0], kinds[e.key.class()])
	if !e.key.isTop() {
		b[0] |= e.key[17] << tagSuffixShift
	}
	switch {
	case e.key.isTop():
		name := topNames[e.key[1]]
		b = append(append(b, byte(len(name))), name...)
	case e.key.class() == classRecord && e.key.folder() == m.last.folder():
		b[0] |= tagSameFolder
	case e.key.class() == classRecord:
		b = append(b, e.key[1:17]...)
	case e.key.class() == classList:
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
