package tree

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/state"
)

// ErrDamaged means that an encoded tree is not as it was written.
var ErrDamaged = errors.New("the manifest is damaged")

// Generation is the identity of a tree, another one after every change. The zero value is
// that of none.
type Generation [16]byte

// String returns the generation as text: "" for the zero value.
func (g Generation) String() string {
	if g == (Generation{}) {
		return ""
	}
	return hex.EncodeToString(g[:])
}

// Totals are known of a tree as a whole.
type Totals struct {
	Generation    Generation
	Files         int64
	Bytes         int64
	InFolder      int64 // entries of pages, the folder that has most
	Largest       int64 // the size of the largest file, or -1 where it is not known
	LargestPath   api.Path
	Retained      int64 // files that left and are still kept
	RetainedSince int64 // when the first of them left, in seconds since 1970
}

// version begins the meta of an encoded tree.
const version = 3

func (t *Totals) encode() []byte {
	b := append([]byte{version}, t.Generation[:]...)
	for _, n := range []int64{t.Files, t.Bytes, t.InFolder, max(t.Largest, 0), t.Retained, t.RetainedSince} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	if t.Files > 0 && t.Largest >= 0 {
		b = append(b, t.LargestPath.Stored()...)
	}
	return b
}

func decodeTotals(b []byte) (t Totals, err error) {
	if len(b) < 1+len(t.Generation) || b[0] != version {
		return t, ErrDamaged
	}
	b = b[1+copy(t.Generation[:], b[1:]):]
	for _, n := range []*int64{&t.Files, &t.Bytes, &t.InFolder, &t.Largest, &t.Retained, &t.RetainedSince} {
		u, length := binary.Uvarint(b)
		if length <= 0 || u > 1<<62 {
			return t, ErrDamaged
		}
		*n, b = int64(u), b[length:]
	}
	ok := len(b) == 0
	if t.Files > 0 && ok {
		t.Largest = -1
	} else if t.Files > 0 {
		t.LargestPath, ok = api.ParseStored(string(b))
	}
	if !ok {
		return t, ErrDamaged
	}
	return t, nil
}

// SumSize is how many bytes [Sum.Append] appends.
const SumSize = 4 + sha256.Size

// Append appends the sum as files keep it.
func (s *Sum) Append(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, s.Size), s.SHA256[:]...)
}

// DecodeSum returns the sum that was appended so.
func DecodeSum(b []byte) (s Sum, ok bool) {
	if len(b) != SumSize {
		return s, false
	}
	s.Size = binary.LittleEndian.Uint32(b)
	copy(s.SHA256[:], b[4:])
	return s, true
}

// Retained is a file that left the tree and is kept for a while: a client may come to
// it from an older list.
type Retained struct {
	Path  api.Path
	Since int64 // when it left, in seconds since 1970
}

// retainedPrefix begins the keys of retained files. No class of paths has it.
const retainedPrefix = "\xf0"

func (r Retained) key() string   { return retainedPrefix + r.Path.Stored() }
func (r Retained) value() []byte { return binary.AppendUvarint(nil, uint64(r.Since)) }

// Tree is an encoded tree that is read.
type Tree struct {
	Totals
	state *state.State
}

// Open reads the totals and the index of a tree whose base has so many bytes and can be
// read as long as the tree is used, and its whole log, nil where there is none. The
// error wraps [ErrDamaged] where they cannot be trusted.
func Open(base io.ReaderAt, size int64, log []byte) (*Tree, error) {
	st, err := state.Open(base, size, log)
	if err != nil {
		return nil, damage(err)
	}
	t, err := decodeTotals(st.Meta())
	return &Tree{t, st}, err
}

// Parse is [Open] for a base that is in memory.
func Parse(base, log []byte) (*Tree, error) {
	return Open(bytes.NewReader(base), int64(len(base)), log)
}

// damage puts an error of package state into the words of this one.
func damage(err error) error {
	if errors.Is(err, state.ErrDamaged) {
		return fmt.Errorf("%w, or of another version of sivu", ErrDamaged)
	}
	return err
}

// Check reads all of a tree. The error wraps [ErrDamaged].
func (t *Tree) Check() error {
	files, size := int64(0), int64(0)
	for c := t.Cursor(); ; c.Skip() {
		e, err := c.Peek()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		files, size = files+1, size+int64(e.Size)
	}
	if files != t.Files || size != t.Bytes {
		return fmt.Errorf("%w: its totals are not those of its files", ErrDamaged)
	}
	_, err := t.RetainedFiles()
	return err
}

// All returns the entries in order of path, as far as they can be read: see [Tree.Check].
func (t *Tree) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for c := t.Cursor(); ; c.Skip() {
			if e, err := c.Peek(); err != nil || !yield(*e) {
				return
			}
		}
	}
}

// RetainedFiles returns the files that left the tree and are kept, in order.
func (t *Tree) RetainedFiles() (list []Retained, err error) {
	for c := t.state.From(retainedPrefix); ; {
		key, value, ok := c.Next()
		if !ok {
			if c.Err() != nil {
				return nil, damage(c.Err())
			}
			return list, nil
		}
		p, ok := api.ParseStored(strings.TrimPrefix(key, retainedPrefix))
		n, length := binary.Uvarint(value)
		if !ok || length != len(value) || n > math.MaxInt64 {
			return nil, fmt.Errorf("%w: %q is no file of a snapshot", ErrDamaged, key)
		}
		list = append(list, Retained{p, int64(n)})
	}
}

// Cursor goes through entries in order of path.
type Cursor struct {
	state  *state.Cursor
	paths  []api.Path // where it is nil
	next   Entry
	peeked bool
}

// PathCursor returns a cursor for entries of which only the paths are known. They are in
// order.
func PathCursor(paths []api.Path) *Cursor { return &Cursor{paths: paths} }

// Cursor returns a cursor before the first entry.
func (t *Tree) Cursor() *Cursor { return &Cursor{state: t.state.From("")} }

// Peek returns the next entry, which is there until the next call, or io.EOF. The error
// wraps [ErrDamaged] where a block cannot be trusted.
func (c *Cursor) Peek() (*Entry, error) {
	if c.peeked {
		return &c.next, nil
	}
	if c.state == nil {
		if len(c.paths) == 0 {
			return nil, io.EOF
		}
		c.next, c.paths, c.peeked = Entry{Path: c.paths[0]}, c.paths[1:], true
		return &c.next, nil
	}
	key, value, ok := c.state.Next()
	switch {
	case c.state.Err() != nil:
		return nil, damage(c.state.Err())
	case !ok || key >= retainedPrefix:
		return nil, io.EOF
	}
	p, ok := api.ParseStored(key)
	sum, fits := DecodeSum(value)
	if !ok || !fits {
		return nil, fmt.Errorf("%w: %q is no file of a snapshot", ErrDamaged, key)
	}
	c.next, c.peeked = Entry{Path: p, Sum: sum}, true
	return &c.next, nil
}

// Skip moves behind the entry that Peek returns.
func (c *Cursor) Skip() { c.peeked = false }

// Seek moves to the first entry that is not before a path. A cursor never goes back. One
// for paths alone stays where it is.
func (c *Cursor) Seek(p api.Path) {
	if c.state == nil || c.peeked && c.next.Path.Compare(p) >= 0 {
		return
	}
	c.peeked = false
	c.state.Seek(p.Stored())
}

// Group appends the entries of a group, where the next entry is one of it, and moves
// behind them.
func (c *Cursor) Group(group api.Path, dst []Entry) ([]Entry, error) {
	for ; ; c.Skip() {
		e, err := c.Peek()
		switch {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return nil, err
		case e.Path.Group() != group:
			return dst, nil
		}
		dst = append(dst, *e)
	}
}

// Edit is a change of an encoded tree.
type Edit = state.Change

// Put returns the change that gives a tree a file, or the file another sum.
func Put(p api.Path, s Sum) Edit { return Edit{Key: p.Stored(), Value: s.Append(nil)} }

// Delete returns the change that takes a file out of a tree.
func Delete(p api.Path) Edit { return Edit{Key: p.Stored(), Remove: true} }

// Retain returns the change that lists a retained file.
func Retain(r Retained) Edit { return Edit{Key: r.key(), Value: r.value()} }

// Forget returns the change that lists a retained file no more.
func Forget(r Retained) Edit { return Edit{Key: r.key(), Remove: true} }

// With returns a tree with changes, and the totals that it had before.
func (t *Tree) With(changes []Edit) *Tree { return &Tree{t.Totals, t.state.With(changes)} }

// Segment returns the bytes to be written at [Tree.LogSize] of the log for a tree with
// these totals and changes. It reports false where the base should be written anew.
func (t *Tree) Segment(totals Totals, changes []Edit) ([]byte, bool) {
	return t.state.Segment(totals.encode(), changes)
}

// LogSize returns how many bytes of the log belong to the tree. What a file holds beyond
// that is of another tree.
func (t *Tree) LogSize() int64 { return t.state.LogSize() }

// Writer writes the base of an encoded tree.
type Writer struct{ to *state.Writer }

// NewWriter begins a tree with these totals. It ends with [Writer.Finish].
func NewWriter(to io.Writer, t Totals) *Writer { return &Writer{state.NewWriter(to, t.encode())} }

// Put adds a file. They come in order of path.
func (w *Writer) Put(e *Entry) { w.to.Put(e.Path.Stored(), e.Sum.Append(make([]byte, 0, SumSize))) }

// Finish adds the retained files, writes the end, and returns the first error. It does not
// close the writer below.
func (w *Writer) Finish(retained []Retained) error {
	slices.SortFunc(retained, func(a, b Retained) int { return a.Path.Compare(b.Path) })
	for _, r := range retained {
		w.to.Put(r.key(), r.value())
	}
	return w.to.Finish()
}
