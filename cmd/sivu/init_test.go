package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// adoptedCorpora are real sites, and what init has to find in each. Excluded are the pages
// that nobody could read as they are; records are at least so many, as pages expire.
var adoptedCorpora = []struct {
	name, content string
	languages     string
	records       int
	excluded      int
}{
	{"letsencrypt", "content", "31 languages: en,", 837, 1},
	{"learnxinyminutes", "content", "39 languages: en,", 876, 0},
	{"opentelemetry", "content", "11 languages: en,", 1700, 5},
	{"digitalgov", "content", "1 language: en", 2000, 17},
	{"astro-docs", "src/content/docs", "14 languages: en,", 2569, 1},
	{"letsencrypt-rendered", ".", "28 languages: en,", 1350, 0},
	{"digitalgov-rendered", ".", "1 language: en", 480, 0},
}

// After sivu init, sivu build succeeds, and init says what there is on one screen.
func TestInitCorpora(t *testing.T) {
	root := cmp.Or(os.Getenv("SIVU_CORPORA"), filepath.Join("..", "shared", "corpora"))
	if !filepath.IsAbs(root) {
		root = filepath.Join("..", "..", root) // seen from the top of the repository
	}
	for _, corpus := range adoptedCorpora {
		t.Run(corpus.name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(root, corpus.name)); err != nil {
				if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
					t.Fatalf("the real corpora are required: %v", err)
				}
				t.Skipf("SKIPPED: the real corpora are not there (%v); SIVU_CORPORA names their folder", err)
			}
			site, out := filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "out")
			if err := os.CopyFS(site, os.DirFS(filepath.Join(root, corpus.name))); err != nil {
				t.Fatal(err)
			}
			said, err := runHere(t, "init", site)
			if err != nil {
				t.Fatalf("init: %v\n%s", err, said)
			}
			fitsScreen(t, said)
			if !strings.Contains(said, corpus.languages) {
				t.Errorf("init does not find %s:\n%s", corpus.languages, said)
			}
			content := filepath.Join(site, corpus.content)
			text, err := os.ReadFile(filepath.Join(content, "site.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			_, exclude, _ := strings.Cut(string(text), "\nexclude:\n")
			if n := strings.Count(exclude, "  - "); n != corpus.excluded {
				t.Errorf("%d lines under exclude, not %d:\n%s", n, corpus.excluded, exclude)
			}
			command(t, "build", "--quiet", "--content", content, "--out", out, "--base-url", "https://api.example.fi")
			command(t, "verify", out, "--quiet")
			records, err := filepath.Glob(filepath.Join(out, "pages", "????????-*", "index.json"))
			if err != nil || len(records) < corpus.records {
				t.Errorf("%d records (%v), and at least %d were expected", len(records), err, corpus.records)
			}
		})
	}
}

// fitsScreen checks that a text fits a screen of 24 lines and 80 columns. A command to be
// copied stays in one line, however long names of folders are.
func fitsScreen(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 23 { // and the prompt
		t.Errorf("the table has %d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if len([]rune(line)) > 80 && !strings.HasPrefix(line, "next") && !strings.HasPrefix(line, "written") {
			t.Errorf("a line has more than 80 columns: %s", line)
		}
	}
}
