package generator

import (
	"context"
	"errors"
	"os"
	"reflect"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
)

// Live keeps a site built while its sources change. What it holds of a record is
// set aside in a file that is gone when it ends; nothing is written to an output
// folder. One goroutine uses it.
type Live struct {
	options Options
	links   api.Links
	aside   *heads
	last    *run            // whose findings are used again; nil where everything is to be read
	touched map[string]bool // since then
	view    *View           // what is shown
	good    bool            // the view is of a site without errors
}

// Update is what became of a site after sources changed.
type Update struct {
	Report    diag.Report
	Failed    bool        // there are errors
	Good      bool        // the view is of a site without errors
	View      *View       // the site as it is now, or as it last was without errors
	Changed   []uuid.UUID // records that the view before did not have, or had in another form; nil for any
	Languages []string    // of the site, the reference language first
	Read      int         // sources that were read
	Rendered  int         // bodies that were rendered
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
	file, err := os.CreateTemp("", "sivu-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name()) // where that fails, as on Windows, Close does it
	l := &Live{options: o, links: api.Links{Base: o.BaseURL, Style: api.Styles[0]}, aside: &heads{file: file}}
	return l, nil
}

// Close ends the use of the site and of its views.
func (l *Live) Close() error {
	err := l.aside.file.Close()
	if removed := os.Remove(l.aside.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// Update brings the site up to date. touched are the files and folders, below the
// content folder, that may have changed since the last call; nil stands for any.
// Only those are read, and only bodies are rendered whose source changed or
// whose links now lead elsewhere. An error means that sivu could not run; the
// next call then makes up for this one.
//
// While there are errors, the view stays the last one without. If there never was
// one, it shows the records that are whole.
func (l *Live) Update(ctx context.Context, touched []string) (*Update, error) {
	if touched == nil {
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
	r.links, r.heads = l.links, l.aside
	r.trace = &trace{touched: l.touched}
	if l.last != nil && reflect.DeepEqual(r.site, l.last.site) {
		r.before, r.gitDates = l.last, l.last.gitDates
	}
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	return l.take(r), nil
}

// take makes what a run found that of the site.
func (l *Live) take(r *run) *Update {
	u := &Update{Report: r.diagnostics.Report(), Read: r.trace.read, Rendered: r.trace.rendered}
	u.Failed = u.Report.Errors > 0
	if r.site != nil {
		u.Languages = r.site.Languages
	}
	switch old := l.view; {
	case !u.Failed || !l.good:
		l.view, l.good = newView(r), !u.Failed
		if old != nil {
			u.Changed = l.view.changed(old)
		}
	default:
		u.Changed = []uuid.UUID{}
	}
	u.View, u.Good = l.view, l.good
	r.before = nil
	if r.gitMissed.Load() {
		r.gitDates = nil
	}
	l.last, l.touched = r, nil
	if r.site == nil || r.collection.pages == nil {
		l.last = nil
	}
	return u
}
