package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"example.org/sivu/generator/fsutil"
)

// heads sets the heads of records (of api.AppendHead) aside between the passes:
// in a file, so that a large site does not hold them in memory, or in memory
// where nothing may be written. Any number of goroutines may read; each one that
// keeps has a headWriter.
type heads struct {
	file *os.File // nil: memory
	next atomic.Int64

	written atomic.Int64 // bytes in the file

	mu     sync.Mutex
	memory map[int64][]byte // chunks by offset
}

// head is where a head was set aside. The zero value is none.
type head struct {
	offset int64
	length int32
}

// headChunk is how much a worker sets aside at once. A chunk is this long, or a
// multiple of it where a head is longer, and no head lies in two.
const headChunk = 256 << 10

// headWriter fills chunks for one worker.
type headWriter struct {
	heads  *heads
	offset int64
	chunk  []byte
}

func (w *headWriter) keep(b []byte) (head, error) {
	if len(b) > cap(w.chunk)-len(w.chunk) {
		if err := w.flush(); err != nil {
			return head{}, err
		}
		w.reserve(len(b))
	}
	h := head{w.offset + int64(len(w.chunk)), int32(len(b))}
	w.chunk = append(w.chunk, b...)
	return h, nil
}

func (w *headWriter) reserve(length int) {
	size := (max(length, 1) + headChunk - 1) / headChunk * headChunk
	w.offset = w.heads.next.Add(int64(size)) - int64(size)
	if w.heads.file == nil || cap(w.chunk) < size {
		w.chunk = make([]byte, 0, size)
	}
	// One that was longer before must not reach into what others reserve.
	w.chunk = w.chunk[:0:size]
}

// flush brings the last chunk to where it can be read.
func (w *headWriter) flush() error {
	if len(w.chunk) == 0 {
		return nil
	}
	if w.heads.file == nil {
		w.heads.mu.Lock()
		defer w.heads.mu.Unlock()
		if w.heads.memory == nil {
			w.heads.memory = make(map[int64][]byte)
		}
		w.heads.memory[w.offset] = w.chunk
		return nil
	}
	if _, err := w.heads.file.WriteAt(w.chunk, w.offset); err != nil {
		return w.heads.failed("set records aside in", err)
	}
	w.heads.written.Add(int64(len(w.chunk)))
	return nil
}

// append appends the head to dst. All writers must have been flushed.
func (s *heads) append(dst []byte, h head) ([]byte, error) {
	if s.file == nil {
		return append(dst, s.find(h)...), nil
	}
	start := len(dst)
	dst = slices.Grow(dst, int(h.length))[:start+int(h.length)]
	if _, err := s.file.ReadAt(dst[start:], h.offset); err != nil {
		return dst, s.failed("read what was set aside in", err)
	}
	return dst, nil
}

// failed says what could not be done with the file: its name means nothing to
// anyone, but its folder does.
func (s *heads) failed(doing string, err error) error {
	err = fmt.Errorf("cannot %s %q: %w", doing, filepath.Dir(s.file.Name()), fsutil.Reason(err))
	if fsutil.IsFull(err) {
		return fmt.Errorf("%w; free some space there and run sivu again", err)
	}
	return err
}

func (s *heads) find(h head) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for start := h.offset / headChunk * headChunk; start >= 0; start -= headChunk {
		if chunk, ok := s.memory[start]; ok {
			return chunk[h.offset-start:][:h.length]
		}
	}
	return nil
}
