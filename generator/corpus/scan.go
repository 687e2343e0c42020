package corpus

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// Options are those of a scan.
type Options struct {
	// Previous returns the corpus of the previous build, or nil. It is called while
	// the content folder is walked.
	Previous func() (*Corpus, error)

	// Touched are the files and folders that may have changed since the previous
	// build. Where it is nil, the size and the time of a file tell, and if they differ
	// its text.
	Touched map[string]bool

	Spool *Spool // for list items; nil where nothing is written
	Live  bool   // whole records are kept in the spool, to be shown by a view
}

// Scan finds all sources and reads the head of each. Where site.yaml has errors, the
// corpus is empty: problems of pages that are read otherwise than they should be would
// mislead. Only a live site is read then, with the last settings that had none. An error
// means that sivu could not run.
func Scan(ctx context.Context, s *settings.Settings, o Options) (*Corpus, error) {
	c := &Corpus{settings: s, options: o, started: time.Now().UnixMicro(), content: s.ContentPath(), reported: reportedFiles(s)}
	c.diagnostics.Add(s.Problems...)
	if s.Site == nil || !o.Live && c.Errors() > 0 {
		return c, nil
	}
	c.diagnostics.Override(s.Site.Rules)
	c.now, _ = page.TimeOf(s.Now)
	s.Progress.Begin("looking for pages", 0)
	if err := c.list(); err != nil {
		return nil, err
	}
	if err := c.beginHistory(ctx); err != nil {
		return nil, err
	}
	c.readSitemap()
	todo := c.reuseHeads()
	c.Read = len(todo)
	s.Progress.Begin("reading", len(todo))
	err := work.Parallel(ctx, s.Jobs, len(todo), func() (func(int) error, func() error) {
		r := c.newHeadReader()
		return func(k int) error {
			s.Progress.Step()
			return r.read(todo[k])
		}, r.end
	})
	if err == nil {
		err = c.history.err
	}
	if err != nil {
		return nil, err
	}
	c.gather()
	return c, nil
}

// list lists the source files, while the previous corpus is loaded.
func (c *Corpus) list() (err error) {
	walked := make(chan *source.Listing, 1)
	walk := func() {
		walked <- source.Walk(c.settings.Files, c.settings.Site, func(d diag.Diagnostic) {
			c.walkResults = append(c.walkResults, d)
			c.Add(d)
		})
	}
	if c.options.Touched == nil {
		go walk()
	}
	if c.options.Previous != nil {
		c.previous, err = c.options.Previous()
	}
	if c.options.Touched != nil {
		if c.reuseListing() {
			return err
		}
		walk()
	}
	listing := <-walked
	c.IsWalked = true
	if c.previous != nil {
		c.stored = c.previous.stored
	}
	c.Sources = make([]Source, len(listing.Files))
	for i, file := range listing.Files {
		c.Sources[i].File = file
	}
	c.Listing, c.Files = *listing, nil
	if c.media = newMedia(c.Media, c.settings.Site); !c.options.Live {
		c.Media = nil
	}
	return err
}

// headReader reads the heads of sources for one goroutine.
type headReader struct {
	corpus  *Corpus
	loader  source.Loader
	reader  *source.Reader
	sidecar source.Loader
	source  *Source     // that is read
	results headResults // of it
	isAgain bool        // problems were reported before
	spooler Spooler
	buffer  []byte
}

func (c *Corpus) newHeadReader() *headReader {
	r := &headReader{corpus: c, spooler: Spooler{Spool: c.options.Spool}}
	r.reader = source.NewReader(c.settings.Site, func(path string) (source.Dates, bool, error) {
		dates, known, err := c.history.datesOf(path)
		r.source.gitDates = hashDates(dates, known)
		return dates, known, err
	})
	r.reader.Now = c.now
	if c.sitemap != nil {
		r.reader.Sitemap = func(path string) source.SitemapEntry {
			entry := c.sitemap.Of(path)
			r.source.sitemap = entry.Hash()
			return entry
		}
	}
	if c.settings.Site.Sidecar != "" {
		r.reader.Sidecar = r.loadSidecar
	}
	return r
}

// loadSidecar returns the text of a file with further fields of a page, or nil.
func (r *headReader) loadSidecar(name string, report func(diag.Diagnostic)) []byte {
	files := r.corpus.settings.Files
	r.results.sidecar = 0
	if _, err := fs.Stat(files, name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text, ok := r.sidecar.Load(files, &source.File{Path: name}, report)
	r.results.sidecar = source.Hash(text) | 1
	if !ok {
		return nil
	}
	return text
}

// hasSameSidecar reports whether the file beside a page is as it was for the previous
// corpus.
func (r *headReader) hasSameSidecar(old *Source) bool {
	if name := r.corpus.settings.Site.SidecarOf(old.Path); name != "" {
		r.loadSidecar(name, func(diag.Diagnostic) {})
	}
	now := r.results.sidecar
	r.results.sidecar = 0
	return now == old.head.sidecar
}

func (r *headReader) end() error {
	if r.spooler.Spool == nil {
		return nil
	}
	return r.spooler.Flush()
}

// report takes a problem of the head that is read.
func (r *headReader) report(d diag.Diagnostic) {
	if r.isAgain {
		return
	}
	r.results.problems = append(r.results.problems, d)
	r.corpus.Add(d)
}

// read fills in source i, and its page, which has the same index until gather. A page
// whose text cannot be read is a page too, so that links to it are not reported as
// well.
func (r *headReader) read(i int32) (err error) {
	c := r.corpus
	s := &c.Sources[i]
	r.source, r.results, s.page = s, headResults{}, none
	text, ok := r.loader.Load(c.settings.Files, &s.File, r.report)
	sum := source.Hash(text)
	if ok && c.canReuse(i, sum) && r.hasSameSidecar(&c.previous.Sources[s.previous]) {
		c.reuseHead(i)
		return nil
	}
	var d source.Document
	if ok {
		s.hash = sum
		d = r.reader.Read(&s.File, text, r.report)
	} else {
		d = source.NewReader(c.settings.Site, nil).Read(&s.File, nil, func(diag.Diagnostic) {})
	}
	r.results.removed, r.results.redirect, r.results.period = d.Removed, d.Redirect, d.Period
	if !d.Skip {
		r.results.embeds = d.Page.Embeds
	}
	if d.Stub {
		r.results.stub = lint.Stub{Topic: within(s.Path, d.Page.Topic), Language: d.Page.Language}
	}
	s.head = apart(&r.results, &noHead)
	if d.Skip {
		return nil
	}
	s.page = i
	p := &c.Pages[i]
	*p = Page{
		Record: d.Page.Record, Derived: d.Derived, previous: none, bodyStart: int32(d.BodyStart), bodyEnd: int32(d.BodyEnd),
		isAhead: source.IsAhead(&d.Page.Record, c.now), isValid: ok && d.Valid, isBodiless: !ok || !d.Valid && d.BodyEnd == 0,
		rendered: unrendered,
	}
	p.Path, p.Topic, p.URL = s.Path, within(s.Path, p.Topic), within(s.Path, p.URL)
	if !p.isValid || c.options.Spool == nil {
		return nil
	}
	r.buffer = api.AppendItem(r.buffer[:0], &d.Page)
	p.ItemHash = source.Hash(r.buffer)
	p.Item, err = r.spooler.Write(r.buffer)
	return err
}

// within returns s as a part of whole where it is one, so that the two share
// their memory: a page's topic and meta.url are mostly parts of its path.
func within(whole, s string) string {
	if i := strings.Index(whole, s); i >= 0 {
		return whole[i : i+len(s)]
	}
	return strings.Clone(s)
}

// itemAgain appends the list item of a record, given the text of its source, whose head
// was read for the previous corpus.
func (r *headReader) itemAgain(dst []byte, s *Source, text []byte) ([]byte, error) {
	r.source, r.isAgain, r.results = s, true, headResults{}
	d := r.reader.Read(&s.File, bytes.Clone(text), r.report)
	if r.results.sidecar != 0 && r.results.sidecar != s.head.sidecar {
		return nil, ErrStale
	}
	return api.AppendItem(dst, &d.Page), nil
}

// gather closes the gaps that sources which are left out leave in the pages.
func (c *Corpus) gather() {
	n := int32(0)
	for i := range c.Sources {
		s := &c.Sources[i]
		if s.page == none {
			c.LeftOut = append(c.LeftOut, s.Path)
			continue
		}
		c.Pages[n] = c.Pages[i]
		c.Pages[n].source, s.page = int32(i), n
		n++
	}
	clear(c.Pages[n:])
	c.Pages = c.Pages[:n]
	c.findAliases()
}

// Lint checks the pages as a whole, and makes the index of links.
func (c *Corpus) Lint() {
	if c.settings.Site == nil {
		return
	}
	var indexing sync.WaitGroup
	records := c.Records()
	if !c.reuseIndex() {
		indexing.Go(func() { c.index = c.newIndex(records) })
	}
	if c.lintReused = c.reuseLint(); !c.lintReused {
		lint.Check(&lint.Collection{Pages: records, Languages: c.settings.Site.Languages}, func(d diag.Diagnostic) {
			c.lintResults = append(c.lintResults, d)
			c.Add(d)
		})
	}
	indexing.Wait()
}

func (c *Corpus) newIndex(records []*page.Record) *markup.Index {
	site := c.settings.Site
	return markup.NewIndex(records, c.LeftOut, markup.Addressing{
		Languages: site.Languages, Default: site.DefaultLanguage, Root: site.RootLanguage, LanguageAliases: site.Aliases, Web: site.Web,
		FromPage: site.PageLinks, Fallback: site.Fallback, Refs: site.Generator == page.Hugo || site.Generator == page.Jekyll,
		Exact: site.Rendered != nil, IsSource: isSource,
	})
}

// isSource reports whether a name is that of a source page.
func isSource(name string) bool { return source.FormatOfFile(name) != nil }

// CheckEmpty reports a site without pages. Where there are errors, they may be why
// there are none.
func (c *Corpus) CheckEmpty() {
	if len(c.Pages) == 0 && !c.settings.AllowEmpty && c.Errors() == 0 {
		c.Add(source.NoPages(&c.Listing, len(c.LeftOut)))
	}
}
