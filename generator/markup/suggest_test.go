package markup_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

func TestSuggest(t *testing.T) {
	pages := []*page.Record{
		{Path: "fi/asuminen.md", URL: "fi/asuminen"},
		{Path: "fi/tyo/index.md", URL: "fi/tyo"},
		{Path: "fi/tyo/haku.html", URL: "fi/tyo/hakeminen"},
		{Path: "fi/koti/vuokra/takuuvuokra.md", URL: "fi/koti/vuokra/takuuvuokra"},
		{Path: "en/housing.md", URL: "en/housing"},
		{Path: "en/haku.md", URL: "en/haku"},
		{Path: "fi/lupa-äänestää.md", URL: "fi/lupa-äänestää"},
	}
	var links []markup.MissingLink
	var want []string
	for _, test := range []struct{ from, link, want string }{
		{"fi/x.md", "asumine.md", "asuminen.md"},
		{"fi/x.md", "asumine", "asuminen"},
		{"fi/tyo/x.md", "../asumine.md", "../asuminen.md"},
		{"en/x.md", "/fi/asumine", "/fi/asuminen"},
		{"en/x.md", "/fi/asumine.md", "/fi/asuminen.md"},
		{"en/x.md", "../fi/asumnien.md", "../fi/asuminen.md"},
		{"fi/x.md", "/fi/tyo/hakemine", "/fi/tyo/hakeminen"}, // an address beside its file's name
		{"fi/x.md", "asuminen.en.md", "asuminen.md"},
		{"fi/x.md", "lupa-a\u0308a\u0308nesta\u0308", "lupa-äänestää"},

		// Moved to another folder of the language.
		{"fi/x.md", "takuuvuokra.md", "koti/vuokra/takuuvuokra.md"},
		{"fi/x.md", "/fi/vuokra/takuuvuokra", "/fi/koti/vuokra/takuuvuokra"},
		{"fi/tyo/x.md", "/fi/haku.html", "/fi/tyo/haku.html"},
		{"en/x.md", "takuuvuokra.md", ""},

		{"fi/x.md", "kissat.md", ""},
		{"fi/x.md", "/", ""},
		{"x.md", "../../..", ""},
	} {
		link := markup.MissingLink{Folder: path.Dir(test.from), Link: test.link}
		if got := markup.Suggest(pages, isSource, []markup.MissingLink{link}); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s in %s: got %q, want %q", test.link, test.from, got, test.want)
		}
		links, want = append(links, link), append(want, test.want)
	}
	if got := markup.Suggest(pages, isSource, links); !slices.Equal(got, want) {
		t.Errorf("all at once: got %q, want %q", got, want)
	}
}

// FuzzSuggest holds that what is suggested is there.
func FuzzSuggest(f *testing.F) {
	for _, seed := range []string{"asumine.md", "/fi/tyo/haku.md", "../en/housin", "..//.", "fi/fi/fi", "/fi/hakeminen"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		pages := []*page.Record{
			{Path: "fi/asuminen.md", URL: "fi/asuminen", Language: "fi"},
			{Path: "fi/tyo/haku.html", URL: "fi/tyo/hakeminen", Language: "fi"},
			{Path: "en/housing.md", URL: "en/housing", Language: "en"},
		}
		near := markup.Suggest(pages, isSource, []markup.MissingLink{{Folder: "fi", Link: link}})[0]
		if near == "" {
			return
		}
		index := markup.NewIndex(pages, nil, markup.Addressing{Languages: []string{"fi", "en"}, IsSource: isSource})
		res := markup.NewRenderer(markup.Options{}, index).Render(0, page.HTML, linkBody(strings.ReplaceAll(near, "%", "%25")))
		if len(res.Problems) > 0 {
			t.Fatalf("%q: there is no %q: %v", link, near, res.Problems)
		}
	})
}

// BenchmarkSuggest measures the hints for 50 broken links of a site of 100,000
// pages.
func BenchmarkSuggest(b *testing.B) {
	var pages []*page.Record
	for i := range 100_000 {
		url := fmt.Sprintf("fi/s%d/page-%d", i%1000, i)
		pages = append(pages, &page.Record{Path: url + ".md", URL: url})
	}
	var links []markup.MissingLink
	for i := range 50 {
		links = append(links, markup.MissingLink{Folder: "fi", Link: fmt.Sprintf("s%d/page%d.md", i, i+5000)})
	}
	for b.Loop() {
		if slices.Contains(markup.Suggest(pages, isSource, links), "") {
			b.Fatal("no hint")
		}
	}
}
