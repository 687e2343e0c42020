package generator

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/lists"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// Options are the flags of a build.
type Options = settings.Options

// Build turns the content folder into a snapshot, in the output folder or an archive.
// Problems of pages are in the result; then nothing was written. An error means that
// sivu could not run, and the output is as it was; or if the commit had begun by then, it
// says that the next build finishes it. Before anything else, a build finishes a commit
// that was cut off.
//
// A build into a folder reads and renders only what changed since the last one, as far
// as the build cache says; the outcome is that of a build without it.
func Build(ctx context.Context, o Options) (*Result, error) {
	if o.Archive == "" && !o.DryRun {
		if err := folder.Finish(o.Out, folder.Options{Content: o.Content, Wait: waiting(ctx, o)}); err != nil {
			return nil, err
		}
	}
	result, err := build(ctx, o)
	isStale := errors.Is(err, corpus.ErrStale) || errors.Is(err, lists.ErrStale) || errors.Is(err, folder.ErrDamaged)
	if isStale && !o.Full && o.Archive == "" {
		o.Full = true
		return build(ctx, o)
	}
	return result, err
}

func build(ctx context.Context, o Options) (result *Result, err error) {
	if o.Archive != "" && o.DryRun {
		return nil, errors.New("a dry run needs an output folder; an archive has none")
	}
	started := time.Now()
	s, err := settings.ResolveOutput(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	d, err := openDestination(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { // after a commit, this does nothing
		if failed := d.Abort(); failed != nil {
			result, err = nil, errors.Join(err, failed)
		}
	}()
	c, err := scan(ctx, s, d)
	if err != nil {
		return nil, err
	}
	c.Lint()
	if err := c.Render(ctx, &corpus.Output{NewWriter: func() corpus.Writer { return d.newWriter() }, ByID: s.Archive != ""}); err != nil {
		return nil, err
	}
	result = new(Result)
	if !c.Failed() {
		if err := publish(ctx, s, c, d, result); err != nil {
			return nil, err
		}
	}
	return result.finish(s, c, started), nil
}

// publish writes list pages and the files in the root, and commits the snapshot, unless
// it breaks limits of the host.
func publish(ctx context.Context, s *settings.Settings, c *corpus.Corpus, d destination, result *Result) (err error) {
	if err := writeLists(ctx, s, c, d); err != nil {
		return err
	}
	if err := writeTop(s, c, d); err != nil {
		return err
	}
	if err := checkLimits(ctx, s, c, d); err != nil || c.Failed() {
		return err
	}
	if !s.DryRun {
		s.Progress.Begin("publishing", 0)
	}
	if d.out != nil {
		d.out.OnCommitted(func(changes *folder.Changes) { // before another build can begin
			if changes.Generation != "" && !s.DryRun {
				result.StateError = c.Save(cacheDir(s), changes.Generation)
			}
		})
	}
	result.Changes, err = d.Commit(ctx)
	if a, ok := d.stage.(*archive.Archive); ok {
		result.ArchiveSize = a.Size()
	}
	return err
}

// Check finds the problems of the content folder, all those that Build would find in it, and
// pages whose field "modified" was forgotten: see [source.CheckModified]. It writes
// nothing, needs no base address, and asks no host. With Options.Only, it finds the
// problems of some sources; a name that is none of a source is an error.
func Check(ctx context.Context, o Options) (*Result, error) {
	started := time.Now()
	s, err := settings.Resolve(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	c, err := corpus.Scan(ctx, s, corpus.Options{})
	if err != nil {
		return nil, err
	}
	c.Lint()
	if err := c.Render(ctx, nil); err != nil {
		return nil, err
	}
	if err := checkModified(ctx, s, c); err != nil {
		return nil, err
	}
	return new(Result).finish(s, c, started), nil
}

// checkModified is part of a check alone: what was in the last commit says nothing of a
// snapshot, and a build has no time to ask git.
func checkModified(ctx context.Context, s *settings.Settings, c *corpus.Corpus) error {
	if s.Site == nil || !s.UsesDates(source.DatesFields) {
		return nil
	}
	files := make([]*source.File, len(c.Sources))
	for i := range c.Sources {
		files[i] = &c.Sources[i].File
	}
	return source.CheckModified(ctx, s.Content, s.Files, s.Site, files, s.Now, c.Add)
}

// scan scans the content folder, with the help of the previous build's corpus where
// the output folder is as that build left it.
func scan(ctx context.Context, s *settings.Settings, d destination) (*corpus.Corpus, error) {
	file, err := d.Scratch()
	if err != nil {
		return nil, err
	}
	return corpus.Scan(ctx, s, corpus.Options{
		Spool: &corpus.Spool{File: file},
		Previous: func() (*corpus.Corpus, error) {
			if d.out == nil || s.Full || s.Site == nil || d.out.Generation() == "" {
				return nil, nil
			}
			return d.out.previous(ctx)
		},
	})
}

// cacheDir returns the folder of the build cache.
func cacheDir(s *settings.Settings) string { return filepath.Join(s.Out, ".sivu") }

// writeLists writes the list pages, or those that differ from the previous build's.
func writeLists(ctx context.Context, s *settings.Settings, c *corpus.Corpus, d destination) error {
	l := lists.Lists{
		Links: s.API, Variants: s.Variants, AppendItem: c.AppendItem,
		NewWriter: func() lists.Writer { return d.newWriter() }, FirstBlock: inRootBlock(c) + 1,
		Jobs: s.Jobs, Progress: s.Progress,
	}
	l.Records, l.PreviousRecords = c.Lists()
	if d.out != nil && d.out.isIncremental {
		if l.Records == nil {
			s.Progress.Begin("listing", 0)
			return nil // they are as they were
		}
		l.Previous = d.out
	}
	return l.Write(ctx)
}
