package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Names of what is run in each round of rebuilds.
const (
	statWalk  = "stat walk"
	noChange  = "no change"
	oneBody   = "one body"
	newRecord = "new record"
	listPages = "list pages"
)

// rebuilds measures what a change of a corpus costs.
type rebuilds struct {
	*bench

	self     string // this program
	corpus   string
	snapshot string // the folder of that of the corpus
	lists    string // a folder for list pages
	edits    []edit
	names    []string // of what was run, in order
	results  map[string][]figures
	known    files // what the snapshot was seen to be; nil where nobody looks
}

// measureRebuilds prints what rebuilds of a corpus of n records take, whose
// snapshot lies there. Both are left as they were.
func (b *bench) measureRebuilds(ctx context.Context, self, corpus, snapshot string, n int) error {
	m := newRebuilds(b, self, corpus, snapshot, n)
	if err := m.measure(ctx); err != nil {
		return err
	}
	m.print()
	b.judge(n, compareRebuilds(n, m.results)...)
	return nil
}

func newRebuilds(b *bench, self, corpus, snapshot string, n int) *rebuilds {
	return &rebuilds{bench: b, self: self, corpus: corpus, snapshot: snapshot, lists: filepath.Join(b.dir, "out"), edits: edits(corpus, n)}
}

// measure runs all rounds. The first is not counted: in it the builds are seen to
// do what is asked for, and the list pages come to be over which others are
// written.
func (m *rebuilds) measure(ctx context.Context) (err error) {
	if m.known, err = readFiles(m.snapshot); err != nil {
		return err
	}
	m.results = make(map[string][]figures)
	if err := m.round(ctx); err != nil {
		return err
	}
	m.names, m.results, m.known = nil, make(map[string][]figures), nil
	for range m.runs {
		if err := m.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

// round runs everything once. What is compared is run next to each other.
func (m *rebuilds) round(ctx context.Context) error {
	if err := m.run(ctx, statWalk, m.self, "stat", m.corpus); err != nil {
		return err
	}
	if err := m.build(ctx, noChange, difference{}); err != nil {
		return err
	}
	for _, e := range m.edits {
		if err := m.change(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// change measures a build after a change, and one after the way back.
func (m *rebuilds) change(ctx context.Context, e edit) error {
	err := e.do()
	if err == nil {
		err = m.build(ctx, e.name, e.want)
	}
	if err == nil && e.name == newRecord {
		err = m.writeLists(ctx)
	}
	if err := errors.Join(err, e.undo()); err != nil {
		return err
	}
	return m.build(ctx, e.name+", "+e.undone, e.want)
}

// build measures a build of the corpus, which must change as many files as
// wanted.
func (m *rebuilds) build(ctx context.Context, name string, want difference) error {
	if err := m.run(ctx, name, m.sivu, "build", "--quiet", "--content", m.corpus, "--out", m.snapshot); err != nil || m.known == nil {
		return err
	}
	now, err := readFiles(m.snapshot)
	if err != nil {
		return err
	}
	if got := now.since(m.known); got != want {
		return fmt.Errorf("a rebuild (%s) wrote %d list pages and %d files of records, and has to write %d and %d", name, got.lists, got.records, want.lists, want.records)
	}
	m.known = now
	return nil
}

// run measures a command.
func (m *rebuilds) run(ctx context.Context, name string, command ...string) error {
	f, _, err := timed(ctx, command...)
	m.keep(name, f)
	return err
}

// writeLists measures the plain writing of all list pages. It says itself how
// long that took.
func (m *rebuilds) writeLists(ctx context.Context) error {
	f, printed, err := timed(ctx, m.self, "lists", m.snapshot, m.lists)
	if err != nil {
		return err
	}
	var seconds float64
	if _, err := fmt.Sscan(printed, &seconds); err != nil {
		return fmt.Errorf("the writing of list pages printed %q: %w", printed, err)
	}
	f.wall = time.Duration(seconds * float64(time.Second))
	m.keep(listPages, f)
	return nil
}

func (m *rebuilds) keep(name string, f figures) {
	if len(m.results[name]) == 0 {
		m.names = append(m.names, name)
	}
	m.results[name] = append(m.results[name], f)
}

func (m *rebuilds) print() {
	for _, name := range m.names {
		list := m.results[name]
		fmt.Fprintf(m.out, "  %-23s %8.1f ms wall %8.1f ms CPU %8.1f MB peak\n", name,
			median(list, func(f figures) float64 { return 1e3 * f.wall.Seconds() }),
			median(list, func(f figures) float64 { return 1e3 * f.cpu.Seconds() }),
			median(list, func(f figures) float64 { return float64(f.peak) / 1e6 }))
	}
}
