package generator

import (
	"context"
	"sync"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// readPages is the first pass: it finds all sources and understands the head of
// each, then judges the collection as a whole.
func (r *run) readPages(ctx context.Context) error {
	if r.site == nil {
		return nil
	}
	files := r.list()
	n := len(files)
	r.collection.pages = make([]page.Record, n)
	r.collection.records = make([]record, n)
	outcomes := make([]outcome, n)
	if r.trace != nil {
		r.trace.begin(files, outcomes, r.usesDates(source.DatesGit))
	}
	if err := r.beginHistory(ctx); err != nil {
		return err
	}
	todo := r.recallReads(files)
	r.read = len(todo)
	r.begin("reading", len(todo))
	err := parallel(ctx, r.Jobs, len(todo), func() (func(int) error, func() error) {
		w := r.newReadWorker()
		return func(k int) (err error) {
			i := int(todo[k])
			r.Progress.step()
			outcomes[i], err = w.read(&files[i], i)
			return err
		}, w.end
	})
	if failed := r.gitError.Load(); err == nil && failed != nil {
		err = *failed
	}
	if err != nil {
		return err
	}
	r.gather(outcomes, files)
	r.judge()
	return nil
}

// list lists the source pages.
func (r *run) list() []source.File {
	if r.listing == nil {
		r.begin("looking for pages", 0)
		if r.listing = r.recallListing(); r.listing == nil {
			r.listing = r.walk()
			if r.trace != nil && r.trace.isLive() {
				r.trace.media = newMedia(r.listing.Media)
			}
		}
	}
	r.result.OtherFiles, r.result.Excluded = r.listing.Other, r.listing.Excluded
	return r.listing.Files
}

// walk lists the content folder.
func (r *run) walk() *source.Listing {
	report := r.report
	if r.trace != nil {
		report = func(d diag.Diagnostic) {
			r.trace.walked = append(r.trace.walked, d)
			r.report(d)
		}
	}
	return source.Walk(r.fsys, r.site, report)
}

// judge judges the collection as a whole, and makes the index of links.
func (r *run) judge() {
	c := &r.collection
	var indexing sync.WaitGroup
	if !r.reuseIndex() {
		indexing.Go(func() {
			r.index = markup.NewIndex(c.listed(), r.site.Languages, r.site.DefaultLanguage, c.skipped, isSource)
		})
	}
	if r.lintReused = r.reuseLint(); !r.lintReused {
		r.lint()
	}
	indexing.Wait()
}

// isSource reports whether a name is that of a source page.
func isSource(name string) bool { return source.FormatOfFile(name) != nil }

// lint runs the rules over the collection.
func (r *run) lint() {
	report := r.report
	if r.trace != nil {
		report = func(d diag.Diagnostic) {
			r.trace.judged = append(r.trace.judged, d)
			r.report(d)
		}
	}
	lint.Check(r.lintCollection(), report)
}

func (r *run) lintCollection() *lint.Collection {
	return &lint.Collection{Pages: r.collection.listed(), Languages: r.site.Languages}
}

// outcome is what the first pass found a file to be.
type outcome uint8

const (
	leftOut outcome = iota // a draft, or the like
	found                  // a page, whole or with errors
)

type readWorker struct {
	run    *run
	loader source.Loader
	reader *source.Reader
	place  int                   // of the page that is read
	report func(diag.Diagnostic) // of its problems
	heads  headWriter
	buffer []byte
}

func (r *run) newReadWorker() *readWorker {
	w := &readWorker{run: r, heads: headWriter{heads: r.heads}}
	w.reader = source.NewReader(r.site, func(path string, needed bool) (source.Dates, bool) {
		dates, known := r.askHistory(path, needed, w.report)
		if r.trace != nil && r.trace.dates != nil {
			r.trace.dates[w.place] = gitDates{dates, true, known}
		}
		return dates, known
	})
	return w
}

func (w *readWorker) end() error {
	w.loader.Close()
	return w.heads.flush()
}

// read fills in place i of the collection. A page whose text cannot be read has
// a place too, so that links to it are not reported as well.
func (w *readWorker) read(file *source.File, i int) (outcome, error) {
	reader, report := w.reader, w.run.reporter(i)
	w.place, w.report = i, report
	text, ok := w.loader.Load(w.run.fsys, file, report)
	sum := source.Hash(text)
	if !ok {
		reader, text, report = source.NewReader(w.run.site, nil), nil, func(diag.Diagnostic) {}
	} else if w.run.recallText(i, sum) {
		return w.run.trace.outcomes[i], nil
	}
	if w.run.trace != nil && ok {
		w.run.trace.sums[i] = sum
	}
	d := reader.Read(file, text, report)
	if d.Skip {
		return leftOut, nil
	}
	c, p := &w.run.collection, &d.Page
	c.pages[i] = page.Record{
		Path:     file.Path,
		ID:       p.ID,
		Language: p.Language,
		Kind:     p.Kind,
		Topic:    within(file.Path, p.Topic),
		URL:      within(file.Path, p.URL()),
		Created:  p.Created,
		Modified: p.Modified,
		IDPlace:  d.IDPlace,
	}
	if url := p.Meta.Get("url"); url != nil {
		c.pages[i].URLPlace = page.Place{Line: int32(url.Line), Column: int32(url.Column)}
	}
	c.records[i] = record{
		sum:       sum,
		file:      int32(i),
		earlier:   nowhere,
		whole:     ok && d.Valid,
		bodyStart: int32(d.BodyStart),
		bodyEnd:   int32(d.BodyEnd),
		derived:   d.Derived,
		bodiless:  !ok || !d.Valid && d.BodyEnd == 0,
	}
	if len(p.Embeds) > 0 {
		c.keepEmbeds(file.Path, p.Embeds)
	}
	if !ok || !d.Valid || w.run.heads == nil {
		return found, nil
	}
	return found, w.keepHead(i, p)
}

// keepHead sets aside what a list shows of the record in place i.
func (w *readWorker) keepHead(i int, p *page.Page) (err error) {
	w.buffer = api.AppendItem(w.buffer[:0], p)
	record := &w.run.collection.records[i]
	record.headSum = source.Hash(w.buffer)
	record.head, err = w.heads.keep(w.buffer)
	return err
}

// again reads the page in place i once more, of which nothing but its head is
// wanted.
func (w *readWorker) again(i int) error {
	record := &w.run.collection.records[i]
	file := &w.run.trace.files[record.file]
	w.place, w.report = int(record.file), func(diag.Diagnostic) {}
	text, ok := w.loader.Reload(w.run.fsys, file, record.sum, w.run.report)
	if !ok {
		return w.run.staleText(record)
	}
	d := w.reader.Read(file, text, w.report)
	return w.keepHead(i, &d.Page)
}

// gather closes the gaps that pages which are left out leave in the collection.
func (r *run) gather(outcomes []outcome, files []source.File) {
	c := &r.collection
	n := 0
	for i, o := range outcomes {
		switch o {
		case leftOut:
			c.skipped = append(c.skipped, files[i].Path)
			if r.trace != nil {
				r.trace.places[i] = nowhere
			}
		case found:
			c.pages[n], c.records[n] = c.pages[i], c.records[i]
			c.records[n].file = int32(i)
			if r.trace != nil {
				r.trace.places[i] = int32(n)
			}
			n++
		}
	}
	c.pages, c.records = c.pages[:n], c.records[:n]
}
