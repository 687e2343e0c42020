package markup_test

import (
	"strings"
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

func TestSuggest(t *testing.T) {
	pages := []page.Record{
		{Path: "fi/asuminen.md", URL: "fi/asuminen"},
		{Path: "fi/tyo/index.md", URL: "fi/tyo"},
		{Path: "fi/tyo/haku.html", URL: "fi/tyo/hakeminen"},
		{Path: "fi/koti/vuokra/takuuvuokra.md", URL: "fi/koti/vuokra/takuuvuokra"},
		{Path: "en/housing.md", URL: "en/housing"},
		{Path: "en/haku.md", URL: "en/haku"},
		{Path: "fi/lupa-äänestää.md", URL: "fi/lupa-äänestää"},
	}
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
		if got := markup.Suggest(pages, isSource, test.from, test.link); got != test.want {
			t.Errorf("%s in %s: got %q, want %q", test.link, test.from, got, test.want)
		}
	}
}

// FuzzSuggest holds that what is suggested is there.
func FuzzSuggest(f *testing.F) {
	for _, seed := range []string{"asumine.md", "/fi/tyo/haku.md", "../en/housin", "..//.", "fi/fi/fi", "/fi/hakeminen"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		pages := []page.Record{
			{Path: "fi/asuminen.md", URL: "fi/asuminen", Language: "fi"},
			{Path: "fi/tyo/haku.html", URL: "fi/tyo/hakeminen", Language: "fi"},
			{Path: "en/housing.md", URL: "en/housing", Language: "en"},
		}
		near := markup.Suggest(pages, isSource, "fi/asuminen.md", link)
		if near == "" {
			return
		}
		index := markup.NewIndex(pages, []string{"fi", "en"}, "", nil, isSource)
		res := markup.NewRenderer(markup.Options{}, index).Render(0, page.HTML, linkBody(strings.ReplaceAll(near, "%", "%25")))
		if len(res.Problems) > 0 {
			t.Fatalf("%q: there is no %q: %v", link, near, res.Problems)
		}
	})
}
