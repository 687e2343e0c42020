package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"example.org/sivu/generator/fsutil"
)

// Spool keeps encoded parts of records between the steps of a build: in a file, so
// that a large site does not hold them in memory, or in memory where nothing may be
// written. Any number of goroutines may read; each one that writes has a spooler. The
// zero value is an empty spool in memory.
type Spool struct {
	File *os.File // nil: memory

	next    atomic.Int64
	written atomic.Int64

	mu     sync.Mutex
	memory map[int64][]byte // chunks by offset
}

// Ref says where a part of a record is in a spool. The zero value is none.
type Ref struct {
	high, low, length uint32 // the offset in two halves, so that it takes 12 bytes
}

func (r Ref) offset() int64 { return int64(r.high)<<32 | int64(r.low) }

// chunkSize is how much a spooler writes at once. A chunk is this long, or a multiple
// of it where a part is longer, and no part lies in two.
const chunkSize = 256 << 10

// Spooler fills chunks of a spool for one goroutine.
type Spooler struct {
	Spool *Spool

	offset int64
	chunk  []byte
}

// Write adds a part. It can be read after [Spooler.Flush].
func (w *Spooler) Write(b []byte) (Ref, error) {
	if len(b) > cap(w.chunk)-len(w.chunk) {
		if err := w.Flush(); err != nil {
			return Ref{}, err
		}
		w.reserve(len(b))
	}
	at := w.offset + int64(len(w.chunk))
	w.chunk = append(w.chunk, b...)
	return Ref{uint32(at >> 32), uint32(at), uint32(len(b))}, nil
}

func (w *Spooler) reserve(length int) {
	size := (max(length, 1) + chunkSize - 1) / chunkSize * chunkSize
	w.offset = w.Spool.next.Add(int64(size)) - int64(size)
	if w.Spool.File == nil || cap(w.chunk) < size {
		w.chunk = make([]byte, 0, size)
	}
	// A buffer that was longer before must not reach into the chunks of others.
	w.chunk = w.chunk[:0:size]
}

// Flush brings the last chunk to where it can be read.
func (w *Spooler) Flush() error {
	s := w.Spool
	if len(w.chunk) == 0 {
		return nil
	}
	if s.File == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.memory == nil {
			s.memory = make(map[int64][]byte)
		}
		s.memory[w.offset] = w.chunk
		return nil
	}
	if _, err := s.File.WriteAt(w.chunk, w.offset); err != nil {
		return s.failed("set records aside in", err)
	}
	s.written.Add(int64(len(w.chunk)))
	return nil
}

// Written returns how many bytes were written to the file.
func (s *Spool) Written() int64 { return s.written.Load() }

// Append appends a part to dst. All spoolers must have been flushed.
func (s *Spool) Append(dst []byte, r Ref) ([]byte, error) {
	if s.File == nil {
		return append(dst, s.find(r)...), nil
	}
	start := len(dst)
	dst = slices.Grow(dst, int(r.length))[:start+int(r.length)]
	if _, err := s.File.ReadAt(dst[start:], r.offset()); err != nil {
		return dst, s.failed("read what was set aside in", err)
	}
	return dst, nil
}

// failed returns the error of a file that cannot be written or read. It names the folder,
// as the file's own name is random.
func (s *Spool) failed(doing string, err error) error {
	err = fmt.Errorf("cannot %s %q: %w", doing, filepath.Dir(s.File.Name()), fsutil.Reason(err))
	if fsutil.IsFull(err) {
		return fmt.Errorf("%w; free some space there and run sivu again", err)
	}
	return err
}

func (s *Spool) find(r Ref) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for start := r.offset() / chunkSize * chunkSize; start >= 0; start -= chunkSize {
		if chunk, ok := s.memory[start]; ok {
			return chunk[r.offset()-start:][:r.length]
		}
	}
	return nil
}
