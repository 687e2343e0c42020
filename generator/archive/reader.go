package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Reader is an archive that is read. Its files lie unpacked in a file of the system's
// temporary folder, so that they can be read in any order.
type Reader struct {
	spool *os.File
	files []unpacked // in order of path
}

type unpacked struct {
	entry  tree.Entry
	offset int64
}

// fileLimit bounds, in bytes, one file of an archive.
const fileLimit = 1 << 30

// Open unpacks an archive of one of Formats, and has to be closed. Folders in it, and
// sivu's own files in .sivu, are passed over, so that a packed output folder does as
// well. Any other file that no snapshot has is an error.
func Open(name string) (*Reader, error) {
	format, err := formatOf(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	spool, err := scratchFile()
	if err != nil {
		return nil, err
	}
	r := &Reader{spool: spool}
	if err := r.unpack(f, format); err != nil {
		r.Close()
		return nil, fmt.Errorf("cannot read the archive %q: %w", name, err)
	}
	return r, nil
}

// Close removes the temporary file.
func (r *Reader) Close() { discard(r.spool) }

// All returns the files in order of path.
func (r *Reader) All() iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for i := range r.files {
			if !yield(r.files[i].entry) {
				return
			}
		}
	}
}

// Read returns the bytes of a file of the archive. Any number of goroutines may call it.
func (r *Reader) Read(p api.Path) ([]byte, error) {
	i, ok := slices.BinarySearchFunc(r.files, p, func(u unpacked, p api.Path) int { return u.entry.Path.Compare(p) })
	if !ok {
		return nil, fmt.Errorf("%s is not in the archive", p)
	}
	data := make([]byte, r.files[i].entry.Size)
	_, err := r.spool.ReadAt(data, r.files[i].offset)
	return data, err
}

// damaged returns the error of an archive that cannot be decoded. Those of the disk stay
// as they are.
func damaged(err error) error {
	if _, isDisk := errors.AsType[*fs.PathError](err); err == nil || isDisk {
		return err
	}
	return fmt.Errorf("it is damaged or cut off (%w)", err)
}

func (r *Reader) unpack(f *os.File, format *Format) error {
	fits, err := format.fits(f)
	if err != nil {
		return err
	}
	if !fits {
		return fmt.Errorf("it is no %s", strings.TrimPrefix(format.Ending, "."))
	}
	offset := int64(0)
	var buffer bytes.Buffer
	err = format.read(f, func(name string, data io.Reader) error {
		name = strings.TrimPrefix(name, "./")
		if strings.HasPrefix(name, ".sivu/") {
			return nil
		}
		path, ok := api.ParsePath(name)
		if !ok {
			return fmt.Errorf("it holds %q, which is no file of a snapshot", name)
		}
		buffer.Reset()
		if _, err := buffer.ReadFrom(io.LimitReader(data, fileLimit+1)); err != nil {
			return damaged(fmt.Errorf("%s: %w", name, err))
		}
		if buffer.Len() > fileLimit {
			return fmt.Errorf("%s is larger than %d MiB", name, fileLimit>>20)
		}
		if _, err := r.spool.WriteAt(buffer.Bytes(), offset); err != nil {
			return withCure(err)
		}
		r.files = append(r.files, unpacked{tree.Entry{Path: path, Sum: tree.SumOf(buffer.Bytes())}, offset})
		offset += int64(buffer.Len())
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(r.files, func(a, b unpacked) int { return a.entry.Path.Compare(b.entry.Path) })
	for i := 1; i < len(r.files); i++ {
		if r.files[i].entry.Path == r.files[i-1].entry.Path {
			return fmt.Errorf("it holds %s twice", r.files[i].entry.Path)
		}
	}
	return nil
}
