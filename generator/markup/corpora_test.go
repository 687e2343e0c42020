package markup_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// corpora returns the folder of real pages that SIVU_CORPORA names.
func corpora(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SIVU_CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") != "" {
			t.Fatalf("no real pages: %v", err)
		}
		t.Skipf("no real pages: %v; SIVU_CORPORA names their folder", err)
	}
	return dir
}

// payloads are hostile HTML and Markdown, which lie beside the real pages.
func payloads(t *testing.T) iter.Seq[string] {
	text, err := os.ReadFile(filepath.Join(corpora(t), "..", "payloads", "payloads.ndjson"))
	if err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") != "" {
			t.Fatalf("no payloads: %v", err)
		}
		t.Skipf("no payloads: %v", err)
	}
	return func(yield func(string) bool) {
		for line := range bytes.Lines(text) {
			var payload struct{ P string }
			if err := json.Unmarshal(line, &payload); err != nil {
				t.Fatal(err)
			}
			// A source is UTF-8 without NUL.
			if !strings.ContainsRune(payload.P, 0) && !yield(payload.P) {
				return
			}
		}
	}
}

// TestPayloads renders the payloads. In a browser they are loaded by the test of
// the same name in templates.
func TestPayloads(t *testing.T) {
	t.Parallel()
	r := markup.NewRenderer(markup.Options{}, testIndex())
	for payload := range payloads(t) {
		for _, syntax := range []*page.Syntax{page.HTML, page.Markdown} {
			res := r.Render(0, syntax, []byte(payload))
			checkPositions(t, res, len(payload))
			checkContent(t, markup.Options{}, string(res.Content))
		}
	}
}

// TestCorpora renders real pages and holds the content of each against what
// templates/help/bodies.md says of it.
func TestCorpora(t *testing.T) {
	t.Parallel()
	for _, corpus := range []string{"letsencrypt", "learnxinyminutes"} {
		t.Run(corpus, func(t *testing.T) {
			t.Parallel()
			renderCorpus(t, filepath.Join(corpora(t), corpus, "content"))
		})
	}
}

func renderCorpus(t *testing.T, dir string) {
	var pages []*page.Record
	var bodies [][]byte
	languages := map[string]bool{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		ending := path.Ext(name)
		if err != nil || entry.IsDir() || ending != ".md" && ending != ".html" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		language, _, nested := strings.Cut(name, "/")
		if !nested {
			language = "en"
		}
		languages[language] = true
		pages = append(pages, &page.Record{Path: name, URL: strings.TrimSuffix(name, ending), Language: language})
		bodies = append(bodies, withoutFrontMatter(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 500 {
		t.Fatalf("%d pages in %s, want more than 500", len(pages), dir)
	}
	var names []string
	for language := range languages {
		names = append(names, language)
	}
	index := markup.NewIndex(pages, nil, markup.Addressing{Languages: names, Default: "en", IsSource: isSource})
	r := newRenderers(markup.Options{}, index)
	rules := map[string]int{}
	for i, body := range bodies {
		syntax := page.Markdown
		if path.Ext(pages[i].Path) == ".html" {
			syntax = page.HTML
		}
		r.check(t, i, syntax, body)
		res := r.blocks.Render(i, syntax, body)
		checkPositions(t, res, len(body))
		for _, p := range res.Problems {
			rules[p.Rule.Name]++
			if p.Rule.Contract {
				t.Errorf("%s: %s", pages[i].Path, p.Message)
			}
		}
		checkContent(t, markup.Options{}, string(res.Content))
		if t.Failed() {
			t.Fatalf("in %s", pages[i].Path)
		}
	}
	t.Logf("%d pages, problems: %v", len(pages), rules)
}

// withoutFrontMatter returns the body of a page.
func withoutFrontMatter(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if rest, ok := bytes.CutPrefix(text, []byte("---\n")); ok {
		if _, body, ok := bytes.Cut(rest, []byte("\n---\n")); ok {
			return body
		}
	}
	return text
}
