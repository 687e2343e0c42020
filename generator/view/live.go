// Package view keeps a site built in memory while its sources change, and shows it as
// the snapshot that a build would write.
//
// [Live] brings a site up to date after each change. A [View] is the snapshot of one
// moment: it makes the files of records and lists when they are asked for, out of the
// corpus and its spool. A page with errors is shown as it last was without them.
package view

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// Live keeps a site built while its sources change. Its spool is a temporary file;
// nothing is written to an output folder. One goroutine uses it.
type Live struct {
	options settings.Options
	links   api.Links
	spool   *corpus.Spool
	needed  int64    // bytes that a whole site took in it
	files   []string // to be removed in the end

	last    *corpus.Corpus  // that is reused; nil where everything is to be read
	touched map[string]bool // since then
	site    *source.Site    // the settings in force
	isGood  bool            // they have no errors
	view    *View           // that is shown
}

// Update is what became of a site after sources changed.
type Update struct {
	preview.Site       // the view, as a preview serves it
	View         *View // every page as it is now, or as it last was without errors
	Kept         int   // pages that are shown as they last were without errors
	Hidden       int   // pages with errors that cannot be shown
	Read         int   // sources that were read
	Rendered     int   // bodies that were rendered
}

// NewLive returns a site that is built by the first Update. Of the options, Out,
// Strict and DryRun are ignored, and BaseURL has to be there; links are the contract's
// own addresses. The error is that of an Update that could not even begin, as without
// a content folder.
func NewLive(o settings.Options) (*Live, error) {
	s, err := settings.Resolve(o)
	if err != nil {
		return nil, err
	}
	s.Close()
	l := &Live{options: o, links: api.Links{Base: o.BaseURL, Style: api.Styles[0]}}
	return l, l.beginSpool()
}

// beginSpool begins a new spool. The file of the one before is closed when the last
// view that needs it is collected as garbage.
func (l *Live) beginSpool() error {
	file, err := os.CreateTemp("", "sivu-*")
	if err != nil {
		return err
	}
	if os.Remove(file.Name()) != nil { // as on Windows, where Close does it
		l.files = append(l.files, file.Name())
	}
	l.spool = &corpus.Spool{File: file}
	return nil
}

// Close ends the use of the site and of its views.
func (l *Live) Close() error {
	err := l.spool.File.Close()
	for _, name := range l.files {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// Update brings the site up to date. touched are the files and folders, below the
// content folder, that may have changed since the last call; nil stands for any.
// Only those are read, and only bodies are rendered whose source changed or
// whose links now lead elsewhere. An error means that sivu could not run; the
// next call then makes up for this one.
//
// A page with errors is shown as it last was without them, and where it never was,
// as it is, if that can be done. While site.yaml has errors, the settings stay the
// last ones without.
func (l *Live) Update(ctx context.Context, touched []string) (*Update, error) {
	const spare = 64 << 20
	if touched == nil || l.spool.Written() > 3*l.needed+spare {
		l.last = nil
	}
	if l.touched == nil {
		l.touched = make(map[string]bool)
	}
	for _, name := range touched {
		l.touched[name] = true
	}
	s, err := settings.Resolve(l.options)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	s = l.settle(s)
	o := corpus.Options{Live: true}
	if before := l.last; before != nil && reflect.DeepEqual(s.Site, before.Settings().Site) {
		o.Touched = l.touched
		o.Previous = func() (*corpus.Corpus, error) { return before, nil }
	} else {
		l.last = nil
		if err := l.beginSpool(); err != nil {
			return nil, err
		}
	}
	o.Spool = l.spool
	c, err := corpus.Scan(ctx, s, o)
	if err != nil {
		return nil, err
	}
	c.Lint()
	if err := c.Render(ctx, nil); err != nil {
		return nil, err
	}
	media := newMedia(c)
	if !c.IsWalked && l.view != nil {
		media = l.view.media
	}
	if l.last == nil {
		l.needed = l.spool.Written()
	}
	return l.show(s, c, media)
}

// settle returns the settings in force.
func (l *Live) settle(s *settings.Settings) *settings.Settings {
	ok := !slices.ContainsFunc(s.Problems, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	if ok || s.Site != nil && !l.isGood {
		l.site, l.isGood = s.Site, ok
	}
	return s.WithSite(l.site)
}

// show makes the view of a corpus.
func (l *Live) show(s *settings.Settings, c *corpus.Corpus, media *media) (*Update, error) {
	before, old := l.last, l.view
	l.last = nil
	broken, ids := findBroken(c)
	var kept map[string]keptVersion
	if old != nil {
		kept = old.keep(s, c, broken, ids)
		if err := old.move(kept, l.spool); err != nil {
			return nil, err
		}
	}
	l.view = newView(s, c, l.links, l.spool, media, broken, kept)
	u := &Update{Site: l.view.site(), View: l.view, Read: c.Read, Rendered: c.Rendered}
	u.Report = c.Report()
	u.Failed = u.Report.Errors > 0
	for i := range u.Pages {
		switch u.Pages[i].Broken {
		case preview.Earlier:
			u.Kept++
		case preview.Hidden:
			u.Hidden++
		}
	}
	if old != nil && old.spool == l.view.spool {
		u.Changed = l.view.changed(old)
		if before != nil {
			u.Changed = append(u.Changed, l.view.changedMedia(c, old.media)...)
		}
	}
	if s.Site != nil && c.Pages != nil {
		l.last, l.touched = c, nil
	}
	return u, nil
}
