package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// testSite is a site in Finnish, English and Brazilian Portuguese that can
// derive ids and takes dates from fields and from the file system.
func testSite() *Site {
	site := DefaultSite()
	site.Name = "site.yaml"
	site.Languages = []string{"fi", "en", "pt-BR"}
	site.Namespace = uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
	site.Dates = []string{DatesFields, DatesMtime}
	return site
}

var testTime = time.Date(2024, 2, 29, 12, 30, 0, 123456789, time.UTC)

// read reads a source of the format that its name ends in, and returns the
// document and the problems, as "line:column: severity: message [rule]" and
// where there is one " | hint".
func read(site *Site, path, text string) (Document, []string) {
	return readWith(NewReader(site, nil), path, text)
}

func readWith(r *Reader, path, text string) (Document, []string) {
	var problems []string
	buffer := []byte(text)
	file := &File{Path: path, ModTime: testTime.UnixMicro()}
	doc := r.Read(file, buffer, func(d diag.Diagnostic) {
		s := fmt.Sprintf("%s: %s: %s [%s]", strings.TrimPrefix(d.Pos.String(), path+":"), d.Severity, d.Message, d.Rule.Name)
		if d.Hint != "" {
			s += " | " + d.Hint
		}
		problems = append(problems, s)
	})
	// The caller may use the text's memory again.
	for i := range buffer {
		buffer[i] = '!'
	}
	return doc, problems
}

// metaText returns meta keys as "key=value" or "key:null", with their places
// where they have one.
func metaText(meta page.Meta) []string {
	var list []string
	for _, e := range meta {
		s := e.Key + "=" + e.Value
		if e.Null {
			s = e.Key + ":null"
		}
		if e.Line > 0 {
			s = fmt.Sprintf("%d:%d %s", e.Line, e.Column, s)
		}
		list = append(list, s)
	}
	return list
}

func wantEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
}

// front returns a Markdown page with that YAML front matter.
func front(yaml string) string { return "---\n" + yaml + "\n---\nText\n" }

func TestMeta(t *testing.T) {
	tests := []struct {
		name string
		site func(*Site)
		path string // fi/a.md where it is empty
		text string
		want []string
	}{
		{
			name: "text is kept without a change of type",
			text: front("title: 007\nzip: 0012\nno: no\nfloat: 1e3\ndate: 2020-01-01\nquoted: '0'\nescape: \"a\\tb\"\nfolded: >\n  a\n  b\nliteral: |\n  a\n  b"),
			want: []string{"2:1 title=007", "3:1 zip=0012", "4:1 no=no", "5:1 float=1e3", "6:1 date=2020-01-01", "7:1 quoted=0",
				"8:1 escape=a\tb", "9:1 folded=a b\n", "12:1 literal=a\nb\n", "url=fi/a"},
		},
		{
			name: "unquoted null, ~ and nothing are null",
			text: front("title: T\na: null\nb: ~\nc:\nd: 'null'\ne: \"\"\nf: '~'"),
			want: []string{"2:1 title=T", "3:1 a:null", "4:1 b:null", "5:1 c:null", "6:1 d=null", "7:1 e=", "8:1 f=~", "url=fi/a"},
		},
		{
			name: "the keys of meta stand where meta stands, derived keys at the end",
			text: front("b: 1\nmeta:\n  title: T\n  id: mine\n  kind: theirs\n  meta: too\na: 2"),
			want: []string{"2:1 b=1", "4:3 title=T", "5:3 id=mine", "6:3 kind=theirs", "7:3 meta=too", "8:1 a=2", "url=fi/a"},
		},
		{
			name: "an empty meta",
			text: front("meta:\ntitle: T"),
			want: []string{"3:1 title=T", "url=fi/a"},
		},
		{
			name: "a renamed key stands where it stands",
			site: func(s *Site) { s.Fields = map[string]string{"title": "name", "kind": "", "id": "uuid"} },
			text: front("a: 1\nname: N\nkind: k\nid: i\nb: 2"),
			want: []string{"2:1 a=1", "3:1 title=N", "4:1 kind=k", "5:1 id=i", "6:1 b=2", "url=fi/a"},
		},
		{
			name: "two names that change places",
			site: func(s *Site) { s.Fields = map[string]string{"topic": "slug", "slug": "topic"} },
			text: front("title: T\nslug: x\ntopic: y"),
			want: []string{"2:1 title=T", "url=fi/y"},
		},
		{
			name: "ignored fields go, whatever they hold, but not inside meta",
			site: func(s *Site) { s.Ignore = []string{"tags", "menu", "id"} },
			text: front("title: T\ntags: [a, b]\nmenu: {main: {weight: 1}}\nid: x\nmeta: {tags: t}"),
			want: []string{"2:1 title=T", "6:8 tags=t", "url=fi/a"},
		},
		{
			name: "feedback-thanks is filled up in the table's order",
			text: front("kind: feedback-thanks\nname:\nurl: fi/kiitos"),
			want: []string{"3:1 name:null", "4:1 url=fi/kiitos", "title=Text",
				"feedback-sent:null", "email:null", "feedback-sending-error:null", "page-address:null", "invalid-feedback:null",
				"feedback:null", "feedback-captcha-infotext:null", "feedback-missing-field:null", "feedback-captcha-reloadtext:null",
				"invalid-email:null", "send-feedback:null", "feedback-captcha-errortext:null"},
			path: "fi/Text.md",
			// The title is that of the path.
		},
		{
			name: "not-found has no url of its own",
			text: front("title: T\nkind: not-found"),
			want: []string{"2:1 title=T"},
		},
		{
			name: "not-found with a url",
			text: front("title: T\nkind: not-found\nurl: fi/404"),
			want: []string{"2:1 title=T", "4:1 url=fi/404"},
		},
		{
			name: "TOML",
			text: "+++\ntitle = \"T\\t\\u00e4\"\nn = 1_000 # one\nhex = 0x1F\nf = 1.50\nb = true\nd = 2019-05-06 08:06:31Z\nt = 07:32:00\nl = 'a\\b'\nm = '''\nx\ny'''\n\"q k\" = 1\nmeta.x = 1\nafter = 2\nmeta.y = 3\n+++\n",
			want: []string{"2:1 title=T\tä", "3:1 n=1_000", "4:1 hex=0x1F", "5:1 f=1.50", "6:1 b=true", "7:1 d=2019-05-06 08:06:31Z",
				"8:1 t=07:32:00", `9:1 l=a\b`, "10:1 m=x\ny", "13:1 q k=1", "14:6 x=1", "16:6 y=3", "15:1 after=2", "url=fi/a"},
		},
		{
			name: "a TOML table for meta",
			text: "+++\ntitle = 'T'\n[meta]\n  a = 1\n  'ä ö' = 2\n+++\n",
			want: []string{"2:1 title=T", "4:3 a=1", "5:3 ä ö=2", "url=fi/a"},
		},
		{
			name: "an inline TOML table for meta",
			text: "+++\ntitle = 'T'\nmeta = {a = 1, ä = 'x'}\n+++\n",
			want: nil, // bare keys are ASCII
		},
		{
			name: "an HTML document",
			path: "fi/a.html",
			text: "<!doctype html>\n<html lang=\"fi\">\n<head>\n<meta charset=utf-8>\n  <meta name=\"a\" content=\"&auml;&#x41;&amp;\">\n<title>\n Ä &lt;b&gt;\n  B </title><meta name=b>\n<meta property=\"og:title\" content=\"x\"><meta http-equiv=refresh content=1>\n<META NAME='c d' CONTENT=''><meta name=Viewport content=y>\n</head><body>x</body></html>",
			want: []string{"5:3 a=äA&", "6:1 title=Ä <b> B", "8:13 b:null", "10:1 c d=", "url=fi/a"},
		},
		{
			name: "a meta title goes before <title>",
			path: "fi/a.html",
			text: "<title>No</title><meta name=title content=Yes>",
			want: []string{"1:18 title=Yes", "url=fi/a"},
		},
		{
			name: "plain metas have the names that site.yaml gives",
			site: func(s *Site) { s.Fields = map[string]string{"title": "headline", "created": "date", "kind": ""} },
			path: "fi/a.html",
			text: "<meta name=headline content=H><meta name=date content=2020-01-01><meta name=kind content=k><meta name=sivu.kind content=page>",
			want: []string{"1:1 title=H", "1:66 kind=k", "url=fi/a"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			site := testSite()
			site.TitleFrom = []string{TitlePath}
			if test.site != nil {
				test.site(site)
			}
			path := test.path
			if path == "" {
				path = "fi/a.md"
			}
			doc, problems := read(site, path, test.text)
			if test.want == nil {
				if doc.Valid {
					t.Error("the page is valid")
				}
				return
			}
			wantEqual(t, "problems", problems, []string(nil))
			wantEqual(t, "meta", metaText(doc.Page.Meta), test.want)
			if !doc.Valid {
				t.Error("the page is not valid")
			}
		})
	}
}

func TestProblems(t *testing.T) {
	long := strings.Repeat("a: 1\n", 1)
	tests := []struct {
		name string
		path string
		text string
		want []string
	}{
		{"a list as a value", "fi/asuminen.md", "---\ntitle: T\nx: y\nreviewers: [a]\n---\n",
			[]string{`4:1: error: "reviewers" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`}},
		{"a map in meta", "", front("title: T\nmeta:\n  a: {b: c}"),
			[]string{`4:3: error: "a" is a map; a meta value is a string or null [meta-type] | write it as one string, or leave it out`}},
		{"meta is no map", "", front("title: T\nmeta: x"),
			[]string{`3:1: error: "meta" is a string; it holds a map of meta keys [field-type] | write each key in a line of its own below it, with the same indentation`}},
		{"a key at the top and in meta", "", front("title: T\nmeta:\n  a: 1\na: 2"),
			[]string{`5:1: error: "a" is given twice, first in line 4 [syntax] | keep one of the two`}},
		{"a key twice", "", front("title: T\na: 1\na: 2"),
			[]string{`4:1: error: "a" is given twice, first in line 3 [syntax] | keep one of the two`}},
		{"a TOML key twice", "", "+++\ntitle = 'T'\na = 1\na = 2\n+++\n",
			[]string{`4:1: error: TOML: key a is already defined [syntax]`}},
		{"two metas of one name", "fi/a.html", "<title>T</title>\n<meta name=a>\n<meta name=a>\n<meta name=sivu.kind content=page><meta name=SIVU.kind content=page>",
			[]string{`3:1: error: "a" is given twice, first in line 2 [syntax] | keep one of the two`,
				`4:35: error: "SIVU.kind" is given twice, first in line 4 [syntax] | keep one of the two`}},
		{"TOML tables and dotted keys", "", "+++\ntitle = 'T'\na.b = 1\na.c = 1\nl = [1]\nmeta.x.y = 1\n[t]\nx = 1\n[t.u]\n[[meta.z]]\nq = 1\n[[u]]\na = 1\n[[u]]\n[u.v]\n+++\n",
			[]string{
				`3:1: error: "a" is a map; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`,
				`5:1: error: "l" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`,
				`6:6: error: "x" is a map; a meta value is a string or null [meta-type] | write it as one string, or leave it out`,
				`10:8: error: "z" is a list; a meta value is a string or null [meta-type] | write it as one string, or leave it out`,
				`7:2: error: "t" is a map; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`,
				`12:3: error: "u" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`}},
		{"broken TOML, with a column in characters", "", "+++\ntitle = 'T'\n'ää' = x\n+++\n",
			[]string{`3:8: error: TOML: unexpected character U+0078 'x' at start of value [syntax]`}},
		{"unterminated", "", "\n \n---\ntitle: T\n",
			[]string{`3:1: error: the front matter that begins with "---" does not end [syntax] | close it with a line "---"`}},
		{"unterminated TOML", "", "+++\ntitle = 'T'\n---\n",
			[]string{`1:1: error: the front matter that begins with "+++" does not end [syntax] | close it with a line "+++"`}},
		{"front matter over 64 KiB", "", front("title: T\nx: " + strings.Repeat("y", MaxFrontMatterSize)),
			[]string{`1:1: error: the front matter is 65 KiB; it may be at most 64 KiB [syntax] | move long texts into the body`}},
		{"no fields", "", front("- a\n- b"),
			[]string{`2:1: error: the front matter is a list, not fields with names [syntax] | write each field in a line of its own, as in "title: Asuminen"`}},
		{"control characters", "", front(`title: "a\ab"` + "\n" + `"k\x7f": v` + "\n" + `n: "\u0085"` + "\n" + `id: "\e"`),
			[]string{
				`2:1: error: the value of "title" holds the control character U+0007 [control-character] | only tabs and line feeds may stand in a text`,
				`3:1: error: the name "k\x7f" holds the control character U+007F [control-character] | only tabs and line feeds may stand in a text`,
				`4:1: error: the value of "n" holds the control character U+0085 [control-character] | only tabs and line feeds may stand in a text`,
				`5:1: error: the value of "id" holds the control character U+001B [control-character] | only tabs and line feeds may stand in a text`,
				`5:1: error: "\x1b" is not a UUID [id] | write 32 hexadecimal digits in groups of 8-4-4-4-12, or leave it out`}},
		{"an empty name", "fi/a.html", `<title>T</title><meta name="" content=x>`,
			[]string{`1:17: error: a key is empty [meta-type]`}},
		{"fields of the wrong type", "", front("title: T\nid: [x]\nlanguage: {a: b}\nkind: []\ncreated: []\ntopic: ''\ndraft: maybe\nembeds: {a: b}"),
			[]string{
				`3:1: error: "id" is a list; it has one value [field-type]`,
				`4:1: error: "language" is a map; it has one value [field-type]`,
				`5:1: error: "kind" is a list; it has one value [field-type]`,
				`6:1: error: "created" is a list; it has one value [field-type]`,
				`8:1: error: "draft" is "maybe"; it is true or false [field-type]`,
				`7:1: error: "topic" is empty [field-type]`,
				`9:1: error: "embeds" is a map; it is a list of addresses [field-type]`}},
		{"an unknown language", "", front("title: T\nlanguage: dk"),
			[]string{`3:1: error: "dk" is not one of the site's languages [language] | they are "fi", "en" and "pt-BR"; others are added under "languages" in site.yaml`}},
		{"a language misspelt", "", front("title: T\nlanguage: pt_BR"),
			[]string{`3:1: error: "pt_BR" is not one of the site's languages [language] | did you mean "pt-BR"?`}},
		{"an unknown <html lang>", "fi/a.html", "<!doctype html>\n<html lang=xx><title>T</title>",
			[]string{`2:1: error: "xx" is not one of the site's languages [language] | they are "fi", "en" and "pt-BR"; others are added under "languages" in site.yaml`}},
		{"no language", "a.md", front("title: T"),
			[]string{`1:1: error: the page's language is not known [language] | put the page into a folder named after its language, or give site.yaml a "default_language"`}},
		{"an unknown kind", "", front("title: T\nkind: artcle"),
			[]string{`3:1: error: "artcle" is not a kind of page [kind] | did you mean "article"? the kinds are "page", "front", "article", "feedback", "feedback-thanks" and "not-found"`}},
		{"missing keys", "", front("title: T\nkind: front\ndescription:\nlocalinfodoc: x1"),
			[]string{
				`3:1: error: a page of kind "front" must have "windowtitle" and "textbannercolor" [kind-keys] | write each missing key into the page's head`,
				`5:1: error: "localinfodoc" is "x1"; on a page of kind "front" it is a string of digits [kind-keys]`}},
		{"a null where there is none", "", front("title: T\nwindowtitle: ~"),
			[]string{`3:1: error: "windowtitle" is null; on a page of kind "page" it is a string [kind-keys]`}},
		{"keys that belong together", "", front("title: T\nkind: article\nimagebanneralt: x"),
			[]string{`4:1: error: "imagebanneralt" needs "imagebanner" and "imagebannerlink" beside it [kind-keys] | these keys come all together or not at all`}},
		{"keys that belong together, and are all null", "", front("title: T\nkind: article\nimagebanner:\nimagebanneralt:\nimagebannerlink:"), nil},
		{"one of them alone, and null", "", front("title: T\nkind: article\nimagebannerlink:"), nil},
		{"one of them null beside others", "", front("title: T\nkind: article\nimagebanner: x\nimagebanneralt: y\nimagebannerlink:"),
			[]string{`6:1: error: "imagebannerlink" is null; on a page of kind "article" it is an absolute http or https address [kind-keys]`}},
		{"an address that is not absolute", "", front("title: T\nkind: article\nimagebanner: x\nimagebanneralt:\nimagebannerlink: //www.example.org/"),
			[]string{`6:1: error: "imagebannerlink" is "//www.example.org/"; on a page of kind "article" it is an absolute http or https address [kind-keys]`}},
		{"a text on a thank-you page", "", front("title: T\nkind: feedback-thanks\nemail: x"),
			[]string{`4:1: error: "email" of a page of kind "feedback-thanks" is null [kind-keys] | leave it out, and sivu fills it in`}},
		{"a key that a thank-you page has not", "", front("title: T\nkind: feedback-thanks\nfeedback-thankyoupage:"),
			[]string{`4:1: error: a page of kind "feedback-thanks" has no "feedback-thankyoupage" [kind-keys] | leave it out`}},
		{"two titles", "fi/a.html", "<title>T</title>\n<title></title><title>U</title>",
			[]string{`2:16: error: "title" is given twice, first in line 1 [syntax] | keep one of the two`}},
		{"a field misspelt", "fi/a.html", "<title>T</title>\n<meta name=sivu.kimd content=front>",
			[]string{`2:1: warning: "sivu.kimd" is not a field that sivu knows, and becomes a meta key [unknown-field] | did you mean "sivu.kind"?`}},
		{"a bad id", "", front("title: T\nid: 6ba7b8109dad51d180b400c04fd430c8"),
			[]string{`3:1: error: "6ba7b8109dad51d180b400c04fd430c8" is not a UUID [id] | write 32 hexadecimal digits in groups of 8-4-4-4-12, or leave it out`}},
		{"the nil UUID", "", front("title: T\nid: 00000000-0000-0000-0000-000000000000"),
			[]string{`3:1: error: "00000000-0000-0000-0000-000000000000" is not a UUID [id] | write 32 hexadecimal digits in groups of 8-4-4-4-12, or leave it out`}},
		{"bad dates", "", front("title: T\ncreated: 6.5.2019\nmodified: 2019-02-29"),
			[]string{
				`3:1: error: "6.5.2019" is not a date [date] | write 2019-05-06 for 6 May 2019`,
				`4:1: error: "2019-02-29" is not a date [date] | February 2019 has 28 days`}},
		{"modified before created", "", front("title: T\nmodified: 2019-05-06\ncreated: 2019-05-07"),
			[]string{`3:1: error: the page was modified before it was created [date] | modified 2019-05-06T00:00:00.000000Z comes from the field "modified", created 2019-05-07T00:00:00.000000Z from the field "created"`}},
		{"a url in another language", "", front("title: T\nurl: en/x"),
			[]string{`3:1: error: meta.url "en/x" does not begin with the page's language [meta-url] | begin it with "fi/", or name it under "unprefixed" in site.yaml`}},
		{"a url of null", "", front("title: T\nurl:"),
			[]string{`3:1: error: "url" is null; it is a path [meta-url] | leave it out, and sivu makes it from the file's path`}},
		{"a file name that makes no url", "fi/a#b?.md", front("title: T"),
			[]string{`1:1: error: meta.url "fi/a#b?" has a query [meta-url] | give the page a "url", or the file another name`}},
		{"a title of null", "", front("title:"), []string{`2:1: error: the title is null [title]`}},
		{"an empty title", "", front("title: ' '"), []string{`2:1: error: the title is empty [title]`}},
		{"no title", "", "Text\n", []string{`1:1: error: the page has no title [title] | give it a "title", or begin its body with a heading of level 1`}},
		{"a list as title", "", front("title: [a]"),
			[]string{`2:1: error: "title" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`}},
		{"embeds that are none", "", front("title: T\nembeds:\n  - http://a.example/\n  - [x]\n  -"),
			[]string{
				`4:5: warning: the embed "http://a.example/" is not an absolute https address, and is left out [embed-address] | write it as "https://…"`,
				`5:5: error: an embed is a list; it is an address [field-type]`,
				`6:4: error: an embed is null; it is an address [field-type]`}},
		{"text outside the body", "fi/a.html", "<title>T</title>\nx<body>y</body>\nz",
			[]string{`2:1: warning: text outside the body is left out [outside-body] | move it between <body> and </body>`,
				`3:1: warning: text outside the body is left out [outside-body] | move it between <body> and </body>`}},
		{"everything at once, by hint to its place", "", front(long + "id: x\nkind: y\nlanguage: z\ncreated: w\nurl: /v\nslug: ."),
			[]string{
				`5:1: error: "z" is not one of the site's languages [language] | they are "fi", "en" and "pt-BR"; others are added under "languages" in site.yaml`,
				`4:1: error: "y" is not a kind of page [kind] | the kinds are "page", "front", "article", "feedback", "feedback-thanks" and "not-found"`,
				`3:1: error: "x" is not a UUID [id] | write 32 hexadecimal digits in groups of 8-4-4-4-12, or leave it out`,
				`6:1: error: "w" is not a date [date] | write it as 2019-05-06, 2019-05-06 08:06 or 2019-05-06T08:06:31.004512Z`,
				`1:1: error: the page has no title [title] | give it a "title", or begin its body with a heading of level 1`,
				`8:1: error: the slug "." has a segment "." [meta-url] | write a part of a path without "?" and "#", as in "asuminen"`,
				`7:1: error: meta.url "/v" begins with a slash [meta-url] | write a path of the site, as in "fi/asuminen"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = "fi/a.md"
			}
			doc, problems := read(testSite(), path, test.text)
			wantEqual(t, "problems", problems, test.want)
			if doc.Valid && strings.Contains(strings.Join(problems, "\n"), ": error: ") {
				t.Error("the page is valid")
			}
		})
	}
}

// One mistake is one problem: what a field of the wrong type would have said is
// not missed a second time.
func TestWrongTypeIsOneProblem(t *testing.T) {
	site := testSite()
	site.Dates, site.Namespace = []string{DatesFields}, uuid.Nil
	doc, problems := read(site, "fi/a.md", front("title: T\nid: [x]\ncreated: {a: b}"))
	wantEqual(t, "problems", problems, []string{
		`3:1: error: "id" is a list; it has one value [field-type]`,
		`4:1: error: "created" is a map; it has one value [field-type]`,
	})
	if doc.Valid {
		t.Error("the page is valid")
	}
}

func TestSecondDocument(t *testing.T) {
	_, problems := read(testSite(), "fi/a.md", "---\ntitle: T\n...\ntitle: U\n---\nText\n")
	wantEqual(t, "problems", problems, []string{
		`4:1: error: a second document begins here [syntax] | keep one document, without a line "---" or "..." inside`,
	})
}
