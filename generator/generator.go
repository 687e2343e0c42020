package generator

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/state"
)

// Options are what a run is told. Only Content is needed by [Check]; [Build]
// also needs Out, and a base address from here or from site.yaml.
type Options struct {
	Content  string // the content folder; also how messages begin the names of its files
	SiteFile string // default: site.yaml in the content folder, if it is there
	Out      string // the output folder
	BaseURL  string // in place of base_url in site.yaml
	Links    string // name of a link style, in place of links in site.yaml
	Jobs     int    // pages worked on at once; default: two per processor
	Strict   bool   // warnings stop a build as errors do
	DryRun   bool   // find out what would change, and write nothing

	AllowEmpty bool // a site without pages is no error

	Archive   string    // the file that gets the snapshot, in place of Out: see package archive; archive.Pipe for ArchiveTo
	ArchiveTo io.Writer // takes the archive that has no file

	Host        *host.Host    // that the snapshot is for: its files, link style and limits; nil for none
	Edge        bool          // leave out the api variants, which Host makes
	KeepRemoved time.Duration // how long files of records and list pages that left the snapshot stay
	OnWait      func()        // called once if another build is at work on Out, whose end is then waited for; nil makes that an error

	Cache        string // folder of what one build tells the next; default: .sivu in the output folder
	Report       bool   // a report will be written, and folder.Reported called then
	Full         bool   // read and render everything, whatever the build before found
	VerifyOutput bool   // make sure that the output folder is as the last build left it; if not, build everything

	Precompress []string // names of folder.Codings: answers get siblings in them, where these are smaller

	// FS is read instead of the folder Content, if it is not nil. Dates from
	// git still come from that folder.
	FS fs.FS

	// Progress is kept up to date during the run, if it is not nil.
	Progress *Progress
}

// Rules returns all rules of all rooms, by the name that site.yaml uses.
func Rules() []*diag.Rule {
	rules := append(slices.Concat(source.Rules, markup.Rules), HostLimit, missingMedia)
	for _, rule := range lint.Rules {
		rules = append(rules, rule.Rule)
	}
	return rules
}

// Build turns the content folder into a snapshot in the output folder. Problems
// of pages are in the result; then nothing was written. An error means that
// sivu could not run, and the output folder is as it was; or if the commit had begun
// by then, it says that the next build finishes it.
//
// A build reads and renders only what changed since the last one, as far as that
// one's state tells; the end is the same.
func Build(ctx context.Context, o Options) (*Result, error) {
	if o.Archive != "" {
		return buildArchive(ctx, o)
	}
	if !o.DryRun {
		if err := folder.Finish(o.Out, o.stageOptions(ctx)); err != nil {
			return nil, err
		}
	}
	result, err := buildOnce(ctx, o)
	if !o.Full && (errors.Is(err, errStale) || errors.Is(err, folder.ErrDamaged)) {
		o.Full = true
		return buildOnce(ctx, o)
	}
	return result, err
}

func buildOnce(ctx context.Context, o Options) (*Result, error) {
	r, err := newOutputRun(o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	stage, err := folder.Open(o.Out, o.stageOptions(ctx))
	if err != nil {
		return nil, err
	}
	r.stage, r.heads, r.trace = stage, new(heads), newTrace(false)
	if r.heads.file, err = stage.Scratch(); err == nil {
		err = r.build(ctx)
	}
	if r.result.Changes == nil {
		err = errors.Join(err, stage.Abort())
	}
	if err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// Check finds the problems of the content folder, all those that Build would
// find, and writes nothing.
func Check(ctx context.Context, o Options) (*Result, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// run is one Build or Check on its way.
type run struct {
	Options

	diagnostics  diag.Collector
	fsys         fs.FS
	folder       *source.Folder // what fsys reads, unless Options.FS does
	site         *source.Site
	links        api.Links
	stage        *folder.Stage    // nil in a check, and where an archive is written
	archive      *archive.Archive // nil where none is written
	listing      *source.Listing  // nil before the content folder was walked
	collection   collection
	index        *markup.Index
	anchors      *anchors
	heads        *heads  // nil in a check
	trace        *trace  // nil where nothing is kept for a run after this one
	before       *recall // what is used again of a run before; nil for none
	lintReused   bool    // what the rules of package lint found is that of the run before
	read         int     // sources whose text was looked at
	rendered     int     // bodies that were
	history      history
	isNewHistory bool // git may tell other dates than it told the run before
	stored       *state.State
	storedMeta   stateMeta
	gitDates     func() (map[string]source.Dates, error)
	gitError     atomic.Pointer[error] // of asking git for dates
	assets       atomic.Int64          // relative addresses left as they are
	result       Result
	started      time.Time
	stageStarted time.Time
}

func newRun(o Options) (*run, error) {
	if o.Jobs <= 0 {
		o.Jobs = 2 * runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	r := &run{Options: o, fsys: o.FS, started: time.Now()}
	if r.fsys == nil {
		folder, err := source.OpenFolder(o.Content)
		if err != nil {
			return nil, err
		}
		r.fsys, r.folder = folder, folder
	}
	if err := r.readSite(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// newOutputRun returns a run that knows what its output has to be like.
func newOutputRun(o Options) (*run, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	if err = r.useHost(); err == nil {
		r.links, err = r.linkStyle()
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *run) close() {
	if r.folder != nil {
		r.folder.Close()
	}
}

// usesDates reports whether a way to find dates is among those of the site.
func (r *run) usesDates(way string) bool { return slices.Contains(r.site.Dates, way) }

// report takes in a diagnostic about a file below the content folder.
func (r *run) report(d diag.Diagnostic) {
	d.Pos.File = r.shown(d.Pos.File)
	r.diagnostics.Add(d)
}

func shownIn(content, name string) string { return path.Join(filepath.ToSlash(content), name) }

// shown returns how messages name a file below the content folder.
func (r *run) shown(name string) string {
	return shownIn(r.Content, name)
}

func (r *run) check(ctx context.Context) error {
	if err := r.readPages(ctx); err != nil {
		return err
	}
	r.checkEmpty()
	return r.renderPages(ctx)
}

// checkEmpty reports a site without pages. Where there are errors, they may be why
// there are none.
func (r *run) checkEmpty() {
	if len(r.collection.pages) == 0 && !r.AllowEmpty && r.diagnostics.Errors() == 0 {
		r.report(source.NoPages(r.listing, len(r.collection.skipped)))
	}
}

// build also checks; where that finds problems it stops short of writing.
func (r *run) build(ctx context.Context) error {
	if err := r.listAndRecall(ctx); err != nil {
		return err
	}
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
	if !r.DryRun {
		r.begin("publishing", 0)
	}
	// As long as the folder is locked, no other build can save its state in between.
	r.stage.Then(func(c *folder.Changes) { r.result.StateError = r.saveState(c.Generation) })
	changes, err := r.stage.Commit(ctx)
	r.result.Changes = changes
	return err
}

// endPasses lets go of what only the passes need, before lists take more.
func (r *run) endPasses() {
	r.index = nil
	if r.before != nil {
		r.before.index, r.before.anchors, r.before.trace.asked = nil, nil, nil
	}
}

// listAndRecall lists the content folder while it recalls the build before.
func (r *run) listAndRecall(ctx context.Context) error {
	if r.site == nil {
		return nil
	}
	r.begin("looking for pages", 0)
	listing := make(chan *source.Listing, 1)
	go func() { listing <- r.walk() }()
	err := r.recall(ctx)
	r.listing = <-listing
	return err
}

// recall finds out what can be used again of the build before.
func (r *run) recall(ctx context.Context) error {
	r.recallState()
	if r.before == nil {
		return nil
	}
	if r.VerifyOutput {
		r.begin("verifying", 0)
		if same, err := r.stage.Verify(ctx, r.Jobs); err != nil || !same {
			r.before = nil
			return err
		}
	}
	r.stage.KeepRest()
	return nil
}

// failed reports whether problems forbid to write.
func (r *run) failed() bool {
	report := r.diagnostics.Report()
	return report.Errors > 0 || r.Strict && report.Warnings > 0
}
