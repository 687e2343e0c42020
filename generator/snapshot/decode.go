package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Manifests of versions 1 and 2 are read, so that the first build after them
// knows the old files: a header, entries in order, and the SHA-256 of all that.
// Version 1 is from before there were siblings and in-root files.
const (
	manifestHeader2 = "sivu manifest 2\n"
	manifestHeader1 = "sivu manifest 1\n"
)

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

// manifestHeaders are those of all manifests that are read; they are equally
// long.
var manifestHeaders = []string{manifestHeader2, manifestHeader1}

// legacyEntries returns what shows the entries of a manifest of an old version.
func legacyEntries(data []byte) func(visit func(entry) bool) error {
	r, size := bytes.NewReader(data), int64(len(data))
	return func(visit func(entry) bool) error {
		if err := checkManifest(r, size, func(entry) {}); err != nil {
			return err
		}
		for d := newDecoder(r, size); ; {
			e, err := d.next()
			if err == io.EOF {
				return nil
			}
			if err != nil || !visit(e) {
				return err
			}
		}
	}
}

// checkManifest reads a whole manifest and reports whether it is as sivu wrote
// it. Each entry is shown to visit.
func checkManifest(r io.ReaderAt, size int64, visit func(entry)) error {
	const least = int64(len(manifestHeader2)) + sha256.Size
	if size < least || size > manifestLimit {
		return fmt.Errorf("%w: it has %d bytes", ErrDamaged, size)
	}
	header := make([]byte, len(manifestHeader2))
	if _, err := r.ReadAt(header, 0); err != nil {
		return Reason(err)
	}
	if !slices.Contains(manifestHeaders, string(header)) {
		return fmt.Errorf("%w, or of another version of sivu: it does not begin with %q", ErrDamaged, manifestHeader2)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(r, 0, size-sha256.Size)); err != nil {
		return Reason(err)
	}
	trailer := make([]byte, sha256.Size)
	if _, err := r.ReadAt(trailer, size-sha256.Size); err != nil && err != io.EOF {
		return Reason(err)
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
	r        *bufio.Reader
	last     key
	version1 bool
}

// newDecoder expects a manifest that begins with one of manifestHeaders.
func newDecoder(r io.ReaderAt, size int64) *decoder {
	start := int64(len(manifestHeader2))
	header := make([]byte, start)
	r.ReadAt(header, 0) // was read before
	entries := io.NewSectionReader(r, start, size-start-sha256.Size)
	return &decoder{r: bufio.NewReaderSize(entries, 64<<10), version1: string(header) == manifestHeader1}
}

// next returns the next entry, or io.EOF after the last. It accepts only what
// sivu wrote: paths of a snapshot, in order, each once.
func (d *decoder) next() (entry, error) {
	tag, err := d.r.ReadByte()
	if err != nil {
		return entry{}, err
	}
	read := d.readKey
	if d.version1 {
		read = d.readKey1
	}
	k, ok := read(tag)
	if !ok || k.compare(d.last) <= 0 {
		return entry{}, fmt.Errorf("%w: an entry does not follow %s", ErrDamaged, d.last.path())
	}
	var rest [4 + sha256.Size]byte
	if _, err := io.ReadFull(d.r, rest[:]); err != nil {
		return entry{}, fmt.Errorf("%w: it ends within an entry", ErrDamaged)
	}
	e := entry{key: k, size: binary.LittleEndian.Uint32(rest[:])}
	copy(e.sum[:], rest[4:])
	d.last = k
	return e, nil
}

func (d *decoder) readKey(tag byte) (key, bool) {
	if tag&^(tagKind|tagSuffix|tagSameFolder) != 0 {
		return key{}, false
	}
	kind, suffix, sameFolder := tag&tagKind, tag&tagSuffix>>tagSuffixShift, tag&tagSameFolder != 0
	switch {
	case kind == kindRecord:
		return d.readRecord(suffix, sameFolder)
	case sameFolder:
		return key{}, false
	case kind == kindIndex:
		return key{0: classIndex, 17: suffix}, true
	case kind == kindList:
		return d.readList(suffix)
	case kind == kindTop && suffix == 0:
		return d.readTop()
	}
	return key{}, false
}

// readKey1 reads an entry of version 1: that had two suffixes, and the numbers
// 404 and 405 in place of names.
func (d *decoder) readKey1(tag byte) (key, bool) {
	const hasPlainSuffix, sameFolder = 0x08, 0x10
	if tag&^(tagKind|hasPlainSuffix|sameFolder) != 0 {
		return key{}, false
	}
	if tag == kindTop|hasPlainSuffix {
		n, ok := d.readNumber()
		k, isTop := topKey(n + ".json")
		return k, ok && isTop && !k.isInRoot()
	}
	upgraded := tag & tagKind
	if tag&hasPlainSuffix != 0 {
		upgraded |= plainSuffix << tagSuffixShift
	}
	if tag&sameFolder != 0 {
		upgraded |= tagSameFolder
	}
	if upgraded&tagKind == kindTop {
		return key{}, false
	}
	return d.readKey(upgraded)
}

func (d *decoder) readRecord(suffix byte, sameFolder bool) (key, bool) {
	k := key{0: classRecord, 17: suffix}
	if sameFolder {
		copy(k[1:17], d.last[1:17])
		return k, d.last.class() == classRecord
	}
	_, err := io.ReadFull(d.r, k[1:17])
	return k, err == nil && k.folder() != d.last.folder()
}

func (d *decoder) readList(suffix byte) (key, bool) {
	n, ok := d.readNumber()
	return listKey(n, suffix), ok && isListNumber(n)
}

// readNumber returns a number as decimal digits.
func (d *decoder) readNumber() (string, bool) {
	var number [4]byte
	_, err := io.ReadFull(d.r, number[:])
	return strconv.FormatUint(uint64(binary.LittleEndian.Uint32(number[:])), 10), err == nil
}

func (d *decoder) readTop() (key, bool) {
	size, err := d.r.ReadByte()
	if err != nil {
		return key{}, false
	}
	name := make([]byte, size)
	if _, err := io.ReadFull(d.r, name); err != nil {
		return key{}, false
	}
	return topKey(string(name))
}
