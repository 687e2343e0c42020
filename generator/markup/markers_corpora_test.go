package markup_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// markerCorpora are the real sites with markers.
var markerCorpora = []struct {
	folder, generator string
	left              *regexp.Regexp // what no content shows
}{
	{"letsencrypt/content", page.Hugo, regexp.MustCompile(`\{\{\s*(?:&lt;|<|%).*|(?:%|&gt;|>)\}\}`)},
	{"digitalgov/content", page.Hugo, regexp.MustCompile(`\{\{\s*(?:&lt;|<|%).*|(?:%|&gt;|>)\}\}`)},
	{"opentelemetry/content", page.Hugo, regexp.MustCompile(`\{\{\s*(?:&lt;|<|%).*|(?:%|&gt;|>)\}\}`)},
	{"astro-docs/src/content/docs", page.Astro, regexp.MustCompile(`(?m)^\s*:::.*|^\s*(?:import|export) .*|&lt;/?[A-Z].*|\{.*`)},
}

// TestMarkersOfCorpora renders real pages and looks for markers in their contents.
func TestMarkersOfCorpora(t *testing.T) {
	t.Parallel()
	for _, site := range markerCorpora {
		t.Run(site.folder, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(corpora(t), site.folder)
			var pages []*page.Record
			err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() || !isSource(name) && path.Ext(name) != ".mdx" {
					return err
				}
				pages = append(pages, &page.Record{Path: name, URL: strings.TrimSuffix(name, path.Ext(name)), Language: "en"})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			opts := markup.Options{Generator: site.generator}
			r := markup.NewRenderer(opts, markup.NewIndex(pages, nil, markup.Addressing{Languages: []string{"en"}, Default: "en", Refs: true, IsSource: isSource}))
			treatments := map[string]int{}
			left := 0
			for i, p := range pages {
				text, err := os.ReadFile(filepath.Join(dir, p.Path))
				if err != nil {
					continue // a link to a file that is not in the corpus
				}
				body := withoutFrontMatter(text)
				syntax := map[string]*page.Syntax{".md": page.Markdown, ".html": page.HTML, ".mdx": page.MDX}[path.Ext(p.Path)]
				res := r.Render(i, syntax, body)
				checkPositions(t, res, len(body))
				for _, m := range res.Markers {
					treatments[m.Treatment] += m.Uses
				}
				for _, found := range site.left.FindAllString(withoutCode(string(res.Content)), -1) {
					left++
					t.Logf("%s: %s", p.Path, found)
				}
			}
			t.Logf("%d pages, markers: %v, left: %d", len(pages), treatments, left)
		})
	}
}

var code = regexp.MustCompile(`(?s)<pre.*?</pre>|<code.*?</code>`)

// withoutCode returns content without code, where pages show markers on purpose.
func withoutCode(content string) string { return code.ReplaceAllString(content, "") }
