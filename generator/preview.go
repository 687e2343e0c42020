package generator

import (
	"context"
	"net"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
	"example.org/sivu/generator/watch"
)

// Preview is a content folder that is served while it is worked on.
type Preview struct {
	Live     *view.Live
	Watcher  *watch.Watcher
	Server   *preview.Server
	Listener net.Listener

	// Updated is told of every update; it may be nil. An error means that the
	// update could not run; the site shown stays the same.
	Updated func(u *view.Update, err error)

	shown    preview.Site // by the last update that could run
	wasShown bool
}

// maxListed is how many problems the page browser gets; it is told how many there are.
const maxListed = 10_000

// cannotRun is shown by the page browser where an update could not run.
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
	if err != nil && !p.wasShown {
		return err
	}
	if p.Updated != nil {
		p.Updated(u, err)
	}
	if err == nil {
		p.shown, p.wasShown = u.Site, true
	}
	site := p.shown
	if err != nil { // all that was shown before, and why
		site.Failed, site.Changed = true, []uuid.UUID{}
		site.Report.Errors++
		putFirst(&site.Report, cannotRun.At(diag.Position{}, "%s", diag.Clean(err.Error())))
	}
	if reason := p.Watcher.Polls(); reason != nil {
		site.Report.Warnings++
		putFirst(&site.Report, slowWatch.At(diag.Position{}, "%s", reason).WithHint("%s", reason.Hint))
	}
	site.Report = site.Report.First(maxListed)
	p.Server.Show(site)
	return nil
}

func putFirst(r *diag.Report, d diag.Diagnostic) {
	r.Diagnostics = slices.Concat([]diag.Diagnostic{d}, r.Diagnostics)
}

// slowWatch is shown by the page browser where there is no room for watches.
var slowWatch = &diag.Rule{
	Name:     "slow-watch",
	Doc:      "the system tells the preview of changes in the content folder",
	Severity: diag.Warning,
}
