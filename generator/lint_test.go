package generator

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/page"
)

// eachFact calls f for a number of random sites with each fact that a rule can read.
// Beside the rules of package lint there is one that reports the fact, of every
// page, and field is a field of sources that changes it.
func eachFact(t *testing.T, sites int, f func(t *testing.T, r *rand.Rand, field string)) {
	fieldOf := map[string]string{
		"Path": "slug", "ID": "id", "Language": "language", "Kind": "kind", "Topic": "topic", "URL": "url", "Aliases": "aliases",
		"Created": "created", "Modified": "modified", "Text": "text", "IDPosition": "description", "URLPosition": "description",
	}
	for i := range reflect.TypeFor[page.Record]().NumField() {
		name := reflect.TypeFor[page.Record]().Field(i).Name
		t.Run(name, func(t *testing.T) {
			if fieldOf[name] == "" {
				t.Fatalf("no field of sources is known that changes the fact %s", name)
			}
			addFactRule(t, i)
			randomSites(t, sites, func(t *testing.T, r *rand.Rand) { f(t, r, fieldOf[name]) })
		})
	}
}

// addFactRule adds a rule for the time of a test, which reports fact i of every
// page. It returns how often the rule was run.
func addFactRule(t *testing.T, i int) (runs *int) {
	runs = new(int)
	rule := &diag.Rule{Name: "test-fact", Severity: diag.Warning}
	before := lint.Rules
	t.Cleanup(func() { lint.Rules = before })
	lint.Rules = append(slices.Clip(before), lint.Rule{
		Rule: rule, Reads: lint.Path | 1<<i,
		Check: func(c *lint.Collection, report func(diag.Diagnostic)) {
			*runs++
			for k := range c.Pages {
				fact := reflect.ValueOf(c.Pages[k]).Elem().Field(i).Interface()
				if kind, ok := fact.(*page.Kind); ok && kind != nil {
					fact = kind.Name
				}
				report(rule.At(diag.Position{File: c.Pages[k].Path}, "%s", fmt.Sprint(fact)))
			}
		},
	})
	return runs
}

// What rules found is used again where nothing changed that any of them reads, and
// only there.
func TestLintReuse(t *testing.T) {
	const id = "id: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\n"
	const text = "---\n" + id + "language: fi\nurl: fi/x\ntopic: x\nkind: page\ntitle: X\ncreated: 2019-05-06\nmodified: 2020-05-06\n---\n"
	edits := []struct{ facts, old, new string }{
		{"ID", "00c04fd430c8", "00c04fd430c9"},
		{"Language URL", "language: fi\nurl: fi", "language: en\nurl: en"},
		{"Topic", "topic: x", "topic: y"},
		{"Kind", "kind: page", "kind: article"},
		{"Created", "created: 2019", "created: 2018"},
		{"Modified", "modified: 2020", "modified: 2021"},
		{"IDPosition", id + "language: fi\n", "language: fi\n" + id},
		{"URLPosition", "url: fi/x\ntopic: x\n", "topic: x\nurl: fi/x\n"},
		{"Text", "-05-06\n---\n", "-05-06\n---\nA text.\n"},
		{"Aliases", "title: X", "title: X\naliases: [/old]"},
		{"Path", "", ""},
		{"none", "title: X", "title: Y"},
	}
	readAnyway := []string{"Path", "ID", "Language", "Topic", "URL", "IDPosition", "URLPosition"} // by the rules of package lint
	for i := range reflect.TypeFor[page.Record]().NumField() {
		name := reflect.TypeFor[page.Record]().Field(i).Name
		t.Run(name, func(t *testing.T) {
			runs, changed := addFactRule(t, i), false
			fsys := siteOf(map[string]string{"fi/a.md": text, "fi/b.md": goodPage})
			options := Options{Content: "content", FS: fsys, Out: t.TempDir()}
			mustBuild(t, options)
			path, text, age := "fi/a.md", text, time.Hour
			for _, edit := range edits {
				facts := strings.Fields(edit.facts)
				changes := slices.Contains(facts, name)
				if !changes && edit.facts != "none" && edit.facts != "Kind" {
					continue
				}
				text = strings.Replace(text, edit.old, edit.new, 1)
				delete(fsys, path)
				if edit.facts == "Path" {
					path = "fi/c.md"
				}
				age -= time.Minute
				fsys[path] = &fstest.MapFile{Data: []byte(text), ModTime: time.Now().Add(-age)}
				*runs = 0
				again := mustBuild(t, options)
				due := changes || slices.ContainsFunc(facts, func(fact string) bool { return slices.Contains(readAnyway, fact) })
				if (*runs == 1) != due {
					t.Errorf("edit of %s: the rules were run %d times; due: %v", edit.facts, *runs, due)
				}
				if diff := cmp.Diff(described(mustCheck(t, fsys).Report), described(again.Report)); diff != "" {
					t.Errorf("edit of %s: the report differs (-full +incremental):\n%s", edit.facts, diff)
				}
				changed = changed || changes
			}
			if !changed {
				t.Errorf("no edit changes the fact %s", name)
			}
		})
	}
}

// A date in the future is told as long as it is in the future, whichever way the clock
// goes, and whatever was built before.
func TestFutureDates(t *testing.T) {
	fsys := siteOf(map[string]string{
		"fi/a.md": pageWith("modified: 2030-06-01\n", ""),
		"fi/b.md": "---\ntitle: B\ncreated: 2030-03-01\nmodified: 2030-09-01\n---\n",
		"fi/c.md": goodPage,
	})
	out := t.TempDir()
	for _, step := range []struct {
		now  string
		want []string
		read int
	}{
		{"2030-01-01T00:00:00Z", []string{`fi/a.md "modified" is "2030-06-01"`, `fi/b.md "modified" is "2030-09-01"`}, 3},
		{"2030-04-01T00:00:00Z", []string{`fi/a.md "modified" is "2030-06-01"`, `fi/b.md "modified" is "2030-09-01"`}, 0},
		{"2030-05-31T00:00:00Z", []string{`fi/b.md "modified" is "2030-09-01"`}, 1}, // a day ahead may be another zone
		{"2031-01-01T00:00:00Z", nil, 1},
		{"2031-02-01T00:00:00Z", nil, 0},
		{"2030-01-01T00:00:00Z", []string{`fi/a.md "modified" is "2030-06-01"`, `fi/b.md "modified" is "2030-09-01"`}, 2},
	} {
		now, err := time.Parse(time.RFC3339, step.now)
		if err != nil {
			t.Fatal(err)
		}
		result := mustBuild(t, Options{Content: "content", FS: fsys, Out: out, Now: now})
		var got []string
		for _, d := range result.Report.Diagnostics {
			if d.Rule.Name == "future-date" {
				message, _, _ := strings.Cut(d.Message, ", ")
				got = append(got, strings.TrimPrefix(d.Pos.File, "content/")+" "+message)
			}
		}
		if diff := cmp.Diff(step.want, got); diff != "" || result.Read != step.read {
			t.Errorf("at %s, %d sources were read, want %d; told (-want +got):\n%s", step.now, result.Read, step.read, diff)
		}
	}
}

// A page whose language alone changed has other links, though it is found under the
// same path and meta.url as before.
func TestLinksOfChangedLanguage(t *testing.T) {
	const text = "---\ntitle: A\ncreated: 2019-05-06\nkind: not-found\nlanguage: fi\n---\n[b](/b)\n"
	fsys := siteOf(map[string]string{"a.md": text, "fi/b.md": goodPage, "en/b.md": goodPage})
	l, _ := newLive(t, fsys)
	fsys["a.md"] = &fstest.MapFile{Data: []byte(strings.Replace(text, "language: fi", "language: en", 1))}
	u := mustUpdate(t, l, []string{"a.md"})
	out := t.TempDir()
	mustBuild(t, Options{Content: "content", FS: fsys, Out: out, BaseURL: liveBase, Links: "query"})
	if diff := cmp.Diff(readTree(t, out), viewed(t, u.View)); diff != "" {
		t.Errorf("files (-build +live):\n%s", diff)
	}
}
