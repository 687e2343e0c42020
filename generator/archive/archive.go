package archive

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"example.org/sivu/generator/folder"
)

// Pipe is the name of an archive that goes to where Options say.
const Pipe = "-"

// The mode of an entry, and the bit of Unix that says that it is a file.
const (
	entryMode   = 0o644
	regularFile = 0o100000
)

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
	place   *place
	spool   *spool
	scratch *os.File // nil until it is asked for
	size    int64    // since Commit

	mu      sync.Mutex
	load    folder.Changes
	writers int   // not closed yet
	failed  error // of the first writer that could not write
	ended   bool
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
	p, err := newPlace(name, format, o)
	if err != nil {
		return nil, err
	}
	file, err := p.aside()
	if err != nil {
		return nil, errors.Join(err, p.abort())
	}
	return &Archive{format: format, codings: o.Codings, place: p, spool: &spool{file: file}}, nil
}

// Scratch returns an empty file on the file system of the archive, for what a
// build has to set aside. It is gone when the archive ends.
func (a *Archive) Scratch() (*os.File, error) {
	var err error
	if a.scratch == nil {
		a.scratch, err = a.place.aside()
	}
	return a.scratch, err
}

// Review returns what the archive will hold. Nothing may be written after it.
func (a *Archive) Review(ctx context.Context) (*folder.Changes, error) {
	if a.ended {
		return nil, errEnded
	}
	if err := a.ready(ctx); err != nil {
		return nil, err
	}
	return &a.load, nil
}

var errEnded = errors.New("the archive was committed or aborted before")

func (a *Archive) ready(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.failed != nil:
		return a.failed
	case a.writers > 0:
		return fmt.Errorf("cannot commit: %d writers are still open", a.writers)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return nil
}

// Commit puts the archive together and into its place, and ends it. If anything
// fails, or if ctx is done before the last step, what was there stays. Of what
// went down a pipe nothing comes back.
//
// Of the changes only what a new snapshot has is known: what an archive held
// before nobody looks at.
func (a *Archive) Commit(ctx context.Context) (*folder.Changes, error) {
	if a.ended {
		return nil, errEnded
	}
	err := a.ready(ctx)
	if err == nil {
		err = a.assemble(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.Abort())
	}
	a.end()
	return &a.load, nil
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
	return a.place.abort()
}

func (a *Archive) end() {
	a.ended = true
	discardAside(a.spool.file)
	if a.scratch != nil {
		discardAside(a.scratch)
	}
}

// assemble writes the blocks in their order, and what follows them.
func (a *Archive) assemble(ctx context.Context) error {
	const bufferSize = 1 << 20
	slices.SortFunc(a.spool.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.block, b.block), cmp.Compare(a.offset, b.offset))
	})
	b := &assembly{ctx: ctx, spool: a.spool, to: bufio.NewWriterSize(a.place.to, bufferSize), starts: make(map[int32]int64)}
	err := b.each(entries, func(block int32, read io.Reader) error {
		b.starts[block] = b.size
		_, err := io.Copy(b, read)
		return err
	})
	if err == nil {
		err = a.format.finish(b)
	}
	if err == nil {
		err = b.to.Flush()
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return a.place.problem(err)
	}
	a.size = b.size
	return a.place.commit()
}

// assembly is an archive that is put together.
type assembly struct {
	ctx    context.Context
	spool  *spool
	to     *bufio.Writer
	size   int64           // so far
	starts map[int32]int64 // of blocks, in the archive
}

func (b *assembly) Write(data []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.to.Write(data)
	b.size += int64(n)
	return n, err
}

// each calls f for what each block has of a kind, in the order of blocks.
func (b *assembly) each(k kind, f func(block int32, read io.Reader) error) error {
	for rest := b.spool.pieces; len(rest) > 0; {
		first := rest[0]
		var parts []io.Reader
		for ; len(rest) > 0 && rest[0].block == first.block && rest[0].kind == first.kind; rest = rest[1:] {
			parts = append(parts, io.NewSectionReader(b.spool.file, rest[0].offset, int64(rest[0].length)))
		}
		if first.kind != k {
			continue
		}
		if err := f(first.block, io.MultiReader(parts...)); err != nil {
			return err
		}
	}
	return nil
}
