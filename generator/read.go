package generator

import (
	"context"
	"sync"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// gitDates asks git for the dates of all files, once, and only if a page needs
// them.
type gitDates struct {
	once  sync.Once
	dates map[string]source.Dates
	err   error
}

// readPages is the first pass: it finds all sources and understands the head of
// each, then judges the collection as a whole.
func (r *run) readPages(ctx context.Context) error {
	r.begin("looking for pages", 0)
	listing := source.Walk(r.fsys, r.site, r.report)
	r.collection.files = listing.Files
	r.result.OtherFiles, r.result.Excluded = listing.Other, listing.Excluded

	n := len(listing.Files)
	r.begin("reading", n)
	r.collection.pages = make([]page.Record, n)
	r.collection.records = make([]record, n)
	outcomes := make([]outcome, n)
	err := parallel(ctx, r.Jobs, n, func() (func(int) error, func() error) {
		w := r.newReadWorker(ctx)
		return func(i int) error {
			r.Progress.step()
			outcomes[i] = w.read(i)
			return nil
		}, w.end
	})
	if err == nil {
		err = r.git.err
	}
	if err != nil {
		return err
	}
	r.gather(outcomes)
	lint.Check(&lint.Collection{Pages: r.collection.pages, Languages: r.site.Languages}, r.report)
	return nil
}

// outcome is what the first pass found a file to be.
type outcome uint8

const (
	unreadable outcome = iota
	leftOut            // a draft, or the like
	found              // a page, whole or with errors
)

type readWorker struct {
	run    *run
	loader source.Loader
	reader *source.Reader
	heads  arena
	buffer []byte
}

func (r *run) newReadWorker(ctx context.Context) *readWorker {
	git := func(name string) (source.Dates, bool) {
		r.git.once.Do(func() {
			wanted := make(map[string]bool, len(r.collection.files))
			for _, f := range r.collection.files {
				wanted[f.Path] = true
			}
			r.git.dates, r.git.err = source.GitDates(ctx, r.Content, func(name string) bool { return wanted[name] })
		})
		dates, ok := r.git.dates[name]
		return dates, ok
	}
	return &readWorker{run: r, reader: source.NewReader(r.site, git)}
}

func (w *readWorker) end() error {
	w.loader.Close()
	return nil
}

func (w *readWorker) read(i int) outcome {
	c := &w.run.collection
	file := &c.files[i]
	text, ok := w.loader.Load(w.run.fsys, file, w.run.report)
	if !ok {
		return unreadable
	}
	d := w.reader.Read(file, text, w.run.report)
	if d.Skip {
		return leftOut
	}
	p := &d.Page
	c.pages[i] = page.Record{
		Path:     file.Path,
		ID:       p.ID,
		Language: p.Language,
		Kind:     p.Kind,
		Topic:    within(file.Path, p.Topic),
		URL:      within(file.Path, p.URL()),
		Created:  p.Created,
		Modified: p.Modified,
	}
	c.records[i] = record{
		file:      int32(i),
		bodyStart: int32(d.BodyStart),
		bodyEnd:   int32(d.BodyEnd),
		hash:      source.Hash(text),
		embeds:    p.Embeds,
		derived:   d.Derived,
	}
	if d.Valid {
		w.buffer = api.AppendHead(w.buffer[:0], p)
		c.records[i].head = w.heads.keep(w.buffer)
	}
	return found
}

// gather closes the gaps that files without a page leave in the collection, and
// makes the index of links.
func (r *run) gather(outcomes []outcome) {
	c := &r.collection
	n := 0
	for i, o := range outcomes {
		switch o {
		case leftOut:
			c.skipped = append(c.skipped, c.files[i].Path)
		case found:
			c.pages[n], c.records[n] = c.pages[i], c.records[i]
			n++
		}
	}
	c.pages, c.records = c.pages[:n], c.records[:n]
	entries := make([]markup.IndexEntry, n)
	for i, p := range c.pages {
		entries[i] = markup.IndexEntry{Path: p.Path, URL: p.URL, Language: p.Language}
	}
	r.index = markup.NewIndex(entries, r.site.Languages, r.site.DefaultLanguage, c.skipped)
}
