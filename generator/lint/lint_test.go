package lint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// record is a page of a test: its path, and further what differs from others.
type record struct {
	path, language, topic, url string
	id                         byte // 0 is no id
	modified                   page.Time
}

func collection(languages string, records ...record) *Collection {
	c := &Collection{Languages: strings.Fields(languages)}
	for _, r := range records {
		p := page.Record{Path: r.path, Language: r.language, Topic: r.topic, URL: r.url, Modified: r.modified}
		if r.id != 0 {
			p.ID = uuid.UUID{15: r.id}
		}
		c.Pages = append(c.Pages, &p)
	}
	return c
}

func TestCheck(t *testing.T) {
	tests := map[string]struct {
		pages *Collection
		want  string // as the text printer has it
	}{
		"no pages": {collection("fi en"), ""},
		"a good site": {collection("fi en",
			record{"en/a.md", "en", "a", "en/a", 1, 0},
			record{"fi/a.md", "fi", "a", "fi/a", 2, 0},
		), ""},
		"duplicate-id": {collection("fi",
			record{"fi/a.md", "fi", "a", "fi/a", 1, 0},
			record{"fi/b.md", "fi", "b", "fi/b", 2, 0},
			record{"fi/c.md", "fi", "c", "fi/c", 1, 0},
			record{"fi/d.md", "fi", "d", "fi/d", 1, 0},
		), `
fi/c.md:1:1: error: id 00000000-0000-0000-0000-000000000001 is also that of "fi/a.md" [duplicate-id]
    hint: give one of them an id of its own
fi/d.md:1:1: error: id 00000000-0000-0000-0000-000000000001 is also that of "fi/a.md" [duplicate-id]
    hint: give one of them an id of its own
`},
		"pages with errors have no id, topic or url": {collection("fi",
			record{"fi/a.md", "fi", "", "", 0, 0},
			record{"fi/b.md", "fi", "", "", 0, 0},
		), ""},
		"duplicate-record": {collection("fi sv",
			record{"a.fi.md", "fi", "a", "fi/x", 1, 0},
			record{"fi/a.html", "fi", "a", "fi/y", 2, 0},
			record{"fi/a.md", "fi", "a", "fi/z", 3, 0},
			record{"sv/a.md", "sv", "a", "sv/a", 4, 0},
		), `
fi/a.html:1:1: error: this page and "a.fi.md" are both the topic "a" in "fi" [duplicate-record]
    hint: remove one of them, or give one another path or "topic"
fi/a.md:1:1: error: this page and "a.fi.md" are both the topic "a" in "fi" [duplicate-record]
    hint: remove one of them, or give one another path or "topic"
`},
		"duplicate-url": {collection("fi",
			record{"fi/a.md", "fi", "a", "fi/x", 1, 0},
			record{"fi/b.md", "fi", "b", "fi/x", 2, 0},
			record{"fi/c.md", "fi", "c", "fi/X", 3, 0},
		), `
fi/b.md:1:1: warning: meta.url "fi/x" is also that of "fi/a.md" [duplicate-url]
    hint: give one of them another "slug" or "url"
`},
		"missing-translation": {collection("fi en sv ar",
			record{"ar/a.md", "ar", "a", "ar/a", 1, 0},
			record{"en/a.md", "en", "a", "en/a", 2, 0},
			record{"en/b.md", "en", "b", "en/b", 3, 0},
			record{"fi/b.md", "fi", "b", "fi/b", 4, 0},
			record{"fi/d.md", "fi", "d", "fi/d", 6, 0},
			record{"x.ar.md", "ar", "d", "ar/d", 7, 0},
			record{"x.en.md", "en", "d", "en/d", 8, 0},
			record{"sv/c.md", "sv", "c", "sv/c", 5, 0},
		), `
en/a.md:1:1: warning: not translated into "fi" and "sv" [missing-translation]
fi/b.md:1:1: warning: not translated into "sv" and "ar" [missing-translation]
fi/d.md:1:1: warning: not translated into "sv" [missing-translation]
sv/c.md:1:1: warning: not translated into "fi", "en" and "ar" [missing-translation]
`},
		"languages that no page is in": {collection("fi en sv ar",
			record{"fi/a.md", "fi", "a", "fi/a", 1, 0},
			record{"fi/b.md", "fi", "b", "fi/b", 2, 0},
			record{"ar/b.md", "ar", "b", "ar/b", 3, 0},
		), `
: warning: no page is in "en" or "sv" [missing-translation]
    hint: list the languages that the site has under "languages" in site.yaml
fi/a.md:1:1: warning: not translated into "ar" [missing-translation]
`},
		"missing-translation of pages that moved": {collection("en fi sv",
			record{"en/new/a.md", "en", "new/a", "en/new/a", 1, 0},
			record{"en/new/b.md", "en", "new/b", "en/new/b", 2, 0},
			record{"en/new/c.md", "en", "new/c", "en/new/c", 3, 0},
			record{"fi/new/b.md", "fi", "new/b", "fi/new/b", 4, 0},
			record{"fi/old/a.md", "fi", "old/a/index", "fi/old/a", 5, 0},
			record{"fi/old/b.md", "fi", "old/b", "fi/old/b", 6, 0},
			record{"fi/old/c.md", "fi", "old/c", "fi/old/c", 7, 0},
			record{"sv/old/a.md", "sv", "old/a/index", "sv/old/a", 8, 0},
			record{"sv/older/c.md", "sv", "older/c", "sv/older/c", 9, 0},
		), `
en/new/a.md:1:1: warning: not translated into "fi" and "sv" [missing-translation]
    hint: if "en/new/a.md" was moved, move its translations, such as "fi/old/a.md", as well, or give them "topic: new/a"
en/new/b.md:1:1: warning: not translated into "sv" [missing-translation]
en/new/c.md:1:1: warning: not translated into "fi" and "sv" [missing-translation]
fi/old/a.md:1:1: warning: not translated into "en" [missing-translation]
    hint: if "en/new/a.md" was moved, move its translations, such as "fi/old/a.md", as well, or give them "topic: new/a"
fi/old/b.md:1:1: warning: not translated into "en" and "sv" [missing-translation]
fi/old/c.md:1:1: warning: not translated into "en" and "sv" [missing-translation]
sv/older/c.md:1:1: warning: not translated into "en" and "fi" [missing-translation]
`},
		"names that would drive a terminal": {collection("fi",
			record{"fi/a\x1b[31m.md", "fi", "a", "fi/\u202e", 1, 0},
			record{"fi/b.md", "fi", "b", "fi/\u202e", 1, 0},
		), `
fi/b.md:1:1: error: id 00000000-0000-0000-0000-000000000001 is also that of "fi/a\x1b[31m.md" [duplicate-id]
    hint: give one of them an id of its own
fi/b.md:1:1: warning: meta.url "fi/\u202e" is also that of "fi/a\x1b[31m.md" [duplicate-url]
    hint: give one of them another "slug" or "url"
`},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			var collector diag.Collector
			Check(test.pages, func(d diag.Diagnostic) { collector.Add(d) })
			var out strings.Builder
			if err := diag.Formats[0].Print(&out, collector.Report(), diag.Style{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), out.String()); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

// Every rule is reported by some test above, is named once, and has its
// sentence for people.
func TestRules(t *testing.T) {
	want := map[string]struct {
		severity diag.Severity
		contract bool
	}{
		"duplicate-id":        {diag.Error, true},
		"duplicate-record":    {diag.Error, true},
		"duplicate-url":       {diag.Warning, false},
		"missing-translation": {diag.Warning, false},
	}
	for _, rule := range Rules {
		w, ok := want[rule.Name]
		if !ok || rule.Severity != w.severity || rule.Contract != w.contract || rule.Doc == "" || strings.HasSuffix(rule.Doc, ".") {
			t.Errorf("%s: %+v", rule.Name, rule.Rule)
		}
		delete(want, rule.Name)
	}
	if len(want) > 0 {
		t.Errorf("rules that are gone: %v", want)
	}
}

// What a large collection has wrong is found where there are thousands of
// groups, and reported by path whatever the order of ids is.
func TestManyPages(t *testing.T) {
	const n = 5000
	c := &Collection{Languages: []string{"fi"}}
	for i := range n {
		id := uuid.UUID{0: byte(rand.IntN(256)), 13: byte(i % 1000 / 256), 14: byte(i % 1000), 15: 1}
		if i >= 1000 {
			id = c.Pages[i%1000].ID
		}
		path := fmt.Sprintf("fi/%05d.md", i)
		c.Pages = append(c.Pages, &page.Record{Path: path, Language: "fi", Topic: path, URL: path, ID: id})
	}
	found := 0
	Check(c, func(d diag.Diagnostic) {
		found++
		var i int
		if _, err := fmt.Sscanf(d.Pos.File, "fi/%d.md", &i); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("id %s is also that of %q", c.Pages[i].ID, c.Pages[i%1000].Path); d.Message != want || i < 1000 {
			t.Fatalf("%s: %s, want %s", d.Pos, d.Message, want)
		}
	})
	if found != n-1000 {
		t.Errorf("%d of %d pages are reported", found, n-1000)
	}
}

func TestCover(t *testing.T) {
	tests := map[string]struct {
		pages *Collection
		want  Coverage
	}{
		"no pages": {collection("fi en"), Coverage{0, []LanguageCoverage{{Language: "fi"}, {Language: "en"}}}},
		"topics of each language, and those that are behind": {
			collection("fi en sv",
				record{"en/a.md", "en", "a", "", 1, 99},
				record{"en/b.md", "en", "b", "", 2, 200},
				record{"en/c.md", "en", "c", "", 3, 300},
				record{"en/only.md", "en", "only", "", 8, 1},
				record{"fi/a.md", "fi", "a", "", 4, 100},
				record{"fi/b.md", "fi", "b", "", 5, 200},
				record{"fi/c.md", "fi", "c", "", 6, 200},
				record{"sv/a.md", "sv", "a", "", 7, 0},
				record{"sv/only.md", "sv", "only", "", 9, 0},
			),
			Coverage{4, []LanguageCoverage{{Language: "fi", Topics: 3}, {Language: "en", Topics: 4, Outdated: 1}, {Language: "sv", Topics: 2, Outdated: 1}}},
		},
		"pages with errors do not count": {
			collection("fi en", record{"fi/a.md", "fi", "", "", 1, 0}, record{"fi/b.md", "", "b", "", 1, 0}, record{"sv/b.md", "sv", "b", "", 1, 0}),
			Coverage{1, []LanguageCoverage{{Language: "fi"}, {Language: "en"}}},
		},
		"stubs and texts that are not translated": {
			&Collection{
				Languages: []string{"en", "fi", "en-GB", "sv"},
				Pages: []*page.Record{
					{Path: "en-GB/a.md", Language: "en-GB", Topic: "a", Text: 7},
					{Path: "en/a.md", Language: "en", Topic: "a", Text: 7},
					{Path: "en/b.md", Language: "en", Topic: "b"},
					{Path: "fi/a.md", Language: "fi", Topic: "a", Text: 7},
					{Path: "fi/b.md", Language: "fi", Topic: "b"},
					{Path: "fi/c.md", Language: "fi", Topic: "c", Text: 8},
					{Path: "sv/a.md", Language: "sv", Topic: "a", Text: 9},
					{Path: "sv/c.md", Language: "sv", Topic: "c", Text: 8},
				},
				Stubs: []Stub{{"b", "sv"}, {"a", "sv"}, {"a", "xx"}, {"only a stub", "sv"}, {"c", "en"}},
			},
			Coverage{3, []LanguageCoverage{
				{Language: "en", Topics: 2, Stubs: 1}, {Language: "fi", Topics: 2, Untranslated: 1}, {Language: "en-GB", Topics: 1}, {Language: "sv", Topics: 2, Stubs: 1},
			}},
		},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Cover(test.pages)); diff != "" {
				t.Errorf("coverage (-want +got):\n%s", diff)
			}
		})
	}
}
