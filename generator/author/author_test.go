package author

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// testSite is a site in Finnish, English and Brazilian Portuguese that can
// derive ids and takes dates from fields and from the file system.
func testSite() *source.Site {
	site := source.DefaultSite()
	site.Name = "site.yaml"
	site.Languages = []string{"fi", "en", "pt-BR"}
	site.Namespace = uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
	site.Dates = []string{source.DatesFields, source.DatesMtime}
	return site
}

// read reads a source of the format that its name ends in.
func read(site *source.Site, path, text string) (source.Document, []string) {
	var problems []string
	file := &source.File{Path: path, ModTime: time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC).UnixMicro()}
	doc := source.NewReader(site, nil).Read(file, []byte(text), func(d diag.Diagnostic) { problems = append(problems, d.Message) })
	return doc, problems
}

func formatNamed(name string) *source.Format {
	i := slices.IndexFunc(source.Formats, func(f *source.Format) bool { return f.Name == name })
	return source.Formats[i]
}

// metaText returns meta keys as "key=value" or "key:null".
func metaText(meta page.Meta) (list []string) {
	for _, e := range meta {
		if e.Null {
			list = append(list, e.Key+":null")
		} else {
			list = append(list, e.Key+"="+e.Value)
		}
	}
	return list
}

func wantEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
}

var testID = uuid.MustParse("6ba7b810-9dad-51d1-80b4-00c04fd430c8")

func TestInsertID(t *testing.T) {
	const (
		id   = "6ba7b810-9dad-51d1-80b4-00c04fd430c8"
		meta = `<meta name="dcterms.identifier" content="` + id + `">`
	)
	tests := []struct {
		name   string
		format string
		text   string // with «» where the insertion goes
		want   string // the insertion
	}{
		{"YAML", "markdown", "---\n«»title: T\n---\nText\n", "id: " + id + "\n"},
		{"YAML with CRLF and a BOM", "markdown", "\ufeff\r\n---\r\n«»title: T\r\n---\r\nText\r\n", "id: " + id + "\r\n"},
		{"YAML with an indentation", "markdown", "---\n«»# x\n\n  title: T\n  a: b\n---\n", "  id: " + id + "\n"},
		{"YAML in braces", "markdown", "---\n# x\n {«»title: T, a: b}\n---\n", "id: " + id + ", "},
		{"YAML in empty braces", "markdown", "---\n{«»}\n---\n", "id: " + id + ", "},
		{"empty YAML", "markdown", "---\n«»---\n", "id: " + id + "\n"},
		{"no front matter", "markdown", "«»\nText\n", "---\nid: " + id + "\n---\n"},
		{"no front matter, CRLF, BOM", "markdown", "\ufeff«»Text\r\n", "---\r\nid: " + id + "\r\n---\r\n"},
		{"an empty file", "markdown", "«»", "---\nid: " + id + "\n---\n"},
		{"TOML", "markdown", "+++\n«»title = 'T'\n[meta]\na = 1\n+++\n", "id = \"" + id + "\"\n"},
		{"a fragment", "html", "---\n«»title: T\n---\n<p>x", "id: " + id + "\n"},
		{"a document", "html", "<html>\n<head>\n\t<title>T</title>«»\n\t<meta name=a>\n</head>\n<body>x</body>", "\n\t" + meta},
		{"a document with CRLF", "html", "\ufeff<html>\r\n<head>\r\n  <title>T</title>«» <!-- x -->\r\n</head><body>x", "\r\n  " + meta},
		{"a document in one line", "html", "<html><head><title>T</title>«»</head><body>x", meta},
		{"an empty title", "html", "<title></title>«»<h1>x</h1>", "\n" + meta},
		{"no title", "html", "<html>\n<head>«»\n  <meta name=a>\n</head>\n<body>x", "\n  " + meta},
		{"no head", "html", "<!doctype html>\n<html lang=fi>«»\n<body>x", "\n" + meta},
		{"no html", "html", "<!doctype html>«»\n<body>x", "\n" + meta},
		{"nothing", "html", "«»<p>x", meta + "\n"},
		{"a title in the body", "html", "«»<p>x<svg><title>y</title></svg>", meta + "\n"},
		{"text outside the body", "html", "<title>T</title>«»\nx<body>y</body>z", "\n" + meta},
		{"a title in a comment", "html", "<head>«»<!-- <title>x</title> --></head>", meta},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after, _ := strings.Cut(test.text, "«»")
			got, err := InsertID([]byte(before+after), formatNamed(test.format), testSite(), testID)
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, "text", string(got), before+test.want+after)
		})
	}
}

func TestInsertIDFieldName(t *testing.T) {
	site := testSite()
	for name, want := range map[string]string{
		"uuid": "uuid: ", "page id": "page id: ", "x: y": `"x: y": `, "on": `"on": `, `a"\`: `"a\"\\": `, "#": `"#": `,
	} {
		site.Fields = map[string]string{"id": name}
		got, err := InsertID([]byte("---\ntitle: T\n---\n"), formatNamed("markdown"), site, testID)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, name, string(got), "---\n"+want+testID.String()+"\ntitle: T\n---\n")
		toml, err := InsertID([]byte("+++\ntitle = 'T'\n+++\n"), formatNamed("markdown"), site, testID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if doc, _ := read(site, "fi/a.md", string(toml)); doc.Page.ID != testID {
			t.Errorf("%s in TOML: %s", name, toml)
		}
	}
	site.Fields = map[string]string{"id": ""}
	if _, err := InsertID([]byte("Text"), formatNamed("markdown"), site, testID); err == nil {
		t.Error("an id is written into a field that is none")
	}
}

func TestInsertIDRefuses(t *testing.T) {
	for _, test := range []struct{ format, text, want string }{
		{"markdown", "---\ntitle: T\n", "the front matter does not end"},
		{"markdown", "---\ntitle: [\n---\n", "the page has an error: a value was expected here"},
		{"markdown", "---\nid: x\n---\n", `the page has the field "id" already`},
		{"markdown", "---\n- a\n---\n", "the page has an error: the front matter is a list, not fields with names"},
		{"markdown", "---\n~\n---\n", ""},
		{"html", "<title>x", ""},
	} {
		got, err := InsertID([]byte(test.text), formatNamed(test.format), testSite(), testID)
		if err == nil {
			t.Errorf("%q becomes %q", test.text, got)
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v", test.text, err)
		}
	}
}

// loaded returns a file's text as [source.Loader] returns it.
func loaded(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// FuzzInsertID holds that an id goes into any page that can be read: nothing
// but the insertion is new, and reading finds the same page with that id.
func FuzzInsertID(f *testing.F) {
	for _, seed := range []string{
		"---\ntitle: T\n---\nText\n", "\ufeff\r\n---\r\ntitle: T\r\n---\r\nText", "+++\ntitle = 'T'\n[meta]\na = 1\n+++\nx", "# T\n",
		"---\n  title: T\n---\n", "---\n{title: T}\n---\n", "---\n? title\n: T\n---\n", "---\n\"title\": T\n...\n",
		"<html>\n <head>\n  <title>T</title>\n </head>\n<body>x</body>", "<title>T</title><p>x", "<head><meta name=title content=T>x", "<!doctype html>x<h1>T",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, html bool) {
		path := "fi/a.md"
		if html {
			path = "fi/a.html"
		}
		site := testSite()
		before, problems := read(site, path, loaded(text))
		edited, err := InsertID(text, source.FormatOfFile(path), site, testID)
		if err != nil {
			return
		}
		start, end := 0, 0
		for start < len(text) && text[start] == edited[start] {
			start++
		}
		for end < len(text)-start && text[len(text)-1-end] == edited[len(edited)-1-end] {
			end++
		}
		if start+end != len(text) {
			t.Fatalf("%q became %q", text, edited)
		}
		after, problemsAfter := read(site, path, loaded(edited))
		if len(problems) != len(problemsAfter) || after.Page.ID != testID || after.Derived {
			t.Fatalf("%q has the id %s and %q, before %q", edited, after.Page.ID, problemsAfter, problems)
		}
		a, b := before, after
		wantEqual(t, "body", loaded(edited)[b.BodyStart:b.BodyEnd], loaded(text)[a.BodyStart:a.BodyEnd])
		wantEqual(t, "page", fmt.Sprint(described(b)), fmt.Sprint(described(a)))
	})
}

// described returns a page but for its id and the places of its keys.
func described(doc source.Document) []any {
	p := doc.Page
	for i := range p.Meta {
		p.Meta[i].Line, p.Meta[i].Column = 0, 0
	}
	return []any{p.Path, p.Language, p.Kind, p.Topic, metaText(p.Meta), p.Created, p.Modified, p.Embeds, doc.Skip, doc.Valid}
}

// TestPageText reads a new page of every kind and format without a problem.
func TestPageText(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 6, 31, 999, time.FixedZone("", 7200))
	sites := map[string]func(*source.Site){
		"plain": func(*source.Site) {},
		"renamed": func(s *source.Site) {
			s.Fields = map[string]string{"title": "name", "id": "uuid", "created": "date", "modified": "", "draft": "unfinished"}
		},
		"required": func(s *source.Site) {
			s.Require = map[string][]string{"article": {"description", "imagebanner", "extra"}, "page": {"windowtitle"}}
		},
		"ignoring": func(s *source.Site) { s.Ignore = []string{"name", "windowtitle"}; s.SkipIf = []string{"email"} },
	}
	for name, change := range sites {
		for _, format := range source.Formats {
			for _, kind := range page.Kinds {
				for _, title := range []string{"Asuminen", `A: "b" <c> & #d` + "\t*e* | \\", "住宅", "null", "- x", "القائمة"} {
					site := testSite()
					change(site)
					site.Dates = []string{source.DatesFields}
					text, err := PageText(format, site, "fi", kind, title, testID, now, title == "- x")
					if format.Syntax == page.HTML && name == "renamed" && kind.Name == "feedback" || name == "ignoring" && err != nil {
						// An HTML document has no other place for the key "name".
						if err == nil || format.Syntax != page.HTML {
							t.Errorf("%s, %s: %v\n%s", name, kind.Name, err, text)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					path := "fi/a" + format.Endings[0]
					doc, problems := read(site, path, string(text))
					if len(problems) > 0 || !doc.Valid {
						t.Fatalf("%s, %s, %s, %q: %q\n%s", name, format.Name, kind.Name, title, problems, text)
					}
					if title == "- x" {
						wantEqual(t, "left out", doc.Skip, true)
						continue
					}
					wantEqual(t, "title", strings.Join(strings.Fields(doc.Page.Meta.Get("title").Value), " "), strings.Join(strings.Fields(title), " "))
					wantEqual(t, "page", []string{doc.Page.ID.String(), doc.Page.Kind.Name, doc.Page.Created.String(), doc.Page.Modified.String()},
						[]string{testID.String(), kind.Name, "2026-11-21T06:06:31.000000Z", "2026-11-21T06:06:31.000000Z"})

					// Without its title, a page takes that of its first heading.
					untitled, _ := read(site, path, "---\nid: "+testID.String()+"\ncreated: 2020-01-01\n---\n"+string(text[doc.BodyStart:doc.BodyEnd]))
					wantEqual(t, "heading", untitled.Page.Meta.Get("title").Value, strings.Join(strings.Fields(title), " "))
				}
			}
		}
	}
}

func TestPageTextBytes(t *testing.T) {
	site := testSite()
	now := time.Date(2026, 11, 21, 8, 6, 31, 0, time.UTC)
	markdown, err := PageText(formatNamed("markdown"), site, "fi", page.KindNamed("article"), "Asuminen", testID, now, true)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "Markdown", string(markdown), `---
id: 6ba7b810-9dad-51d1-80b4-00c04fd430c8
kind: article
created: 2026-11-21T08:06:31Z
modified: 2026-11-21T08:06:31Z
draft: true
title: Asuminen
# imagebanner: null
# imagebanneralt: null
# imagebannerlink: "https://www.example.org/"
description: null
# windowtitle: Asuminen
---

# Asuminen
`)
	html, err := PageText(formatNamed("html"), site, "fi", page.KindNamed("front"), "Koti & asuminen", testID, now, false)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "HTML", string(html), `<!doctype html>
<html lang="fi">
<head>
<meta charset="utf-8">
<title>Koti &amp; asuminen</title>
<meta name="dcterms.identifier" content="6ba7b810-9dad-51d1-80b4-00c04fd430c8">
<meta name="sivu.kind" content="front">
<meta name="dcterms.created" content="2026-11-21T08:06:31Z">
<meta name="dcterms.modified" content="2026-11-21T08:06:31Z">
<meta name="description">
<meta name="windowtitle" content="Koti &amp; asuminen">
<meta name="localinfodoc" content="0">
<meta name="textbannercolor">
<!-- <meta name="socialmedia-image" content="socialmedia image"> -->
</head>
<body>
<h1>Koti &amp; asuminen</h1>
</body>
</html>
`)
}
