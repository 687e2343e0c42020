// Package corpus holds the sources and pages of a site during a build, with their
// problems, links and anchors.
//
// [Scan] walks the content folder and reads the head of each source, [Corpus.Lint]
// checks the pages as a whole and makes the index of links, and [Corpus.Render] reads
// each source again, renders its body and hands the files of the record to a [Writer].
// Problems of pages are diagnostics; all three go on to find them all. Bodies are not
// kept, and list items are kept in a [Spool]: so memory grows with the number of pages,
// not with their size.
//
// # Reuse
//
// Each step is given the corpus of the previous build, and reuses the parts that cannot
// have changed: the head of a source whose file is the same, the lint results where no
// fact changed that a rule reads, the body whose source and links are the same. Links
// are the same where none of the body's dependencies changed: the keys under which it
// looked for pages in the index. The outcome is that of a build without a previous one.
//
// A corpus does not change once it is rendered. [Corpus.Save] writes it to the build
// cache, or the differences from the one that [Load] read.
package corpus

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"sort"
	"sync"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/lists"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// Corpus is the site of one build: its sources, its pages and their problems.
type Corpus struct {
	Sources []Source // sorted by path
	Pages   []Page   // sorted by path
	LeftOut []string // paths of sources that are no pages, as drafts are; sorted

	IsWalked       bool // the content folder was walked: its files need not be those of the previous corpus
	source.Listing      // of the content folder, without Files, and without Media unless Options.Live
	Read           int  // sources whose text was looked at
	Rendered       int  // bodies that were rendered

	settings    *settings.Settings
	options     Options
	diagnostics diag.Collector
	reported    map[string]bool   // files whose problems are reported; nil for all
	walkResults []diag.Diagnostic // problems of the content folder
	lintResults []diag.Diagnostic
	history     history
	sitemap     source.Sitemap    // of a rendered site
	sitemapBad  []diag.Diagnostic // problems of it
	index       *markup.Index
	media       map[string]bool // see newMedia
	records     []*page.Record
	now         page.Time
	started     int64   // when the sources were looked at, in microseconds since 1970
	content     string  // the content folder
	stored      *stored // the build cache that it was read from, or that its previous corpus was; nil for none
	removed     []string
	lintReused  bool

	previous *Corpus                        // nil for none, and once nothing more is to be reused
	changes  map[markup.Dependency]struct{} // dependencies that the index resolves differently than the previous one
}

// Source is a source file. A large site has hundreds of thousands, so fields that few of
// them need are in headResults.
type Source struct {
	source.File

	hash        uint64 // of its text
	gitDates    uint64 // hash of the dates from git; 0 where they were not needed
	sitemap     uint64 // hash of what sitemaps say about it; 0 where they were not asked
	page        int32  // index of its page, or none where it is left out
	previous    int32  // index in the previous corpus, or none
	isUnchanged bool   // its entry in the build cache is up to date
	head        *headResults
}

// headResults are results of reading that few sources have. They do not change, and may be
// part of any number of corpora.
type headResults struct {
	problems []diag.Diagnostic
	embeds   []page.Embed  // of front matter
	stub     lint.Stub     // of a source that is left out
	period   source.Period // in which the head comes to the same
	sidecar  uint64        // hash of the file with further fields of the page; 0 where there is none

	// Of a rendered page.
	removed  []source.Span // parts of the text between bodyStart and bodyEnd that are left out
	redirect string        // see source.Document
}

// bodyResults are results of rendering that few bodies have. They are as headResults are.
type bodyResults struct {
	problems []diag.Diagnostic
	links    []anchorLink // to anchors on other pages
	media    []MediaLink
	markers  []bodyMarker
	assets   int // relative addresses that stay relative
	looks    int // removed attributes that no reader misses
}

// apart returns a pointer to a copy of results, or to a shared value where there are none.
// The results have to be part of a longer-lived value, as they escape.
func apart[T any](results, none *T) *T {
	if reflect.ValueOf(results).Elem().IsZero() {
		return none
	}
	kept := *results
	return &kept
}

// What sources have whose head, and pages whose body, gave nothing of that.
var (
	noHead     headResults
	noBody     bodyResults
	unrendered = rendered{body: &noBody}
)

// Page is a page of the site, with errors or without.
type Page struct {
	page.Record

	ItemHash uint64
	Item     Ref  // the list item; none where the page has errors, and where it was not read
	Derived  bool // the source gives no id

	isValid    bool  // the head has no errors
	isBodiless bool  // no body could be found, because of an error, so its anchors are not known
	isAhead    bool  // see source.IsAhead
	source     int32 // index of its source
	previous   int32 // index in the previous corpus, or none where the source was read
	bodyStart  int32
	bodyEnd    int32

	rendered
}

// rendered is what rendering a body gives.
type rendered struct {
	Suffix Ref // of the detail record; none unless Options.Live

	isRendered   bool
	dependencies int32    // how many of the hashes are dependencies
	hashes       []uint32 // of the dependencies of its links, then of the anchors in its content
	body         *bodyResults
}

// none stands for no index.
const none = -1

// IsWhole reports whether the spool holds all of the record: see Options.Live.
func (p *Page) IsWhole() bool { return p.Item != (Ref{}) && p.Suffix != (Ref{}) }

func (p *Page) anchors() []uint32 { return p.hashes[p.dependencies:] }

// Find returns the index of the page of a source, in pages that are sorted by path.
func Find(pages []Page, path string) (int, bool) {
	i := sort.Search(len(pages), func(i int) bool { return pages[i].Path >= path })
	return i, i < len(pages) && pages[i].Path == path
}

// NewestFirst returns the indexes of all pages in the order in which lists show them:
// created descending, then id ascending.
func NewestFirst(pages []Page) []int32 {
	type dated struct {
		created page.Time
		index   int32
	}
	list := make([]dated, len(pages))
	for i := range list {
		list[i] = dated{pages[i].Created, int32(i)}
	}
	slices.SortFunc(list, func(a, b dated) int {
		if a.created != b.created {
			return cmp.Compare(b.created, a.created)
		}
		return bytes.Compare(pages[a.index].ID[:], pages[b.index].ID[:])
	})
	order := make([]int32, len(list))
	for i := range order {
		order[i] = list[i].index
	}
	return order
}

// Lists returns the records in the order of lists: those of this corpus, and those of
// the previous one, which is released. It returns none where the lists are those of the
// previous corpus.
func (c *Corpus) Lists() (now, before []lists.Record) {
	previous := c.previous
	c.previous = nil
	if previous == nil {
		return listed(c.Pages), nil
	}
	if !c.listsDiffer(previous) {
		return nil, nil
	}
	var sorting sync.WaitGroup
	sorting.Go(func() { now = listed(c.Pages) })
	before = listed(previous.Pages)
	ranks := make([]int32, len(before))
	for rank, r := range before {
		ranks[r.Page] = int32(rank)
	}
	sorting.Wait()
	for i := range now {
		if old := c.Pages[now[i].Page].previous; old != none {
			now[i].Previous = ranks[old]
		}
	}
	return now, before
}

func listed(pages []Page) []lists.Record {
	list := make([]lists.Record, len(pages))
	for rank, i := range NewestFirst(pages) {
		list[rank] = lists.Record{ID: pages[i].ID, Hash: pages[i].ItemHash, Page: i, Previous: none}
	}
	return list
}

func (c *Corpus) listsDiffer(previous *Corpus) bool {
	if len(c.Pages) != len(previous.Pages) {
		return true
	}
	for i := range c.Pages {
		now, before := &c.Pages[i], &previous.Pages[i]
		if now.previous != int32(i) && (now.ID != before.ID || now.Created != before.Created || now.ItemHash != before.ItemHash) {
			return true
		}
	}
	return false
}

// AppendItem appends the list item of a page whose source was read.
func (c *Corpus) AppendItem(dst []byte, index int32) ([]byte, error) {
	return c.options.Spool.Append(dst, c.Pages[index].Item)
}

// Records returns the records of all pages, in order of path, for rules and links.
func (c *Corpus) Records() []*page.Record {
	if c.records == nil {
		c.records = make([]*page.Record, len(c.Pages))
		for i := range c.Pages {
			c.records[i] = &c.Pages[i].Record
		}
	}
	return c.records
}

// Stubs returns the sources that are left out until they are finished.
func (c *Corpus) Stubs() (stubs []lint.Stub) {
	for i := range c.Sources {
		if stub := c.Sources[i].head.stub; stub.Language != "" {
			stubs = append(stubs, stub)
		}
	}
	return stubs
}

// NextChange returns the next instant at which a page is published or expires, and false
// where there is none.
func (c *Corpus) NextChange() (next page.Time, ok bool) {
	for i := range c.Sources {
		if until, ends := c.Sources[i].head.period.Changes(); ends && (!ok || until < next) {
			next, ok = until, true
		}
	}
	return next, ok
}

// Add adds a problem of a file below the content folder.
func (c *Corpus) Add(d diag.Diagnostic) {
	if d.Pos.File = c.settings.Shown(d.Pos.File); c.reported == nil || c.reported[d.Pos.File] {
		c.diagnostics.Add(d)
	}
}

// AddOutside adds a problem that is not one of the content folder.
func (c *Corpus) AddOutside(d diag.Diagnostic) { c.diagnostics.Add(d) }

func (c *Corpus) addAll(list []diag.Diagnostic) {
	for _, d := range list {
		c.Add(d)
	}
}

// Failed reports whether the problems found so far prevent a snapshot.
func (c *Corpus) Failed() bool { return c.settings.Fails(c.diagnostics.Count()) }

// Errors returns the number of errors found so far.
func (c *Corpus) Errors() int {
	errors, _ := c.diagnostics.Count()
	return errors
}

// HasError reports whether a file or folder below the content folder has an error, or the
// file beside a page.
func (c *Corpus) HasError(path string) bool {
	if c.diagnostics.Failed(c.settings.Shown(path)) {
		return true
	}
	sidecar := ""
	if c.settings.Site != nil {
		sidecar = c.settings.Site.SidecarOf(path)
	}
	return sidecar != "" && c.diagnostics.Failed(c.settings.Shown(sidecar))
}

// WalkFailed reports whether the content folder itself has problems.
func (c *Corpus) WalkFailed() bool { return len(c.walkResults) > 0 }

// Settings returns those that the corpus was scanned with.
func (c *Corpus) Settings() *settings.Settings { return c.settings }

// AppendDetail appends the detail record of a page that is whole.
func (s *Spool) AppendDetail(dst []byte, p *Page, links api.Links, v api.Variant) ([]byte, error) {
	item, err := s.Append(nil, p.Item)
	if err != nil {
		return dst, err
	}
	suffix, err := s.Append(nil, p.Suffix)
	if err != nil {
		return dst, err
	}
	return links.AppendDetail(dst, item, suffix, p.ID, v), nil
}
