package generator

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/folder"
)

// fileWriter takes the files of a snapshot, for a folder or for an archive. One
// goroutine uses it.
type fileWriter interface {
	WriteFolder(dir string, files ...folder.File) error
	WriteFile(path string, data []byte) error
	Close() error
}

var (
	_ fileWriter = (*folder.Writer)(nil)
	_ fileWriter = (*archive.Writer)(nil)
)

// buildArchive is Build into an archive. It uses nothing again of a build before,
// of which an archive keeps nothing.
func buildArchive(ctx context.Context, o Options) (*Result, error) {
	if o.DryRun {
		return nil, errors.New("a dry run needs an output folder; an archive has none")
	}
	r, err := newOutputRun(o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	codings, err := archiveCodings(o.Precompress)
	if err != nil {
		return nil, err
	}
	a, err := archive.Create(o.Archive, archive.Options{Content: o.Content, To: o.ArchiveTo, Codings: codings})
	if err != nil {
		return nil, err
	}
	r.archive, r.heads = a, new(heads)
	if r.heads.file, err = a.Scratch(); err == nil {
		err = r.fillArchive(ctx)
	}
	if r.result.Changes == nil {
		err = errors.Join(err, a.Abort())
	}
	if err != nil {
		return nil, err
	}
	r.result.ArchiveSize = a.Size()
	return r.finish(), nil
}

// fillArchive also checks; where that finds problems it stops short of writing.
func (r *run) fillArchive(ctx context.Context) error {
	if err := r.check(ctx); err != nil || r.failed() {
		return err
	}
	r.endPasses()
	if err := r.writeLists(ctx); err != nil {
		return err
	}
	if err := r.checkLimits(ctx); err != nil || r.failed() {
		return err
	}
	r.begin("publishing", 0)
	changes, err := r.archive.Commit(ctx)
	r.result.Changes = changes
	return err
}

// writes reports whether the run has an output.
func (r *run) writes() bool { return r.stage != nil || r.archive != nil }

func (r *run) newWriter() fileWriter {
	if r.archive != nil {
		return r.archive.NewWriter()
	}
	return r.stage.NewWriter()
}

// review returns what the output will hold.
func (r *run) review(ctx context.Context) (*folder.Changes, error) {
	if r.archive != nil {
		return r.archive.Review(ctx)
	}
	return r.stage.Review(ctx)
}

// destination returns how messages name the output.
func (r *run) destination() string {
	if r.archive != nil {
		return filepath.ToSlash(r.Archive)
	}
	return filepath.ToSlash(r.Out)
}

// arrange puts the places of pages into the order in which an archive has the
// records, that of their ids: an archive shall not depend on the names of
// sources.
func (r *run) arrange(places []int32) {
	if r.archive == nil {
		return
	}
	pages := r.collection.pages
	slices.SortFunc(places, func(a, b int32) int { return bytes.Compare(pages[a].ID[:], pages[b].ID[:]) })
}

// renderNext renders the page at a place, the one after the first k.
func (w *renderWorker) renderNext(k int, place int32) error {
	if w.writer != nil {
		if err := intoBlock(w.writer, blockOf(k)); err != nil {
			return err
		}
	}
	return w.render(int(place))
}

// intoBlock says which block of an archive the files that follow are in. A
// folder has no order.
func intoBlock(w fileWriter, n int) error {
	if a, ok := w.(*archive.Writer); ok {
		return a.Block(n)
	}
	return nil
}

// The blocks of an archive have the order in which package folder publishes,
// so that one may be unpacked over an older snapshot: records, what routes to
// them, lists from the last page to the first, and then the bodies of errors.

// blockOf returns the block of a piece of work after k others of its sort: a
// block is what one worker takes at a time.
func blockOf(k int) int { return k / batch }

func blocksOf(n int) int { return (n + batch - 1) / batch }

func (r *run) inRootBlock() int { return blocksOf(len(r.collection.pages)) }

func (r *run) listBlock(k int) int { return r.inRootBlock() + 1 + blockOf(k) }

func (r *run) errorsBlock() int {
	return r.inRootBlock() + 1 + blocksOf(api.ListPages(len(r.collection.pages)))
}
