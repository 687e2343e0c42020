package generator

import (
	"context"
	"errors"
	"sync"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// history is what git tells of the dates of a site's sources.
type history struct {
	commit string                  // that is checked out; "" where there is none
	dates  map[string]source.Dates // by path; nil where nobody asked
}

// gitDates are the dates that git gave for a file, if it was asked.
type gitDates struct {
	source.Dates
	asked, known bool
}

// beginHistory prepares for asking git for dates. Git is asked for all files at
// once, when a page lacks a date, and only if there are other commits than when
// the run before asked.
func (r *run) beginHistory(ctx context.Context) (err error) {
	if !r.usesDates(source.DatesGit) {
		return nil
	}
	if r.history.commit, err = source.GitCommit(ctx, r.Content); err != nil {
		return err
	}
	r.isNewHistory = r.before != nil && r.history.commit != r.before.history.commit
	r.gitDates = sync.OnceValues(func() (map[string]source.Dates, error) {
		if r.before != nil && !r.isNewHistory && r.before.history.dates != nil {
			r.history.dates = r.before.history.dates
			return r.history.dates, nil
		}
		dates, err := source.GitDates(ctx, r.Content, isSource)
		if err == nil {
			r.history.dates = dates
		}
		return dates, err
	})
	return nil
}

// askHistory asks git for the dates of a file; needed means that the page has no
// other. If git fails, so does the run; but where there is no repository, that is
// a problem of those pages that have no other date.
func (r *run) askHistory(path string, needed bool, report func(diag.Diagnostic)) (source.Dates, bool) {
	all, err := r.gitDates()
	switch {
	case err == nil:
	case !errors.Is(err, source.ErrNoRepository):
		r.gitError.Store(&err)
	case needed:
		report(source.NoHistory(err))
	}
	dates, known := all[path]
	return dates, known
}

// hasSameDates reports whether git, if it was asked for the dates of a file of the
// run before, answers as it did.
func (r *run) hasSameDates(old int) bool {
	if !r.isNewHistory || r.before.trace.dates == nil {
		return true
	}
	was := r.before.trace.dates[old]
	if !was.asked {
		return true
	}
	all, err := r.gitDates()
	now, known := all[r.before.trace.files[old].Path]
	return err == nil && known == was.known && now == was.Dates
}
