package generator

import (
	"context"
	"errors"
	"os"
	"reflect"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// Live keeps a site built while its sources change. What it holds of a record is
// set aside in a file that is gone when it ends; nothing is written to an output
// folder. One goroutine uses it.
type Live struct {
	options Options
	links   api.Links
	aside   *heads
	needed  int64 // bytes that a whole site took in it

	leftovers []string            // files to be removed in the end
	last      *run                // whose findings are used again; nil where everything is to be read
	touched   map[string]bool     // since then
	site      *source.Site        // the settings in force
	isGood    bool                // they have no errors
	kept      map[string]keptPage // earlier versions in the view, by path
	view      *View               // what is shown
}

// Update is what became of a site after sources changed.
type Update struct {
	Report   diag.Report
	Failed   bool        // there are errors
	View     *View       // every page as it is now, or as it last was without errors
	Kept     int         // pages that are shown as they last were without errors
	Hidden   int         // pages with errors that cannot be shown
	Changed  []uuid.UUID // records that the view before did not have, or had in another form; nil for any
	Read     int         // sources that were read
	Rendered int         // bodies that were rendered
}

// NewLive returns a site that is built by the first Update. Of the options, Out,
// Strict and DryRun mean nothing to it, and BaseURL has to be there; links are
// the contract's own addresses. The error is that of an Update that could not even
// begin, as without a content folder.
func NewLive(o Options) (*Live, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	r.close()
	l := &Live{options: o, links: api.Links{Base: o.BaseURL, Style: api.Styles[0]}}
	return l, l.beginAside()
}

// beginAside begins a new file for what is set aside. The one before is closed
// when the last view that needs it is forgotten.
func (l *Live) beginAside() error {
	file, err := os.CreateTemp("", "sivu-*")
	if err != nil {
		return err
	}
	if os.Remove(file.Name()) != nil { // as on Windows, where Close does it
		l.leftovers = append(l.leftovers, file.Name())
	}
	l.aside = &heads{file: file}
	return nil
}

// Close ends the use of the site and of its views.
func (l *Live) Close() error {
	err := l.aside.file.Close()
	for _, name := range l.leftovers {
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
	if touched == nil || l.aside.written.Load() > 3*l.needed+spare {
		l.last = nil
	}
	if l.touched == nil {
		l.touched = make(map[string]bool)
	}
	for _, name := range touched {
		l.touched[name] = true
	}
	r, err := newRun(l.options)
	if err != nil {
		return nil, err
	}
	defer r.close()
	l.settle(r)
	r.trace = newTrace(true)
	if l.last != nil && reflect.DeepEqual(r.site, l.last.site) {
		r.before = &recall{run: l.last, touched: l.touched}
	} else {
		l.last = nil
		if err := l.beginAside(); err != nil {
			return nil, err
		}
	}
	r.links, r.heads = l.links, l.aside
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	if r.before == nil {
		l.needed = l.aside.written.Load()
	}
	return l.take(r)
}

// settle gives a run the settings in force.
func (l *Live) settle(r *run) {
	if ok := r.diagnostics.Errors() == 0; ok || r.site != nil && !l.isGood {
		l.site, l.isGood = r.site, ok
	}
	if r.site = l.site; r.site != nil {
		r.diagnostics.Override(r.site.Rules)
	}
}

// take makes what a run found that of the site.
func (l *Live) take(r *run) (*Update, error) {
	l.last = nil
	broken := r.broken()
	kept, err := l.keep(r, broken)
	if err != nil {
		return nil, err
	}
	old := l.view
	l.kept, l.view = kept, newView(r, broken, kept)
	u := &Update{Report: r.reported(), View: l.view, Read: r.read, Rendered: r.rendered}
	u.Failed = u.Report.Errors > 0
	u.Kept, u.Hidden = l.view.countBroken()
	if old != nil && old.aside == l.view.aside {
		u.Changed = append(l.view.changed(old), r.changedMedia(l.view)...)
	}
	r.before = nil
	r.gitDates = nil
	if r.site != nil && r.collection.pages != nil {
		l.last, l.touched = r, nil
	}
	return u, nil
}
