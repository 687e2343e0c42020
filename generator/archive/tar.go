package archive

import (
	"archive/tar"
	"errors"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"
)

// tarEnd ends a tar: two blocks of zeros.
var tarEnd = make([]byte, 2*512)

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

func (e *tarEncoder) begin(to *spooler) {
	var w io.Writer = to
	if e.zstd != nil {
		e.zstd.Reset(to)
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

func finishTar(a *assembly) error {
	_, err := a.Write(tarEnd)
	return err
}

func finishTarZstd(a *assembly) error {
	z, err := newZstd()
	if err != nil {
		return err
	}
	_, err = a.Write(z.EncodeAll(tarEnd, nil))
	return errors.Join(err, z.Close())
}
