package markup_test

import (
	"html"
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

// shortcode matches what looks like a shortcode of Hugo in content.
var shortcode = regexp.MustCompile(`\{\{\s*(?:&lt;|<|%).*`)

// markerCorpora are the real sites with markers.
var markerCorpora = []struct {
	folder, generator string
	inCode            bool           // markers are such in code, too
	marker            *regexp.Regexp // what no content shows
	shown             map[string]int // but these pages, on purpose
}{
	{"letsencrypt/content", page.Hugo, true, shortcode, nil},
	{"digitalgov/content", page.Hugo, true, shortcode, nil},
	// It tells how to write shortcodes, and escapes them.
	{"opentelemetry/content", page.Hugo, true, shortcode, map[string]int{"en/site/build/announcements.md": 3}},
	{"astro-docs/src/content/docs", page.Astro, false, regexp.MustCompile(`(?m)^\s*:::.*|^\s*(?:import|export) .*|&lt;/?[A-Z].*|\{.*`), map[string]int{
		// A message of JSON whose brace is written as &#123;.
		"en/reference/errors/content-loader-returns-invalid-id.mdx":    1,
		"es/reference/errors/content-loader-returns-invalid-id.mdx":    1,
		"fr/reference/errors/content-loader-returns-invalid-id.mdx":    1,
		"ko/reference/errors/content-loader-returns-invalid-id.mdx":    1,
		"pt-br/reference/errors/content-loader-returns-invalid-id.mdx": 1,
		"zh-cn/reference/errors/content-loader-returns-invalid-id.mdx": 1,
	}},
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
			r := markup.NewRenderer(opts, markup.NewIndex(pages, nil, markup.Addressing{Languages: []string{"en"}, Refs: true, IsSource: isSource}))
			treatments := map[string]int{}
			texts := 0
			for i, p := range pages {
				text, err := os.ReadFile(filepath.Join(dir, p.Path))
				if err != nil {
					continue // a link to a file that is not in the corpus
				}
				body := withoutFrontMatter(text)
				syntax := map[string]*page.Syntax{".md": page.Markdown, ".html": page.HTML, ".mdx": page.MDX}[path.Ext(p.Path)]
				res := r.Render(i, syntax, body)
				checkPositions(t, res, len(body))
				if inside := componentTexts(string(body)); syntax == page.MDX && len(inside) > 0 {
					content := words(string(res.Content))
					for _, text := range inside {
						texts++
						if !strings.Contains(content, text) {
							t.Errorf("%s: the text %q of a component is lost", p.Path, text)
						}
					}
				}
				for _, m := range res.Markers {
					treatments[m.Treatment] += m.Uses
				}
				content := string(res.Content)
				if !site.inCode {
					content = code.ReplaceAllString(content, "")
				}
				if found := site.marker.FindAllString(content, -1); len(found) != site.shown[p.Path] {
					t.Errorf("%s: %d markers are shown, want %d: %q", p.Path, len(found), site.shown[p.Path], found)
				}
			}
			if len(pages) < 1000 || len(treatments) < 2 {
				t.Errorf("%d pages, markers: %v", len(pages), treatments)
			}
			t.Logf("%d pages, markers: %v, texts in components: %d", len(pages), treatments, texts)
		})
	}
}

var (
	code       = regexp.MustCompile(`(?s)<pre.*?</pre>|<code.*?</code>`)
	fences     = regexp.MustCompile("(?s)\n[ \t]*```.*?\n[ \t]*```[ \t]*\n")
	comments   = regexp.MustCompile(`(?s)\{/\*.*?\*/\}`)
	codeSpans  = regexp.MustCompile("`[^`\n]*`")
	components = regexp.MustCompile(`<([A-Z][\w.]*)(?:\s[^<>\n]*)?>([^\n]+)`)
	dropped    = regexp.MustCompile(`\]\[[^\]\n]*\]|\]\([^)\n]*\)|<[^>\n]*>|\{[^}\n]*\}`)
	word       = regexp.MustCompile(`[\p{L}\p{N}]+`)
)

// componentTexts returns the words of components that stand on one line, outside of code.
func componentTexts(body string) (texts []string) {
	body = fences.ReplaceAllString(comments.ReplaceAllString(body, ""), "\n")
	body = codeSpans.ReplaceAllStringFunc(body, func(s string) string { return strings.NewReplacer("<", " ", ">", " ", "{", " ", "}", " ").Replace(s) })
	for _, m := range components.FindAllStringSubmatch(body, -1) {
		text, _, ok := strings.Cut(m[2], "</"+m[1]+">")
		if found := words(text); ok && found != "" && !strings.Contains(text, " text=") {
			texts = append(texts, found)
		}
	}
	return texts
}

// words returns the letters and digits of a text in HTML or Markdown.
func words(s string) string {
	return strings.Join(word.FindAllString(html.UnescapeString(dropped.ReplaceAllString(s, "")), -1), "")
}
