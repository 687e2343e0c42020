package generator

import (
	"maps"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// Marker is a template marker of the site.
type Marker = corpus.Marker

// Result is the outcome of a build.
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
	StateError  error           // why the build cache could not be written; nil where it could
	NextChange  time.Time       // when the next page is published or expires; zero where none is
	Changes     *folder.Changes // nil where nothing was written, nor would be
	KeptUntil   time.Time       // from when on such a build removes all that Changes.Kept counts; zero where that is nothing
	ArchiveSize int64           // of the archive, in bytes; 0 where none was written
	Stages      []work.Stage
	Markers     []Marker // of templates
	MarkerPages int      // pages with markers that nobody decided about
	Duration    time.Duration

	collection lint.Collection
}

// Coverage counts the topics of each language.
func (r *Result) Coverage() lint.Coverage { return lint.Cover(&r.collection) }

// Count is a number of records that have something in common.
type Count struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// finish fills in the result of a build that came to its end.
func (r *Result) finish(s *settings.Settings, c *corpus.Corpus, started time.Time) *Result {
	site := s.Site
	if site == nil {
		site = source.DefaultSite()
	}
	r.Stages = s.Progress.Stages()
	r.Report = c.Report()
	r.Failed = s.Fails(r.Report.Errors, r.Report.Warnings)
	r.Records, r.Skipped, r.ListPages = len(c.Pages), len(c.LeftOut), api.ListPages(len(c.Pages))
	r.Excluded, r.OtherFiles = c.Excluded, c.Other
	r.collection = lint.Collection{Pages: c.Records(), Languages: site.Languages, Stubs: c.Stubs()}
	r.Languages = countBy(r.collection.Pages, site.Languages, func(p *page.Record) string { return p.Language })
	r.Kinds = countBy(r.collection.Pages, page.KindNames(), func(p *page.Record) string {
		if p.Kind == nil {
			return ""
		}
		return p.Kind.Name
	})
	r.Markers, r.MarkerPages = c.Markers()
	r.Read, r.Rendered = c.Read, c.Rendered
	if next, ok := c.NextChange(); ok {
		r.NextChange = next.Std()
	}
	r.MTimeDates = slices.Contains(site.Dates, source.DatesMtime)
	r.Links, r.Edge = s.API, s.Edge
	now := time.Now()
	if r.Changes != nil && r.Changes.Kept > 0 {
		r.KeptUntil = now.Add(s.KeepRemoved) // none of them left after now
	}
	r.Duration = now.Sub(started)
	return r
}

// countBy counts pages by name: the names of order first, then others that
// pages with errors may have.
func countBy(pages []*page.Record, order []string, name func(*page.Record) string) []Count {
	counts := map[string]int{}
	for _, p := range pages {
		counts[name(p)]++
	}
	delete(counts, "")
	var list []Count
	for _, n := range slices.Concat(order, slices.Sorted(maps.Keys(counts))) {
		if counts[n] > 0 {
			list = append(list, Count{n, counts[n]})
			delete(counts, n)
		}
	}
	return list
}

// Addresses returns the addresses at which clients meet a file of the snapshot, which a
// cache in front of it has to purge when the file changes. A precompressed variant has
// none of its own, nor has an api variant that the host makes: it changes together with
// the answer that it is made of.
func (r *Result) Addresses(file string) []string {
	if !r.Edge {
		return r.Links.Addresses(file)
	}
	stem, ok := strings.CutSuffix(file, ".json")
	if !ok || strings.HasSuffix(stem, ".api") {
		return nil
	}
	return append(r.Links.Addresses(file), r.Links.Addresses(stem+".api.json")...)
}
