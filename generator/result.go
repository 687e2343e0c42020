package generator

import (
	"cmp"
	"slices"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// Result is what a run found and did.
type Result struct {
	Report      diag.Report
	Failed      bool // pages have problems that forbid to write
	Records     int
	Skipped     int // pages left out, as drafts are
	Excluded    int // files and folders left out by name
	OtherFiles  int // files that are no source pages
	ListPages   int
	Languages   []Count // records by language, in the order of the site
	Kinds       []Count // records by kind, in the order of page.Kinds
	MTimeDates  bool    // dates may come from mtime: other machines may make other bytes
	Links       api.Links
	Edge        bool            // the api variants are not in the snapshot: the host makes them
	Read        int             // sources whose text was looked at; the others did not change
	Rendered    int             // bodies that were
	StateError  error           // why the next build cannot know what this one found; nil where it can
	Changes     *folder.Changes // nil where nothing was written, nor would be
	KeptUntil   time.Time       // from when on such a build removes all that Changes.Kept counts; zero where that is nothing
	ArchiveSize int64           // of the archive, in bytes; 0 where none was written
	Stages      []Stage
	Duration    time.Duration

	collection lint.Collection
}

// Coverage counts the topics of each language.
func (r *Result) Coverage() lint.Coverage { return lint.Cover(&r.collection) }

// Count is a number of records that have something in common.
type Count struct {
	Name    string
	Records int
}

// Stage is one step of a run and the time it took.
type Stage struct {
	Name     string
	Duration time.Duration
}

// begin starts a stage of n pieces of work.
func (r *run) begin(stage string, n int) {
	now := time.Now()
	r.endStage(now)
	r.result.Stages = append(r.result.Stages, Stage{Name: stage})
	r.stageStarted = now
	r.Progress.start(stage, n)
}

func (r *run) endStage(now time.Time) {
	if n := len(r.result.Stages); n > 0 {
		r.result.Stages[n-1].Duration = now.Sub(r.stageStarted)
	}
}

// finish fills in the result of a run that came to its end.
func (r *run) finish() *Result {
	now := time.Now()
	r.endStage(now)
	result, c := &r.result, &r.collection
	if r.site == nil {
		r.site = source.DefaultSite()
	}
	result.Report = r.reported()
	result.Failed = r.failed()
	result.Records = len(c.pages)
	result.Skipped = len(c.skipped)
	result.ListPages = api.ListPages(len(c.pages))
	result.Languages = countBy(c.pages, r.site.Languages, func(p *page.Record) string { return p.Language })
	result.Kinds = countBy(c.pages, page.KindNames(), func(p *page.Record) string {
		if p.Kind == nil {
			return ""
		}
		return p.Kind.Name
	})
	result.Read, result.Rendered = r.read, r.rendered
	result.collection = *r.lintCollection()
	result.MTimeDates = slices.Contains(r.site.Dates, source.DatesMtime)
	result.Links = r.links
	if c := result.Changes; c != nil && c.Kept > 0 {
		result.KeptUntil = now.Add(r.KeepRemoved) // none of them left after now
	}
	result.Duration = now.Sub(r.started)
	return result
}

// countBy counts pages by name: the names of order first, then others that
// pages with errors may have.
func countBy(pages []page.Record, order []string, name func(*page.Record) string) []Count {
	counts := map[string]int{}
	for i := range pages {
		counts[name(&pages[i])]++
	}
	var list []Count
	for n, records := range counts {
		if n != "" {
			list = append(list, Count{n, records})
		}
	}
	place := func(c Count) int {
		if i := slices.Index(order, c.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	})
	return list
}
