package verify

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// strict and trusted are the ways in which a build makes content.
func strict() *markup.Renderer { return markup.NewRenderer(markup.Options{}, oneLinkedPage()) }

func trusted() *markup.Renderer {
	return markup.NewRenderer(markup.Options{Trusted: true}, oneLinkedPage())
}

func oneLinkedPage() *markup.Index {
	return markup.NewIndex([]*page.Record{{Path: "fi/a.md", URL: "fi/a", Language: "fi"}}, nil, markup.Addressing{Languages: []string{"fi"}, Default: "fi", IsSource: func(string) bool { return false }})
}

// checkRendered fails where a build takes a body, and the rules of content do not
// take what the build made of it.
func checkRendered(t *testing.T, renderer *markup.Renderer, syntax *page.Syntax, body string) {
	t.Helper()
	result := renderer.Render(0, syntax, []byte(body))
	if isRefused(result) {
		return
	}
	modified, _ := page.TimeOf(time.Date(2019, 5, 6, 8, 6, 31, 4512000, time.UTC))
	content := string(markup.AppendContent(nil, modified, result.Content))
	c, _ := newChecker(t.Context(), "https://api.example.org", Options{})
	c.checkContent("x", content, modified.Std(), true)
	for _, f := range c.finish().Findings {
		t.Errorf("[%s] %s: %s\n%s\nof\n%s", f.Rule.Name, f.Due, f.Came, clip(content), clip(body))
	}
}

func isRefused(result *markup.Result) bool {
	for _, p := range result.Problems {
		if p.Rule.Severity == diag.Error {
			return true
		}
	}
	return false
}

// TestBuiltContent holds what a build makes of odd bodies against the rules.
func TestBuiltContent(t *testing.T) {
	for _, body := range []string{
		"<table><tr><td>x</td></tr><td>a</td></tr></table>", "<table>a<tr>b<td>c", "<table><b>x</b><tr><i>y",
		"<table><caption>a<b>b<tr><td>c", "<table><col><tr><td>x<caption>y", "<table><colgroup> <col>x</colgroup>y",
		"<ul><li><div>a<li>b</ul>", "<p><b>a<div>b</b>c</div>", "<a><ul><li><a>x</a></ul>", "<b><p>a</b>b</p>c",
		"<h1>a<h2>b</h1>c", "<ruby><p>x<rt>y", "<ruby>a<rt>b<rp>c</ruby>d", "a</br>b</p>c", "</div></div>x",
		"<svg><g><path/><circle r=1></g></div><text>a<p>b</svg>c", "<form><form></form>x<button>a<button>b<select><option>c<option>d<select></div>e",
		"<script><!--<script></script>--></script>x", "<object><p>a<b></object>b", "<custom-x a=b>c<div></custom-x>d</div>",
		"<picture><source srcset=a><img src=b></picture><video src=x><track></video><audio><source src=y></audio>",
		strings.Repeat("<div>", 256), strings.Repeat("<b><p>", 128),
	} {
		for _, renderer := range []*markup.Renderer{strict(), trusted()} {
			checkRendered(t, renderer, page.HTML, body)
			checkRendered(t, renderer, page.Markdown, body)
		}
	}
	random := rand.New(rand.NewPCG(13, 9))
	renderers := []*markup.Renderer{strict(), trusted()}
	for i := range 10_000 {
		body := soup(random, soups[i%len(soups)])
		checkRendered(t, renderers[0], page.HTML, body)
		checkRendered(t, renderers[1], page.HTML, body)
		if i%4 == 0 {
			checkRendered(t, renderers[0], page.Markdown, body)
		}
	}
}

func FuzzBuiltContent(f *testing.F) {
	f.Add("<table><tr><td>x</td></tr><td>a</td></tr></table>")
	f.Add("- a\n\n  <ul><li>b\n- c")
	f.Add("<select><option>a<ruby>b<rt>c")
	f.Fuzz(func(t *testing.T, body string) {
		if !utf8.ValidString(body) || strings.IndexByte(body, 0) >= 0 {
			t.Skip("a source is UTF-8 without NUL")
		}
		checkRendered(t, strict(), page.HTML, body)
		checkRendered(t, strict(), page.Markdown, body)
		checkRendered(t, trusted(), page.HTML, body)
	})
}

// quickCorpus is the one corpus that is read without SIVU_ALL.
const quickCorpus = "letsencrypt"

// TestCorpora holds what a build makes of real pages against the rules.
func TestCorpora(t *testing.T) {
	dir := os.Getenv("SIVU_CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	corpora, err := os.ReadDir(dir)
	if err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") != "" {
			t.Fatalf("no real pages: %v", err)
		}
		t.Skipf("no real pages: %v; SIVU_CORPORA names their folder", err)
	}
	for _, corpus := range corpora {
		if corpus.IsDir() {
			t.Run(corpus.Name(), func(t *testing.T) { checkCorpus(t, os.DirFS(filepath.Join(dir, corpus.Name()))) })
		}
	}
}

func checkCorpus(t *testing.T, corpus fs.FS) {
	if os.Getenv("SIVU_ALL") == "" && !strings.HasSuffix(t.Name(), "/"+quickCorpus) {
		t.Skip("part of make test-all")
	}
	t.Parallel()
	pages, all, some := 0, strict(), trusted()
	err := fs.WalkDir(corpus, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		syntax := page.Markdown
		switch filepath.Ext(name) {
		case ".html", ".htm":
			syntax = page.HTML
		case ".md", ".mdx", ".markdown":
		default:
			return nil
		}
		text, err := fs.ReadFile(corpus, name)
		if err != nil {
			return err
		}
		checkRendered(t, all, syntax, string(text))
		if pages++; pages%4 == 0 {
			checkRendered(t, some, syntax, string(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 100 {
		t.Errorf("%d pages", pages)
	}
	t.Logf("%d pages", pages)
}
