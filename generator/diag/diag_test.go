package diag

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var (
	testError   = &Rule{Name: "meta-type", Doc: "d", Severity: Error}
	testWarning = &Rule{Name: "broken-link", Doc: "d", Severity: Warning}
)

func printed(t *testing.T, format string, r Report, style Style) string {
	t.Helper()
	f, ok := FormatNamed(format)
	if !ok {
		t.Fatalf("no format %q", format)
	}
	var b strings.Builder
	if err := f.Print(&b, r, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func testReport() Report {
	var c Collector
	c.Add(
		testWarning.At(Position{File: "b.md"}, "as a whole"),
		testError.At(Position{"a.md", 4, 1}, "%s is a list", Quote("reviewers")).WithHint(`name it under "ignore" in site.yaml`),
		testWarning.At(Position{"a.md", 3, 9}, "earlier"),
		testWarning.At(Position{"a.md", 3, 9}, "earlier"),
	)
	return c.Report()
}

func TestText(t *testing.T) {
	want := "a.md:3:9: warning: earlier [broken-link]\n" +
		"a.md:4:1: error: \"reviewers\" is a list [meta-type]\n" +
		"    hint: name it under \"ignore\" in site.yaml\n" +
		"b.md: warning: as a whole [broken-link]\n"
	if diff := cmp.Diff(want, printed(t, "text", testReport(), Style{})); diff != "" {
		t.Error(diff)
	}
	colored := printed(t, "text", testReport(), Style{Color: true})
	if !strings.Contains(colored, "\x1b[1ma.md:4:1\x1b[0m: \x1b[31merror\x1b[0m: ") {
		t.Errorf("no color: %q", colored)
	}
}

func TestJSON(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal([]byte(printed(t, "json", testReport(), Style{})), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"errors": 1.0, "warnings": 2.0, "more": 0.0,
		"diagnostics": []any{
			map[string]any{"file": "a.md", "line": 3.0, "column": 9.0, "severity": "warning", "rule": "broken-link", "message": "earlier"},
			map[string]any{
				"file": "a.md", "line": 4.0, "column": 1.0, "severity": "error", "rule": "meta-type",
				"message": `"reviewers" is a list`, "hint": `name it under "ignore" in site.yaml`,
			},
			map[string]any{"file": "b.md", "severity": "warning", "rule": "broken-link", "message": "as a whole"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := printed(t, "json", Report{}, Style{}); !strings.Contains(got, `"diagnostics": []`) {
		t.Errorf("an empty list is not an array: %s", got)
	}
}

func TestGitHub(t *testing.T) {
	want := "::warning file=a.md,line=3,col=9,title=broken-link::earlier\n" +
		"::error file=a.md,line=4,col=1,title=meta-type::\"reviewers\" is a list%0Ahint: name it under \"ignore\" in site.yaml\n" +
		"::warning file=b.md,title=broken-link::as a whole\n"
	if diff := cmp.Diff(want, printed(t, "github", testReport(), Style{})); diff != "" {
		t.Error(diff)
	}
	var c Collector
	c.Add(testError.At(Position{"a,b:c%.md", 1, 1}, "50%% of\n::set-env name=x::y"))
	got := printed(t, "github", c.Report(), Style{})
	if want := "::error file=a%2Cb%3Ac%25.md,line=1,col=1,title=meta-type::50%25 of\\n::set-env name=x::y\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOverride(t *testing.T) {
	var c Collector
	c.Override(map[string]Severity{"broken-link": Error, "meta-type": Off})
	c.Add(testWarning.At(Position{File: "a"}, "x"), testError.At(Position{File: "a"}, "y"))
	if r := c.Report(); r.Errors != 1 || r.Warnings != 0 {
		t.Errorf("got %+v", r)
	}
}

// Whatever the order in which problems arrive, and however many there are, the report
// holds each once, in order, and formats for programs print all.
func TestManyProblems(t *testing.T) {
	const n = 5000
	var c Collector
	for _, i := range rand.Perm(n) {
		d := testWarning.At(Position{"f", i + 1, 1}, "x")
		c.Add(d, d)
	}
	c.Add(testError.At(Position{"z", 1, 1}, "y"))
	r := c.Report()
	if len(r.Diagnostics) != n+1 || r.Warnings != n || r.Errors != 1 || r.More() != 0 {
		t.Fatalf("listed %d, counted %d warnings and %d errors, more %d", len(r.Diagnostics), r.Warnings, r.Errors, r.More())
	}
	for i, d := range r.Diagnostics[:n] {
		if d.Pos.Line != i+1 {
			t.Fatalf("place %d holds line %d", i, d.Pos.Line)
		}
	}
	grouped := Style{Rest: "elsewhere"} // is for people only
	var decoded struct{ Diagnostics []any }
	if err := json.Unmarshal([]byte(printed(t, "json", r, grouped)), &decoded); err != nil || len(decoded.Diagnostics) != n+1 {
		t.Errorf("JSON holds %d problems, error %v", len(decoded.Diagnostics), err)
	}
	if lines := strings.Count(printed(t, "github", r, grouped), "\n"); lines != n+1 {
		t.Errorf("there are %d annotations", lines)
	}
	if lines := strings.Count(printed(t, "text", r, Style{}), "\n"); lines != n+1 {
		t.Errorf("%d lines of text", lines)
	}

	first := r.First(10)
	if d := first.Diagnostics[0]; len(first.Diagnostics) != 10 || d.Severity != Error || first.Diagnostics[1].Pos.Line != 1 || first.More() != n-9 {
		t.Errorf("of %d first ones the first is %+v, and there are %d more", len(first.Diagnostics), d, first.More())
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"Näin مرحبا 你好 می‌شود": "Näin مرحبا 你好 می‌شود",
		"a\x1b[31mb\n\tc":      `a\x1b[31mb\n\tc`,
		"\u202eevil\u009b":     `\u202eevil\u009b`,
		"bad\xff\ufffd":        `bad\xff�`,
		"a\u00a0b":             "a\u00a0b",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := Quote(strings.Repeat("ä", 100)); got != `"`+strings.Repeat("ä", 80)+`"…` {
		t.Errorf("long text is %s", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Clean(s), Quote(s)} {
			if !utf8.ValidString(out) {
				t.Fatalf("%q is not UTF-8", out)
			}
			for _, r := range out {
				if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%q holds %U", out, r)
				}
			}
		}
	})
}

func TestLineColumn(t *testing.T) {
	text := []byte("ab\nçd\n\nx")
	places := map[int][2]int{0: {1, 1}, 2: {1, 3}, 3: {2, 1}, 5: {2, 2}, 7: {3, 1}, 8: {4, 1}, 99: {4, 2}, -1: {1, 1}}
	locator := NewLocator(text)
	for offset, want := range places {
		line, column := LineColumn(text, offset)
		if got := [2]int{line, column}; got != want {
			t.Errorf("offset %d: got %v, want %v", offset, got, want)
		}
		line, column = locator.LineColumn(offset)
		if got := [2]int{line, column}; got != want {
			t.Errorf("offset %d after others: got %v, want %v", offset, got, want)
		}
	}
}

// A cause of the whole site is one problem, however many pages have it.
func TestShared(t *testing.T) {
	var c Collector
	rule := &Rule{Name: "language", Severity: Error}
	for i := range 3000 {
		c.Add(rule.At(Position{fmt.Sprintf("xx/%04d.md", i*7%3000), 1, 1}, "no language").AsShared())
	}
	c.Add(rule.At(Position{"b.md", 1, 1}, "another").AsShared(), rule.At(Position{"c.md", 1, 1}, "no language"))
	for range 2 {
		r := c.Report()
		var got []string
		for _, d := range r.Diagnostics {
			got = append(got, d.Pos.String()+" "+d.Message)
		}
		want := []string{"b.md:1:1 another", "c.md:1:1 no language", "xx/0000.md:1:1 no language (3000 pages)"}
		if !slices.Equal(got, want) || r.Errors != 3 || r.More() != 0 {
			t.Errorf("got %q, %d errors, %d more", got, r.Errors, r.More())
		}
	}
	if !c.Failed("xx/2999.md") {
		t.Error("a page with a shared error is said to have none")
	}
}
