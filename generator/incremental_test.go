package generator

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

// dated is a content folder whose files have the times of edits, one a second, and
// all of them long ago.
type dated struct {
	*editor
	clock time.Time
	texts map[string]string // as they were when last dated
}

func newDated(r *rand.Rand) *dated {
	d := &dated{editor: newEditor(r), clock: time.Now().Add(-24 * time.Hour), texts: map[string]string{}}
	d.date()
	return d
}

// date gives files that changed a new time.
func (d *dated) date() {
	d.clock = d.clock.Add(time.Second)
	for name, file := range d.fsys {
		if text, ok := d.texts[name]; !ok || text != string(file.Data) || file.ModTime.IsZero() {
			file.ModTime = d.clock
		}
		d.texts[name] = string(file.Data)
	}
}

// touch gives some files another time and the same text, as a checkout does.
func (d *dated) touch() {
	for _, name := range d.names() {
		if d.IntN(2) == 0 {
			d.fsys[name] = &fstest.MapFile{Data: d.fsys[name].Data, ModTime: d.clock.Add(time.Minute)}
		}
	}
}

// spoil does something to the state that only costs time.
func (d *dated) spoil(t *testing.T, out string) {
	t.Helper()
	for _, name := range []string{"state", "state.log"} {
		name = filepath.Join(out, ".sivu", name)
		data, err := os.ReadFile(name)
		if err != nil || len(data) == 0 {
			continue
		}
		switch d.IntN(4) {
		case 0:
			err = os.Remove(name)
		case 1:
			data[d.IntN(len(data))] ^= 1 << d.IntN(8)
			err = os.WriteFile(name, data, 0o600)
		case 2:
			err = os.WriteFile(name, data[:d.IntN(len(data))], 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hinted is described with hints.
func hinted(r diag.Report) []string {
	lines := described(r)
	for i, d := range r.Diagnostics {
		lines[i] += " | " + d.Hint
	}
	return lines
}

// What was most likely meant by a broken link depends on pages that have no
// part in it, and is up to date where its own page is not read again.
func TestSuggestionsAreUpToDate(t *testing.T) {
	d := newDated(rand.New(rand.NewPCG(1, 2)))
	clear(d.fsys)
	d.site("")
	page := func(body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: T\ncreated: 2020-01-01\n---\n" + body)}
	}
	d.fsys["fi/a.md"] = page("[x](asumine.md)\n")
	options := Options{Content: "content", FS: d.fsys, Out: filepath.Join(t.TempDir(), "out"), BaseURL: liveBase}
	for _, step := range []struct{ name, hint string }{
		{"fi/asuminen.md", `did you mean "asuminen.md"?`},
		{"fi/asuming.md", `did you mean "asuming.md"?`},
		{"fi/other.md", ""},
	} {
		delete(d.fsys, "fi/asuminen.md")
		delete(d.fsys, "fi/asuming.md")
		d.fsys[step.name] = page("")
		d.date()
		result, err := Build(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range hinted(result.Report) {
			if strings.Contains(line, "[broken-link]") {
				got = append(got, line)
			}
		}
		want := []string{`content/fi/a.md:5:1: page not found: "asumine.md" [broken-link] | ` + step.hint}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %s (-want +got):\n%s", step.name, diff)
		}
		if step.name != "fi/asuminen.md" && result.Read != 1 {
			t.Errorf("with %s: %d sources were read, want 1", step.name, result.Read)
		}
	}
}

// After any edits, a build that knows what the one before found writes and reports
// what a build that knows nothing does.
func TestIncrementalEqualsFull(t *testing.T) {
	eachFact(t, 1, func(t *testing.T, r *rand.Rand, field string) {
		d := newDated(r)
		out := filepath.Join(t.TempDir(), "out")
		built := map[string]string{}
		for step := range 30 {
			what := "start"
			if r.IntN(3) == 0 {
				what, _ = d.editField(field)
			} else {
				for range r.IntN(4) {
					w, _ := d.edit()
					what += ", " + w
				}
			}
			d.date()
			switch r.IntN(8) {
			case 0:
				what += ", touch"
				d.touch()
			case 1:
				what += ", spoil"
				d.spoil(t, out)
			}
			options := Options{Content: "content", FS: d.fsys, Out: out, BaseURL: liveBase, DryRun: r.IntN(6) == 0}
			options.Now = time.Date(2010+r.IntN(25), 6, 1, 0, 0, 0, 0, time.UTC)
			fresh := options
			fresh.Out, fresh.DryRun = filepath.Join(t.TempDir(), "fresh"), false
			got, err := Build(t.Context(), options)
			if err != nil {
				t.Fatalf("step %d, %s: %v", step, what, err)
			}
			want, err := Build(t.Context(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(hinted(want.Report), hinted(got.Report)); diff != "" {
				t.Fatalf("step %d, %s: the report differs (-full +incremental):\n%s", step, what, diff)
			}
			if diff := cmp.Diff(want.Coverage(), got.Coverage()); diff != "" {
				t.Fatalf("step %d, %s: the coverage differs (-full +incremental):\n%s", step, what, diff)
			}
			if got.StateError != nil {
				t.Fatal(got.StateError)
			}
			if !want.Failed && !options.DryRun {
				built = readTree(t, fresh.Out)
				if got.Changes.Files != want.Changes.Files || got.Changes.Bytes != want.Changes.Bytes {
					t.Fatalf("step %d, %s: %d files of %d bytes, want %d of %d", step, what,
						got.Changes.Files, got.Changes.Bytes, want.Changes.Files, want.Changes.Bytes)
				}
			}
			if len(built) > 0 {
				if diff := cmp.Diff(built, readTree(t, out)); diff != "" {
					t.Fatalf("step %d, %s: files differ (-full +incremental):\n%s", step, what, diff)
				}
			}
		}
	})
}

// builder builds one site again and again, and says what each build cost.
type builder struct {
	t    *testing.T
	fsys fstest.MapFS
	o    Options
}

func newBuilder(t *testing.T, records int) *builder {
	t.Helper()
	b := &builder{t: t, fsys: goodSite(records)}
	for _, file := range b.fsys {
		file.ModTime = time.Now().Add(-time.Hour)
	}
	b.o = Options{Content: "content", FS: b.fsys, Out: filepath.Join(t.TempDir(), "out")}
	b.costs("at first", records, records)
	return b
}

// costs asserts how many sources a build reads, and how many bodies it renders.
func (b *builder) costs(what string, read, rendered int) *Result {
	b.t.Helper()
	result := mustBuild(b.t, b.o)
	if result.StateError != nil || result.Failed {
		b.t.Fatalf("%s: %+v, %v", what, result.Report, result.StateError)
	}
	if result.Read != read || result.Rendered != rendered {
		b.t.Errorf("%s: %d sources are read and %d bodies rendered, want %d and %d", what, result.Read, result.Rendered, read, rendered)
	}
	return result
}

func (b *builder) write(name, text string) {
	b.fsys[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Now().Add(-time.Minute)}
}

// The file beside a page is part of what the page is made of, and of nothing else.
func TestSidecarCosts(t *testing.T) {
	b := newBuilder(t, 20)
	site := string(b.fsys["site.yaml"].Data)
	b.write("site.yaml", site+"sidecar: '{path}.json'\n")
	b.costs("a new setting", 20, 20)
	pages := slices.DeleteFunc(slices.Sorted(maps.Keys(b.fsys)), func(name string) bool { return name == "site.yaml" })
	sidecar := strings.TrimSuffix(pages[3], path.Ext(pages[3])) + ".json"
	holds := func(text string, want bool) {
		t.Helper()
		found := false
		for name, data := range readTree(t, b.o.Out) {
			found = found || strings.HasPrefix(name, "pages/") && strings.Contains(string(data), text)
		}
		if found != want {
			t.Errorf("%s is in the snapshot: %v, want %v", text, found, want)
		}
	}
	b.write(sidecar, `{"description": "beside-1"}`)
	b.costs("a file beside a page", 1, 1)
	holds("beside-1", true)
	b.costs("nothing", 0, 0)
	b.write(sidecar, `{"description": "beside-2"}`)
	b.fsys[sidecar].ModTime = time.Now().Add(-2 * time.Minute)
	b.costs("another text in it", 1, 1)
	holds("beside-2", true)
	b.fsys[sidecar].ModTime = time.Now().Add(-3 * time.Minute)
	b.costs("another time", 1, 0)
	b.write("fi/elsewhere.json", `{"a": "b"}`)
	b.costs("one beside no page", 0, 0)
	delete(b.fsys, sidecar)
	b.costs("no file", 1, 1)
	holds("beside-2", false)
}

// A date of publication that is passed costs its page, whichever way the clock goes.
func TestPeriodCosts(t *testing.T) {
	b := newBuilder(t, 20)
	at := func(text string) {
		var err error
		if b.o.Now, err = time.Parse(time.DateOnly, text); err != nil {
			t.Fatal(err)
		}
	}
	at("2020-01-01")
	b.write("fi/timed.md", "---\ntitle: Timed\ncreated: 2020-01-01\nmodified: 2020-01-01\npublish: 2021-01-01\nexpires: 2022-01-01\n---\n")
	b.costs("a page of the future", 1, 0)
	at("2020-12-31")
	if r := b.costs("before it", 0, 0); r.Records != 20 || r.NextChange.Format(time.DateOnly) != "2021-01-01" {
		t.Errorf("%d records, next change %s", r.Records, r.NextChange)
	}
	at("2021-01-01")
	if r := b.costs("published", 1, 1); r.Records != 21 || r.NextChange.Format(time.DateOnly) != "2022-01-01" {
		t.Errorf("%d records, next change %s", r.Records, r.NextChange)
	}
	at("2021-12-31")
	b.costs("still in", 0, 0)
	at("2023-01-01")
	if r := b.costs("expired", 1, 0); r.Records != 20 || !r.NextChange.IsZero() {
		t.Errorf("%d records, next change %s", r.Records, r.NextChange)
	}
	at("2021-06-01")
	if r := b.costs("back in", 1, 1); r.Records != 21 {
		t.Errorf("%d records", r.Records)
	}
}

func TestIncrementalCosts(t *testing.T) {
	const n = 200
	b := newBuilder(t, n)
	if result := b.costs("nothing changed", 0, 0); result.Changes.Any() || result.Changes.Files != 2*(n+n/10+1)+2 {
		t.Errorf("%+v", result.Changes)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(b.fsys)), func(name string) bool { return name == "site.yaml" })
	b.write(names[7], goodPage+"\nmore\n")
	if result := b.costs("one body", 1, 1); result.Changes.Changed.Len() != 2 {
		t.Errorf("%v changed", slices.Collect(result.Changes.Changed.All()))
	}
	b.write(names[7], strings.Replace(goodPage, "title: Sivu", "title: Toinen", 1))
	if result := b.costs("one title", 1, 1); result.Changes.Changed.Len() > 2+4 {
		t.Errorf("%v changed", slices.Collect(result.Changes.Changed.All()))
	}
	for _, name := range names {
		b.fsys[name] = &fstest.MapFile{Data: b.fsys[name].Data, ModTime: time.Now().Add(-30 * time.Minute)}
	}
	b.costs("all times", n, 0)
	b.costs("nothing after that", 0, 0)
	b.write("site.yaml", testSite+"# a comment\n")
	b.costs("a comment in site.yaml", 0, 0)
	b.write("site.yaml", strings.Replace(testSite, "rules: {", "rules: {broken-link: off, ", 1))
	b.costs("a rule in site.yaml", 0, 0)
	b.write("site.yaml", testSite+"assets: https://www.example.org/\n")
	b.costs("what bodies depend on in site.yaml", n, n)
	delete(b.fsys, names[3])
	if result := b.costs("one page less", 0, 0); result.Changes.Removed.Len() != 2 {
		t.Errorf("%v removed", slices.Collect(result.Changes.Removed.All()))
	}
	b.o.Full = true
	b.costs("all, as asked", n-1, n-1)
}

// A file that was changed while, or just before, the state was written is looked
// at again.
func TestRacyFile(t *testing.T) {
	b := newBuilder(t, 20)
	name := "fi/sivu-004.md"
	b.fsys[name] = &fstest.MapFile{Data: []byte(goodPage + "\n1\n"), ModTime: time.Now()}
	b.costs("just now", 1, 1)
	same := b.fsys[name].ModTime
	b.fsys[name] = &fstest.MapFile{Data: []byte(goodPage + "\n2\n"), ModTime: same}
	if result := b.costs("within the same tick, of the same size", 1, 1); result.Changes.Changed.Len() != 2 {
		t.Errorf("%v changed", slices.Collect(result.Changes.Changed.All()))
	}
}

// An edit is seen although the file keeps its size and gets its old time back.
func TestEditWithOldTime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no time of change that programs cannot set")
	}
	content := t.TempDir()
	if err := os.CopyFS(content, goodSite(3)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(content, "fi", "sivu-001.md")
	old := time.Now().Add(-time.Hour)
	edit := func(line string) {
		t.Helper()
		if err := errors.Join(os.WriteFile(name, []byte(goodPage+line), 0o644), os.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	edit("\n1\n")
	b := &builder{t: t, o: Options{Content: content, Out: filepath.Join(t.TempDir(), "out")}}
	mustBuild(t, b.o)
	edit("\n2\n")
	if result := mustBuild(t, b.o); result.Rendered != 1 || result.Changes.Changed.Len() != 2 {
		t.Errorf("%d bodies are rendered, %v changed", result.Rendered, slices.Collect(result.Changes.Changed.All()))
	}
}

// An output folder that someone changed is trusted, unless it is asked whether it
// is as it was.
func TestVerifyOutput(t *testing.T) {
	b := newBuilder(t, 20)
	name := filepath.Join(b.o.Out, "pages", "page-2.json")
	if err := os.WriteFile(name, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.costs("trusted", 0, 0)
	b.o.VerifyOutput = true
	if result := b.costs("verified", 20, 20); fmt.Sprint(slices.Collect(result.Changes.Changed.All())) != "[pages/page-2.json]" {
		t.Errorf("%v changed", slices.Collect(result.Changes.Changed.All()))
	}
	b.costs("verified again", 0, 0)
}
