package generator

import (
	"context"
	"errors"
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
	r.begin("looking for pages", 0)
	files := r.list()
	n := len(files)
	r.collection.pages = make([]page.Record, n)
	r.collection.records = make([]record, n)
	outcomes := make([]outcome, n)
	todo := r.recallReads(files, outcomes)
	r.begin("reading", len(todo))
	git := r.history(ctx, files)
	err := parallel(ctx, r.Jobs, len(todo), func() (func(int) error, func() error) {
		w := r.newReadWorker(git)
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
	if files := r.recallFiles(); files != nil {
		return files
	}
	report := r.report
	if r.trace != nil {
		report = func(d diag.Diagnostic) {
			r.trace.walked = append(r.trace.walked, d)
			r.report(d)
		}
	}
	listing := source.Walk(r.fsys, r.site, report)
	r.result.OtherFiles, r.result.Excluded = listing.Other, listing.Excluded
	return listing.Files
}

// judge judges the collection as a whole, and makes the index of links.
func (r *run) judge() {
	if r.recallJudgement() {
		return
	}
	c := &r.collection
	report := r.report
	if r.trace != nil {
		report = func(d diag.Diagnostic) {
			r.trace.judged = append(r.trace.judged, d)
			r.report(d)
		}
	}
	r.index = markup.NewIndex(c.pages, r.site.Languages, r.site.DefaultLanguage, c.skipped)
	lint.Check(&lint.Collection{Pages: c.pages, Languages: r.site.Languages}, report)
}

// history returns what asks git for the dates of a file. Git is asked once for
// all files, and only when a page lacks a date. If it fails, so does the run; but
// where there is no repository, that is a problem of those pages that have no
// other date.
func (r *run) history(ctx context.Context, files []source.File) history {
	if r.gitDates == nil {
		r.gitDates = sync.OnceValues(func() (map[string]source.Dates, error) {
			wanted := make(map[string]bool, len(files))
			for _, f := range files {
				wanted[f.Path] = true
			}
			return source.GitDates(ctx, r.Content, func(name string) bool { return wanted[name] })
		})
	}
	return func(name string, needed bool, report func(diag.Diagnostic)) (source.Dates, bool) {
		dates, err := r.gitDates()
		switch {
		case err == nil:
		case !errors.Is(err, source.ErrNoRepository):
			r.gitError.Store(&err)
		case needed:
			report(source.NoHistory(err))
		}
		d, ok := dates[name]
		if !ok && needed {
			r.gitMissed.Store(true)
		}
		return d, ok
	}
}

// history is a [source.History] that tells report what is wrong.
type history func(path string, needed bool, report func(diag.Diagnostic)) (source.Dates, bool)

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
	report func(diag.Diagnostic) // of problems of the page that is read
	heads  headWriter
	buffer []byte
}

func (r *run) newReadWorker(git history) *readWorker {
	w := &readWorker{run: r, heads: headWriter{heads: r.heads}}
	w.reader = source.NewReader(r.site, func(path string, needed bool) (source.Dates, bool) {
		return git(path, needed, w.report)
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
	w.report = report
	text, ok := w.loader.Load(w.run.fsys, file, report)
	if !ok {
		reader, text, report = source.NewReader(w.run.site, nil), nil, func(diag.Diagnostic) {}
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
		hash:      source.Hash(text),
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
	w.buffer = api.AppendHead(w.buffer[:0], p)
	var err error
	c.records[i].head, err = w.heads.keep(w.buffer)
	return found, err
}

// gather closes the gaps that pages which are left out leave in the collection.
func (r *run) gather(outcomes []outcome, files []source.File) {
	c := &r.collection
	n := 0
	for i, o := range outcomes {
		switch o {
		case leftOut:
			c.skipped = append(c.skipped, files[i].Path)
		case found:
			c.pages[n], c.records[n] = c.pages[i], c.records[i]
			if r.trace != nil {
				r.trace.earlier[n] = r.trace.earlier[i]
			}
			n++
		}
	}
	c.pages, c.records = c.pages[:n], c.records[:n]
	if r.trace != nil {
		r.trace.files, r.trace.outcomes = files, outcomes
	}
}
