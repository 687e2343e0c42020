package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
)

// Writer takes the files of a snapshot. One goroutine uses it; an archive has as
// many writers as it likes.
type Writer struct {
	archive  *Archive
	encoder  encoder
	spooler  spooler
	block    int32 // noBlock before the first
	load     folder.Changes
	variants *folder.Variants
	closed   bool
}

const noBlock = -1

// NewWriter returns a writer. It must be closed before Commit.
func (a *Archive) NewWriter() *Writer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writers++
	return &Writer{
		archive: a, encoder: a.format.newEncoder(), spooler: spooler{spool: a.spool}, block: noBlock, variants: folder.NewVariants(a.codings),
	}
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
func (w *Writer) WriteFolder(dir string, files ...api.File) error {
	w.load.InFolder++
	for _, f := range files {
		if err := w.addAnswer(dir+"/"+f.Name, f.Data); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// WriteFile takes a list page, of which it adds the siblings, an error body or an
// in-root file. An error means that the archive cannot be committed.
func (w *Writer) WriteFile(path string, data []byte) error {
	if !strings.HasPrefix(path, api.Folder+"/") {
		return w.fail(w.add(path, data))
	}
	before := w.load.Files
	err := w.addAnswer(path, data)
	w.load.InFolder += w.load.Files - before
	return w.fail(err)
}

// addAnswer adds an answer after its precompressed variants: so they go wherever an
// archive is unpacked over an older snapshot, and package tree says why.
func (w *Writer) addAnswer(name string, data []byte) error {
	err := w.variants.Each(data, func(coding int, data []byte) error {
		return w.add(name+"."+api.Codings[coding-1], data)
	})
	if err != nil {
		return err
	}
	return w.add(name, data)
}

// add adds a file to the block.
func (w *Writer) add(name string, data []byte) error {
	switch {
	case w.block == noBlock:
		return fmt.Errorf("%s is in no block", name)
	case !fs.ValidPath(name):
		return fmt.Errorf("%q is not a file of a snapshot", name)
	}
	size := int64(len(data))
	addLoad(&w.load, &folder.Changes{Files: 1, Bytes: size, Largest: size, LargestFile: name})
	return w.encoder.add(name, data, timeOf(data))
}

// timeOf returns the time that stands for data, in Unix seconds: see the package
// comment.
func timeOf(data []byte) int64 {
	const first, step, bits = 1577836800, 2, 26 // from 2020 on, for 2^26 steps
	return first + step*int64(xxhash.Sum64(data)>>(64-bits))
}

// fail keeps the first error, so that nothing can be committed after it. It returns nil
// for nil.
func (w *Writer) fail(err error) error {
	if err == nil {
		return nil
	}
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
	w.encoder, w.variants = nil, nil
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
