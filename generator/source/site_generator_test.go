package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadSiteOfGenerator(t *testing.T) {
	site, problems := readSite(`
languages: [en, pt-BR]
fields: {expires: expiryDate, publish: publishDate, aliases: redirect_from}
generator: hugo
layout: ["{language}/{path}", "{path}.{language}", "{section}/{language}/{path}"]
language_aliases: {pt_BR: PT-br}
site: https://Digital.gov/
addresses: page
root_language: EN
fallback: reference
title_from: [title, display_name, heading, path]
skip_if: [draft, build.render=never, layout=redirect]
join: {topics: ", "}
sidecar: "{path}.json"
markers: {note: unwrap, youtube: drop, "*": keep}
permalinks: {news: "{year}/{month}/{day}/{slug}"}
`)
	if problems != nil {
		t.Fatalf("problems:\n%s", strings.Join(problems, "\n"))
	}
	got, _ := plainSite(site)
	want := Site{
		Name: "site.yaml", Languages: []string{"en", "pt-BR"}, Dates: []string{"fields", "git"},
		Fields:       map[string]string{"expires": "expiryDate", "publish": "publishDate", "aliases": "redirect_from"},
		Generator:    "hugo",
		Layout:       []string{"{language}/{path}", "{path}.{language}", "{section}/{language}/{path}"},
		Aliases:      map[string]string{"pt_br": "pt-BR"},
		Web:          "https://digital.gov/",
		Assets:       "https://digital.gov/",
		PageLinks:    true,
		RootLanguage: "en",
		Fallback:     true,
		TitleFrom:    []string{"title", "display_name", TitleHeading, TitlePath},
		SkipIf:       []string{"draft", "build.render=never", "layout=redirect"},
		Join:         map[string]string{"topics": ", "},
		Sidecar:      "{path}.json",
		Markers:      map[string]string{"note": "unwrap", "youtube": "drop", "*": "keep"},
		Permalinks:   map[string]string{"news": "{year}/{month}/{day}/{slug}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("site (-want +got):\n%s", diff)
	}
}

func TestReadSiteRendered(t *testing.T) {
	site, problems := readSite("title_from:\nrendered:\n  body: main .content\n  remove: [nav, .toc]\n  title: [h1]\n  pages: docs/**\n  dates: [lastmod, meta]\n")
	if problems != nil {
		t.Fatalf("problems:\n%s", strings.Join(problems, "\n"))
	}
	want := &Rendered{Body: []string{"main .content"}, Remove: []string{"nav", ".toc"}, Title: []string{"h1"}, Pages: []string{"docs/**"}, Dates: []string{"lastmod", "meta"}}
	if diff := cmp.Diff(want, site.Rendered); diff != "" {
		t.Errorf("rendered (-want +got):\n%s", diff)
	}
	if site, _ := readSite("rendered:\n"); site.Rendered != nil {
		t.Error("a key without a value says that the site is rendered")
	}
}

func TestReadSiteOfGeneratorProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"generator", "generator: hogo", "site.yaml:1:12: generator is \"hogo\"\ndid you mean \"hugo\"?"},
		{"layout", "layout: '{path}.{lang}'", "site.yaml:1:9: the layout \"{path}.{lang}\" is not known\ndid you mean \"{path}.{language}\"?"},
		{"no layout", "layout: []", "site.yaml:1:9: layout is empty\nwrite one or more values, or leave \"layout\" out"},
		{"alias of a language that is not listed", "languages: [fi]\nlanguage_aliases: {pt_BR: pt-BR}",
			"site.yaml:2:27: the language of \"pt_BR\" \"pt-BR\" is not one of the site's languages\nname it under \"languages\", or choose one of \"fi\""},
		{"alias that is a language", "languages: [fi, en]\nlanguage_aliases: {fi: en}",
			"site.yaml:2:24: the alias \"fi\" cannot be another name of a language\nan alias is the name of a folder or a suffix that is not itself among \"languages\", as in \"pt_BR: pt-BR\""},
		{"site", "site: digital.gov", "site.yaml:1:7: site \"digital.gov\" does not begin with http:// or https://\nwrite it as in \"https://api.example.fi\""},
		{"addresses", "addresses: files", "site.yaml:1:12: addresses is \"files\"\ndid you mean \"file\"?"},
		{"root_language", "languages: [fi]\nroot_language: en", "site.yaml:2:16: root_language \"en\" is not one of the site's languages\nname it under \"languages\", or choose one of \"fi\""},
		{"fallback", "fallback: en", "site.yaml:1:11: fallback is \"en\"\nit can be \"reference\""},
		{"condition", "skip_if: [build.render=]", "site.yaml:1:11: the condition \"build.render=\" is not understood\nwrite it as in \"draft\" or \"build.render=never\""},
		{"join", "join: {topics: [a]}", "site.yaml:1:16: join of \"topics\" is a list; it is a string"},
		{"sidecar elsewhere", "sidecar: 'meta/{path}.json'", "site.yaml:1:10: sidecar \"meta/{path}.json\" does not name a file beside the page\nwrite it as in \"{path}.json\": the page's path without its ending, and another ending"},
		{"sidecar of a format", "sidecar: '{path}.xml'", "site.yaml:1:10: sidecar \"{path}.xml\" is in a format that sivu does not read\nthe files can be .json, .yaml and .yml"},
		{"markers", "markers: {note: kept}", "site.yaml:1:17: markers of \"note\" is \"kept\"\ndid you mean \"keep\"?"},
		{"permalinks", "permalinks: {news: '{yaer}/{slug}'}", "site.yaml:1:20: permalinks of \"news\" holds \"{yaer}\"\ndid you mean \"{year}\"?"},
		{"permalinks of Hugo", "permalinks: {news: '/:year/:slug/'}", "site.yaml:1:20: permalinks of \"news\" begins with a slash\nwrite it as in \"{year}/{month}/{slug}\", below the language"},
		{"rendered", "rendered: {bodyy: main}", "site.yaml:1:12: unknown key \"bodyy\"\ndid you mean \"body\"?"},
		{"rendered with sources", "layout: '{language}/{path}'\nrendered: {body: main}",
			"site.yaml:1:1: \"layout\" says how sources are read, and \"rendered\" that there are none\nleave \"layout\" out, or \"rendered\" and name the folder of the sources with --content"},
		{"pages", "rendered: {pages: 'a['}", "site.yaml:1:19: \"a[\" is not a pattern"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got := readSite(test.text)
			if len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
				t.Errorf("problems of %q:\n%s\nwant\n%s", test.text, strings.Join(got, "\n"), test.want)
			}
		})
	}
}
