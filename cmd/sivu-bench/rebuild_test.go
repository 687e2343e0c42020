package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator"
)

// The test binary is also the programs that are run by it: sivu-bench itself,
// and in place of sivu a build in the same way.
func TestMain(m *testing.M) {
	args := os.Args[1:]
	switch {
	case len(args) == 6 && args[0] == "build":
		exitWith(buildAs(args))
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		exitWith(run(context.Background(), args))
	}
	os.Exit(m.Run())
}

func exitWith(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// buildAs builds as sivu build --quiet --content FOLDER --out FOLDER.
func buildAs(args []string) error {
	result, err := generator.Build(context.Background(), generator.Options{Content: args[3], Out: args[5]})
	if err == nil && result.Failed {
		err = errors.New("the corpus has errors")
	}
	return err
}

// states returns what every file of a folder is: its bytes and its time.
func states(t *testing.T, folder string) map[string]string {
	t.Helper()
	list := make(map[string]string)
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		list[name] = fmt.Sprintf("%s %s", info.ModTime().UTC(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// corpusOf returns a corpus of n records, and a folder for its snapshot.
func corpusOf(t *testing.T, n int) (corpus, out string) {
	t.Helper()
	dir := t.TempDir()
	corpus, out = filepath.Join(dir, "corpus"), filepath.Join(dir, "snapshot")
	if err := makeCorpus(corpus, n); err != nil {
		t.Fatal(err)
	}
	return corpus, out
}

// checkTop checks which page the lists of a snapshot show before all others.
func checkTop(t *testing.T, out, url string) {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(out, "pages", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(list), `"url":"`)
	if first, _, _ := strings.Cut(rest, `"`); first != url {
		t.Errorf("lists begin with %s, not %s", first, url)
	}
}

// Each change is one that a build reads and renders just as much of as its name
// says, and the way back leads to the very same corpus and snapshot.
func TestEdits(t *testing.T) {
	const n = 36
	corpus, out := corpusOf(t, n)
	build := func() *generator.Result {
		t.Helper()
		result, err := generator.Build(t.Context(), generator.Options{Content: corpus, Out: out})
		if err != nil || result.Failed {
			t.Fatal(err, result)
		}
		return result
	}
	build()
	sources := states(t, corpus)
	first, err := readFiles(out)
	if err != nil {
		t.Fatal(err)
	}
	type work struct{ Read, Rendered, Records int }
	want := map[string][2]work{
		"one body":   {{1, 1, n}, {1, 1, n}},
		"new record": {{1, 1, n + 1}, {0, 0, n}},
		"touched":    {{n, 0, n}, {n, 0, n}},
	}
	for _, e := range edits(corpus, n) {
		known := first
		for i, step := range []func() error{e.do, e.undo} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
			result := build()
			if got := (work{result.Read, result.Rendered, result.Records}); got != want[e.name][i] {
				t.Errorf("%s, step %d: the build did %+v, not %+v", e.name, i, got, want[e.name][i])
			}
			if e.name == newRecord && i == 0 {
				checkTop(t, out, "fi/topic-000003")
			}
			now, err := readFiles(out)
			if err != nil {
				t.Fatal(err)
			}
			if got := now.since(known); got != e.want {
				t.Errorf("%s, step %d: %+v files differ, not %+v", e.name, i, got, e.want)
			}
			known = now
		}
		if diff := cmp.Diff(sources, states(t, corpus)); diff != "" {
			t.Errorf("%s is not undone (-before +after):\n%s", e.name, diff)
		}
		if diff := cmp.Diff(first, known); diff != "" {
			t.Errorf("%s leaves another snapshot (-before +after):\n%s", e.name, diff)
		}
	}
	if result := build(); result.Read != 0 || result.Changes.Any() {
		t.Errorf("the last build read %d sources", result.Read)
	}
}

// All of it, with real programs.
func TestMeasure(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	b := &bench{sivu: self, dir: t.TempDir(), runs: 1, out: &printed}
	if err := b.measure(t.Context(), 36); err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(printed.String()) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, _, _ = strings.Cut(name, "  ")
		names = append(names, name)
	}
	want := []string{
		"36 records, medians of 1 runs", "sivu", "floor", "write", "sivu/floor", "most memory of a build",
		"stat walk", "no change", "one body", "one body, back", "new record", "list pages", "new record, record gone", "touched", "touched, back",
		"no change / stat walk", "one body - no change", "(new record - no change) / list pages", "most memory of a rebuild",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("it printed other lines (-want +got):\n%s", diff)
	}
	if left, err := os.ReadDir(b.dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v: %v", left, err)
	}
	if len(b.missed) > 0 {
		t.Errorf("sizes without limits have none: %v", b.missed)
	}
}

// A rebuild that does not do what is measured is an error, and not a figure.
func TestIdleRebuild(t *testing.T) {
	corpus, out := corpusOf(t, 36)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := buildAs([]string{"build", "--quiet", "--content", corpus, "--out", out}); err != nil {
		t.Fatal(err)
	}
	before := states(t, corpus)
	b := &bench{sivu: self, dir: filepath.Dir(corpus), runs: 1, out: new(strings.Builder)}
	m := newRebuilds(b, self, corpus, out, 36)
	m.edits[0].do = func() error { return nil }
	err = m.measure(t.Context())
	const want = "a rebuild (one body) wrote 0 list pages and 0 files of records, and has to write 0 and 2"
	if err == nil || err.Error() != want {
		t.Errorf("got error %v", err)
	}
	if diff := cmp.Diff(before, states(t, corpus)); diff != "" {
		t.Errorf("the corpus is not as it was (-before +after):\n%s", diff)
	}
}

// walls returns runs that took so many milliseconds each.
func walls(peak int64, milliseconds ...int) []figures {
	list := make([]figures, len(milliseconds))
	for i, ms := range milliseconds {
		list[i] = figures{wall: time.Duration(ms) * time.Millisecond, peak: peak}
	}
	return list
}

// fixed are rebuilds that keep all limits.
func fixed() map[string][]figures {
	return map[string][]figures{
		statWalk:           walls(500e6, 100, 200, 100),
		noChange:           walls(70e6, 150, 380, 210), // 1.5, 1.9 and 2.1 walks
		oneBody:            walls(80e6, 190, 480, 255), // 40, 100 and 45 ms more
		newRecord:          walls(90e6, 350, 580, 360), // 2, 2 and 0.5 writings more
		listPages:          walls(500e6, 100, 100, 300),
		oneBody + ", back": walls(119e6, 9000, 9000, 9000),
	}
}

func TestLimits(t *testing.T) {
	missing := func(name string, runs []figures) map[string][]figures {
		results := fixed()
		results[name] = runs
		return results
	}
	kept := "  no change / stat walk: 1.90 (limit 2)\n  one body - no change: 45.00 ms (limit 50 ms)\n" +
		"  (new record - no change) / list pages: 2.00 (limit 2)\n  most memory of a rebuild: 119.00 MB (limit 120 MB)\n"
	tests := []struct {
		name    string
		n       int
		results map[string][]figures
		printed string
		missed  string
	}{
		{"kept", 100_008, fixed(), kept, ""},
		{
			"sizes without limits", 12_000, missing(noChange, walls(300e6, 1000, 1000, 1000)),
			"  no change / stat walk: 10.00\n  one body - no change: -745.00 ms\n" +
				"  (new record - no change) / list pages: -4.20\n  most memory of a rebuild: 300.00 MB\n", "",
		},
		{
			"walk", 100_008, missing(statWalk, walls(0, 70, 190, 100)),
			strings.Replace(kept, "1.90 (limit 2)", "2.10 (limit 2: missed)", 1),
			"100008 records: no change / stat walk is 2.10, and may be 2",
		},
		{
			"body", 100_008, missing(oneBody, walls(0, 201, 431, 255)),
			strings.Replace(kept, "45.00 ms (limit 50 ms)", "51.00 ms (limit 50 ms: missed)", 1),
			"100008 records: one body - no change is 51.00 ms, and may be 50 ms",
		},
		{
			"lists", 100_008, missing(listPages, walls(0, 80, 100, 60)),
			strings.Replace(kept, "2.00 (limit 2)", "2.50 (limit 2: missed)", 1),
			"100008 records: (new record - no change) / list pages is 2.50, and may be 2",
		},
		{
			"memory", 100_008, missing("touched", append(walls(10e6, 1, 1), walls(121e6, 1)...)),
			strings.Replace(kept, "119.00 MB (limit 120 MB)", "121.00 MB (limit 120 MB: missed)", 1),
			"100008 records: most memory of a rebuild is 121.00 MB, and may be 120 MB",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var printed strings.Builder
			b := &bench{out: &printed}
			b.judge(test.n, compareRebuilds(test.n, test.results)...)
			if diff := cmp.Diff(test.printed, printed.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if missed := fmt.Sprint(errors.Join(b.missed...)); missed != test.missed && (test.missed != "" || len(b.missed) > 0) {
				t.Errorf("it missed %s, not %s", missed, test.missed)
			}
		})
	}
}

// A program that fails says why.
func TestTimed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := timed(t.Context(), self, "stat", filepath.Join(t.TempDir(), "nothing")); err == nil {
		t.Error("it did not fail")
	}
	var printed strings.Builder
	err = runTimed(t.Context(), []string{self, "corpus", t.TempDir(), "7"}, &printed)
	if err == nil || err.Error() != `exit status 1: "7" records: give a multiple of 12` || printed.String() != "" {
		t.Errorf("it printed %q, and got error %v", printed.String(), err)
	}
}
