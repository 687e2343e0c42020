package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"example.org/sivu/generator/state"
)

// manifestLimit bounds, in bytes, what is read as a manifest: that of ten
// million records.
const manifestLimit = 2 << 30

// Entry is one file of a snapshot.
type Entry struct {
	Path   string // below the output folder, slash-separated
	Size   int64  // bytes
	SHA256 [sha256.Size]byte
}

// Manifest is the list of the files of a snapshot.
type Manifest struct {
	entries    func(visit func(entry) bool) error
	generation string
	left       []leftFile
	count      int
	bytes      int64
}

// ReadManifest reads the manifest of the snapshot in the folder out. The error
// wraps [fs.ErrNotExist] where sivu wrote none, and [ErrDamaged] where it
// cannot be trusted.
func ReadManifest(out string) (*Manifest, error) {
	data, err := readManifestFile(filepath.Join(out, filepath.FromSlash(manifest)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q holds no snapshot (%w); write one with sivu build", out, fs.ErrNotExist)
	}
	var log []byte
	if err == nil {
		log, err = readManifestFile(filepath.Join(out, filepath.FromSlash(manifestLog)))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem("read", manifest, err)
	}
	m, err := parseManifest(data, log)
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

// Generation returns the identity of the snapshot: see [Stage.Generation].
func (m *Manifest) Generation() string { return m.generation }

// All returns the files in the order of their paths.
func (m *Manifest) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		// It was checked as a whole when it was read.
		m.entries(func(e entry) bool { return yield(Entry{e.key.path(), int64(e.size), e.sum}) })
	}
}

// Kept returns the paths of the files that left the snapshot and stay for a while
// ([Options].KeepRemoved), in their order, each with the time when it left. They
// count as no part of the snapshot.
func (m *Manifest) Kept() iter.Seq2[string, time.Time] {
	return func(yield func(string, time.Time) bool) {
		for _, f := range m.left {
			if !yield(f.key.path(), time.Unix(f.since, 0)) {
				return
			}
		}
	}
}

// totals are what the manifest says of the snapshot as a whole: the meta of its
// state.
type totals struct {
	generation [16]byte
	files      int64
	bytes      int64
	inFolder   int64 // entries of pages
	largest    int64 // the size of the largest file, or -1 where it is not known
	largestKey key
	left       int64 // files that left and are still there
	leftSince  int64 // when the first of them left, in seconds since 1970
}

// totalsVersion begins the meta of a manifest.
const totalsVersion = 3

func (t *totals) name() string { return hex.EncodeToString(t.generation[:]) }

func (t *totals) append(b []byte) []byte {
	b = append(append(b, totalsVersion), t.generation[:]...)
	for _, n := range []int64{t.files, t.bytes, t.inFolder, max(t.largest, 0), t.left, t.leftSince} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	if t.files > 0 && t.largest >= 0 {
		b = append(b, t.largestKey.stored()...)
	}
	return b
}

func parseTotals(b []byte) (t totals, err error) {
	if len(b) < 1+len(t.generation) || b[0] != totalsVersion {
		return t, ErrDamaged
	}
	b = b[1+copy(t.generation[:], b[1:]):]
	for _, n := range []*int64{&t.files, &t.bytes, &t.inFolder, &t.largest, &t.left, &t.leftSince} {
		u, length := binary.Uvarint(b)
		if length <= 0 || u > 1<<62 {
			return t, ErrDamaged
		}
		*n, b = int64(u), b[length:]
	}
	ok := len(b) == 0
	if t.files > 0 && ok {
		t.largest = -1
	} else if t.files > 0 {
		t.largestKey, ok = parseStored(string(b))
	}
	if !ok {
		return t, ErrDamaged
	}
	return t, nil
}

const entrySize = 4 + sha256.Size

func (e *entry) value() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, entrySize), e.size)
	return append(b, e.sum[:]...)
}

// readEntry returns the next file of a manifest, and io.EOF after the last.
func readEntry(c *state.Cursor) (entry, error) {
	stored, value, ok := c.Next()
	switch {
	case c.Err() != nil:
		return entry{}, damage(c.Err())
	case !ok || stored >= leftMark:
		return entry{}, io.EOF
	}
	k, ok := parseStored(stored)
	if !ok || len(value) != entrySize {
		return entry{}, fmt.Errorf("%w: %q is no file of a snapshot", ErrDamaged, stored)
	}
	e := entry{key: k, size: binary.LittleEndian.Uint32(value)}
	copy(e.sum[:], value[4:])
	return e, nil
}

// damage puts what package state says of a file into the words of this one.
func damage(err error) error {
	if errors.Is(err, state.ErrDamaged) {
		return fmt.Errorf("%w, or of another version of sivu", ErrDamaged)
	}
	return Reason(err)
}

// parseManifest reads a manifest of any version, and checks all of it.
func parseManifest(data, log []byte) (*Manifest, error) {
	m := new(Manifest)
	if state.IsState(data) {
		if err := m.parseState(data, log); err != nil {
			return nil, err
		}
	} else {
		m.entries = legacyEntries(data)
	}
	err := m.entries(func(e entry) bool {
		m.count++
		m.bytes += int64(e.size)
		return true
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Manifest) parseState(data, log []byte) error {
	s, err := state.Open(bytes.NewReader(data), int64(len(data)), log)
	if err != nil {
		return damage(err)
	}
	t, err := parseTotals(s.Meta())
	if err != nil {
		return err
	}
	if m.left, err = readLeft(s); err != nil {
		return err
	}
	m.generation = t.name()
	m.entries = func(visit func(entry) bool) error {
		for c := s.From(""); ; {
			e, err := readEntry(c)
			if err == io.EOF {
				return nil
			}
			if err != nil || !visit(e) {
				return err
			}
		}
	}
	return nil
}
