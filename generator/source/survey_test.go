package source

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

func TestSurvey(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		fields           []HeadField
		body             string
	}{
		{"front matter", "a.md", "---\ntitle: T\ntags: [a, b]\nmenu: {main: {weight: 1}}\nnone:\n---\nText.\n", []HeadField{
			{Name: "title", Value: "T"},
			{Name: "tags", Value: []any{"a", "b"}},
			{Name: "menu", Value: map[string]any{"main": map[string]any{"weight": "1"}}},
			{Name: "none"},
		}, "Text.\n"},
		{"TOML", "a.md", "+++\ndate = 2020-01-02\n+++\nText.\n", []HeadField{{Name: "date", Value: "2020-01-02"}}, "Text.\n"},
		{"a document", "a.html", "<!doctype html><html lang=fi><head><title>T</title><meta name=sivu.kind content=front></head><body> Text. </body></html>", []HeadField{
			{Name: "title", Value: "T"}, {Name: "sivu.kind", Value: "front", Own: true}, {Name: "lang", Value: "fi", Own: true},
		}, "Text."},
		{"no head", "a.md", "Text.\n", nil, "Text.\n"},
		{"a head without an end", "a.md", "---\ntitle: T\nText.\n", nil, ""},
	} {
		fields, body := Survey([]byte(test.text), FormatOfFile(test.file))
		if diff := cmp.Diff(test.fields, fields); diff != "" {
			t.Errorf("%s: fields (-want +got):\n%s", test.name, diff)
		}
		if got := test.text[body.Start:body.End]; got != test.body {
			t.Errorf("%s: the body is %q, not %q", test.name, got, test.body)
		}
	}
}

// A text can be older than the date that its page is given: the file's time is then no
// time when the page was modified.
func TestDateAfterFileTime(t *testing.T) {
	site := DefaultSite()
	site.Dates, site.Languages, site.Namespace = []string{DatesFields, DatesGit}, []string{"fi"}, uuid.New()
	file := &File{Path: "fi/a.md"}
	committed := page.Time(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	git := func(string) (Dates, bool, error) { return Dates{Created: committed, Modified: committed}, true, nil }
	for created, modified := range map[string]string{"2019-05-06": "2020-01-01T00:00:00.000000Z", "2025-05-06": "2025-05-06T00:00:00.000000Z"} {
		doc := NewReader(site, git).Read(file, []byte("---\ntitle: T\ncreated: "+created+"\n---\n"), func(d diag.Diagnostic) { t.Error(d) })
		if got := doc.Page.Modified.String(); got != modified {
			t.Errorf("created %s: modified %s, not %s", created, got, modified)
		}
	}
}
