package generator

import (
	"context"
	"net"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
)

// Preview is a content folder that is served while it is worked on.
type Preview struct {
	Live     *Live
	Watcher  *preview.Watcher
	Server   *preview.Server
	Listener net.Listener

	// Updated is told of every update; it may be nil. An error means that the
	// update could not run; what was shown stays.
	Updated func(u *Update, err error)
}

// cannotRun is what the page browser shows where an update could not run.
var cannotRun = &diag.Rule{
	Name:     "cannot-run",
	Doc:      "sivu can read the content folder, its settings and, where they are asked for, its dates in git",
	Severity: diag.Error,
	Contract: true,
}

// Run builds the site, serves it, and brings it up to date whenever a source
// changes, until ctx is done; then the error is nil. If even the first update
// cannot run, Run ends with its error. It closes the listener.
func (p *Preview) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return p.Server.Serve(ctx, p.Listener) })
	group.Go(func() error {
		if err := p.update(ctx, nil); err != nil {
			return err
		}
		return p.Watcher.Run(ctx, func(touched []string) { p.update(ctx, touched) })
	})
	return group.Wait()
}

// update brings the site up to date and shows it.
func (p *Preview) update(ctx context.Context, touched []string) error {
	u, err := p.Live.Update(ctx, touched)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil && p.Live.view == nil {
		return err
	}
	if p.Updated != nil {
		p.Updated(u, err)
	}
	if err != nil {
		p.Server.Show(p.Live.stuck(err))
		return nil
	}
	p.Server.Show(preview.Site{
		Answers: u.View, Languages: u.View.languages, Pages: u.View.sources(),
		Report: u.Report, Failed: u.Failed, Changed: u.Changed,
	})
	return nil
}

// stuck is what is shown where an update could not run: the view before, and why.
func (l *Live) stuck(err error) preview.Site {
	report := diag.Report{Diagnostics: []diag.Diagnostic{cannotRun.At(diag.Position{}, "%s", diag.Clean(err.Error()))}, Errors: 1}
	site := preview.Site{Report: report, Failed: true}
	site.Answers, site.Pages, site.Languages = l.view, l.view.sources(), l.view.languages
	return site
}

// sources returns what the page browser cannot learn from the records.
func (v *View) sources() []preview.Page {
	list := make([]preview.Page, len(v.order))
	for i, place := range v.order {
		p := &v.pages.pages[place]
		list[i] = preview.Page{ID: p.ID, Topic: p.Topic, Kind: p.Kind.Name, File: v.shown(p.Path)}
	}
	return list
}
