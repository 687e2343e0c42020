package adopt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rogpeppe/go-internal/txtar"

	"example.org/sivu/generator"
	"example.org/sivu/generator/adopt"
	"example.org/sivu/generator/work"
)

// fileTime is when the files of the sites were last changed: the date of pages that have
// no other.
var fileTime = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// writeSite writes the files of an archive into a folder.
func writeSite(t *testing.T, archive string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, fileTime, fileTime); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// adopted runs init and build, and returns what init says and the records: each as its
// language, meta.url, title and the day that it was created.
func adopted(t *testing.T, folder string) (*generator.Adopted, []string) {
	t.Helper()
	a, err := generator.Init(t.Context(), folder, false, new(work.Progress))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	r, err := generator.Build(t.Context(), generator.Options{Content: a.Content, Out: out, BaseURL: "https://api.example.fi"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed {
		t.Fatalf("build fails after init: %v\n%s", r.Report.Diagnostics, a.Text)
	}
	everyLineExplained(t, a.Text)
	return a, recordsOf(t, out)
}

func recordsOf(t *testing.T, out string) (records []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "pages", "*", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := uuid.Parse(filepath.Base(filepath.Dir(file))); err != nil {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var record struct {
			Language, Created string
			Meta              struct{ Title, URL string }
		}
		if err := json.Unmarshal(text, &record); err != nil {
			t.Fatal(err)
		}
		records = append(records, fmt.Sprintf("%s %s %q %s", record.Language, record.Meta.URL, record.Meta.Title, record.Created[:10]))
	}
	slices.Sort(records)
	return records
}

// everyLineExplained checks that each line of a site.yaml has a comment, or stands below
// one.
func everyLineExplained(t *testing.T, text string) {
	t.Helper()
	isExplained := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "#"):
			isExplained = true
			continue
		case strings.TrimSpace(line) != "" && !isExplained && !strings.Contains(line, "  # "):
			t.Errorf("a line of site.yaml is not explained: %s", line)
		}
		isExplained = false
	}
}

// A madeSite is a small site of one generator or editor, and the records that it has.
type madeSite struct {
	name    string
	folder  string // that is given to init
	content string // that init finds
	files   string
	records []string
	says    []string // parts of site.yaml
	silent  []string // what site.yaml does not have
}

func TestSites(t *testing.T) {
	for _, site := range madeSites {
		t.Run(site.name, func(t *testing.T) {
			t.Parallel()
			dir := writeSite(t, site.files)
			a, records := adopted(t, filepath.Join(dir, site.folder))
			if content, _ := filepath.Rel(dir, a.Content); content != filepath.FromSlash(site.content) {
				t.Errorf("the content folder is %s, not %s", content, site.content)
			}
			if diff := cmp.Diff(site.records, records); diff != "" {
				t.Errorf("records (-want +got):\n%s\n%s", diff, a.Text)
			}
			for _, part := range site.says {
				if !strings.Contains(a.Text, part) {
					t.Errorf("site.yaml lacks %q:\n%s", part, a.Text)
				}
			}
			for _, part := range site.silent {
				if strings.Contains(a.Text, part) {
					t.Errorf("site.yaml has %q:\n%s", part, a.Text)
				}
			}
			again, err := adopt.Adopt(adopt.Options{Folder: filepath.Join(dir, site.folder)})
			if err == nil || !strings.Contains(err.Error(), "--force") {
				t.Errorf("init replaced site.yaml without --force: %v %v", again, err)
			}
		})
	}
}
