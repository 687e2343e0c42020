//go:build linux || darwin || freebsd

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// bench measures the program sivu in the folder dir.
type bench struct {
	sivu   string
	dir    string
	runs   int
	out    io.Writer
	missed []error // limits that were not kept
}

// Names of what is run and compared.
const (
	build     = "build"
	floor     = "floor"
	statWalk  = "stat walk"
	noChange  = "no change"
	oneBody   = "one body"
	newRecord = "new record"
	listPages = "list pages"
)

// rounds are the figures of programs that take turns, so that a noisy moment of
// the machine hits them alike.
type rounds struct {
	names []string // in order of the first run
	of    map[string][]figures
}

func (r *rounds) add(name string, f figures) {
	if r.of == nil {
		r.of = map[string][]figures{}
	}
	if len(r.of[name]) == 0 {
		r.names = append(r.names, name)
	}
	r.of[name] = append(r.of[name], f)
}

func (r *rounds) print(w io.Writer, n int) {
	for _, name := range r.names {
		of := func(value func(figures) float64) float64 {
			return median(len(r.of[name]), func(i int) float64 { return value(r.of[name][i]) })
		}
		fmt.Fprintf(w, "  %-23s %9.1f ms wall %9.1f ms CPU, %6.1f us a record %8.1f MB peak\n", name,
			of(func(f figures) float64 { return 1e3 * f.Wall.Seconds() }),
			of(func(f figures) float64 { return 1e3 * f.CPU.Seconds() }),
			of(func(f figures) float64 { return 1e6 * f.CPU.Seconds() / float64(n) }),
			of(func(f figures) float64 { return float64(f.Peak) / 1e6 }))
	}
}

// measurement measures builds and rebuilds of one corpus.
type measurement struct {
	*bench
	rounds

	self, corpus, out string
	snapshot          string // of the corpus, for rebuilds
	edits             []edit
	checks            bool // in this round, that rebuilds change what they have to
}

// measure prints the figures for a corpus of n records.
func (b *bench) measure(ctx context.Context, n int) error {
	m := &measurement{bench: b, corpus: filepath.Join(b.dir, "corpus"), out: filepath.Join(b.dir, "out"), snapshot: filepath.Join(b.dir, "snapshot")}
	defer os.RemoveAll(m.corpus)
	defer os.RemoveAll(m.out)
	defer os.RemoveAll(m.snapshot)
	self, err := os.Executable()
	if err == nil {
		err = makeCorpus(m.corpus, n)
	}
	if err != nil {
		return err
	}
	m.self, m.edits = self, edits(m.corpus, n)
	// The first round of rebuilds is not counted: it begins with the first build, and
	// the list pages come to be over which others are written.
	m.checks = true
	if err := errors.Join(m.run(ctx, build, m.build(m.snapshot)...), m.rebuilds(ctx)); err != nil {
		return err
	}
	m.checks, m.rounds = false, rounds{}
	for range b.runs {
		if err := m.builds(ctx); err != nil {
			return err
		}
	}
	for range b.runs {
		if err := m.rebuilds(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.out, "%d records, medians of %d runs\n", n, b.runs)
	m.print(b.out, n)
	b.judge(n, compare(n, &m.rounds)...)
	return nil
}

// build is the command that builds the corpus into a folder.
func (m *measurement) build(out string) []string {
	return []string{m.sivu, "build", "--quiet", "--content", m.corpus, "--out", out}
}

// run measures a command.
func (m *measurement) run(ctx context.Context, name string, command ...string) error {
	f, err := measured(ctx, command...)
	m.add(name, f)
	return err
}

// builds runs sivu and the floor into empty folders.
func (m *measurement) builds(ctx context.Context) error {
	for name, command := range map[string][]string{build: m.build(m.out), floor: {m.self, "floor", m.corpus, m.out}} {
		if err := os.RemoveAll(m.out); err != nil {
			return err
		}
		if err := m.run(ctx, name, command...); err != nil {
			return err
		}
	}
	return nil
}

// rebuilds runs every rebuild once. What is compared is run next to each other. The
// corpus and its snapshot are left as they were.
func (m *measurement) rebuilds(ctx context.Context) error {
	if err := m.run(ctx, statWalk, m.self, "stat", m.corpus); err != nil {
		return err
	}
	if err := m.rebuild(ctx, noChange, 0); err != nil {
		return err
	}
	for _, e := range m.edits {
		err := e.do()
		if err == nil {
			err = m.rebuild(ctx, e.name, e.files)
		}
		if err == nil && e.name == newRecord {
			err = m.writeLists(ctx)
		}
		if err := errors.Join(err, e.undo()); err != nil {
			return err
		}
		if err := m.rebuild(ctx, e.name+", "+e.undone, e.files); err != nil {
			return err
		}
	}
	return nil
}

// rebuild measures a build over the snapshot, which must change so many files.
func (m *measurement) rebuild(ctx context.Context, name string, files int) error {
	command := m.build(m.snapshot)
	if !m.checks {
		return m.run(ctx, name, command...)
	}
	report := filepath.Join(m.dir, "report.json")
	defer os.Remove(report)
	if err := m.run(ctx, name, append(command, "--report", report)...); err != nil {
		return err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return err
	}
	var is struct {
		Changes struct{ Added, Changed, Removed []string }
	}
	if err := json.Unmarshal(text, &is); err != nil {
		return err
	}
	if got := len(is.Changes.Added) + len(is.Changes.Changed) + len(is.Changes.Removed); got != files {
		return fmt.Errorf("a rebuild (%s) changed %d files, and has to change %d", name, got, files)
	}
	return nil
}

// writeLists measures the plain writing of all list pages, which says itself how
// long that took.
func (m *measurement) writeLists(ctx context.Context) error {
	f, err := measured(ctx, m.self, "lists", m.snapshot, m.out)
	if err != nil {
		return err
	}
	f.Wall, err = time.ParseDuration(f.Printed)
	m.add(listPages, f)
	return err
}

// limits are the most that figures may be; 0 for no limit.
type limits struct {
	floor    float64 // CPU of a build, in floors
	noChange float64 // wall time, in walks that stat every source
	body     float64 // ms of wall time beyond a rebuild where nothing changed
	lists    float64 // wall time beyond the same, in writings of the list pages
	peak     float64 // MB of memory of any build
}

// limitsOf are the limits of a site of so many records. Other sizes have none.
var limitsOf = map[int]limits{
	12_000:    {floor: 1.2},
	100_008:   {floor: 1.25, noChange: 1.3, body: 50, lists: 2, peak: 256},
	1_000_008: {peak: 1000},
}

// figure is something measured that there may be a limit for.
type figure struct {
	name  string
	value float64
	most  float64
	unit  string
}

// compare returns ratios, of each round and then the median. The time of a change is
// that beyond the run next to it that found none.
func compare(n int, r *rounds) []figure {
	wall := func(name string, i int) float64 { return r.of[name][i].Wall.Seconds() }
	cpu := func(name string, i int) float64 { return r.of[name][i].CPU.Seconds() }
	runs, l := len(r.of[build]), limitsOf[n]
	return []figure{
		{"sivu/floor, wall", median(runs, func(i int) float64 { return wall(build, i) / wall(floor, i) }), 0, ""},
		{"sivu/floor, CPU", median(runs, func(i int) float64 { return cpu(build, i) / cpu(floor, i) }), l.floor, ""},
		{"no change / stat walk", median(runs, func(i int) float64 { return wall(noChange, i) / wall(statWalk, i) }), l.noChange, ""},
		{"one body - no change", median(runs, func(i int) float64 { return 1e3 * (wall(oneBody, i) - wall(noChange, i)) }), l.body, " ms"},
		{"(new record - no change) / list pages", median(runs, func(i int) float64 {
			return (wall(newRecord, i) - wall(noChange, i)) / wall(listPages, i)
		}), l.lists, ""},
		peak(n, r),
	}
}

// peak is the most memory that any build needed.
func peak(n int, r *rounds) figure {
	var most int64
	for name, runs := range r.of {
		for _, f := range runs {
			if name != floor && name != statWalk && name != listPages {
				most = max(most, f.Peak)
			}
		}
	}
	return figure{"peak memory, rebuilds included", float64(most) / 1e6, limitsOf[n].peak, " MB"}
}

// judge prints the figures of a corpus of n records, and keeps as an error of
// the whole which of them miss their limit.
func (b *bench) judge(n int, list ...figure) {
	for _, f := range list {
		limit := ""
		if f.most > 0 {
			limit = fmt.Sprintf(" (limit %g%s)", f.most, f.unit)
		}
		if f.most > 0 && f.value > f.most {
			limit = fmt.Sprintf(" (limit %g%s: missed)", f.most, f.unit)
			b.missed = append(b.missed, fmt.Errorf("%d records: %s is %.2f%s, and may be %g%s", n, f.name, f.value, f.unit, f.most, f.unit))
		}
		fmt.Fprintf(b.out, "  %s: %.2f%s%s\n", f.name, f.value, f.unit, limit)
	}
}

// figures are those of one run of one program.
type figures struct {
	Wall, CPU time.Duration
	Peak      int64 // bytes of resident memory
	Printed   string
}

// measured runs a command and returns what it took. What the command has to say
// besides is only told if it fails. Linux counts as the peak memory of a process also
// that of the one which started it: this program keeps little.
func measured(ctx context.Context, command ...string) (figures, error) {
	var printed, said bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &printed, &said
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return figures{}, fmt.Errorf("%s: %w: %s", command[0], errors.Join(err, context.Cause(ctx)), bytes.TrimSpace(said.Bytes()))
	}
	state := c.ProcessState
	return figures{wall, state.UserTime() + state.SystemTime(), peakMemory(state), printed.String()}, nil
}

// peakMemory returns the most memory a process had, in bytes. Linux counts it
// in units of 1024 bytes, macOS in bytes.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}

// median returns the median of a value of so many runs.
func median(runs int, of func(run int) float64) float64 {
	values := make([]float64, runs)
	for i := range values {
		values[i] = of(i)
	}
	slices.Sort(values)
	half := len(values) / 2
	if len(values)%2 == 0 {
		return (values[half-1] + values[half]) / 2
	}
	return values[half]
}
