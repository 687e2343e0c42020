//go:build linux || darwin || freebsd

package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator"
)

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

// filesOf returns the files of a snapshot with their bytes.
func filesOf(t *testing.T, out string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, state := range states(t, out) {
		below, _ := filepath.Rel(out, name)
		if !strings.HasPrefix(below, ".sivu") {
			_, files[below], _ = strings.Cut(state, "UTC ")
		}
	}
	return files
}

// differing counts the list pages and the files of records that differ.
func differing(before, now map[string]string) (lists, records int) {
	names := map[string]bool{}
	for _, files := range []map[string]string{before, now} {
		for name := range files {
			names[name] = true
		}
	}
	for name := range names {
		switch old, was := before[name]; {
		case was && old == now[name]:
		case filepath.Dir(name) == "pages":
			lists++
		default:
			records++
		}
	}
	return lists, records
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
	first := filesOf(t, out)
	wantFiles := map[string][2]int{"one body": {0, 2}, "new record": {2 * 5, 2}, "touched": {0, 0}} // list pages, and of records
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
			now := filesOf(t, out)
			lists, records := differing(known, now)
			if got := [2]int{lists, records}; got != wantFiles[e.name] || lists+records != e.files {
				t.Errorf("%s, step %d: %v files differ, not %v and together %d", e.name, i, got, wantFiles[e.name], e.files)
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
	slices.Sort(names[1:3]) // take turns in any order
	want := []string{
		"36 records, medians of 1 runs", "build", "floor",
		"stat walk", "no change", "one body", "one body, back", "new record", "list pages", "new record, record gone", "touched", "touched, back",
		"sivu/floor, wall", "sivu/floor, CPU", "no change / stat walk", "one body - no change", "(new record - no change) / list pages",
		"peak memory, rebuilds included",
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
	m := &measurement{bench: b, self: self, corpus: corpus, out: t.TempDir(), snapshot: out, edits: edits(corpus, 36), checks: true}
	m.edits[0].do = func() error { return nil }
	err = m.rebuilds(t.Context())
	const want = "a rebuild (one body) changed 0 files, and has to change 2"
	if err == nil || err.Error() != want {
		t.Errorf("got error %v", err)
	}
	if diff := cmp.Diff(before, states(t, corpus)); diff != "" {
		t.Errorf("the corpus is not as it was (-before +after):\n%s", diff)
	}
}

// walls returns runs that took so many milliseconds each, of wall time and of the
// processor.
func walls(peak int64, milliseconds ...int) []figures {
	list := make([]figures, len(milliseconds))
	for i, ms := range milliseconds {
		list[i] = figures{Wall: time.Duration(ms) * time.Millisecond, CPU: time.Duration(ms) * time.Millisecond, Peak: peak}
	}
	return list
}

// fixed are runs that keep all limits of 100,008 records.
func fixed() map[string][]figures {
	return map[string][]figures{
		build:              walls(250e6, 110, 125, 130),
		floor:              walls(500e6, 100, 100, 100),
		statWalk:           walls(500e6, 100, 200, 100),
		noChange:           walls(70e6, 110, 260, 140), // 1.1, 1.3 and 1.4 walks
		oneBody:            walls(80e6, 150, 360, 185), // 40, 100 and 45 ms more
		newRecord:          walls(90e6, 310, 460, 290), // 2, 2 and 0.5 writings more
		listPages:          walls(500e6, 100, 100, 300),
		oneBody + ", back": walls(256e6, 9000, 9000, 9000),
	}
}

func TestLimits(t *testing.T) {
	missing := func(name string, runs []figures) map[string][]figures {
		results := fixed()
		results[name] = runs
		return results
	}
	kept := "  sivu/floor, wall: 1.25\n  sivu/floor, CPU: 1.25 (limit 1.25)\n" +
		"  no change / stat walk: 1.30 (limit 1.3)\n  one body - no change: 45.00 ms (limit 50 ms)\n" +
		"  (new record - no change) / list pages: 2.00 (limit 2)\n  peak memory, rebuilds included: 256.00 MB (limit 256 MB)\n"
	tests := []struct {
		name    string
		n       int
		results map[string][]figures
		printed string
		missed  string
	}{
		{"kept", 100_008, fixed(), kept, ""},
		{
			"sizes without limits", 1200, missing(noChange, walls(300e6, 1000, 1000, 1000)),
			"  sivu/floor, wall: 1.25\n  sivu/floor, CPU: 1.25\n  no change / stat walk: 10.00\n  one body - no change: -815.00 ms\n" +
				"  (new record - no change) / list pages: -5.40\n  peak memory, rebuilds included: 300.00 MB\n", "",
		},
		{
			"12,000 records", 12_000, fixed(),
			"  sivu/floor, wall: 1.25\n  sivu/floor, CPU: 1.25 (limit 1.2: missed)\n  no change / stat walk: 1.30\n  one body - no change: 45.00 ms\n" +
				"  (new record - no change) / list pages: 2.00\n  peak memory, rebuilds included: 256.00 MB\n",
			"12000 records: sivu/floor, CPU is 1.25, and may be 1.2",
		},
		{
			"floor", 100_008, missing(floor, walls(0, 88, 88, 100)),
			strings.NewReplacer("wall: 1.25", "wall: 1.30", "CPU: 1.25 (limit 1.25)", "CPU: 1.30 (limit 1.25: missed)").Replace(kept),
			"100008 records: sivu/floor, CPU is 1.30, and may be 1.25",
		},
		{
			"walk", 100_008, missing(statWalk, walls(0, 70, 190, 100)),
			strings.Replace(kept, "1.30 (limit 1.3)", "1.40 (limit 1.3: missed)", 1),
			"100008 records: no change / stat walk is 1.40, and may be 1.3",
		},
		{
			"body", 100_008, missing(oneBody, walls(0, 161, 311, 185)),
			strings.Replace(kept, "45.00 ms (limit 50 ms)", "51.00 ms (limit 50 ms: missed)", 1),
			"100008 records: one body - no change is 51.00 ms, and may be 50 ms",
		},
		{
			"lists", 100_008, missing(listPages, walls(0, 80, 100, 60)),
			strings.Replace(kept, "2.00 (limit 2)", "2.50 (limit 2: missed)", 1),
			"100008 records: (new record - no change) / list pages is 2.50, and may be 2",
		},
		{
			"memory", 100_008, missing("touched", append(walls(10e6, 1, 1), walls(257e6, 1)...)),
			strings.Replace(kept, "256.00 MB (limit 256 MB)", "257.00 MB (limit 256 MB: missed)", 1),
			"100008 records: peak memory, rebuilds included is 257.00 MB, and may be 256 MB",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var printed strings.Builder
			b := &bench{out: &printed}
			b.judge(test.n, compare(test.n, &rounds{of: test.results})...)
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
func TestMeasured(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, err = measured(t.Context(), self, "corpus", t.TempDir(), "7")
	if err == nil || !strings.HasSuffix(err.Error(), `exit status 1: "7" records: give a multiple of 12`) {
		t.Errorf("got error %v", err)
	}
}
