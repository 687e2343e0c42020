package archive

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"
)

// tarEncoder makes blocks of a tar.
type tarEncoder struct {
	zstd *zstd.Encoder // nil where nothing is compressed
	tar  *tar.Writer
	err  error // of making the encoder
}

func newTar() encoder { return new(tarEncoder) }

func newTarZstd() encoder {
	z, err := newZstd()
	return &tarEncoder{zstd: z, err: err}
}

// newZstd compresses at the speed of a disk. The window covers what a block of
// usual pages has; its size is what both ends need as memory.
func newZstd() (*zstd.Encoder, error) {
	const window = 1 << 20
	return zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1))
}

func (e *tarEncoder) begin(w io.Writer) {
	if e.zstd != nil {
		e.zstd.Reset(w)
		w = e.zstd
	}
	e.tar = tar.NewWriter(w)
}

func (e *tarEncoder) add(name string, data []byte, seconds int64) error {
	if e.err != nil {
		return e.err
	}
	err := e.tar.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg,
		Name:     name,
		Size:     int64(len(data)),
		Mode:     entryMode,
		ModTime:  time.Unix(seconds, 0),
		Format:   tar.FormatUSTAR,
	})
	if err == nil {
		_, err = e.tar.Write(data)
	}
	return err
}

// end leaves out what ends a tar, as other blocks follow.
func (e *tarEncoder) end() error {
	err := errors.Join(e.err, e.tar.Flush())
	if e.zstd != nil {
		err = errors.Join(err, e.zstd.Close())
	}
	return err
}

// tarEnd ends a tar: two blocks of zeros.
var tarEnd = make([]byte, 2*512)

func finishTar(to io.Writer, _ io.Reader, size int64) (int64, error) {
	n, err := to.Write(tarEnd)
	return size + int64(n), err
}

func finishTarZstd(to io.Writer, _ io.Reader, size int64) (int64, error) {
	z, err := newZstd()
	if err != nil {
		return 0, err
	}
	n, err := to.Write(z.EncodeAll(tarEnd, nil))
	return size + int64(n), errors.Join(err, z.Close())
}

func readTarZstd(f *os.File, visit visitor) error {
	const window = 64 << 20
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	return readTar(z, visit)
}

func readTar(from io.Reader, visit visitor) error {
	for t := tar.NewReader(from); ; {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			// The rest has checksums, too, and is cut off where the archive is.
			_, err := io.Copy(io.Discard, from)
			return damaged(err)
		case err != nil:
			return damaged(err)
		case h.Typeflag == tar.TypeDir:
		case h.Typeflag != tar.TypeReg:
			return fmt.Errorf("%q is not a regular file", h.Name)
		default:
			if err := visit(h.Name, t); err != nil {
				return err
			}
		}
	}
}
