package state

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"example.org/sivu/generator/fsutil"
)

// Writer writes a whole state, key by key in ascending order.
type Writer struct {
	dir  string          // of Create
	file *fsutil.NewFile // of Create

	buffer *bufio.Writer
	number uint64
	header int
	block  []byte // not written yet
	first  string // key of block
	index  []byte
	last   string
	some   bool
	failed error
}

// tempFile is the name of a state in the making.
const tempFile = "state.new"

// Create begins to write a state to a folder. What is there stays until Close.
func Create(dir string, meta []byte) (*Writer, error) {
	f, err := fsutil.Create(filepath.Join(dir, stateFile), tempFile, 0o600)
	if err != nil {
		return nil, refused(dir, tempFile, err)
	}
	w := NewWriter(f, meta)
	w.dir, w.file = dir, f
	return w, nil
}

// NewWriter begins to write a state to w. It ends with [Writer.Finish].
func NewWriter(to io.Writer, meta []byte) *Writer {
	w := &Writer{buffer: bufio.NewWriterSize(to, 64<<10), number: rand.Uint64()}
	header := binary.LittleEndian.AppendUint64([]byte(magic), w.number)
	header = appendSum(appendBytes(header, meta))
	w.header = len(header)
	w.write(header)
	return w
}

func (w *Writer) write(b []byte) {
	if _, err := w.buffer.Write(b); err != nil && w.failed == nil {
		w.failed = err
	}
}

// Put adds a key. Errors are those of Finish and Close.
func (w *Writer) Put(key string, value []byte) {
	if w.some && key <= w.last && w.failed == nil {
		w.failed = fmt.Errorf("the key %q does not follow %q", key, w.last)
	}
	w.last, w.some = key, true
	if len(w.block) == 0 {
		w.first = key
	}
	w.block = appendBytes(appendBytes(w.block, key), value)
	if len(w.block) >= blockSize {
		w.endBlock()
	}
}

func (w *Writer) endBlock() {
	if len(w.block) == 0 {
		return
	}
	w.block = appendSum(w.block)
	w.write(w.block)
	w.index = appendBytes(w.index, w.first)
	w.index = binary.AppendUvarint(w.index, uint64(len(w.block)))
	w.block = w.block[:0]
}

// Finish writes the end. It does not close the writer below.
func (w *Writer) Finish() error {
	w.endBlock()
	w.index = appendSum(w.index)
	w.write(w.index)
	end := binary.LittleEndian.AppendUint64(nil, uint64(w.header))
	end = binary.LittleEndian.AppendUint64(end, uint64(len(w.index)))
	w.write(appendSum(binary.LittleEndian.AppendUint64(end, w.number)))
	if w.failed != nil {
		return w.failed
	}
	return w.buffer.Flush()
}

// Close puts the state in place of the one before, in the folder that Create was
// given. After an error that one stays.
func (w *Writer) Close() error {
	if err := w.Finish(); err != nil {
		w.file.Abort()
		return refused(w.dir, stateFile, err)
	}
	if err := w.file.Commit(false); err != nil {
		return refused(w.dir, stateFile, err)
	}
	return refused(w.dir, logFile, fsutil.IgnoreMissing(os.Remove(filepath.Join(w.dir, logFile))))
}

// refused is the error of a file that could not be written, with a cure if a folder has
// its name.
func refused(dir, name string, err error) error {
	if err == nil {
		return nil
	}
	name = filepath.Join(dir, name)
	if info, statErr := os.Lstat(name); statErr == nil && info.IsDir() {
		return fmt.Errorf("%q is a folder; remove it", name)
	}
	return fmt.Errorf("cannot write %q: %w", name, fsutil.Reason(err))
}
