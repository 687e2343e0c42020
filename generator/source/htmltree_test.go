package source

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// corpusPages calls f with the HTML files of a rendered site beside the repository. It
// skips the test where the site is not there.
func corpusPages(tb testing.TB, name string, f func(name string, text []byte)) {
	tb.Helper()
	dir := "../../../shared/corpora/" + name
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			tb.Fatal(err)
		}
		tb.Skipf("%s is not there: %v", name, err)
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".html" {
			return err
		}
		text, err := os.ReadFile(path.Join(dir, file))
		if err == nil {
			f(file, text)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// TestTreeIsThatOfBrowsers compares the elements of real pages, and of small ones that
// leave out tags, with those that html.Parse finds.
func TestTreeIsThatOfBrowsers(t *testing.T) {
	compare := func(name string, text []byte) int {
		root, err := html.ParseWithOptions(bytes.NewReader(text), html.ParseOptionEnableScripting(true))
		if err != nil {
			t.Fatal(err)
		}
		tree := parseHTML(text, false)
		different := 0
		for _, s := range []string{"main", "article", "h1", "nav", "section", "div", "p", "li", "dt", "dd", "td", "ul", "main p", "main > div", "li > a", "body > div"} {
			selector, err := cascadia.ParseGroup(s)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for _, n := range cascadia.QueryAll(root, selector) {
				if words := wordsOf(n); words != "" { // a browser makes a paragraph of a stray </p>
					want = append(want, words)
				}
			}
			for _, e := range tree.elements {
				if selector.Match(e.Node) {
					n, err := html.ParseFragment(bytes.NewReader(text[e.inner.Start:e.inner.End]), &html.Node{Type: html.ElementNode, Data: e.Data, DataAtom: e.DataAtom})
					if err != nil {
						t.Fatal(err)
					}
					words := ""
					for _, n := range n {
						words += wordsOf(n)
					}
					if words != "" {
						got = append(got, words)
					}
				}
			}
			if len(want) != len(got) {
				t.Logf("%s: %s: %d elements, want %d", name, s, len(got), len(want))
				different++
				continue
			}
			for i := range want {
				if want[i] != got[i] {
					t.Logf("%s: %s number %d:\ngot  %.300q\nwant %.300q", name, s, i, got[i], want[i])
					different++
					break
				}
			}
		}
		return different
	}
	for _, text := range []string{
		"<html><head><title>T</title><body><main><p>one<p>two<ul><li>a<li>b<ul><li>c</ul><li>d</ul><div>x</div></main>",
		"<title>T</title><main><dl><dt>a<dd>b<dt>c<dd>d</dl><p>e<table><tr><td>1<td>2<tr><th>3<td>4</table>f</main>",
		"<body><main><div><p>a <b>b</p><p>c</b> d</div><div>e</span> f</div></div></main><p>g",
		"<body><svg><path/><g/><title>x</title></svg><p>a<svg/><p>b<br/>c<div/>d",
		"<body><p><a href=x><div>one</a>two</div><p>three<table><tr><td><p>four<td>five</table>six",
		"<head><title>T</title>stray <script>x</script><div>a</div>",
		"<!-- a comment --><p>a<body class=x><p>b c<p>d</body>",
	} {
		if compare(text, []byte("<!doctype html>"+text)) > 0 {
			t.Errorf("the tree of %q is another one", text)
		}
	}
	for _, corpus := range []string{"letsencrypt-rendered", "digitalgov-rendered"} {
		t.Run(corpus, func(t *testing.T) {
			pages, different := 0, 0
			corpusPages(t, corpus, func(name string, text []byte) {
				const sample = 10
				if pages++; pages%sample == 0 && compare(name, text) > 0 {
					different++
				}
			})
			if different > 0 {
				t.Errorf("%d of %d pages have another tree", different, pages/10)
			}
		})
	}
}

// wordsOf returns the texts of a node without white space.
func wordsOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(strings.Join(strings.Fields(d.Data), ""))
		}
	}
	if n.Type == html.TextNode {
		b.WriteString(strings.Join(strings.Fields(n.Data), ""))
	}
	return b.String()
}
