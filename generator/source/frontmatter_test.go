package source

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

// frontMatterSeeds are beginnings of files for the fuzz targets.
var frontMatterSeeds = []string{
	"---\n{&0 0}\n---",
	"---\ntitle: T\n---\nText\n", "---\na: 1\nb: 'x'\nc: \"y\"\nd:\ne: ~\n# f\n\ng: h i\n---\n",
	"---\nmeta:\n  a: b\n  c: [d]\nembeds:\n- https://a.example/\n---\n", "---\na: &x b\nc: *x\n---\n", "---\na: |\n  b\n  c\nd: >-\n  e\n---\n",
	"---\na: b: c\n---\n", "---\na: \"b\\u0007\"\n---\n", "---\n\tа: б\n---\n", "---\n? a\n: b\n---\n", "---\n? a\n b\n: c\n---\n", "---\n{a: b}\n---\n",
	"+++\na = 1\n[meta]\nb = 'c'\n+++\n", "+++\na.b.c = 1\nd = [1, 'x', {y = 2}]\n+++\n", "+++\n[[a]]\nb = 1\n[a.c]\n+++\n",
	"+++\nmeta = {a = 1, b.c = 2, b.d = 3}\n'ä' = \"\"\"\nx\"\"\"\n+++\n",
	"\n \n---\ntitle: T\nid: x\ncreated: 2019-01-01\n---\n", "---\n---\n", "---\n...\n", "+++\n+++", "---", "\ufeff",
}

// loaded returns a file's text as [Loader.Load] returns it.
func loaded(text []byte) string {
	text = bytes.TrimPrefix(text, byteOrderMark)
	return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// checkPlaces fails where a problem or a key stands outside the text, or where
// a key's place is not that of the key.
func checkPlaces(t *testing.T, text string, doc Document, problems []diag.Diagnostic, begins func(rest, key string) bool) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, d := range problems {
		if d.Pos.Line < 1 || d.Pos.Line > len(lines) || d.Pos.Column < 1 || d.Pos.Column > utf8.RuneCountInString(lines[d.Pos.Line-1])+1 {
			t.Fatalf("%q has a problem at %d:%d: %s", text, d.Pos.Line, d.Pos.Column, d.Message)
		}
	}
	for _, e := range doc.Page.Meta {
		if e.Line == 0 {
			continue
		}
		if e.Line > len(lines) {
			t.Fatalf("%q has %q in line %d", text, e.Key, e.Line)
		}
		line := []rune(lines[e.Line-1])
		if e.Column > len(line) || !begins(string(line[e.Column-1:]), e.Key) {
			t.Fatalf("%q has %q at %d:%d", text, e.Key, e.Line, e.Column)
		}
	}
	if doc.BodyStart < 0 || doc.BodyEnd < doc.BodyStart || doc.BodyEnd > len(text) {
		t.Fatalf("%q has its body from %d to %d", text, doc.BodyStart, doc.BodyEnd)
	}
}

// readAll is [read] with diagnostics as they are.
func readAll(path, text string) (Document, []diag.Diagnostic) {
	var problems []diag.Diagnostic
	site := testSite()
	file := &File{Path: path, ModTime: testTime.UnixMicro()}
	doc := NewReader(site, nil).Read(file, []byte(text), func(d diag.Diagnostic) { problems = append(problems, d) })
	return doc, problems
}

// checkShifted fails where a line before the text does more than move
// everything down by one line.
func checkShifted(t *testing.T, path, text string, doc Document, problems []diag.Diagnostic) {
	t.Helper()
	shifted, shiftedProblems := readAll(path, "\n"+text)
	for i := range shifted.Page.Meta {
		if e := &shifted.Page.Meta[i]; e.Line > 0 {
			e.Line--
		}
	}
	for i := range shiftedProblems {
		d := &shiftedProblems[i]
		if d.Pos.Line > 1 {
			d.Pos.Line--
		}
		// These name a line.
		d.Message, d.Hint, _ = strings.Cut(d.Message, ", first in line ")
	}
	for i := range problems {
		problems[i].Message, problems[i].Hint, _ = strings.Cut(problems[i].Message, ", first in line ")
	}
	for _, list := range [][]diag.Diagnostic{problems, shiftedProblems} {
		for i := range list {
			list[i].Hint = ""
		}
	}
	if diff := cmp.Diff(problems, shiftedProblems); diff != "" {
		t.Fatalf("%q, a line lower, has other problems:\n%s", text, diff)
	}
	if diff := cmp.Diff(doc.Page.Meta, shifted.Page.Meta); diff != "" {
		t.Fatalf("%q, a line lower, has other keys:\n%s", text, diff)
	}
}

// FuzzFrontMatter holds that positions are true, whatever stands in front
// matter.
func FuzzFrontMatter(f *testing.F) {
	for _, seed := range frontMatterSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\x00") {
			return // Load does not let these through
		}
		doc, problems := readAll("fi/a.md", text)
		checkPlaces(t, text, doc, problems, func(rest, key string) bool {
			// A key may be folded from several lines, or begin with an anchor,
			// which is an error of its own.
			first, _, _ := strings.Cut(key, " ")
			return strings.HasPrefix(rest, first) || strings.ContainsAny(rest[:1], `"'?|>!&`)
		})
		if _, ok := findFrontMatter([]byte(text)); ok {
			checkShifted(t, "fi/a.md", text, doc, problems)
		}
	})
}

// FuzzSimpleFields holds that what is read without the YAML parser is what the
// parser finds.
func FuzzSimpleFields(f *testing.F) {
	for _, seed := range frontMatterSeeds {
		f.Add(strings.Trim(seed, "-+.\n "))
	}
	for _, seed := range []string{"a: b # c", "a: 'b'  ", "a : b", "a:b", "null: x", "<<: x", "a: -", "a: - b", "a: b:", "a: \u00a0", "a: \u2028", "a: \ufeffb",
		"a: b\n c", "a:\n- b", "a: https://b.example/", "a: =", "a: <<", "1: 2", "a: b\n#c", "a: b\n #c", "a: b #c", "a: #c", "a:\n#c", "a:\n#c\n\n#d\nb: c", "a: 'b' #c", "a: '''", "a: \"\\\"", "a: ''", "a: b  c", "a: b\u0085", "a: \U0010ffff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		simple, ok := simpleFields(nil, text, 2)
		if !ok {
			return
		}
		root, ok := parseYAML([]byte("---\n"+text), leniency{}, func(line, column int, message, _ string) {
			t.Errorf("%q is taken as simple; YAML has %d:%d: %s", text, line, column, message)
		})
		if !ok || root == nil || root.shape != table {
			t.Fatalf("%q is taken as simple, and is no YAML map", text)
		}
		same := func(a, b field) bool {
			return a.name == b.name && a.shape == b.shape && a.value == b.value && a.line == b.line && a.column == b.column && a.comment == b.comment && a.items == nil && b.items == nil
		}
		if fields := root.items; !slices.EqualFunc(simple, fields, same) {
			t.Fatalf("%q is taken as\n%+v, and YAML has\n%+v", text, simple, fields)
		}
	})
}

// TestSimpleFields makes sure that ordinary front matter takes the short way.
func TestSimpleFields(t *testing.T) {
	if _, ok := simpleFields(nil, "a: b\n\n# c\nwindow-title: 'T | S'\nd: \"e: f\"\ng:\nh: https://h.example/#x\ni: ä – ö，住\n", 2); !ok {
		t.Error("plain fields are not taken as simple")
	}
}

// TestPlacesOfFiles holds that a BOM, CRLF and blank lines move no place.
func TestPlacesOfFiles(t *testing.T) {
	for path, text := range map[string]string{
		"fi/a.md":   "\ufeff \r\n\r\n---\r\ntitle: T\r\nä: [x]\r\nid: x\r\n---\r\n",
		"fi/b.md":   "\ufeff\r\n\r\n+++\r\ntitle = 'T'\r\n'ä' = [1]\r\nid = 'x'\r\n+++\r\n",
		"fi/a.html": "\ufeff\r\n\r\n<!-- ä -->\r\n<title>T</title>\r\n<!--ä--><meta name=a><meta name=a>\r\n<meta name=dcterms.identifier content=x>\r\n",
	} {
		_, problems := read(testSite(), path, loaded([]byte(text)))
		var places []string
		for _, problem := range problems {
			place, _, _ := strings.Cut(problem, ": ")
			places = append(places, place)
		}
		want := []string{"5:1", "6:1"}
		if path == "fi/a.html" {
			want = []string{"5:22", "6:1"}
		}
		wantEqual(t, path, places, want)
	}
}

// FuzzHTMLHead holds that positions in HTML documents are true.
func FuzzHTMLHead(f *testing.F) {
	for _, seed := range []string{
		"<!doctype html>\n<html lang=fi>\n<head>\n<title>T</title><meta name=a content='&amp;'>\n</head>\n<body>x</body></html>",
		"<title>T</title><p>x", "<head><meta name=a><!-- <body> --><script><body></script><body>", "<template><meta name=b></template><body>",
		"<title/>x</title>", "<meta name=\"\x01\">", "<noscript><meta name=c></noscript>", "x<title>y</title>", "<html><html lang=en>", "</body></head>x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\x00") {
			return
		}
		if _, ok := findFrontMatter([]byte(text)); ok {
			return
		}
		doc, problems := readAll("fi/a.html", text)
		checkPlaces(t, text, doc, problems, func(rest, key string) bool {
			rest = strings.ToLower(rest)
			return strings.HasPrefix(rest, "<meta") || key == "title" && strings.HasPrefix(rest, "<title")
		})
		checkShifted(t, "fi/a.html", text, doc, problems)
	})
}
