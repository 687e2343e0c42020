package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/folder"
)

// pages is the folder of the answers.
const pages = "pages/"

// Writer takes the files of a snapshot. One goroutine uses it; an archive has as
// many writers as it likes.
type Writer struct {
	archive *Archive
	encoder encoder
	spooler spooler
	block   int32 // noBlock before the first
	load    folder.Changes
	packers []func(dst, data []byte) ([]byte, error)
	packed  [][]byte
	closed  bool
}

const noBlock = -1

// NewWriter returns a writer. It must be closed before Commit.
func (a *Archive) NewWriter() *Writer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writers++
	return &Writer{archive: a, encoder: a.format.newEncoder(), spooler: spooler{spool: a.spool}, block: noBlock}
}

// Block says which block of the archive, from 0, the files that follow are in.
// All files of a block come from one writer, one after the other. The bytes of
// an archive depend on how its files are spread over blocks. A block should be
// large enough to be compressed well; its size is not limited by memory.
func (w *Writer) Block(n int) error {
	if int(w.block) == n {
		return nil
	}
	if err := w.endBlock(); err != nil {
		return err
	}
	w.block = int32(n)
	w.spooler.begin(w.block, entries)
	w.encoder.begin(&w.spooler)
	return nil
}

func (w *Writer) endBlock() error {
	if w.block == noBlock {
		return nil
	}
	w.block = noBlock
	if err := errors.Join(w.encoder.end(), w.spooler.flush()); err != nil {
		return w.fail(err)
	}
	return nil
}

// WriteFolder takes the files of a record's folder, pages/<uuid>, and adds their
// siblings. An error means that the archive cannot be committed.
func (w *Writer) WriteFolder(dir string, files ...folder.File) error {
	w.load.InFolder++
	for _, f := range files {
		if err := w.addAnswer(dir+"/"+f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile takes a list page, of which it adds the siblings, an error body or an
// in-root file. An error means that the archive cannot be committed.
func (w *Writer) WriteFile(path string, data []byte) error {
	if !strings.HasPrefix(path, pages) {
		return w.add(path, data)
	}
	before := w.load.Files
	defer func() { w.load.InFolder += w.load.Files - before }()
	return w.addAnswer(path, data)
}

// addAnswer adds an answer after its siblings: so they go wherever an archive is
// unpacked over an older snapshot, and package folder says why.
func (w *Writer) addAnswer(name string, data []byte) error {
	for i, c := range w.archive.codings {
		if i == len(w.packers) { // packers are large: only a writer of answers has them
			w.packers, w.packed = append(w.packers, c.NewPacker()), append(w.packed, nil)
		}
		var err error
		if w.packed[i], err = w.packers[i](w.packed[i][:0], data); err != nil {
			return w.fail(fmt.Errorf("%s cannot be compressed: %w", name, err))
		}
		if len(w.packed[i]) < len(data) {
			if err := w.add(name+"."+c.Name, w.packed[i]); err != nil {
				return err
			}
		}
	}
	return w.add(name, data)
}

// add adds a file to the block.
func (w *Writer) add(name string, data []byte) error {
	switch {
	case w.block == noBlock:
		return w.fail(fmt.Errorf("%s is in no block", name))
	case !fs.ValidPath(name):
		return w.fail(fmt.Errorf("%q is not a file of a snapshot", name))
	}
	size := int64(len(data))
	addLoad(&w.load, &folder.Changes{Files: 1, Bytes: size, Largest: size, LargestFile: name})
	if err := w.encoder.add(name, data, timeOf(data)); err != nil {
		return w.fail(err)
	}
	return nil
}

// timeOf returns the time that stands for data, in Unix seconds: see the package
// comment.
func timeOf(data []byte) int64 {
	const first, step, bits = 1577836800, 2, 26 // from 2020 on, for 2^26 steps
	return first + step*int64(xxhash.Sum64(data)>>(64-bits))
}

// fail keeps the first error, so that nothing can be committed after it.
func (w *Writer) fail(err error) error {
	err = w.archive.place.problem(err)
	w.archive.mu.Lock()
	defer w.archive.mu.Unlock()
	if w.archive.failed == nil {
		w.archive.failed = err
	}
	return err
}

// Close hands over what the writer took. It may be called more than once.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	err := w.endBlock()
	w.archive.mu.Lock()
	defer w.archive.mu.Unlock()
	w.archive.writers--
	addLoad(&w.archive.load, &w.load)
	w.encoder, w.packers, w.packed = nil, nil, nil
	return err
}

// addLoad adds what a host of the files has to take.
func addLoad(l, other *folder.Changes) {
	l.Files += other.Files
	l.Bytes += other.Bytes
	l.InFolder += other.InFolder
	// Of two that are largest it is the same one whoever comes first.
	if c := cmp.Compare(other.Largest, l.Largest); c > 0 || c == 0 && (l.LargestFile == "" || other.LargestFile < l.LargestFile) {
		l.Largest, l.LargestFile = other.Largest, other.LargestFile
	}
}
