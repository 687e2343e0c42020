package source

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

func renderedSite() *Site {
	site := DefaultSite()
	site.Languages, site.RootLanguage, site.Web = []string{"en", "fi", "pt-BR", "zh-TW"}, "en", "https://example.org/"
	site.Namespace = uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
	site.Rendered = &Rendered{Body: []string{"main .text", "main"}, Remove: []string{"nav", ".share", "p.share + p"}}
	return site
}

func readRenderedPage(site *Site, name, text string) (Document, []string) {
	var problems []string
	d := NewReader(site, nil).Read(&File{Path: name}, []byte(text), func(d diag.Diagnostic) { problems = append(problems, d.Message) })
	return d, problems
}

// bodyOf returns the body of a page without what is left out of it.
func bodyOf(text string, d Document) string {
	var b strings.Builder
	at := d.BodyStart
	for _, span := range d.Removed {
		b.WriteString(text[at:span.Start] + "~")
		at = span.End
	}
	return b.String() + text[at:d.BodyEnd]
}

func TestRenderedBody(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"<main>  a <b>b</b>\n</main>c", "a <b>b</b>"},
		{"<main>a<div class='text x'>b</div>c</main>", "b"},
		{"<main>a<nav>b<div class=share>c</div></nav>d<div class=share>e</div></main>", "a~d~"},
		{"<main><p class=share>a<p>b<p>c</main>", "~~<p>c"},
		{"<main><ul><li>a<li class=share>b<ul><li>c</ul><li>d</ul>e", "<ul><li>a~<li>d</ul>e"},
		{"<main><table><tr><td>a<td class=share>b<tr class=share><td>c</table></main>", "<table><tr><td>a~~</table>"},
		{"<main>a<b class=share>b<p>c</b>d</main>", "a~d"},
		{"<main><img class=share>a<svg class=share><path/><g></g></svg>b</main>", "~a~b"},
		{"<main>a<!-- </main> --><script>'</main>'</script>b</main>c", "a<!-- </main> --><script>'</main>'</script>b"},
		{"<main>a</nav></p></div>b", "a</nav></p></div>b"},
		{"<main class=share>a</main>", "a"},
	} {
		text := "<!doctype html><html lang=en><title>T</title><meta name=date content=2020-01-01><body>" + test.text
		d, problems := readRenderedPage(renderedSite(), "a.html", text)
		if got := bodyOf(text, d); got != test.want || len(problems) > 0 {
			t.Errorf("%s: the body is %q, want %q; %q", test.text, got, test.want, problems)
		}
	}
}

// Where a page lies and what it says of itself decide about its language, its address and
// its translations.
func TestRenderedIdentity(t *testing.T) {
	for _, test := range []struct{ name, lang, links, want string }{
		{"index.html", "en-US", "", "en en index"},
		{"fi/index.html", "fi", "", "fi fi index"},
		{"a/b.HTML", "", "", "en en/a/b a/b"},
		{"a/b/index.htm", "en", "", "en en/a/b a/b"},
		{"fi/a/index.html", "", "", "fi fi/a a"},
		{"pt-br/a.html", "pt", "", "pt-BR pt-BR/a a"},
		{"zh-tw/a.html", "zh-Hant-TW", "", "zh-TW zh-TW/a a"},
		{"a.html", "fi", "", "fi fi/a a"},
		{"fi/a.html", "en-GB", "", "en en/fi/a fi/a"},
		{"a.html", "sv", "", " 0 \"sv\" is not one of the site's languages"},
		{"fi/b.html", "fi", `<link rel=alternate hreflang=en-US href=https://example.org/a/><link rel=alternate hreflang=fi href=/fi/b.html>`, "fi fi/b a"},
		{"a.html", "en", `<link rel=alternate hreflang=fi href=fi/b.html>`, "en en/a a"},
		{"pt-br/c.html", "pt-BR", `<link rel=alternate hreflang=fi href=../fi/b/index.html><link rel=alternate hreflang=x-default href=/z/>`, "pt-BR pt-BR/c b"},
	} {
		text := "<!doctype html><html lang='" + test.lang + "'><head><title>T</title><meta name=date content=2020-01-01>" + test.links + "</head><main>"
		d, problems := readRenderedPage(renderedSite(), test.name, text)
		got := d.Page.Language + " " + d.Page.URL + " " + d.Page.Topic
		if len(problems) > 0 {
			got = " 0 " + strings.Join(problems, ", ")
		}
		if got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.name, test.lang, got, test.want)
		}
	}
}

func TestRenderedIsWanted(t *testing.T) {
	site := renderedSite()
	for name, want := range map[string]bool{
		"index.html": true, "fi/index.html": true, "a/index.html": true, "news/404-errors.html": true, "fi/page/a.html": true,
		"404.html": false, "fi/404.html": false, "tags/a/index.html": false, "fi/category/a/b/index.html": false, "search/index.html": false,
		"blog/page/2/index.html": false, "fi/page/3.html": false,
	} {
		d, problems := readRenderedPage(site, name, "<html><title>T</title><meta name=date content=2020-01-01><main>x")
		if d.Skip == want || len(problems) > 0 {
			t.Errorf("%s: left out is %v; %q", name, d.Skip, problems)
		}
	}
	site.Rendered.Pages = []string{"tags/**", "index"}
	for name, want := range map[string]bool{"index.html": true, "tags/index.html": true, "tags/a.html": true, "a/index.html": false} {
		if d, _ := readRenderedPage(site, name, "<html><title>T</title><meta name=date content=2020-01-01><main>x"); d.Skip == want {
			t.Errorf("with patterns, %s: left out is %v", name, d.Skip)
		}
	}
	for content, want := range map[string]string{
		"0; url=/a/": "a", "5;URL='https://example.org/fi/b.html'": "fi/b", "0; url=https://example.org": "index", "0; url=../c/#d": "c",
		"0; url=https://other.example/a/": "", "30": "", "0; url=": "",
	} {
		d, _ := readRenderedPage(renderedSite(), "x/index.html", `<meta http-equiv=refresh content="`+content+`"><main>`)
		if d.Redirect != want {
			t.Errorf("%s leads to %q, want %q", content, d.Redirect, want)
		}
	}
	if d, problems := readRenderedPage(renderedSite(), "a.html", "<p>no body</p>"); !d.Skip || len(problems) != 1 {
		t.Errorf("a page without a body: left out is %v; %q", d.Skip, problems)
	}
}

func TestRenderedDates(t *testing.T) {
	head := func(text string) string { return "<html lang=en><title>T</title>" + text }
	both := `<meta property=article:published_time content=2020-01-01><script type=application/ld+json>[{"@graph":[{"datePublished":"2019-01-01","dateModified":"2021-01-01"}]}]</script>`
	for _, test := range []struct {
		text  string
		dates []string
		want  string
	}{
		{both + "<main>", nil, "2020-01-01 2021-01-01"},
		{both + "<main>", []string{"json-ld"}, "2019-01-01 2021-01-01"},
		{both + "<main>", []string{"lastmod", "meta"}, "2020-01-01 2022-02-02"},
		{"<main><article><header><time datetime=2018-01-01></time><time class=updated datetime=2018-02-01></time></header><div class=text>x<time datetime=2000-01-01></time>", []string{"time"}, "2018-01-01 2018-02-01"},
		{"<main><h2>Comments</h2><time datetime=2018-01-01></time>", nil, "2022-02-02 2022-02-02"},
		{`<meta name=date content="some day"><meta property=article:modified_time content=0001-01-01T00:00:00Z><main>`, nil, "2022-02-02 2022-02-02"},
		{`<meta name=date content=2023-01-01><main>`, nil, "2023-01-01 2023-01-01"},
		{`<meta name=dcterms.created content=2017-01-01><meta name=dcterms.created content=2016-01-01><meta name=dcterms.modified content=2017-02-01>` + both + "<main>", nil, "2017-01-01 2017-02-01"},
	} {
		site := renderedSite()
		site.Rendered.Dates = test.dates
		r := NewReader(site, nil)
		r.Sitemap = func(string) SitemapEntry { return SitemapEntry{Modified: "2022-02-02"} }
		d := r.Read(&File{Path: "a.html"}, []byte(head(test.text)), func(d diag.Diagnostic) { t.Errorf("%s: %s", test.text, d.Message) })
		if got := d.Page.Created.String()[:10] + " " + d.Page.Modified.String()[:10]; got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}

func TestRenderedTitle(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"<title>A – Site</title><main>", "A – Site"},
		{"<title>A – Site</title><meta property=og:title content=A><main>", "A"},
		{"<title>A | Site</title><meta property=og:title content=B><main>", "A"},
		{"<title>A – Site</title><main><h1 class=t>B <i>c</i></h1>", "B c"},
		{"<title></title><main><h1>C</h1>", "C"},
		{"<svg><title>x</title></svg><title>A</title><main>", "A"},
	} {
		site := renderedSite()
		site.Rendered.Title, site.Rendered.TitleSuffix = []string{"h1.t"}, []string{" | Site"}
		d, problems := readRenderedPage(site, "a.html", "<html lang=en><meta name=date content=2020-01-01>"+test.text)
		if got := d.Page.Meta.Get("title"); got == nil || got.Value != test.want {
			t.Errorf("%s: %+v, want %q; %q", test.text, got, test.want, problems)
		}
	}
}

func TestReadIDs(t *testing.T) {
	var problems []string
	got := ReadIDs([]byte("a: 6ba7b811-9dad-11d1-80b4-00c04fd430c8\nfi/b: 6BA7B811-9dad-11d1-80b4-00c04fd430c8\nc: [1]\nd: 5\n\"e: f\": 6ba7b812-9dad-11d1-80b4-00c04fd430c8\na: 6ba7b813-9dad-11d1-80b4-00c04fd430c8\n"), "ids.yaml",
		func(d diag.Diagnostic) { problems = append(problems, d.Message) })
	want := map[string]uuid.UUID{"a": uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8"), "e: f": uuid.MustParse("6ba7b812-9dad-11d1-80b4-00c04fd430c8")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(problems) != 4 {
		t.Errorf("%q", problems)
	}
}

// FuzzRendered looks for pages that are read without an end, or whose body and left-out
// parts do not lie in the text one after the other.
func FuzzRendered(f *testing.F) {
	for _, text := range []string{
		"<!doctype html><html lang=en><head><title>T</title><meta property=og:title content=T></head><body><main>a<nav>b</nav><p class=share>c<p>d</main></body></html>",
		"<main><b><p></b></p><ul><li class=share>a<li>b</ul><table><tr><td><nav>x</table>",
		"<meta http-equiv=refresh content='0;url=//x'><script type=application/ld+json>{\"@graph\":[[[[]]]]}</script>",
		"<svg><path/><nav/></svg><link rel=alternate hreflang=fi href=%zz><time datetime=x><main",
		strings.Repeat("<b>", 100) + "<main>" + strings.Repeat("<div><nav>", 300),
	} {
		f.Add([]byte(text), "main", "nav, .share")
	}
	f.Fuzz(func(t *testing.T, text []byte, body, remove string) {
		site := renderedSite()
		site.Rendered.Body, site.Rendered.Remove = []string{body}, []string{remove}
		if message, _ := checkSelector("body", body); message != "" {
			t.Skip()
		}
		d := NewReader(site, nil).Read(&File{Path: "a.html"}, bytes.Clone(text), func(diag.Diagnostic) {})
		at := d.BodyStart
		for _, span := range d.Removed {
			if span.Start < at || span.End < span.Start {
				t.Fatalf("%q: %v of the body from %d is not after %d", text, span, d.BodyStart, at)
			}
			at = span.End
		}
		if at > d.BodyEnd || d.BodyEnd > len(text) {
			t.Fatalf("%q: the body from %d to %d ends before %d", text, d.BodyStart, d.BodyEnd, at)
		}
		tree := parseHTML(text, false)
		for _, e := range tree.elements {
			if e.outer.Start > e.inner.Start || e.inner.Start > e.inner.End || e.inner.End > e.outer.End || e.outer.End > len(text) {
				t.Fatalf("%q: the element %s is at %v, its content at %v", text, e.Data, e.outer, e.inner)
			}
		}
	})
}

func BenchmarkRendered(b *testing.B) {
	for _, corpus := range []string{"letsencrypt-rendered", "digitalgov-rendered"} {
		b.Run(corpus, func(b *testing.B) {
			var pages [][]byte
			size := 0
			corpusPages(b, corpus, func(_ string, text []byte) { pages, size = append(pages, text), size+len(text) })
			r := NewReader(renderedSite(), nil)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, text := range pages {
					r.Read(&File{Path: "a.html"}, text, func(diag.Diagnostic) {})
				}
			}
			b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}
