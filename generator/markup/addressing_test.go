package markup_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// servedPages are those of a site that serves English at its root. Page 0 renders.
func servedPages() []*page.Record {
	return []*page.Record{
		{Path: "en/docs/start.md", URL: "en/docs/start", Language: "en"},
		{Path: "fr/docs/start.md", URL: "fr/docs/start", Language: "fr"},
		{Path: "en/docs/_index.md", URL: "en/docs", Language: "en", Aliases: []string{"en/manual", "en/guide/old"}},
		{Path: "en/docs/other.md", URL: "en/docs/other", Language: "en"},
		{Path: "fr/docs/other.md", URL: "fr/docs/other", Language: "fr"},
		{Path: "en/docs/only.md", URL: "en/docs/only", Language: "en"},
		{Path: "en/docs/start/deeper.md", URL: "en/docs/start/deeper", Language: "en"},
		{Path: "en/news/2020/story/index.md", URL: "en/story", Language: "en"},
		{Path: "pt_BR/docs/start.md", URL: "pt-BR/docs/start", Language: "pt-BR"},
		{Path: "en/_index.md", URL: "en", Language: "en"},
		{Path: "en/news/twice.md", URL: "en/news/twice", Language: "en"},
		{Path: "en/docs/twice.md", URL: "en/docs/twice", Language: "en"},
		{Path: "blog/fr/hello.md", URL: "fr/blog/hello", Language: "fr"},
		{Path: "blog/en/there.md", URL: "en/blog/there", Language: "en"},
	}
}

func served() markup.Addressing {
	return markup.Addressing{
		Languages: []string{"en", "fr", "pt-BR"}, Root: "en", LanguageAliases: map[string]string{"pt_br": "pt-BR"}, Web: "https://www.example.org/",
		FromPage: true, Fallback: true, Refs: true, IsSource: isSource,
	}
}

// Links mean what they mean on the site, wherever the pages' sources lie.
func TestAddressing(t *testing.T) {
	const missing = "page not found: "
	onlyFile := func(a *markup.Addressing) { a.FromPage = false }
	noFallback := func(a *markup.Addressing) { a.Fallback = false }
	below := func(a *markup.Addressing) { a.Web = "https://example.org/site/" }
	for _, test := range []struct {
		name          string
		from          int // the page
		address, want string
		broken        bool
		change        func(*markup.Addressing)
	}{
		{name: "beside the page's address", address: "../other/", want: "/en/docs/other"},
		{name: "below the page's address", address: "deeper/#a", want: "/en/docs/start/deeper#a"},
		{name: "above the folder", address: "..", want: "/en/docs"},
		{name: "beside the file, by address", address: "other", want: "other", broken: true},
		{name: "beside the file, by address", address: "other", want: "/en/docs/other", change: onlyFile},
		{name: "file", address: "other.md", want: "/en/docs/other"},
		{name: "file", address: "start/deeper.html", want: "/en/docs/start/deeper"},
		{name: "in another language", from: 1, address: "../other/", want: "/fr/docs/other"},
		{name: "above the root", address: "../../../x/../../", want: "/en"},
		{name: "from another language to the root", from: 1, address: "../../../docs/other/", want: "/en/docs/other"},
		{name: "from the root to another language", address: "../../fr/docs/other/", want: "/fr/docs/other"},
		{name: "of a bundle", from: 7, address: "../docs/other", want: "/en/docs/other"},

		{name: "without language", address: "/docs/other/", want: "/en/docs/other"},
		{name: "without language, translated", from: 1, address: "/docs/other/", want: "/fr/docs/other"},
		{name: "without language, not translated", from: 1, address: "/docs/only/", want: "/en/docs/only"},
		{name: "with language", address: "/en/docs/other/", want: "/en/docs/other"},
		{name: "in another case", address: "/PT-br/docs/start", want: "/pt-BR/docs/start"},
		{name: "by an alias of the language", address: "/pt_BR/docs/start", want: "/pt-BR/docs/start"},

		{name: "not translated", from: 1, address: "/fr/docs/only/?a=b#c", want: "/en/docs/only?a=b#c"},
		{name: "not translated", from: 1, address: "../only/", want: "/en/docs/only"},
		{name: "not translated", from: 1, address: "../only/", want: "../only/", broken: true, change: noFallback},
		{name: "file that is not translated", from: 1, address: "only.md", want: "/en/docs/only"},
		{name: "file that is not translated", from: 1, address: "only.md", want: "only.md", broken: true, change: noFallback},
		{name: "file that is not translated, in a section", from: 12, address: "there.md", want: "/en/blog/there"},
		{name: "not there at all", from: 1, address: "../never/", want: "../never/", broken: true},

		{name: "alias", address: "/manual/", want: "/en/docs"},
		{name: "alias", address: "../../guide/old", want: "/en/docs"},
		{name: "alias, not translated", from: 1, address: "/fr/guide/old#x", want: "/en/docs#x"},

		{name: "absolute", address: "https://www.example.org/docs/other/", want: "/en/docs/other"},
		{name: "absolute, without www", address: "http://EXAMPLE.org/docs/other?a=1#b", want: "/en/docs/other?a=1#b"},
		{name: "absolute, without scheme", address: "//example.org/docs/other/", want: "/en/docs/other"},
		{name: "absolute, root", address: "https://example.org", want: "/en"},
		{name: "absolute, from another language", from: 1, address: "https://example.org/docs/other", want: "/en/docs/other"},
		{name: "absolute, file", address: "https://example.org/a.pdf", want: "https://example.org/a.pdf"},
		{name: "absolute, nothing of ours", address: "https://example.org/shop/", want: "https://example.org/shop/"},
		{name: "absolute, a page that is not there", address: "https://example.org/fr/never/", want: "https://example.org/fr/never/", broken: true},
		{name: "another host", address: "https://example.org.evil.net/docs/other/", want: "https://example.org.evil.net/docs/other/"},
		{name: "another port", address: "https://example.org:8080/docs/other/", want: "https://example.org:8080/docs/other/"},
		{name: "other scheme", address: "mailto:a@example.org", want: "mailto:a@example.org"},

		{name: "site below a folder", address: "https://example.org/site/docs/other/", want: "/en/docs/other", change: below},
		{name: "site below a folder", address: "/site/docs/other/", want: "/en/docs/other", change: below},
		{name: "site below a folder", address: "/site", want: "/en", change: below},
		{name: "site beside it", address: "https://example.org/sitemap/docs/other", want: "https://example.org/sitemap/docs/other", change: below},

		{name: "ref", address: "sivu-ref:other.md", want: "/en/docs/other"},
		{name: "ref", address: "sivu-ref:other#x", want: "/en/docs/other#x"},
		{name: "ref from the content folder", address: "sivu-ref:/docs/other.md", want: "/en/docs/other"},
		{name: "ref from the content folder", address: "sivu-ref:news/2020/story", want: "/en/story"},
		{name: "ref with the language", address: "sivu-ref:/fr/docs/other", want: "/fr/docs/other"},
		{name: "ref in another language", from: 1, address: "sivu-ref:/docs/other", want: "/fr/docs/other"},
		{name: "ref to an index", address: "sivu-ref:/docs/_index.md", want: "/en/docs"},
		{name: "ref by name", address: "sivu-ref:story", want: "/en/story"},
		{name: "ref by name, in another folder", from: 9, address: "sivu-ref:other.md", want: "/en/docs/other"},
		{name: "ref by a name that two have", from: 7, address: "sivu-ref:twice", want: "", broken: true},
		{name: "ref to nothing", address: "sivu-ref:/story", want: "", broken: true},
		{name: "ref that is not translated", from: 1, address: "sivu-ref:/docs/only.md", want: "/en/docs/only"},
		{name: "ref to an anchor", address: "sivu-ref:#top", want: "#top"},
		{name: "ref to another site", address: "sivu-ref:https://a.fi/b", want: "https://a.fi/b"},
	} {
		a := served()
		if test.change != nil {
			test.change(&a)
		}
		res := markup.NewRenderer(markup.Options{}, markup.NewIndex(servedPages(), nil, a)).Render(test.from, page.HTML, linkBody(test.address))
		if got := href(t, res.Content); got != test.want {
			t.Errorf("%s: %q became %q, want %q", test.name, test.address, got, test.want)
		}
		var want []string
		if test.broken {
			want = []string{"0 broken-link: " + missing + `"` + strings.TrimPrefix(test.address, "sivu-ref:") + `"`}
		}
		if diff := cmp.Diff(want, problems(res)); diff != "" {
			t.Errorf("%s: %q: problems (-want +got):\n%s", test.name, test.address, diff)
		}
		if !test.broken {
			checkContent(t, markup.Options{}, string(res.Content))
		}
	}
}

// Files lie where the site serves them: below the page's address.
func TestServedFiles(t *testing.T) {
	const body = `<img src="a.png" alt=""><img src="../b.png" alt=""><img src="/c.png" alt=""><a href="d.pdf">d</a>`
	for _, test := range []struct {
		from int
		want string
	}{
		{0, "/docs/start/a.png /docs/b.png /c.png /docs/start/d.pdf"},
		{1, "/fr/docs/start/a.png /fr/docs/b.png /c.png /fr/docs/start/d.pdf"},
		{7, "/story/a.png /b.png /c.png /story/d.pdf"},
		{9, "/a.png /b.png /c.png /d.pdf"},
	} {
		opts := markup.Options{Assets: "https://www.example.org/"}
		res := markup.NewRenderer(opts, markup.NewIndex(servedPages(), nil, served())).Render(test.from, page.HTML, []byte(body))
		for _, want := range strings.Fields(test.want) {
			if !strings.Contains(string(res.Content), `"https://www.example.org`+want+`"`) {
				t.Errorf("page %d: no %s in %s", test.from, want, res.Content)
			}
		}
	}
}

// Whatever else a site gets or loses, a body that links keep its dependencies unchanged
// has the links that it had.
func TestAddressingDependencies(t *testing.T) {
	bodies := []string{
		"/docs/only/", "/fr/docs/only/", "../only/", "only.md", "/manual", "sivu-ref:twice", "sivu-ref:other", "sivu-ref:story",
		"https://example.org/docs/only/", "/new", "sivu-ref:new", "../../guide/old", "new.md",
	}
	added := []*page.Record{
		{Path: "fr/docs/only.md", URL: "fr/docs/only", Language: "fr"},
		{Path: "fr/zz/new.md", URL: "fr/zz/new", Language: "fr", Aliases: []string{"fr/new"}},
		{Path: "fr/zz/twice.fr.md", URL: "fr/zz/twice", Language: "fr"},
	}
	all := append(servedPages(), added...)
	slices.SortFunc(all, func(a, b *page.Record) int { return strings.Compare(a.Path, b.Path) })
	for gone := range all {
		without := make([]*page.Record, 0, len(all))
		for i, p := range all {
			if i != gone {
				without = append(without, p)
			}
		}
		bare := append([]*page.Record{}, all...)
		copied := *bare[gone]
		copied.Aliases, bare[gone] = nil, &copied
		for _, other := range [][]*page.Record{without, bare} {
			checkDependencies(t, all, other, bodies)
			checkDependencies(t, other, all, bodies)
		}
	}
}

func checkDependencies(t *testing.T, before, now []*page.Record, addresses []string) {
	t.Helper()
	changes := markup.Changes(before, now, nil, nil, isSource)
	old, current := markup.NewIndex(before, nil, served()), markup.NewIndex(now, nil, served())
	for i, p := range before {
		k := slices.IndexFunc(now, func(q *page.Record) bool { return q.Path == p.Path })
		if k < 0 {
			continue
		}
		for _, address := range addresses {
			a := markup.NewRenderer(markup.Options{}, old).Render(i, page.HTML, linkBody(address))
			b := markup.NewRenderer(markup.Options{}, current).Render(k, page.HTML, linkBody(address))
			if string(a.Content) == string(b.Content) {
				continue
			}
			if !slices.ContainsFunc(a.Deps, func(d markup.Dependency) bool { _, ok := changes[d]; return ok }) {
				t.Errorf("%s: the link %s became %s, was %s, and no dependency changed", p.Path, address, b.Content, a.Content)
			}
		}
	}
}

// Links that lead nowhere, as their authors do not see it, are told.
func TestSuspiciousLinks(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"without a scheme", `<a href="www.kela.fi/x">a</a> <a href="WWW.kela.fi">b</a>`, `<a href="/fi/www.kela.fi/x">a</a> <a href="/fi/WWW.kela.fi">b</a>`, []string{
			`0 link-address: the address "www.kela.fi/x" has no scheme: it is that of a file`,
			`30 link-address: the address "WWW.kela.fi" has no scheme: it is that of a file`}},
		{"mail", `<a href="kela@kela.fi">a</a> <a href="logo@2x.png">b</a> <a href="/@kela.fi">c</a> <a href="x/a@b.fi">d</a>`,
			`<a href="/fi/kela@kela.fi">a</a> <a href="/fi/logo@2x.png">b</a> <a href="/@kela.fi">c</a> <a href="/fi/x/a@b.fi">d</a>`,
			[]string{`0 link-address: the address "kela@kela.fi" has no scheme: it is that of a file`}},
		{"empty", `<a href="">a</a> <img src=" " alt=b>`, `<a>a</a> <img alt=b>`,
			[]string{"0 link-address: an address is empty", "17 link-address: an address is empty"}},
		{"images", `<img src="www.a.png" alt="">`, `<img src="/fi/www.a.png" alt="">`, nil},
		{"no alt", `<p><img src="/a.png"> <img src="/b.png" alt=""> <img src="/c.png" title=d> <img src="/e.png" aria-hidden=true></p>`,
			`<p><img src="/a.png"> <img src="/b.png" alt=""> <img src="/c.png" title=d> <img src="/e.png" aria-hidden=true></p>`,
			[]string{"3 image-alt: 2 images have no alt, this one first"}},
	})
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, []byte("[a](www.kela.fi) [m](kela@kela.fi) [f]()\n\na www.kela.fi\n"))
	want := []string{
		`0 link-address: the address "www.kela.fi" has no scheme: it is that of a file`,
		`17 link-address: the address "kela@kela.fi" has no scheme: it is that of a file`,
		`35 link-address: an address is empty`,
	}
	if diff := cmp.Diff(want, problems(res)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if hint := res.Problems[1].Hint; hint != `write "mailto:kela@kela.fi"` {
		t.Errorf("the hint is %s", hint)
	}
}

// A missing page is named from the root where its link starts at an address, so that a
// suggestion does not depend on where the source lies.
func TestMissingAddress(t *testing.T) {
	for address, want := range map[string]string{
		"../neve?a#b": "/fr/docs/neve", "/fr/docs/neve/": "/fr/docs/neve/", "neve.md": "neve.md",
		"https://example.org/fr/neve": "/fr/neve", "sivu-ref:neve": "/neve",
	} {
		res := markup.NewRenderer(markup.Options{}, markup.NewIndex(servedPages(), nil, served())).Render(1, page.HTML, linkBody(address))
		if len(res.Problems) != 1 || res.Problems[0].Missing != want {
			t.Errorf("%s: %+v, want %s missing", address, res.Problems, want)
		}
	}
}
