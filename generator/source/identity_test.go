package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// TestDeriveID holds the test vector of the documentation.
func TestDeriveID(t *testing.T) {
	namespace := uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
	wantEqual(t, "id", DeriveID(namespace, "fi", "asuminen").String(), "6eabcbd0-bbc8-50c3-b48e-e4e8d6e6f7f6")
}

func TestIdentity(t *testing.T) {
	site := testSite()
	site.DefaultLanguage = "en"
	site.Unprefixed = []string{"palaute"}
	tests := []struct {
		path     string
		front    string
		language string
		topic    string
		url      string
		id       string // what the id is derived from; "" where it is given
	}{
		{path: "fi/asuminen.md", language: "fi", topic: "asuminen", url: "fi/asuminen", id: "fi/asuminen"},
		{path: "fi/asuminen/vuokra.md", language: "fi", topic: "asuminen/vuokra", url: "fi/asuminen/vuokra", id: "fi/asuminen/vuokra"},
		{path: "FI/asuminen.MD", language: "fi", topic: "asuminen", url: "fi/asuminen", id: "fi/asuminen"},
		{path: "pt-br/a.markdown", language: "pt-BR", topic: "a", url: "pt-BR/a", id: "pt-BR/a"},
		{path: "asuminen.fi.md", language: "fi", topic: "asuminen", url: "fi/asuminen", id: "fi/asuminen"},
		{path: "guides/asuminen.Pt-Br.md", language: "pt-BR", topic: "guides/asuminen", url: "pt-BR/guides/asuminen", id: "pt-BR/guides/asuminen"},
		{path: "fi/asuminen.en.md", language: "en", topic: "asuminen", url: "en/asuminen", id: "en/asuminen"},
		{path: "a.xx.md", language: "en", topic: "a.xx", url: "en/a.xx", id: "en/a.xx"},
		{path: "fi/.fi.md", language: "fi", topic: ".fi", url: "fi/.fi", id: "fi/.fi"},
		{path: "a/en/b.md", language: "en", topic: "a/en/b", url: "en/a/en/b", id: "en/a/en/b"},
		{path: "fi.md", language: "en", topic: "fi", url: "en/fi", id: "en/fi"},
		{path: "fi/a.md", front: "language: EN", language: "en", topic: "a", url: "en/a", id: "en/a"},
		{path: "fi/a.md", front: "language:", language: "fi", topic: "a", url: "fi/a", id: "fi/a"},
		{path: "fi/index.md", language: "fi", topic: "index", url: "fi", id: "fi/index"},
		{path: "fi/_index.md", language: "fi", topic: "_index", url: "fi", id: "fi/_index"},
		{path: "fi/a/index.md", language: "fi", topic: "a/index", url: "fi/a", id: "fi/a/index"},
		{path: "index.fi.md", language: "fi", topic: "index", url: "fi", id: "fi/index"},
		{path: "fi/a/index/b.md", language: "fi", topic: "a/index/b", url: "fi/a/index/b", id: "fi/a/index/b"},
		{path: "fi/a/b.md", front: "slug: c", language: "fi", topic: "a/b", url: "fi/a/c", id: "fi/a/b"},
		{path: "fi/a/index.md", front: "slug: c", language: "fi", topic: "a/index", url: "fi/c", id: "fi/a/index"},
		{path: "fi/index.md", front: "slug: c", language: "fi", topic: "index", url: "fi/c", id: "fi/index"},
		{path: "fi/a/b.md", front: "slug: c/d", language: "fi", topic: "a/b", url: "fi/a/c/d", id: "fi/a/b"},
		{path: "fi/a/b.md", front: "slug: /a/c/", language: "fi", topic: "a/b", url: "fi/a/a/c", id: "fi/a/b"}, // as Hugo reads it
		{path: "fi/a.md", front: "slug: ''", language: "fi", topic: "a", url: "fi/a", id: "fi/a"},
		{path: "fi/a.md", front: "slug: ä", language: "fi", topic: "a", url: "fi/ä", id: "fi/a"},
		{path: "fi/a\u0308.md", language: "fi", topic: "ä", url: "fi/ä", id: "fi/ä"},
		{path: "fi/住宅 x.md", language: "fi", topic: "住宅 x", url: "fi/住宅 x", id: "fi/住宅 x"},
		{path: "fi/a.md", front: "topic: b/c", language: "fi", topic: "b/c", url: "fi/a", id: "fi/a"},
		{path: "fi/a.md", front: "url: palaute", language: "fi", topic: "a", url: "palaute", id: "fi/a"},
		{path: "fi/a.md", front: "url: fi", language: "fi", topic: "a", url: "fi", id: "fi/a"},
		{path: "fi/a.md", front: "url: fi/x.html", language: "fi", topic: "a", url: "fi/x.html", id: "fi/a"},
		{path: "fi/a.md", front: "id: 6BA7B810-9DAD-51D1-80B4-00C04FD430C8", language: "fi", topic: "a", url: "fi/a"},
	}
	for _, test := range tests {
		t.Run(test.path+" "+test.front, func(t *testing.T) {
			doc, problems := read(site, test.path, front("title: T\n"+test.front))
			wantEqual(t, "problems", problems, []string(nil))
			id := uuid.MustParse("6ba7b810-9dad-51d1-80b4-00c04fd430c8")
			if test.id != "" {
				id = uuid.NewSHA1(site.Namespace, []byte(test.id))
			}
			got := []string{doc.Page.Path, doc.Page.Language, doc.Page.Topic, doc.Page.URL, doc.Page.ID.String()}
			wantEqual(t, "identity", got, []string{test.path, test.language, test.topic, test.url, id.String()})
			if doc.Derived != (test.id != "") || !doc.Valid {
				t.Errorf("derived is %t, valid %t", doc.Derived, doc.Valid)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	const folder, suffix, inner = "{language}/{path}", "{path}.{language}", "{section}/{language}/{path}"
	for _, test := range []struct {
		path   string
		layout []string
		want   string // language and path
	}{
		{"fi/a/b.md", []string{folder}, "fi a/b"},
		{"PT_br/a.md", []string{folder}, "pt-BR a"},
		{"a.pt_BR.md", []string{folder, suffix}, "pt-BR a"},
		{"fi/a.en.md", []string{folder, suffix}, "fi a.en"}, // the first that fits
		{"fi/a.en.md", []string{suffix, folder}, "en fi/a"},
		{"posts/fi/hello.md", []string{folder, inner}, "fi posts/hello"},
		{"a/b/fi/hello/index.md", []string{inner}, "fi a/b/hello/index"},
		{"fi/en/a.md", []string{inner}, "en fi/a"},
		{"posts/hello.md", []string{folder, suffix, inner}, "en posts/hello"}, // the default
		{"posts/fi.md", []string{inner}, "en posts/fi"},
	} {
		site := testSite()
		site.DefaultLanguage, site.Layout, site.Aliases = "en", test.layout, map[string]string{"pt_br": "pt-BR"}
		doc, _ := read(site, test.path, front("title: T"))
		language, name := site.LanguageOf(test.path)
		wantEqual(t, test.path+" of LanguageOf", language+" "+name, test.want)
		wantEqual(t, test.path, doc.Page.Language+" "+doc.Page.Topic, test.want)
		wantEqual(t, "id of "+test.path, doc.Page.ID, DeriveID(site.Namespace, language, name))
	}
}

func TestLanguageFolders(t *testing.T) {
	const hint = ` | say where languages stand in site.yaml, as in "layout: ['{language}/{path}', '{section}/{language}/{path}']"`
	const off = `, or that this folder is none with "rules: {language-folder: off}"`
	site := testSite()
	site.Aliases = map[string]string{"br": "pt-BR"}
	for _, test := range []struct{ path, byDefault, front, want string }{
		{"posts/fi/a.md", "en", "a: b", `1:1: error: the folder "fi" is named after a language, and is not read as one [language-folder]` + hint + off},
		{"posts/br/a.md", "", "a: b", `1:1: error: the folder "br" is named after a language, and is not read as one [language]` + hint},
		{"en/posts/fi/a.md", "", "a: b", `1:1: error: the folder "fi" is named after a language, and is not read as one [language-folder]` + hint + off},
		{"posts/fi/a.md", "fi", "a: b", ""},
		{"posts/fi/a.md", "en", "language: en", ""},
		{"posts/fi/a.en.md", "", "a: b", ""},
		{"xx/a.md", "", "a: b", `1:1: error: "xx" is not among the languages in site.yaml [language] | add it under "languages", or leave the folder out with "xx/**" under "exclude"`},
		{"zh_CN/a.md", "", "a: b", `1:1: error: "zh_CN" is not among the languages in site.yaml [language] | name its language, as in "language_aliases: {zh_CN: zh-CN}", or leave the folder out with "zh_CN/**" under "exclude"`},
	} {
		site.DefaultLanguage = test.byDefault
		doc, problems := read(site, test.path, front("title: T\n"+test.front))
		if got := strings.Join(problems, "\n"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.path, got, test.want)
		}
		if doc.Valid != (doc.Page.Language != "") {
			t.Errorf("%s: valid is %t, in %q", test.path, doc.Valid, doc.Page.Language)
		}
	}
}

func TestLanguageOfDocument(t *testing.T) {
	site := testSite()
	for _, test := range []struct{ path, text, want string }{
		{"fi/a.html", `<html lang="PT-br"><title>T</title>`, "pt-BR"},
		{"a.fi.html", `<html lang=en><title>T</title>`, "en"},
		{"fi/a.html", `<html lang=""><title>T</title>`, "fi"},
		{"fi/a.html", `<html><title>T</title>`, "fi"},
		{"fi/a.html", `<!-- <html lang=en> --><html class=x lang=pt-BR lang=en><title>T</title>`, "pt-BR"},
		{"fi/a.html", `<title>T</title><meta name=language content=en>`, "fi"},
	} {
		doc, problems := read(site, test.path, test.text)
		wantEqual(t, "problems", problems, []string(nil))
		wantEqual(t, test.text, doc.Page.Language, test.want)
	}
}

func TestURLProblem(t *testing.T) {
	for url, want := range map[string]string{
		"fi/a":             "",
		"fi":               "",
		"fi/ä ö/%20/a.b":   "",
		"":                 "is empty",
		"/fi":              "begins with a slash",
		"fi/":              "ends with a slash",
		"fi//a":            "has an empty segment",
		"fi/./a":           `has a segment "."`,
		"fi/../a":          `has a segment ".."`,
		"..":               `has a segment ".."`,
		"fi/a?b":           "has a query",
		"fi/a#b":           "has a fragment",
		`fi\a`:             "holds a backslash",
		"fi/a\nb":          "holds a control character",
		"fi/a\u0085":       "holds a control character",
		"fi/a\xff":         "is not UTF-8",
		"https://fi.fi/fi": "has an empty segment",
	} {
		wantEqual(t, url, urlProblem(url), want)
	}
}

// TestNamespaceMissing reports every page that needs one, with one and the
// same namespace to paste.
func TestNamespaceMissing(t *testing.T) {
	site := testSite()
	site.Namespace = uuid.Nil
	_, first := read(site, "fi/a.md", front("title: T"))
	_, second := read(site, "en/b.md", front("title: T"))
	wantEqual(t, "second", second, first)
	const before = `1:1: error: the page has no id, and the site no namespace to derive it from [id] | write "namespace: `
	rest, ok := strings.CutPrefix(strings.Join(first, "\n"), before)
	if !ok || len(rest) < 36 {
		t.Fatalf("problems are %q", first)
	}
	if _, ok := parseID(rest[:36]); !ok {
		t.Errorf("the hint has no UUID: %s", rest)
	}
	doc, problems := read(site, "fi/a.md", front("title: T\nid: 6ba7b810-9dad-51d1-80b4-00c04fd430c8"))
	wantEqual(t, "problems", problems, []string(nil))
	wantEqual(t, "valid", doc.Valid, true)
}

// TestBrokenPage keeps what links to a page need, even where it has errors.
func TestBrokenPage(t *testing.T) {
	for _, text := range []string{
		"---\ntitle: [\n---\nbody\n",
		"---\ntitle: T\nlanguage: xx\nid: x\ncreated: x\nkind: x\n---\nbody\n",
	} {
		doc, problems := read(testSite(), "fi/asuminen.md", text)
		if len(problems) == 0 || doc.Valid {
			t.Errorf("%q has no problem", text)
		}
		got := []string{doc.Page.Language, doc.Page.Topic, doc.Page.URL, text[doc.BodyStart:doc.BodyEnd]}
		wantEqual(t, text, got, []string{"fi", "asuminen", "fi/asuminen", "body\n"})
	}
}

// A condition looks at a field's value, and into maps.
func TestSkipIf(t *testing.T) {
	site := testSite()
	site.SkipIf = []string{"build.render=never", "build.render=hide", "layout=redirect", "params.hidden", "dc.hidden", "old"}
	for text, want := range map[string]bool{
		"build: {render: never}":        true,
		"build: {render: Never, b: []}": true,
		"build: {render: hide}":         true,
		"build: {render: link}":         false,
		"build: {list: never}":          false,
		"build: ~":                      false,
		"layout: redirect":              true,
		"layout: page":                  false,
		"params: {hidden: true}":        true,
		"params: {hidden: false}":       false,
		"params: {hidden: [true]}":      false,
		"dc.hidden: yes":                true,
		"old: true":                     true,
	} {
		doc, problems := read(site, "fi/a.md", front("title: T\n"+text))
		wantEqual(t, "problems of "+text, problems, []string(nil))
		wantEqual(t, "skip of "+text, doc.Skip, want)
	}
	site.SkipIf, site.Generator = []string{"build.render=never", "build.render=link", "_build.render=link"}, page.Hugo
	for _, text := range []string{"build: {render: link}", "build: {list: never, render: \"link\"}", "Build:\n  Render: never", "_build: {render: link}"} {
		doc, problems := read(site, "fi/a.md", front("title: T\n"+text))
		wantEqual(t, "problems of "+text, problems, []string(nil))
		wantEqual(t, "skip of "+text, doc.Skip, true)
	}
	site.SkipIf, site.Generator = []string{"build.render=never", "dc.hidden", "old"}, ""
	wantEqual(t, "keys that pages cannot have", []bool{isMeta(site, "build"), isMeta(site, "dc.hidden"), isMeta(site, "old"), isMeta(site, "render")},
		[]bool{false, false, false, true})
}

func isMeta(site *Site, field string) bool {
	_, ok := site.MetaKey(field, false)
	return ok
}

// Front matter that is ignored is not judged.
func TestIgnoredIsNotJudged(t *testing.T) {
	site := testSite()
	site.Ignore, site.SkipIf = []string{"cascade", "weight"}, []string{"build.render=never"}
	doc, problems := read(site, "fi/a.md", front("title: T\nweight: 1\nweight: 2\ncascade:\n  - &x {a: 1, a: 2}\n  - <<: *x\n    b: !!int 3\nbuild: {a: *x}"))
	wantEqual(t, "problems", problems, []string(nil))
	wantEqual(t, "meta", metaText(doc.Page.Meta), []string{"2:1 title=T", "url=fi/a"})
	_, problems = read(site, "fi/a.md", front("title: T\ncascade: {a: 1}\nother: &y b\ntitle: U"))
	wantEqual(t, "problems of other fields", problems, []string{
		`4:8: error: anchor "&y": anchors are not understood [syntax] | ` + aliasHint,
		`5:1: error: "title" is given twice, first in line 2 [syntax] | keep one of the two`,
	})
}

// On a Hugo site, letter case does not matter in names of fields.
func TestNamesOfHugo(t *testing.T) {
	site := testSite()
	site.Generator, site.Ignore, site.SkipIf = page.Hugo, []string{"linkTitle"}, []string{"headless"}
	site.Fields = map[string]string{"created": "date", "expires": "expiryDate"}
	doc, problems := read(site, "fi/a.md", front("Title: T\nDate: 2020-01-02\nlinktitle: [x]\nWindowTitle: W\nmyKey: v\nHeadless: false\nexpirydate: 2999-01-01"))
	wantEqual(t, "problems", problems, []string(nil))
	wantEqual(t, "meta", metaText(doc.Page.Meta), []string{"2:1 title=T", "5:1 windowtitle=W", "6:1 myKey=v", "7:1 Headless=false", "url=fi/a"})
	wantEqual(t, "created", doc.Page.Created.String(), "2020-01-02T00:00:00.000000Z")
	if _, ends := doc.Period.Changes(); !ends {
		t.Error("expiryDate is not read")
	}
	_, problems = read(site, "fi/a.md", front("title: T\nTITLE: U"))
	wantEqual(t, "problems of one twice", problems, []string{`3:1: error: "title" is given twice, first in line 2 [syntax] | keep one of the two`})
}

// Hugo took the last of several fields of one name, and so does sivu on its sites.
func TestRepeatedFieldsOfHugo(t *testing.T) {
	site := testSite()
	site.Generator, site.Sidecar, site.Ignore = page.Hugo, "{path}.yaml", []string{"cascade"}
	text := front("a: 1\ntitle: T\nmeta: {b: x, b: y}\ncascade: {c: 1, c: 2}\ntitle: U\ntitle: V")
	doc, problems := readBeside(site, "fi/a.md", text, "fi/a.yaml", "d: 1\nd: 2")
	const hint = "; the last counts, as it did on Hugo [repeated-field] | keep one of the two"
	wantEqual(t, "problems", problems, []string{
		`4:14: warning: "b" is given twice, first in line 4` + hint,
		`6:1: warning: "title" is given twice, first in line 3` + hint,
		`7:1: warning: "title" is given twice, first in line 6` + hint,
		`fi/a.yaml:2:1: warning: "d" is given twice, first in line 1` + hint,
	})
	wantEqual(t, "meta", metaText(doc.Page.Meta), []string{"2:1 a=1", "7:1 title=V", "4:14 b=y", "2:1 d=2", "url=fi/a"})
	if !doc.Valid {
		t.Error("the page is not valid")
	}
}

// A title has no white space at its ends, wherever it comes from.
func TestTitleIsTrimmed(t *testing.T) {
	site := testSite()
	site.Sidecar = "{path}.yaml"
	for _, titleFrom := range [][]string{nil, {"title", "name"}} {
		site.TitleFrom = titleFrom
		for _, test := range []struct{ front, want string }{
			{"title: >\n  Long\n  title", "Long title"},
			{"title: |\n  Long\n  title\n", "Long\ntitle"},
			{`title: "\u00a0 T\t"`, "T"},
			{"title: ' T '", "T"},
		} {
			doc, problems := read(site, "fi/a.md", front(test.front))
			wantEqual(t, "problems of "+test.front, problems, []string(nil))
			wantEqual(t, test.front, doc.Page.Meta.Get("title").Value, test.want)
		}
	}
	doc, _ := read(site, "fi/a.md", front("name: ' N '"))
	wantEqual(t, "title of another field", doc.Page.Meta.Get("title").Value, "N")
}

func TestAddressesOfHugo(t *testing.T) {
	site := testSite()
	site.Generator, site.RootLanguage = page.Hugo, "en"
	for _, test := range []struct{ path, url, want string }{
		{"en/a.md", "/services/dap/", "en/services/dap"},
		{"en/a.md", "services/dap", "en/services/dap"},
		{"en/a.md", "/en/services/", "en/services"},
		{"fi/a.md", "palvelut/", "fi/palvelut"},
		{"fi/a.md", "/fi/palvelut/", "fi/palvelut"},
		{"fi/a.md", "/", "fi"},
	} {
		doc, problems := read(site, test.path, front("title: T\nurl: "+test.url))
		wantEqual(t, "problems of "+test.url, problems, []string(nil))
		wantEqual(t, test.path+" "+test.url, doc.Page.URL, test.want)
	}
	for path, want := range map[string]string{
		"fi/Foo Bar (2)/What's new, v1.0_x+y.md": "fi/foo-bar-2/whats-new-v1.0_x+y",
		"pt-BR/Ä/index.md":                       "pt-BR/ä",
		"fi/_index.md":                           "fi",
	} {
		doc, problems := read(site, path, front("title: T"))
		wantEqual(t, "problems of "+path, problems, []string(nil))
		wantEqual(t, path, doc.Page.URL, want)
		wantEqual(t, "id of "+path, doc.Page.ID, DeriveID(site.Namespace, doc.Page.Language, doc.Page.Topic)) // by the names as they are
	}
	_, problems := read(site, "fi/a.md", front("title: T\nurl: /en/a/"))
	wantEqual(t, "problems of another language", problems, []string{`3:1: error: meta.url "en/a" does not begin with the page's language [meta-url] | begin it with "fi/", or name it under "unprefixed" in site.yaml`})
}

func TestPermalinks(t *testing.T) {
	site := testSite()
	site.Permalinks = map[string]string{"news": "{year}/{month}/{day}/{slug}", "news/notes": "n/{path}", "docs": "d/{name}-{title}"}
	for _, test := range []struct{ path, front, want string }{
		{"fi/news/2019/05/x.md", "slug: y", "fi/2019/05/06/y"},
		{"fi/news/x.md", "slug: a/b/", "fi/2019/05/06/a/b"},
		{"fi/news/x/index.md", "slug: y", "fi/2019/05/06/y"},
		{"fi/news/x.md", "a: b", "fi/2019/05/06/ääkköset-ok-v2.0"},
		{"fi/news/_index.md", "a: b", "fi/news"},
		{"fi/news/2019/_index.md", "a: b", "fi/news/2019"},
		{"fi/news.md", "a: b", "fi/news"},
		{"fi/newsletter/x.md", "a: b", "fi/newsletter/x"},
		{"fi/news/notes/a/b.md", "a: b", "fi/n/a/b"},
		{"fi/news/notes/a/index.md", "slug: c", "fi/n/c"},
		{"fi/docs/a/b.md", "a: b", "fi/d/b-ääkköset-ok-v2.0"},
		{"fi/news/x.md", "url: fi/own", "fi/own"},
	} {
		doc, problems := read(site, test.path, front("title: 'Ääkköset, (OK)  v2.0?'\ncreated: 2019-05-06 23:30 -0500\n"+test.front))
		wantEqual(t, "problems", problems, []string(nil))
		wantEqual(t, test.path+" "+test.front, doc.Page.URL, test.want)
	}
	// A date without a zone is in that of the site.
	site.Timezone = time.FixedZone("", 3*3600)
	doc, _ := read(site, "fi/news/x.md", front("title: T\ncreated: 2019-05-06\nslug: y"))
	wantEqual(t, "with a date alone", doc.Page.URL, "fi/2019/05/06/y")
}

func TestTitleFrom(t *testing.T) {
	for _, test := range []struct {
		from        string
		front, body string
		want        string
	}{
		{"", "title: T\nname: N", "# H\n", "T"},
		{"", "name: N", "# H\n", "H"},
		{"path", "name: N", "# H\n", "H"},
		{"path", "name: N", "", "asuminen"},
		{"name path", "name: N", "# H\n", "N"},
		{"name path", "title: T\nname: N", "# H\n", "T"},
		{"name path", "name: ' '", "# H\n", "H"},
		{"name title", "title: T\nname: N", "", "N"},
		{"heading title", "title: T", "# H\n", "H"},
		{"title name heading path", "title: ''\nname: [a]", "", "asuminen"},
		{"title name heading path", "title: ~\nname: N", "# H\n", "N"},
	} {
		site := testSite()
		site.Ignore, site.TitleFrom = []string{"name"}, strings.Fields(test.from)
		if test.from == "" {
			site.TitleFrom = nil
		}
		doc, problems := read(site, "fi/asuminen/index.md", "---\n"+test.front+"\n---\n"+test.body)
		wantEqual(t, "problems", problems, []string(nil))
		wantEqual(t, fmt.Sprintf("title of %q from %q", test.front, test.from), doc.Page.Meta.Get("title").Value, test.want)
	}
	site := testSite()
	site.TitleFrom = []string{"name"}
	_, problems := read(site, "fi/a.md", front("title: ''"))
	wantEqual(t, "problems without any", problems, []string{`2:1: error: the title is empty [title]`})
}

func TestJoin(t *testing.T) {
	site := testSite()
	site.Join = map[string]string{"topics": ", ", "authors": " & "}
	doc, problems := read(site, "fi/a.md", front("title: T\ntopics: [a, ~, b c]\nauthors: solo\nother: []"))
	wantEqual(t, "meta", metaText(doc.Page.Meta), []string{"2:1 title=T", "3:1 topics=a, b c", "4:1 authors=solo", "5:1 other=", "url=fi/a"})
	wantEqual(t, "problems", problems, []string{`5:1: error: "other" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`})
	_, problems = read(site, "fi/a.md", front("title: T\ntopics: [[a]]"))
	wantEqual(t, "problems of lists in lists", problems, []string{`3:1: error: "topics" is a list; a meta value is a string or null [meta-type] | name it under "ignore" in site.yaml`})
}

func TestPeriod(t *testing.T) {
	site := testSite()
	r := NewReader(site, nil)
	r.Now, _ = parseDate("2020-06-01T12:00:00Z", nil)
	for _, test := range []struct {
		front       string
		skip        bool
		from, until string
	}{
		{"publish: 2020-06-01T12:00:00Z", false, "2020-06-01T12:00:00.000000Z", ""},
		{"publish: 2020-06-01T12:00:01Z", true, "", "2020-06-01T12:00:01.000000Z"},
		{"expires: 2020-06-01T12:00:00Z", true, "2020-06-01T12:00:00.000000Z", ""},
		{"expires: 2020-06-01T12:00:01Z", false, "", "2020-06-01T12:00:01.000000Z"},
		{"publish: 2020-01-01\nexpires: 2021-01-01", false, "2020-01-01T00:00:00.000000Z", "2021-01-01T00:00:00.000000Z"},
		{"publish: 2021-01-01\nexpires: 2022-01-01", true, "", "2021-01-01T00:00:00.000000Z"},
		{"publish: 2018-01-01\nexpires: 2019-01-01", true, "2019-01-01T00:00:00.000000Z", ""},
		{"publish: ~\nexpires: ''", false, "", ""},
	} {
		doc, problems := readWith(r, "fi/a.md", front("title: T\n"+test.front))
		wantEqual(t, "problems of "+test.front, problems, []string(nil))
		got := []string{fmt.Sprint(doc.Skip), "", ""}
		if doc.Period.From.IsValid() {
			got[1] = doc.Period.From.String()
		}
		if until, ok := doc.Period.Changes(); ok {
			got[2] = until.String()
		}
		wantEqual(t, test.front, got, []string{fmt.Sprint(test.skip), test.from, test.until})
		if !doc.Period.Holds(r.Now) {
			t.Errorf("%s: the period does not hold now", test.front)
		}
		if until, ok := doc.Period.Changes(); ok && doc.Period.Holds(until) {
			t.Errorf("%s: the period holds at its end", test.front)
		}
	}
	_, problems := readWith(r, "fi/a.md", front("title: T\npublish: true\nexpires: [a]"))
	wantEqual(t, "problems", problems, []string{
		`4:1: error: "expires" is a list; it has one value [field-type]`,
		`3:1: error: "true" is not a date [date] | ` + dateForms + `; with "fields: {publish: ~}" in site.yaml, it is a meta key`,
	})
}

func TestSkip(t *testing.T) {
	site := testSite()
	site.SkipIf = []string{"untranslated", "tags"}
	site.Ignore = []string{"untranslated"}
	for _, test := range []struct {
		path, text string
		skip       bool
	}{
		{"fi/a.md", front("draft: true"), true},
		{"fi/a.md", front("draft: YES\nid: bad"), true},
		{"fi/a.md", front("draft: false\ntitle: T"), false},
		{"fi/a.md", front("draft:\ntitle: T"), false},
		{"fi/a.md", front("untranslated: 1"), true},
		{"fi/a.md", front("untranslated: on"), true},
		{"fi/a.md", front("untranslated: 0\ntitle: T"), false},
		{"fi/a.md", front("untranslated: 2\ntitle: T"), false},
		{"fi/a.md", "+++\ndraft = true\n+++\n", true},
		{"fi/a.html", "<meta name=sivu.draft content=on>", true},
		{"fi/a.html", "<meta name=untranslated content=1>", true},
		{"fi/a.html", "<title>T</title><meta name=untranslated>", false},
	} {
		doc, problems := read(site, test.path, test.text)
		wantEqual(t, "problems of "+test.text, problems, []string(nil))
		wantEqual(t, "skip of "+test.text, doc.Skip, test.skip)
	}
	doc, problems := read(site, "fi/a.md", front("draft: true\na: 1\na: 2"))
	if len(problems) != 1 || doc.Valid || !doc.Skip {
		t.Errorf("broken syntax of a draft: %q, %+v", problems, doc)
	}
}

func TestEmbeds(t *testing.T) {
	for _, test := range []struct {
		path, text string
		want       []string
	}{
		{"fi/a.md", front("title: T\nembeds: [https://a.example/x, //b.example/y?z#w, 'https://a.example/x', HTTPS://c.example/]"),
			[]string{"https://a.example/x", "https://b.example/y?z#w", "HTTPS://c.example/"}},
		{"fi/a.md", front("title: T\nembeds: https://a.example/"), []string{"https://a.example/"}},
		{"fi/a.md", front("title: T\nembeds:"), nil},
		{"fi/a.md", "+++\ntitle = 'T'\nembeds = ['https://a.example/', '//b.example/']\n+++\n", []string{"https://a.example/", "https://b.example/"}},
		{"fi/a.html", "<title>T</title><meta name=sivu.embed content=https://a.example/><meta name=sivu.embed content=//b.example/>",
			[]string{"https://a.example/", "https://b.example/"}},
	} {
		doc, problems := read(testSite(), test.path, test.text)
		wantEqual(t, "problems of "+test.text, problems, []string(nil))
		var got []string
		for _, e := range doc.Page.Embeds {
			got = append(got, e.URI)
		}
		wantEqual(t, test.text, got, test.want)
	}
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "<meta name=sivu.embed content=https://a.example/%d>", i%100)
	}
	doc, _ := read(testSite(), "fi/a.html", "<title>T</title>"+many.String())
	wantEqual(t, "number of many embeds", len(doc.Page.Embeds), 100)
	for _, address := range []string{"http://a.example/", "a.example", "/x", "https:///x", "https://", "https:a.example", "javascript:alert(1)",
		"https://a b.example/", "https://a.example/ b", "https://a.example/\n", "data:text/html,x", "//", ""} {
		if _, ok := embedAddress(address); ok {
			t.Errorf("%q is taken as an embed", address)
		}
	}
}

// TestRules makes sure that rules have what people and site.yaml need.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range Rules {
		if seen[rule.Name] || rule.Name == "" || rule.Doc == "" || rule.Severity == diag.Off || rule.Contract != (rule.Severity == diag.Error) && rule != ruleLanguageFolder && rule != MovedPage {
			t.Errorf("rule %+v", rule)
		}
		seen[rule.Name] = true
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats {
		if formatNamed(f.Name) != f || f.Doc == "" || f.read == nil || f.heading == nil {
			t.Errorf("the format %q is not whole", f.Name)
		}
		for _, ending := range f.Endings {
			if FormatOfFile("a/b"+strings.ToUpper(ending)) != f {
				t.Errorf("%s is not of the format %q", ending, f.Name)
			}
		}
	}
	if FormatOfFile("a.txt") != nil || FormatOfFile("md") != nil || formatNamed("") != nil {
		t.Error("what is no format is one")
	}
}

// TestManyProblems keeps the memory that the problems of a page take within
// bounds, and the page invalid.
func TestManyProblems(t *testing.T) {
	text := "<title>T</title>" + strings.Repeat("<meta name=sivu.embed content=x>", maxProblems) + "<meta name=sivu.kind content=front>"
	doc, problems := read(testSite(), "fi/a.html", text)
	wantEqual(t, "number of problems", len(problems), maxProblems+1)
	wantEqual(t, "the last one", problems[maxProblems], "1:1: error: 1 more problem of this page, not listed [kind-keys]")
	wantEqual(t, "valid", doc.Valid, false)
}

// formatNamed returns the format of that name, or nil.
func formatNamed(name string) *Format {
	i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return Formats[i]
}
