package archive

import (
	"bufio"
	"os"
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

// piece is a part of a block, in one stretch. The pieces of a block lie in their order.
type piece struct {
	block  int32
	kind   kind
	offset int64
	length int
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
	buffer *bufio.Writer
}

// begin begins what a block has of a kind.
func (s *spooler) begin(block int32, k kind) {
	s.block, s.kind, s.length = block, k, 0
	if s.buffer == nil {
		s.buffer = bufio.NewWriterSize(pieceWriter{s}, spoolSize)
	}
}

func (s *spooler) Write(b []byte) (int, error) {
	s.length += int64(len(b))
	return s.buffer.Write(b)
}

// flush writes what is gathered.
func (s *spooler) flush() error { return s.buffer.Flush() }

// pieceWriter writes each piece to a place of its own in the spool.
type pieceWriter struct{ *spooler }

func (w pieceWriter) Write(b []byte) (int, error) {
	p := piece{block: w.block, kind: w.kind, length: len(b)}
	w.spool.mu.Lock()
	p.offset = w.spool.next
	w.spool.next += int64(p.length)
	w.spool.pieces = append(w.spool.pieces, p)
	w.spool.mu.Unlock()
	return w.spool.file.WriteAt(b, p.offset)
}
