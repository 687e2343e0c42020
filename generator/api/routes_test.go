package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

var testID = uuid.MustParse("6ba7b810-9dad-51d1-80b4-00c04fd430c8")

func links(t *testing.T, style string) Links {
	t.Helper()
	s, ok := StyleNamed(style)
	if !ok {
		t.Fatalf("no link style %q", style)
	}
	return Links{Base: "https://api.example.fi/v1", Style: s}
}

// Every link of every style, as contract.md 10 and the order of query
// keys give them.
func TestLinks(t *testing.T) {
	const base = "https://api.example.fi/v1/pages/"
	id := testID.String() + "/"
	tests := []struct {
		style                              string
		variant                            Variant
		record, first, second, number12345 string
	}{
		{"query", Plain, id, "", "?page=2", "?page=12345"},
		{"query", API, id + "?format=api", "?format=api", "?format=api&page=2", "?format=api&page=12345"},
		{"file", Plain, id + "index.json", "index.json", "page-2.json", "page-12345.json"},
		{"file", API, id + "index.api.json", "index.api.json", "page-2.api.json", "page-12345.api.json"},
		{"file+query", Plain, id + "index.json", "index.json", "page-2.json?page=2", "page-12345.json?page=12345"},
		{
			"file+query", API, id + "index.api.json?format=api", "index.api.json?format=api",
			"page-2.api.json?format=api&page=2", "page-12345.api.json?format=api&page=12345",
		},
	}
	for _, tt := range tests {
		l := links(t, tt.style)
		for want, got := range map[string][]byte{
			base + tt.record:      l.AppendRecord(nil, testID, tt.variant),
			base + tt.first:       l.AppendList(nil, 1, tt.variant),
			base + tt.second:      l.AppendList(nil, 2, tt.variant),
			base + tt.number12345: l.AppendList(nil, 12345, tt.variant),
		} {
			if want != string(got) {
				t.Errorf("%s, variant %d: got %s, want %s", tt.style, tt.variant, got, want)
			}
		}
	}
}

func TestStylesAreListedOnce(t *testing.T) {
	if Styles[0].Name != "query" {
		t.Errorf("the default style is %q, want query", Styles[0].Name)
	}
	seen := map[string]bool{}
	for _, s := range Styles {
		if seen[s.Name] || s.Doc == "" {
			t.Errorf("style %q is listed twice or has no doc", s.Name)
		}
		seen[s.Name] = true
	}
	if _, ok := StyleNamed("Query"); ok {
		t.Error("a style name in another case was taken")
	}
}

func TestAddresses(t *testing.T) {
	const base = "https://api.example.fi/v1/pages/"
	tests := []struct {
		file, style string
		want        []string
	}{
		{"pages/index.json", "query", []string{base}},
		{"pages/index.api.json", "query", []string{base + "?format=api"}},
		{"pages/page-1.json", "query", []string{base + "?page=1"}},
		{"pages/page-1.api.json", "query", []string{base + "?format=api&page=1"}},
		{"pages/page-12.api.json", "query", []string{base + "?format=api&page=12"}},
		{"pages/page-1.json", "file", []string{base + "page-1.json"}},
		{"pages/page-1.api.json", "file+query", []string{base + "page-1.api.json?format=api&page=1"}},
		{"pages/" + testID.String() + "/index.json", "query", []string{base + testID.String() + "/"}},
		{"pages/" + testID.String() + "/index.api.json", "file", []string{base + testID.String() + "/index.api.json"}},
		{"404.json", "query", nil},
		{"pages/page-x.json", "query", nil},
		{"pages/readme.txt", "query", nil},
		{"pages/other/index.json", "query", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, links(t, tt.style).Addresses(tt.file)); diff != "" {
			t.Errorf("%s, %s:\n%s", tt.file, tt.style, diff)
		}
	}
}

func TestFiles(t *testing.T) {
	for want, got := range map[string]string{
		"index.json":       IndexName(Plain),
		"index.api.json":   IndexName(API),
		"page-1.json":      ListName(1, Plain),
		"page-10.api.json": ListName(10, API),
		"pages/6ba7b810-9dad-51d1-80b4-00c04fd430c8": RecordFolder(testID),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
