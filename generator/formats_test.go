package generator

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// addFormat adds a format for the time of a test: Markdown but for the ending ".new"
// and the syntax of bodies.
func addFormat(t *testing.T, syntax *page.Syntax) {
	before := source.Formats
	t.Cleanup(func() { source.Formats = before })
	format := *source.FormatOfFile("a.md")
	format.Name, format.Endings, format.Syntax = "new", []string{".new"}, syntax
	source.Formats = append(slices.Clip(before), &format)
}

// Pages of every format, by every one of its endings, are rendered, and links lead
// to them with and without the ending.
func TestFormats(t *testing.T) {
	addFormat(t, page.Markdown)
	for _, format := range source.Formats {
		for _, ending := range append(slices.Clone(format.Endings), strings.ToUpper(format.Endings[0])) {
			t.Run(ending, func(t *testing.T) {
				fsys := siteOf(map[string]string{
					"fi/a" + ending:     pageWith("slug: x\n", "x\n"),
					"fi/b.md":           pageWith("", "[a](a"+ending+") [b](a) [c](/fi/a"+ending+") [d](/a)"),
					"fi/c.md":           pageWith("", "[draft](draft)"),
					"fi/draft" + ending: pageWith("draft: true\n", ""),
				})
				want := []string{`content/fi/c.md:5:1: the link "draft" leads to a page that is left out [broken-link]`}
				if diff := cmp.Diff(want, described(mustCheck(t, fsys).Report)); diff != "" {
					t.Errorf("problems (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// A format whose bodies nobody renders is an error of its pages, and never taken
// for another.
func TestFormatWithoutRenderer(t *testing.T) {
	for _, syntax := range []*page.Syntax{nil, {Name: "asciidoc"}} {
		addFormat(t, syntax)
		fsys := siteOf(map[string]string{"fi/a.new": goodPage})
		want := []string{"content/fi/a.new:5:1: sivu does not render bodies of this format [body-syntax]"}
		if diff := cmp.Diff(want, described(mustCheck(t, fsys).Report)); diff != "" {
			t.Errorf("problems of syntax %v (-want +got):\n%s", syntax, diff)
		}
	}
}

// A format may say itself how its bodies become HTML. Problems lead back to them.
func TestFormatWithSyntax(t *testing.T) {
	addFormat(t, &page.Syntax{Name: "caps", ToHTML: func(body []byte) ([]byte, func(int) int) {
		return []byte("<P>" + strings.ToUpper(string(body))), func(offset int) int { return max(offset-len("<P>"), 0) }
	}})
	fsys := siteOf(map[string]string{"fi/a.new": pageWith("", "a\n<font>b</font>\n")})
	want := []string{`content/fi/a.new:6:1: element "font" is not allowed: its tag is removed, its content stays [html-removed]`}
	if diff := cmp.Diff(want, described(mustCheck(t, fsys).Report)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
