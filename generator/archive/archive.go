package archive

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
)

// Pipe is the name of an archive that goes to where Options say.
const Pipe = "-"

// entryMode is the mode of an entry.
const entryMode = 0o644

// Options say how an archive is written. The zero value works for a name that is
// not Pipe.
type Options struct {
	// Content is the content folder, in which no archive may lie; "" where there
	// is none.
	Content string

	// To is where the archive named Pipe goes.
	To io.Writer

	// Codings are those in which every answer gets a precompressed variant, where that
	// is smaller than the answer.
	Codings []folder.Coding
}

// Archive is an archive in the making. One of Commit and Abort ends it.
type Archive struct {
	format  *Format
	codings []folder.Coding
	target  *target
	spool   *os.File // the encoded blocks, in pieces, in the order in which they come
	scratch *os.File // nil until it is asked for
	size    int64    // since Commit

	mu      sync.Mutex
	pieces  []piece
	spooled int64 // bytes
	load    folder.Changes
	writers int   // not closed yet
	failed  error // of the first writer that could not write
	ended   bool
}

// piece is a part of a block in the spool. The pieces of a block lie in their order.
type piece struct {
	block          int32
	offset, length int64
}

// Create begins an archive: a file whose name ends with that of one of Formats,
// or Pipe. A file that is there already is replaced at the end if it is an
// archive of this form, or empty; any other is refused. The folder has to be
// there.
func Create(name string, o Options) (*Archive, error) {
	format, err := formatOf(name)
	if err != nil {
		return nil, err
	}
	t, err := openTarget(name, format, o)
	if err != nil {
		return nil, err
	}
	spool, err := t.scratch()
	if err != nil {
		return nil, errors.Join(err, t.abort())
	}
	return &Archive{format: format, codings: o.Codings, target: t, spool: spool}, nil
}

// Scratch returns an empty file on the file system of the archive, for spools of the
// build. It is gone when the archive ends.
func (a *Archive) Scratch() (*os.File, error) {
	var err error
	if a.scratch == nil {
		a.scratch, err = a.target.scratch()
	}
	return a.scratch, err
}

// Review returns the counts of the new snapshot. Nothing may be written after it.
func (a *Archive) Review(ctx context.Context) (*folder.Changes, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended:
		return nil, errors.New("the archive was committed or aborted before")
	case a.failed != nil:
		return nil, a.failed
	case a.writers > 0:
		return nil, fmt.Errorf("cannot commit: %d writers are still open", a.writers)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return &a.load, nil
}

// Commit puts the archive together, gives it its name, and ends it. If anything
// fails, or if ctx is done before the last step, what was there stays; but what
// went down a pipe is gone.
//
// Of the changes only the counts of the new snapshot are known: an archive is never
// compared with the one that it replaces.
func (a *Archive) Commit(ctx context.Context) (*folder.Changes, error) {
	load, err := a.Review(ctx)
	if err == nil {
		err = a.assemble(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.Abort())
	}
	a.end()
	return load, nil
}

// Size returns the size of a committed archive in bytes.
func (a *Archive) Size() int64 { return a.size }

// Abort ends the archive and leaves what was there as it is. After Commit it
// does nothing, so that it can be deferred. No writer may be at work.
func (a *Archive) Abort() error {
	if a.ended {
		return nil
	}
	a.end()
	return a.target.abort()
}

func (a *Archive) end() {
	a.ended = true
	discard(a.spool)
	if a.scratch != nil {
		discard(a.scratch)
	}
}

// assemble writes the blocks in their order, and what follows them.
func (a *Archive) assemble(ctx context.Context) error {
	const bufferSize = 1 << 20
	slices.SortFunc(a.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.offset, b.offset))
	})
	to := bufio.NewWriterSize(a.target, bufferSize)
	size, err := io.Copy(to, a.blocks(ctx))
	if err == nil {
		a.size, err = a.format.finish(to, a.blocks(ctx), size)
	}
	if err == nil {
		err = to.Flush()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		err = a.target.commit()
	}
	return a.target.problem(err)
}

// blocks returns a reader of all blocks, which fails once ctx is done.
func (a *Archive) blocks(ctx context.Context) io.Reader {
	parts := make([]io.Reader, len(a.pieces))
	for i, p := range a.pieces {
		parts[i] = io.NewSectionReader(a.spool, p.offset, p.length)
	}
	return contextReader{ctx, io.MultiReader(parts...)}
}

type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(b)
}

// Writer takes the files of a snapshot. One goroutine uses it; an archive has as
// many writers as it likes.
type Writer struct {
	archive  *Archive
	encoder  encoder // nil after Close
	pieces   *bufio.Writer
	block    int32 // noBlock before the first
	load     folder.Changes
	variants *folder.Variants
}

const (
	noBlock   = -1
	pieceSize = 256 << 10
)

// NewWriter returns a writer. It must be closed before Commit.
func (a *Archive) NewWriter() *Writer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writers++
	w := &Writer{archive: a, encoder: a.format.newEncoder(), block: noBlock, variants: folder.NewVariants(a.codings)}
	w.pieces = bufio.NewWriterSize(pieceWriter{w}, pieceSize)
	return w
}

// pieceWriter makes a piece of all that is written at once.
type pieceWriter struct{ *Writer }

func (w pieceWriter) Write(b []byte) (int, error) {
	a := w.archive
	a.mu.Lock()
	p := piece{w.block, a.spooled, int64(len(b))}
	a.spooled += p.length
	a.pieces = append(a.pieces, p)
	a.mu.Unlock()
	return a.spool.WriteAt(b, p.offset)
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
	w.encoder.begin(w.pieces)
	return nil
}

func (w *Writer) endBlock() error {
	if w.block == noBlock {
		return nil
	}
	err := errors.Join(w.encoder.end(), w.pieces.Flush())
	w.block = noBlock
	return w.fail(err)
}

// WriteFolder takes the files of a record's folder, pages/<uuid>, and adds their
// precompressed variants. An error means that the archive cannot be committed.
func (w *Writer) WriteFolder(dir string, files ...api.File) error {
	w.load.InFolder++
	for _, f := range files {
		if err := w.addAnswer(dir+"/"+f.Name, f.Data); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// WriteFile takes an error body, a host file, or a list page, of which it adds the
// precompressed variants. An error means that the archive cannot be committed.
func (w *Writer) WriteFile(path string, data []byte) error {
	if !strings.HasPrefix(path, api.Folder+"/") {
		return w.fail(w.add(path, data))
	}
	before := w.load.Files
	err := w.addAnswer(path, data)
	w.load.InFolder += w.load.Files - before
	return w.fail(err)
}

// addAnswer adds an answer after its precompressed variants: package tree says why.
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

// timeOf returns the time of an entry, in Unix seconds: see the package comment.
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
	err = w.archive.target.problem(err)
	w.archive.mu.Lock()
	defer w.archive.mu.Unlock()
	w.archive.failed = cmp.Or(w.archive.failed, err)
	return err
}

// Close ends the last block. It may be called more than once.
func (w *Writer) Close() error {
	if w.encoder == nil {
		return nil
	}
	err := w.endBlock()
	w.encoder, w.variants = nil, nil
	w.archive.mu.Lock()
	defer w.archive.mu.Unlock()
	w.archive.writers--
	addLoad(&w.archive.load, &w.load)
	return err
}

// addLoad adds the counts of files.
func addLoad(l, other *folder.Changes) {
	l.Files += other.Files
	l.Bytes += other.Bytes
	l.InFolder += other.InFolder
	// Of several largest files the first by name counts, in whatever order they come.
	if other.Largest > l.Largest || other.Largest == l.Largest && (l.LargestFile == "" || other.LargestFile < l.LargestFile) {
		l.Largest, l.LargestFile = other.Largest, other.LargestFile
	}
}
