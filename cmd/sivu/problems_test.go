package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
)

// manyLinks writes a site of which one page, fi/a.md, has an error and no link, and the
// others have so many broken links in all.
func manyLinks(t *testing.T, links int) (content string) {
	t.Helper()
	const perPage = 100
	content = filepath.Join(t.TempDir(), "content")
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(content, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("site.yaml", "languages: [fi]\ndates: [fields]\nnamespace: 6ba7b811-9dad-11d1-80b4-00c04fd430c8\nbase_url: https://api.example.org\n")
	write("fi/a.md", "---\ncreated: 2020-01-01\n---\n")
	for i := range links / perPage {
		text := fmt.Sprintf("---\ncreated: 2020-01-01\ntitle: Page %d\n---\n", i)
		for k := range perPage {
			text += fmt.Sprintf("[there](nowhere-%d-%d.md)\n", i, k)
		}
		write(fmt.Sprintf("fi/p%03d.md", i), text)
	}
	return content
}

// What programs read holds every problem, and people are told how many there are.
func TestNoProblemIsCut(t *testing.T) {
	const links = 5000
	content := manyLinks(t, links)
	result, err := generator.Check(t.Context(), generator.Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	var report strings.Builder
	if err := encodeReport(&report, result, false); err != nil {
		t.Fatal(err)
	}
	var written struct {
		Problems struct{ Diagnostics []struct{ File string } }
	}
	if err := json.Unmarshal([]byte(report.String()), &written); err != nil || len(written.Problems.Diagnostics) != links+1 {
		t.Errorf("the report holds %d problems, error %v", len(written.Problems.Diagnostics), err)
	}
	for format, due := range map[string]int{"json": links + 1, "github": links + 1, "text": 4} {
		f, _ := diag.FormatNamed(format)
		var out strings.Builder
		if err := f.Print(&out, result.Report, diag.Style{Rest: "--all prints every one"}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "page not found") + strings.Count(out.String(), "no title"); n != due {
			t.Errorf("%s holds %d problems, want %d", format, n, due)
		}
		if format == "text" && !strings.Contains(out.String(), "\n5000 warnings [broken-link], such as\n") {
			t.Errorf("the warnings are not counted:\n%s", out.String())
		}
	}
}

// On a narrow terminal, the place of a problem stays in one piece, and so do numbers of
// groups.
func TestProblemsOnANarrowTerminal(t *testing.T) {
	content := manyLinks(t, 200)
	result, err := generator.Check(t.Context(), generator.Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := diag.Formats[0].Print(&out, result.Report, diag.Style{Rest: "--all prints every one"}); err != nil {
		t.Fatal(err)
	}
	const want = `content/fi/a.md:1:1: error: the page has
    no title [title]
    hint: give it a "title", or begin
        its body with a heading of level
        1

200 warnings [broken-link], such as
content/fi/p000.md:5:1: warning: page
    not found: "nowhere-0-0.md"
    [broken-link]
content/fi/p000.md:6:1: warning: page
    not found: "nowhere-0-1.md"
    [broken-link]
content/fi/p000.md:7:1: warning: page
    not found: "nowhere-0-2.md"
    [broken-link]

197 more problems like these; --all
    prints every one
`
	folder := filepath.ToSlash(filepath.Dir(content)) + "/"
	if got := wrap(strings.ReplaceAll(out.String(), folder, ""), 40); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
