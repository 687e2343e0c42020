package generator

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/lists"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/work"
)

// destination is where a snapshot is written: an output folder or an archive. One of
// Commit and Abort ends it.
type destination struct {
	stage
	newWriter func() writer
	out       *outputFolder // nil for an archive
}

// stage is a [*folder.Stage] or an [*archive.Archive].
type stage interface {
	// Scratch returns an empty file for a spool, which is gone in the end, or nil where
	// nothing may be written.
	Scratch() (*os.File, error)
	// Review returns the changes that Commit will make.
	Review(ctx context.Context) (*folder.Changes, error)
	// Commit publishes the snapshot.
	Commit(ctx context.Context) (*folder.Changes, error)
	Abort() error
}

// writer takes the files of a snapshot. One goroutine uses it.
type writer interface {
	corpus.Writer
	lists.Writer
}

func openDestination(ctx context.Context, s *settings.Settings) (d destination, err error) {
	if s.Archive != "" {
		codings, err := folder.CodingsOf(s.Precompress)
		if err != nil {
			return d, err
		}
		a, err := archive.Create(s.Archive, archive.Options{Content: s.Content, To: s.ArchiveTo, Codings: codings})
		return destination{stage: a, newWriter: func() writer { return archiveWriter{a.NewWriter()} }}, err
	}
	options := folder.Options{
		Content: s.Content, DryRun: s.DryRun, Codings: s.Precompress, KeepRemoved: s.KeepRemoved, Report: s.Report,
		Largest: s.Host != nil && s.Host.Limits.FileBytes > 0, Wait: waiting(ctx, s.Options), ErrorBodies: errorBodies,
	}
	f, err := folder.Open(s.Out, options)
	return destination{stage: f, newWriter: func() writer { return folderWriter{f.NewWriter()} }, out: &outputFolder{Stage: f, settings: s}}, err
}

// waiting returns a function to be called once while another build is at work on the
// folder; nil makes that an error.
func waiting(ctx context.Context, o Options) func() context.Context {
	if o.OnWait == nil {
		return nil
	}
	return func() context.Context {
		o.OnWait()
		return ctx
	}
}

// outputFolder is the output folder as a destination.
type outputFolder struct {
	*folder.Stage

	settings      *settings.Settings
	isIncremental bool // files that are not written stay
}

// previous returns the corpus of the build that wrote the snapshot in the folder, or
// nil; with one, the build is incremental.
func (f *outputFolder) previous(ctx context.Context) (*corpus.Corpus, error) {
	c := corpus.Load(cacheDir(f.settings), f.settings, f.Generation())
	if c == nil {
		return nil, nil
	}
	if f.settings.VerifyOutput {
		f.settings.Progress.Begin("verifying", 0)
		if same, err := f.Verify(ctx, f.settings.Jobs); err != nil || !same {
			return nil, err
		}
	}
	f.isIncremental = true
	f.Incremental()
	return c, nil
}

// folderWriter is a writer for a folder, in which files have no order.
type folderWriter struct{ *folder.Writer }

func (folderWriter) Block(int) error { return nil }

// archiveWriter is a writer for an archive, in which there is nothing to replace.
type archiveWriter struct{ *archive.Writer }

func (w archiveWriter) Replace(path string, data []byte) error { return w.WriteFile(path, data) }

// An archive holds files in the order in which a folder publishes them, so that one may
// be unpacked over an older snapshot: records, in-root files, which route to them,
// lists from the last page to the first, and then the bodies of errors.

func inRootBlock(c *corpus.Corpus) int { return work.Batches(len(c.Pages)) }

func errorsBlock(c *corpus.Corpus) int {
	return inRootBlock(c) + 1 + work.Batches(api.ListPages(len(c.Pages)))
}

// errorBodies are the files that hold the bodies of errors.
var errorBodies = []api.File{
	{Name: api.NotFoundFile, Data: []byte(api.NotFoundBody)},
	{Name: api.MethodNotAllowedFile, Data: []byte(api.MethodNotAllowedBody)},
}

// writeTop writes the files beside the folder of answers: the bodies of errors, and
// those that the host wants in the snapshot itself.
func writeTop(s *settings.Settings, c *corpus.Corpus, d destination) (err error) {
	w := d.newWriter()
	defer func() { err = cmp.Or(err, w.Close()) }()
	if err := w.Block(errorsBlock(c)); err != nil {
		return err
	}
	for _, f := range errorBodies {
		if err := w.WriteFile(f.Name, f.Data); err != nil {
			return err
		}
	}
	if s.Host == nil || len(s.Host.InRoot) == 0 {
		return nil
	}
	files, err := s.InRootFiles(api.ListPages(len(c.Pages)))
	if err != nil {
		return err
	}
	if d.out != nil {
		d.out.claim()
	}
	if err := w.Block(inRootBlock(c)); err != nil {
		return err
	}
	for _, f := range files {
		if !slices.Contains(api.HostFiles, f.Name) {
			return fmt.Errorf("%s wants a file %q in the snapshot, and only these may be there: %s",
				s.Host.Name, f.Name, strings.Join(api.HostFiles, ", "))
		}
		if err := w.WriteFile(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// claim claims the files that a build with the same settings put beside a snapshot of
// which no manifest tells.
func (f *outputFolder) claim() {
	f.Claim(func(lists int) []api.File {
		files, err := f.settings.InRootFiles(lists)
		if err != nil {
			return nil // the host could not have had that snapshot
		}
		claimed := make([]api.File, len(files))
		for i, file := range files {
			claimed[i] = api.File{Name: file.Name, Data: file.Data}
		}
		return claimed
	})
}

// checkLimits reports which limits of the host the snapshot breaks.
func checkLimits(ctx context.Context, s *settings.Settings, c *corpus.Corpus, d destination) error {
	if s.Host == nil {
		return nil
	}
	changes, err := d.Review(ctx)
	if err != nil {
		return err
	}
	load := host.Load{Files: changes.Files, Bytes: changes.Bytes, Largest: changes.Largest, InFolder: changes.InFolder}
	for _, message := range s.Host.Exceeds(load) {
		problem := settings.HostLimit.At(diag.Position{File: filepath.ToSlash(cmp.Or(s.Archive, s.Out))}, "%s", message)
		if s.Host.Edge && !s.Edge {
			problem = problem.WithHint("--variants edge halves the number of files: this host makes the api variants itself")
		}
		c.AddOutside(problem)
	}
	return nil
}
