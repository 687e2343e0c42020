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

	"example.org/sivu/generator/api"
)

// Coding is a way to compress an answer into a precompressed variant of its file, which a
// server sends in its place to clients that ask for it (RFC 9110, 8.4.1).
type Coding struct {
	Name string // one of api.Codings

	// NewEncoder returns a function that appends the compressed form of data to dst, equal bytes for
	// equal bytes. One goroutine uses it.
	NewEncoder func() Encoder
}

// Encoder appends the compressed form of data to dst.
type Encoder func(dst, data []byte) ([]byte, error)

// Codings are all codings, in the order of [api.Codings]: Brotli (RFC 7932), gzip
// (RFC 1952) and Zstandard (RFC 8878). The levels are those beyond which more time brings
// next to nothing on answers, which are small: see BenchmarkEncoders.
var Codings = []Coding{{"br", newBrotli}, {"gz", newGzip}, {"zst", newZstd}}

// CodingsOf returns the codings of those names, each once and in order.
func CodingsOf(names []string) ([]Coding, error) {
	for _, name := range names {
		if !slices.Contains(api.Codings, name) {
			return nil, fmt.Errorf("unknown coding %q: the codings are %s", name, strings.Join(api.Codings, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(Codings), func(c Coding) bool { return !slices.Contains(names, c.Name) }), nil
}

// Variants makes the precompressed variants of answers. One goroutine uses it.
type Variants struct {
	codings  []Coding
	encoders []Encoder // they are large, and made with the first answer
	encoded  []byte
}

// NewVariants returns the maker of variants in some codings.
func NewVariants(codings []Coding) *Variants { return &Variants{codings: codings} }

// Each calls write for each variant of an answer that is smaller than the answer, with its
// index in [api.Codings], from 1, and its bytes, which are there until write returns.
func (v *Variants) Each(data []byte, write func(coding int, data []byte) error) error {
	for i, c := range v.codings {
		if i == len(v.encoders) {
			v.encoders = append(v.encoders, c.NewEncoder())
		}
		var err error
		if v.encoded, err = v.encoders[i](v.encoded[:0], data); err != nil {
			return fmt.Errorf("cannot compress an answer: %w", err)
		}
		if len(v.encoded) >= len(data) {
			continue
		}
		if err := write(slices.Index(api.Codings, c.Name)+1, v.encoded); err != nil {
			return err
		}
	}
	return nil
}

func newGzip() Encoder {
	const level = 6
	w, err := gzip.NewWriterLevel(io.Discard, level)
	return streamEncoder(timelessGzip{w}, err)
}

// timelessGzip says in its header that it has no time (RFC 1952, 2.3.1), where
// the library would write what the zero time happens to be in 32 bits.
type timelessGzip struct{ *gzip.Writer }

func (w timelessGzip) Reset(to io.Writer) {
	w.Writer.Reset(to)
	w.ModTime = time.Unix(0, 0)
}

func newBrotli() Encoder {
	const level = 5
	return streamEncoder(brotli.NewWriterLevel(io.Discard, level), nil)
}

// newZstd keeps to a window far below the one that web clients must have memory
// for (RFC 9659): more would gain nothing on answers, and cost each worker
// the memory. It leaves out the checksum, which clients need not look at.
func newZstd() Encoder {
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

// streamEncoder returns an encoder around a writer that can be used again.
func streamEncoder[W interface {
	io.WriteCloser
	Reset(io.Writer)
}](w W, err error) Encoder {
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
