package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Coding is a way to compress an answer into a precompressed variant of its file, which a
// server sends in its place to clients that ask for it (RFC 9110, 8.4.1).
type Coding struct {
	Name string // also the ending of the precompressed variant, without its dot
	Doc  string

	newEncoder func() encoder
}

// Codings are all codings, in the order of their names. Equal bytes give equal
// precompressed variants. The levels are those beyond which more time brings next to nothing
// on answers, which are small: see BenchmarkEncoders.
var Codings = []Coding{
	{Name: "br", Doc: "Brotli (RFC 7932)", newEncoder: newBrotli},
	{Name: "gz", Doc: "gzip (RFC 1952)", newEncoder: newGzip},
	{Name: "zst", Doc: "Zstandard (RFC 8878)", newEncoder: newZstd},
}

// NewPacker returns a function for one goroutine that appends the compressed form
// of data to dst.
func (c Coding) NewPacker() func(dst, data []byte) ([]byte, error) { return c.newEncoder() }

// encoder appends the compressed form of data to dst. One goroutine uses it.
type encoder func(dst, data []byte) ([]byte, error)

// checkCodings returns the indexes in Codings, from 1, of the codings of those
// names, each once and in order.
func checkCodings(names []string) ([]int, error) {
	var indexes []int
	for _, name := range names {
		i := slices.IndexFunc(Codings, func(c Coding) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown coding %q: the codings are %s", name, strings.Join(CodingNames(), ", "))
		}
		indexes = append(indexes, i+1)
	}
	slices.Sort(indexes)
	return slices.Compact(indexes), nil
}

// CodingNames returns the names of all codings.
func CodingNames() []string {
	var names []string
	for _, c := range Codings {
		names = append(names, c.Name)
	}
	return names
}

func newGzip() encoder {
	const level = 6
	w, err := gzip.NewWriterLevel(io.Discard, level)
	return streamPacker(timelessGzip{w}, err)
}

// timelessGzip says in its header that it has no time (RFC 1952, 2.3.1), where
// the library would write what the zero time happens to be in 32 bits.
type timelessGzip struct{ *gzip.Writer }

func (w timelessGzip) Reset(to io.Writer) {
	w.Writer.Reset(to)
	w.ModTime = time.Unix(0, 0)
}

func newBrotli() encoder {
	const level = 5
	return streamPacker(brotli.NewWriterLevel(io.Discard, level), nil)
}

// newZstd keeps to a window that is far below what clients of the web must have
// room for (RFC 9659): more would gain nothing on answers, and cost each worker
// the memory. It leaves out the checksum, which clients need not look at.
func newZstd() encoder {
	const window = 1 << 20
	w, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false))
	return func(dst, data []byte) ([]byte, error) {
		if err != nil {
			return dst, err
		}
		return w.EncodeAll(data, dst), nil
	}
}

// streamPacker returns a encoder around a writer that can be used again.
func streamPacker[W interface {
	io.WriteCloser
	Reset(io.Writer)
}](w W, err error) encoder {
	return func(dst, data []byte) ([]byte, error) {
		if err != nil {
			return dst, err
		}
		to := bytes.NewBuffer(dst)
		w.Reset(to)
		_, err := w.Write(data)
		err = errors.Join(err, w.Close())
		return to.Bytes(), err
	}
}
