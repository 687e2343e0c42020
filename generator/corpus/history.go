package corpus

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"

	"example.org/sivu/generator/source"
)

// history holds the dates of a site's sources from git.
type history struct {
	commit string                  // that is checked out; "" where there is none
	dates  map[string]source.Dates // by path; nil where they were not needed

	ask   func() (map[string]source.Dates, error) // nil where dates are not from git
	isNew bool                                    // the dates may differ from those of the previous build
	err   error                                   // of asking
}

// beginHistory prepares for asking git for dates. Git is asked for all files at
// once, when a page lacks a date, and only if there are other commits than when
// the previous build asked.
func (c *Corpus) beginHistory(ctx context.Context) (err error) {
	if !c.settings.UsesDates(source.DatesGit) {
		return nil
	}
	h, previous := &c.history, c.previous
	if h.commit, err = source.GitCommit(ctx, c.settings.Content); err != nil {
		return err
	}
	h.isNew = previous != nil && h.commit != previous.history.commit
	h.ask = sync.OnceValues(func() (map[string]source.Dates, error) {
		if previous != nil && !h.isNew && previous.history.dates != nil {
			h.dates = previous.history.dates
			return h.dates, nil
		}
		dates, err := source.GitDates(ctx, c.settings.Content, isSource)
		if h.dates = dates; err != nil && !errors.Is(err, source.ErrNoRepository) {
			h.err = err
		}
		return dates, err
	})
	return nil
}

// datesOf asks git for the dates of a file. If git fails, so does the build; but where
// there is no repository, that is a problem of those pages that have no other date.
func (h *history) datesOf(path string) (dates source.Dates, known bool, err error) {
	all, err := h.ask()
	if !errors.Is(err, source.ErrNoRepository) {
		err = nil
	}
	dates, known = all[path]
	return dates, known, err
}

// hashDates returns a hash of dates from git, which is not 0.
func hashDates(dates source.Dates, known bool) uint64 {
	if !known {
		return 1
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(dates.Created))
	binary.LittleEndian.PutUint64(b[8:], uint64(dates.Modified))
	return source.Hash(b[:]) | 2
}

// hasSameDates reports whether git, if it was asked for the dates of a source of the
// previous corpus, answers as it did.
func (h *history) hasSameDates(old *Source) bool {
	if !h.isNew || old.gitDates == 0 {
		return true
	}
	all, err := h.ask()
	now, known := all[old.Path]
	return err == nil && hashDates(now, known) == old.gitDates
}
