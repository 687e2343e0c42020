package archive

import (
	"cmp"
	"io"
	"os"
	"slices"
	"sync"
)

// spool keeps encoded blocks, in the order in which they come, until all are
// there. Any number of spoolers may write to it.
type spool struct {
	file *os.File

	mu     sync.Mutex
	next   int64
	pieces []piece
}

// piece is a part of a block, in one stretch.
type piece struct {
	block  int32
	kind   kind
	offset int64
	length int32
}

// kind says what a piece holds.
type kind uint8

const (
	entries   kind = iota
	directory      // what the end of a zip says of the entries
)

// spoolSize is how much a spooler gathers before it writes.
const spoolSize = 256 << 10

// spooler writes blocks for one writer.
type spooler struct {
	spool  *spool
	block  int32
	kind   kind
	length int64 // of what the block has of the kind
	buffer []byte
}

// begin begins what a block has of a kind.
func (s *spooler) begin(block int32, k kind) {
	s.block, s.kind, s.length = block, k, 0
}

func (s *spooler) Write(b []byte) (int, error) {
	n := len(b)
	s.length += int64(n)
	for len(b) > 0 {
		if s.buffer == nil {
			s.buffer = make([]byte, 0, spoolSize)
		}
		part := min(len(b), cap(s.buffer)-len(s.buffer))
		s.buffer, b = append(s.buffer, b[:part]...), b[part:]
		if len(s.buffer) == cap(s.buffer) {
			if err := s.flush(); err != nil {
				return n - len(b), err
			}
		}
	}
	return n, nil
}

// flush writes what is gathered. The pieces of a block lie in their order, as
// each is given its place after the one before.
func (s *spooler) flush() error {
	if len(s.buffer) == 0 {
		return nil
	}
	p := piece{block: s.block, kind: s.kind, length: int32(len(s.buffer))}
	s.spool.mu.Lock()
	p.offset = s.spool.next
	s.spool.next += int64(p.length)
	s.spool.pieces = append(s.spool.pieces, p)
	s.spool.mu.Unlock()
	_, err := s.spool.file.WriteAt(s.buffer, p.offset)
	s.buffer = s.buffer[:0]
	return err
}

// sort puts all pieces into the order of the archive: those of one kind by
// block.
func (s *spool) sort() {
	slices.SortFunc(s.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.block, b.block), cmp.Compare(a.offset, b.offset))
	})
}

func (s *spool) open(p piece) *io.SectionReader {
	return io.NewSectionReader(s.file, p.offset, int64(p.length))
}
