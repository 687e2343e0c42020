// Package state keeps data on disk from one build to the next: a value for each
// key, and one value for all of them, its meta.
//
// # Files
//
//	state      all keys in order, in blocks, and an index of these
//	state.log  the changes since then, one segment for each build
//
// Everything in them has a checksum (CRC-32C). A change is appended to the log,
// so the cost is that of the changes. When the log has grown to a quarter of the
// state, both are written anew. The log names the state that it belongs to, so
// that one of another state is never applied.
//
// What is read is checked before it is used. A file that is damaged, cut off or
// of another version of the format is [ErrDamaged]; a log whose last segment was
// cut off by a crash is too, because its changes are lost. The caller then does
// without, and writes a new state. Nothing is flushed to the disk: after a power
// loss the state may be old, and the caller has to notice that by the meta, or has
// to flush.
//
// [Load] and [Open] read the meta, the index and the log; a block is read and checked
// when a [Cursor] comes to it. Open, [NewWriter] and [State.Segment] work on files that
// the caller opened, whatever their names are.
//
// # The format
//
// Numbers are little-endian; a text is its length as a varint and its bytes.
//
//	header  "sivu state 1\n", the number of the state (8), the meta (text), checksum (4)
//	blocks  keys and values (texts) in ascending order, checksum (4)
//	index   for each block its first key (text) and its size (varint), checksum (4)
//	end     the sizes of header and index (8, 8), the number again (8), checksum (4)
//
//	log     "sivu log 1\n", the number of its state (8), segments
//	segment its size (8), the meta (text), changes, checksum (4)
//	change  1, key, value (texts); or 0, key
//
// A key-value library would be more: one process at a time uses a state, never trusts it
// where bytes were damaged, and cuts the log back where a build ended in between.
package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"unsafe"

	"example.org/sivu/generator/fsutil"
)

// The names of the files that Load, Append and Create use, in a folder that the
// caller chooses.
const (
	stateFile = "state"
	logFile   = "state.log"
)

// ErrDamaged means that a state cannot be used.
var ErrDamaged = errors.New("the state is damaged, or of another version of sivu")

// maxSize is the size in bytes up to which a file is read as a state.
const maxSize = 4 << 30

const (
	magic    = "sivu state 1\n"
	logMagic = "sivu log 1\n"
	sumSize  = 4
	endSize  = 3*8 + sumSize
	// blockSize is how many bytes of keys and values make a block, at least.
	blockSize = 4 << 10
)

var table = crc32.MakeTable(crc32.Castagnoli)

// State is a state that was read. It does not change when files do.
type State struct {
	number   uint64 // of the file; the log repeats it
	size     int64  // of the file
	logSize  int64
	meta     []byte
	blocks   []block
	blocksIn io.ReaderAt
	file     *os.File          // of Load
	changed  map[string][]byte // by the log; nil for removed
	sorted   []string          // the keys of changed
}

// block says where a block lies, checksum included.
type block struct {
	first        string
	offset, size int64
}

// Load opens the state in a folder. The error wraps [fs.ErrNotExist] where there is
// none, and [ErrDamaged] where it cannot be trusted. The state stays readable until
// [State.Close].
func Load(dir string) (*State, error) {
	var log []byte
	logged, _, err := openFile(filepath.Join(dir, logFile))
	if err == nil {
		log, err = io.ReadAll(logged)
		logged.Close()
	}
	if fsutil.IgnoreMissing(err) != nil {
		return nil, err
	}
	f, size, err := openFile(filepath.Join(dir, stateFile))
	if err != nil {
		return nil, err
	}
	s, err := Open(f, size, log)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.file = f
	return s, nil
}

// Close closes the file that Load opened. What was read of it stays.
func (s *State) Close() error { return s.file.Close() }

// openFile opens a regular file, and returns its size in bytes. Nothing else is opened: a
// FIFO would block.
func openFile(name string) (*os.File, int64, error) {
	info, err := os.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSize) {
		err = fmt.Errorf("%s: %w", filepath.Base(name), ErrDamaged)
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(name)
	return f, info.Size(), err
}

// Open reads the header and the index of a state of that size, which is all that finding
// keys takes. Blocks are read later, so r has to stay readable. The log is whole, and
// nil where there is none.
func Open(r io.ReaderAt, size int64, log []byte) (*State, error) {
	if size < int64(len(magic))+endSize || size > maxSize {
		return nil, ErrDamaged
	}
	s := &State{size: size, blocksIn: r}
	end, err := s.checked(nil, size-endSize, endSize)
	if err != nil {
		return nil, err
	}
	headerSize := binary.LittleEndian.Uint64(end)
	indexSize := binary.LittleEndian.Uint64(end[8:])
	s.number = binary.LittleEndian.Uint64(end[16:])
	if rest := uint64(size - endSize); headerSize > rest || indexSize > rest-headerSize {
		return nil, ErrDamaged
	}
	if err := s.readHeader(int64(headerSize)); err != nil {
		return nil, err
	}
	if err := s.readIndex(int64(headerSize), int64(indexSize)); err != nil {
		return nil, err
	}
	if len(log) == 0 {
		return s, nil
	}
	return s, s.apply(log)
}

// checked returns the bytes before the checksum at the end of a part of the
// file, if that fits. They lie in the buffer, if that is long enough.
func (s *State) checked(buffer []byte, offset, size int64) ([]byte, error) {
	data := slices.Grow(buffer[:0], int(size))[:size]
	if n, err := s.blocksIn.ReadAt(data, offset); n < len(data) {
		if err == io.EOF {
			err = ErrDamaged
		}
		return nil, err
	}
	body, ok := checked(data)
	if !ok {
		return nil, ErrDamaged
	}
	return body, nil
}

func (s *State) readHeader(size int64) error {
	header, err := s.checked(nil, 0, size)
	if err != nil {
		return err
	}
	const least = len(magic) + 8
	if len(header) < least || !bytes.HasPrefix(header, []byte(magic)) || binary.LittleEndian.Uint64(header[len(magic):]) != s.number {
		return ErrDamaged
	}
	r := reader{rest: header[least:]}
	s.meta = r.bytes()
	if r.failed || len(r.rest) > 0 {
		return ErrDamaged
	}
	return nil
}

func (s *State) readIndex(offset, size int64) error {
	end := s.size - endSize - size
	index, err := s.checked(nil, end, size)
	if err != nil {
		return err
	}
	for r := (reader{rest: index}); len(r.rest) > 0; {
		b := block{first: r.text(), offset: offset, size: r.number()}
		if r.failed || b.size > end-offset {
			return ErrDamaged
		}
		if n := len(s.blocks); n > 0 && b.first <= s.blocks[n-1].first {
			return ErrDamaged
		}
		s.blocks = append(s.blocks, b)
		offset += b.size
	}
	if offset != end {
		return ErrDamaged
	}
	return nil
}

// Meta returns the value that stands for the whole state.
func (s *State) Meta() []byte { return s.meta }

// Size returns how many bytes the state has, its log included.
func (s *State) Size() int64 { return s.size + s.logSize }

// block returns the keys and values of a block, in the buffer if that is long
// enough.
func (s *State) block(buffer []byte, i int) ([]byte, error) {
	body, err := s.checked(buffer, s.blocks[i].offset, s.blocks[i].size)
	if err != nil {
		return nil, err
	}
	last, first := "", true
	for r := (reader{rest: body}); len(r.rest) > 0; first = false {
		key := r.text()
		r.bytes()
		if r.failed || first && key != s.blocks[i].first || !first && key <= last {
			return nil, ErrDamaged
		}
		last = key
	}
	if first || i+1 < len(s.blocks) && last >= s.blocks[i+1].first {
		return nil, ErrDamaged
	}
	return body, nil
}

// find returns the block that has the key, if one has.
func (s *State) find(key string) int {
	after := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].first > key })
	return max(after-1, 0)
}

// checked returns data without the checksum at its end, if that fits.
func checked(data []byte) ([]byte, bool) {
	n := len(data) - sumSize
	if n < 0 || binary.LittleEndian.Uint32(data[n:]) != crc32.Checksum(data[:n], table) {
		return nil, false
	}
	return data[:n], true
}

// reader reads numbers and strings of bytes one after the other.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) number() int64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 || n > math.MaxInt64 {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[length:]
	return int64(n)
}

func (r *reader) bytes() []byte {
	n := r.number()
	if r.failed || n > int64(len(r.rest)) {
		r.failed, r.rest = true, nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// text returns a string that shares its memory with what was read: a large state
// has hundreds of thousands.
func (r *reader) text() string {
	b := r.bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendSum appends the checksum of b.
func appendSum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, table))
}
