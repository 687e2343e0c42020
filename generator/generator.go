package generator

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/snapshot"
	"example.org/sivu/generator/source"
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

	Host        *host.Host // that the snapshot is for: its files, link style and limits; nil for none
	Edge        bool       // leave out the api variants, which Host makes
	Precompress []string   // names of snapshot.Codings: answers get siblings in them, where these are smaller

	// FS is read instead of the folder Content, if it is not nil. Dates from
	// git still come from that folder.
	FS fs.FS

	// Progress is kept up to date during the run, if it is not nil.
	Progress *Progress
}

// Rules returns all rules of all rooms, by the name that site.yaml uses.
func Rules() []*diag.Rule {
	rules := append(slices.Concat(source.Rules, markup.Rules), HostLimit)
	for _, rule := range lint.Rules {
		rules = append(rules, rule.Rule)
	}
	return rules
}

// Build turns the content folder into a snapshot in the output folder. Problems
// of pages are in the result; then nothing was written. An error means that
// sivu could not run, and the output folder is as it was; if even that could not
// be brought about, the error says so.
func Build(ctx context.Context, o Options) (*Result, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.useHost(); err != nil {
		return nil, err
	}
	if r.links, err = r.linkStyle(); err != nil {
		return nil, err
	}
	stage, err := snapshot.Open(o.Out, snapshot.Options{Content: o.Content, DryRun: o.DryRun, Codings: o.Precompress})
	if err != nil {
		return nil, err
	}
	r.stage, r.heads = stage, new(heads)
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
	stage        *snapshot.Stage // nil in a check
	collection   collection
	index        *markup.Index
	anchors      *anchors
	heads        *heads // nil in a check
	trace        *trace // nil where nothing is kept for a run after this one
	before       *run   // what it traced is used again; nil for none
	gitDates     func() (map[string]source.Dates, error)
	gitError     atomic.Pointer[error] // of asking git for dates
	gitMissed    atomic.Bool           // git did not know a file whose dates were needed
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

func (r *run) close() {
	if r.folder != nil {
		r.folder.Close()
	}
}

// report takes in a diagnostic about a file below the content folder.
func (r *run) report(d diag.Diagnostic) {
	d.Pos.File = r.shown(d.Pos.File)
	r.diagnostics.Add(d)
}

// shown returns how messages name a file below the content folder.
func (r *run) shown(name string) string {
	return path.Join(filepath.ToSlash(r.Content), name)
}

func (r *run) check(ctx context.Context) error {
	if err := r.readPages(ctx); err != nil {
		return err
	}
	return r.renderPages(ctx)
}

// build also checks; where that finds problems it stops short of writing.
func (r *run) build(ctx context.Context) error {
	if err := r.check(ctx); err != nil || r.failed() {
		return err
	}
	if err := r.writeLists(ctx); err != nil {
		return err
	}
	if err := r.checkLimits(ctx); err != nil || r.failed() {
		return err
	}
	if !r.DryRun {
		r.begin("publishing", 0)
	}
	changes, err := r.stage.Commit(ctx)
	r.result.Changes = changes
	return err
}

// failed reports whether problems forbid to write.
func (r *run) failed() bool {
	report := r.diagnostics.Report()
	return report.Errors > 0 || r.Strict && report.Warnings > 0
}
