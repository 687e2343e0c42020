package source

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/diag"
)

// TestMistakes has mistakes that people make in the head of a page, and what
// they are told.
func TestMistakes(t *testing.T) {
	const caseOf = " is not a field that sivu knows, and becomes a meta key [unknown-field] | "
	tests := []struct {
		name, path, text string
		want             []string
	}{
		{"a colon in a value", "", front("title: Asuminen: vuokra"),
			[]string{`2:16: error: the value contains ": " [syntax] | put it in quotes: title: "Asuminen: vuokra"`}},
		{"a colon in an indented value", "", front("title: T\nmeta:\n  x: a: b"),
			[]string{`4:7: error: the value contains ": " [syntax] | put it in quotes: x: "a: b"`}},
		{"a colon in a value, and a comment", "", front("title: a: b # c"),
			[]string{`2:9: error: the value contains ": " [syntax] | put it in quotes: title: "a: b"`}},
		{"a colon and quotes in a value", "", front(`title: Asuminen: "vuokra"`),
			[]string{`2:16: error: the value contains ": " [syntax] | put it in quotes: title: 'Asuminen: "vuokra"'`}},
		{"a colon at the end of a value", "", front("title: Asuminen:"),
			[]string{`2:16: error: the value contains ":" [syntax] | put it in quotes: title: "Asuminen:"`}},
		{"a colon in a value of letters beyond ASCII", "", front("ääkköset: ö: vuokra"),
			[]string{`2:12: error: the value contains ": " [syntax] | put it in quotes: ääkköset: "ö: vuokra"`}},
		{"an indented key", "", front("title: T\n  created: 2020-01-01"),
			[]string{`3:10: error: ":" cannot stand here [syntax] | put a value that holds ": " in quotes, and check the indentation`}},
		{"double quotes inside double quotes", "", front(`title: "A "koti" B"`),
			[]string{`2:12: error: a quote inside quotes [syntax] | use single quotes around the value: title: 'A "koti" B'`}},
		{"an apostrophe inside single quotes", "", front(`title: 'it's'`),
			[]string{`2:12: error: a quote inside quotes [syntax] | use double quotes around the value: title: "it's"`}},
		{"quotes of both kinds", "", front(`title: "it's "koti""`),
			[]string{`2:15: error: a quote inside quotes [syntax] | write '' for a quote inside single quotes: title: 'it''s "koti"'`}},
		{"quotes around a part", "", front(`title: "koti" ja muut`),
			[]string{`2:15: error: text stands after the closing quote [syntax] | put the whole value in quotes: title: '"koti" ja muut'`}},
		{"quotes around a part, then a colon", "", front(`title: "koti": muut`),
			[]string{`2:14: error: text stands after the closing quote [syntax] | put the whole value in quotes: title: '"koti": muut'`}},
		{"a long value", "", front("title: Asuminen: " + strings.Repeat("vuokra ", 20)),
			[]string{`2:16: error: the value contains ": " [syntax] | put it in quotes`}},
		{"a tab below a key", "", front("title: T\nmeta:\n\tx: y"),
			[]string{`4:1: error: a tab indents this line [syntax] | indent with spaces`}},
		{"a tab before the first key", "", front("\ttitle: T"),
			[]string{`2:1: error: a tab indents this line [syntax] | indent with spaces`}},
		{"a tab behind spaces", "", front("title: T\nmeta:\n  a: b\n \tc: d"),
			[]string{`5:2: error: a tab indents this line [syntax] | indent with spaces`}},
		{"a tab before a list item", "", front("title: T\nembeds:\n\t- https://a.example/"),
			[]string{`4:1: error: a tab indents this line [syntax] | indent with spaces`}},

		{"a comment cuts a title", "", front("title: Lomake #5"),
			[]string{`2:1: warning: the value of "title" ends before "#5", which YAML takes for a comment [cut-value] | put the whole text in quotes: title: "Lomake #5"`}},
		{"a comment is all of a description", "", front("title: T\ndescription: #1 Suomessa"),
			[]string{`3:1: warning: the value of "description" ends before "#1 Suomessa", which YAML takes for a comment [cut-value] | put the whole text in quotes: description: "#1 Suomessa"`}},
		{"a comment cuts a text of several words", "", front("title: T\nmeta:\n  ingress: Kaikki\n    lomakkeet #lomake"),
			[]string{`4:3: warning: the value of "ingress" ends before "#lomake", which YAML takes for a comment [cut-value] | put the whole text in quotes: ingress: "Kaikki lomakkeet #lomake"`}},
		{"comments that are meant", "", front("title: T # TODO\ndraft: false # not yet\nweight: 5 #x\nlayout: post #x\ncolor: '#5' #x\ndescription:\n#5 x\nkey: a#5\nlist: |\n  a #5"), nil},

		{"fields misspelt", "", front("tittle: T\nmodifed: 2020-01-01\nlangauge: en\nmeta:\n  desciption: x") + "# T\n", []string{
			`2:1: warning: "tittle"` + caseOf + `did you mean "title"?`,
			`3:1: warning: "modifed"` + caseOf + `did you mean "modified"?`,
			`4:1: warning: "langauge"` + caseOf + `did you mean "language"?`,
			`6:3: warning: "desciption"` + caseOf + `did you mean "description"?`,
		}},
		{"a key of the page's kind misspelt", "", front("title: T\nkind: article\nimagebaner: x"),
			[]string{`4:1: warning: "imagebaner"` + caseOf + `did you mean "imagebanner"?`}},
		{"metas of a document misspelt", "fi/a.html", "<title>T</title>\n<meta name=desciption content=x>\n<meta name=dcterms.modifed content=2020-01-01>", []string{
			`2:1: warning: "desciption"` + caseOf + `did you mean "description"?`,
			`3:1: warning: "dcterms.modifed"` + caseOf + `did you mean "dcterms.modified"?`,
		}},
		{"names of their own", "", front("title: T\ntitles: x\ntopics: x\nslugs: x\ndates: x\ntags: x\ncreator: x\npublished: x\nlang: x\nuri: x\nsubtitle: x\nimagebaner: x"), nil},
		{"misspelt beside the field itself", "fi/a.html", "<title>T</title><meta name=description content=x><meta name=desciption content=x>", nil},

		{"a capital in title", "", front("Title: x"),
			[]string{`1:1: error: the page has no title [title] | "Title" should be "title"`}},
		{"a capital in title, and a heading", "", "---\nTitle: x\n---\n# y\n",
			[]string{`2:1: warning: "Title"` + caseOf + `"Title" should be "title"`}},
		{"capitals in fields of sivu's own", "", front("title: T\nDraft: true\nSLUG: x\nEmbeds: x"), []string{
			`3:1: warning: "Draft"` + caseOf + `"Draft" should be "draft"`,
			`4:1: warning: "SLUG"` + caseOf + `"SLUG" should be "slug"`,
			`5:1: warning: "Embeds"` + caseOf + `"Embeds" should be "embeds"`}},
		{"capitals in the keys of a kind", "", front("title: T\nkind: front\nDescription: a\nwindowtitle: b\nLocalInfoDoc: 1\ntextbannercolor:"),
			[]string{`3:1: error: a page of kind "front" must have "description" and "localinfodoc" [kind-keys] | "Description" should be "description", "LocalInfoDoc" should be "localinfodoc"`}},
		{"a capital beside the right key", "", front("title: T\nTitle: x"), nil},
		{"a capital in an unknown key", "", front("title: T\nAuthor: x"), nil},
		{"a capital in a meta of HTML", "fi/a.html", "<title>T</title><meta name=Description content=x>", nil},

		{"em dashes", "", "—\ntitle: T\ncreated: 2020-01-01\n—\nText\n",
			[]string{`1:1: error: front matter begins with three hyphens (---) [syntax] | write "---" in place of "—"`}},
		{"an em dash and a hyphen", "", "\n—-\ntitle: T\n—-\nText\n",
			[]string{`2:1: error: front matter begins with three hyphens (---) [syntax] | write "---" in place of "—-"`}},
		{"two hyphens", "", "--\ntitle: T\n--\nText\n",
			[]string{`1:1: error: front matter begins with three hyphens (---) [syntax] | write "---" in place of "--"`}},
		{"a thematic break", "", "-----\nNote: T\n\n-----\n# T\n", nil},
		{"a dash in text", "", "—\n\n# T\n", nil},
		{"dashes at the end of a line", "", "—\ntitle: a —\n\n# T\n", nil},

		{"a folder of no language of the site", "de/a.md", front("title: T"),
			[]string{`1:1: error: "de" is not among the languages in site.yaml [language] | add it under "languages", or leave the folder out with "de/**" under "exclude"`}},
		{"a folder that is no language", "housing/a.md", front("title: T"),
			[]string{`1:1: error: the page's language is not known [language] | put the page into a folder named after its language, or give site.yaml a "default_language"`}},
		{"a slug with a query", "", front("title: T\nslug: a?b"),
			[]string{`3:1: error: the slug "a?b" has a query [meta-url] | write a part of a path without "?" and "#", as in "asuminen"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = "fi/a.md"
			}
			_, problems := read(testSite(), path, test.text)
			wantEqual(t, "problems", problems, test.want)
		})
	}
	t.Run("a folder of another language, without a site.yaml", func(t *testing.T) {
		site := testSite()
		site.Name = ""
		_, problems := read(site, "de/a.md", front("title: T"))
		wantEqual(t, "problems", problems, []string{
			`1:1: error: "de" is not one of the site's languages [language] | write a site.yaml that lists them under "languages"`})
	})
}

func TestDateHint(t *testing.T) {
	for text, want := range map[string]string{
		"2.1.2024":                      "write 2024-01-02 for 2 January 2024",
		"02.01.2024":                    "write 2024-01-02 for 2 January 2024",
		"2. 1. 2024":                    "write 2024-01-02 for 2 January 2024",
		"2.1.2024 08:06":                "write 2024-01-02 08:06 for 2 January 2024",
		"02/01/2024":                    "write 2024-01-02 for 2 January 2024, or 2024-02-01 for 1 February 2024",
		"31/01/2024":                    "write 2024-01-31 for 31 January 2024",
		"01-31-2024":                    "write 2024-01-31 for 31 January 2024",
		"02/02/2024":                    "write 2024-02-02 for 2 February 2024",
		"2024/1/2":                      "write 2024-01-02 for 2 January 2024",
		"2024-1-2":                      "write 2024-01-02 for 2 January 2024",
		"Tue, 02 Jan 2024 08:06:00 UTC": "write 2024-01-02T08:06:00Z for 2 January 2024",
		"20240102":                      "write 2024-01-02 for 2 January 2024",
		"2020-02-30":                    "February 2020 has 29 days",
		"2021-06-31T10:00":              "June 2021 has 30 days",
		"0000-01-01":                    "a date is of the years 0001 to 9999 in UTC",
		"2.1.24":                        dateForms,
		"32.13.2024":                    dateForms,
		"soon":                          dateForms,
	} {
		if got := dateHint(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzDateHint holds that every date that a hint offers can be read, and that
// nothing needs a hint that can be.
func FuzzDateHint(f *testing.F) {
	for _, seed := range []string{"2.1.2024", "02/01/2024 24:00", "2024-1-2", "Tue, 02 Jan 2024 08:06:00 +9959", "99991231", "0.0.0000"} {
		f.Add(seed)
	}
	offered := regexp.MustCompile(`(?:write|or) (\d.*?) for`)
	f.Fuzz(func(t *testing.T, text string) {
		hint := dateHint(text)
		if hint == "" {
			t.Fatalf("%q has no hint", text)
		}
		if hint == dateForms {
			return
		}
		for _, m := range offered.FindAllStringSubmatch(hint, -1) {
			if _, ok := parseDate(m[1], nil); !ok {
				t.Fatalf("%q: %q is no date either", text, m[1])
			}
		}
		if strings.HasPrefix(hint, "write") && !offered.MatchString(hint) {
			t.Fatalf("%q: %q offers nothing", text, hint)
		}
	})
}

// FuzzLineFault holds that the pair in a hint is YAML, and has the value that
// was meant.
func FuzzLineFault(f *testing.F) {
	for _, seed := range []string{`Asuminen: vuokra`, `"A "koti" B"`, `'it's'`, `"a" b`, `a: "b" 'c'`, `"\": x`, `'a: b`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		value = strings.TrimSpace(value)
		if value == "" || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == 0x7f || c > '~' }) {
			return
		}
		_, hint, _ := valueFault("key", value)
		_, pair, ok := strings.Cut(hint, ": ")
		if !ok {
			return
		}
		var got map[string]string
		if err := yaml.Unmarshal([]byte(pair), &got); err != nil {
			t.Fatalf("%q: the hint %q is not YAML: %v", value, pair, err)
		}
		if meant := got["key"]; meant != value && meant != strings.Trim(value, value[:1]) && !strings.Contains(value, meant) {
			t.Fatalf("%q: the hint %q means %q", value, pair, meant)
		}
	})
}

// Names are misspelt where they look like those that site.yaml gives, and a key that it
// asks for is right.
func TestNamesOfSite(t *testing.T) {
	site := DefaultSite()
	site.Require = map[string][]string{"page": {"titel"}}
	site.Fields = map[string]string{"expires": "expiryDate", "created": "fecha"}
	for text, want := range map[string]string{
		"titel: x": "", "fecja: 2020": "fecha", "expirydate: 2020-01-01": "expiryDate", "EXPIRYDATE: 2020-01-01": "expiryDate", "createt: x": "",
	} {
		var got string
		NewReader(site, nil).Read(&File{Path: "fi/a.md"}, []byte(front(text)+"# T\n"), func(d diag.Diagnostic) {
			if d.Rule == ruleUnknownField {
				got += d.Hint
			}
		})
		name, _, _ := strings.Cut(text, ":")
		if want != "" && got != "did you mean \""+want+"\"?" && got != "\""+name+"\" should be \""+want+"\"" || want == "" && got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
}
