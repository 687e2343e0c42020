package source

import (
	"strings"
	"testing"
)

// body returns where Read says the body lies: as text, and whether that is a
// place at all.
func body(t *testing.T, path, text string) string {
	t.Helper()
	site := testSite()
	site.TitleFrom = []string{TitlePath}
	doc, _ := read(site, path, text)
	if doc.BodyStart < 0 || doc.BodyEnd < doc.BodyStart || doc.BodyEnd > len(text) {
		t.Fatalf("body of %q is %d to %d", text, doc.BodyStart, doc.BodyEnd)
	}
	return text[doc.BodyStart:doc.BodyEnd]
}

func TestFrontMatterBody(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"Text\n", "Text\n"},
		{"\n\nText\n", "\n\nText\n"},
		{"---\na: b\n---\nText\n", "Text\n"},
		{"---\na: b\n---", ""},
		{"---\n---\nText", "Text"},
		{"\n \t\n---  \na: b\n--- \t\n\nText", "\nText"},
		{"---\na: b\n...\nText", ""},
		{"---\na: b\n...\n---\nText", "Text"},
		{"---\na: |\n  ---\n---\nText", "Text"},
		{"---\na: b\n---\n---\nc\n---\n", "---\nc\n---\n"},
		{"+++\na = 'b'\n+++\nText", "Text"},
		{"+++\na = '''\n---\n'''\n+++\nText", "Text"},
		{"----\na: b\n---\nText", "----\na: b\n---\nText"},
		{"--- a: b\n---\nText", "--- a: b\n---\nText"},
		{"- - -\nText", "- - -\nText"},
		{"---\na: [\n---\nText", "Text"},
		{"---\na: b\n", ""},
		{"---\n" + strings.Repeat("a", MaxFrontMatterSize+1) + "\n---\nText", "Text"},
		{"   ---\na: b\n---\n", "   ---\na: b\n---\n"},
	} {
		for _, path := range []string{"fi/a.md", "fi/a.html"} {
			if path == "fi/a.html" && !strings.HasPrefix(test.text, "---\n") && !strings.HasPrefix(test.text, "+++\n") {
				continue
			}
			if got := body(t, path, test.text); got != test.want {
				t.Errorf("%s %q has the body %q, want %q", path, test.text, got, test.want)
			}
		}
	}
}

func TestFrontMatterSize(t *testing.T) {
	for size, want := range map[int]int{MaxFrontMatterSize: 0, MaxFrontMatterSize + 1: 1} {
		text := "---\ntitle: T\n#" + strings.Repeat("x", size-11) + "\n---\n"
		if _, problems := read(testSite(), "fi/a.md", text); len(problems) != want {
			t.Errorf("%d bytes: %q", size, problems)
		}
	}
}

func TestDocumentBody(t *testing.T) {
	const head = "<!doctype html><html><head><title>T</title></head>"
	for _, test := range []struct{ text, want string }{
		{head + "<body>\n\t<p>x</p> \f\r\n</body></html>", "<p>x</p>"},
		{head + "<BODY class='a>b' data-x=\"</head>\">x</BODY >y", "x"},
		{head + "<body></body>", ""},
		{head + "<body>x", "x"},
		{head + "<body>x</html>", "x"},
		{head + "<body>x</body>y</body></html>", "x</body>y"},
		{head + "<body>x</body><!-- </body> --></html>", "x"},
		{head + "<body>x</body><script>'</body>'</script>", "x"},
		{head + "<body>x<script>'</body>'</script>", "x<script>'</body>'</script>"},
		{head + "<body>x<!-- </body> -->y", "x<!-- </body> -->y"},
		{head + "<body>x<body>y</body>", "x<body>y"},
		{"<head><!-- <body>a</body> --><script>'<body>b'</script><style><body>c</style><noscript><body>d</noscript><title><body>e</title></head><body>f</body>", "f"},
		{"<head><template><body><title>x</title><p>y</template></head><body>f</body>", "f"},
		{head + "x<p>y</p></html>\n", "x<p>y</p>"},
		{head + "\n<p>y</p>\n", "<p>y</p>"},
		{"<title>T</title><meta name=a>x<meta name=b><p>y", "x<meta name=b><p>y"},
		{"<p>x</p>", "<p>x</p>"},
		{"x", "x"},
		{"", ""},
		{" \n ", ""},
		{"<title>x", ""},
		{"<!-- x", ""},
		{"<", "<"},
		{"<p", ""}, // a tag that does not end is no text
		{"<body", ""},
		{head + "<body>ä&amp;\x01<", "ä&amp;\x01<"},
	} {
		if got := body(t, "fi/a.html", test.text); got != test.want {
			t.Errorf("%q has the body %q, want %q", test.text, got, test.want)
		}
	}
}

// TestImpliedBody takes no metas from a body that has no tag of its own.
func TestImpliedBody(t *testing.T) {
	doc, problems := read(testSite(), "fi/a.html", "<title>T</title><meta name=a content=1><h2>x</h2><meta name=b content=2>")
	wantEqual(t, "problems", problems, []string(nil))
	wantEqual(t, "meta", metaText(doc.Page.Meta), []string{"1:1 title=T", "1:17 a=1", "url=fi/a"})
}

func TestHeading(t *testing.T) {
	for _, test := range []struct{ path, body, want string }{
		{"fi/a.md", "# Otsikko", "Otsikko"},
		{"fi/a.md", "Text\n# A *b* `c` [d](e) ~~f~~ &auml; \\* <b>g</b> ![h](i)  j ##\n", "A b c d f ä * g j"},
		{"fi/a.md", "# A {#id}", "A"},
		{"fi/a.md", "# A # {#id}\n", "A"},
		{"fi/a.md", "# A { #id .class }\n", "A"},
		{"fi/a.md", "# A {: .class}\n", "A"},
		{"fi/a.md", "# {a} {b}\n", "{a} {b}"},
		{"fi/a.md", "# A#", "A#"},
		{"fi/a.md", "#\tA", "A"},
		{"fi/a.md", "   # A", "A"},
		{"fi/a.md", "    # A\n", ""},
		{"fi/a.md", "#A\n##\n## B\n####### C", ""},
		{"fi/a.md", "#\n# A", "A"},
		{"fi/a.md", "A\n===", "A"},
		{"fi/a.md", "A *b*\nC\n  =  \n", "A b C"},
		{"fi/a.md", "A\n---\n\nB\n=\n", "B"},
		{"fi/a.md", "A {#x}\n===", "A"},
		{"fi/a.md", "\n===\n# A", "A"},
		{"fi/a.md", "- A\n===\n", ""},
		{"fi/a.md", "> A\n===\n", ""},
		{"fi/a.md", "> # A\n", "A"},
		{"fi/a.md", "1. # A\n", "A"},
		{"fi/a.md", "```\n# A\n```\n# B", "B"},
		{"fi/a.md", "~~~ x\n# A\n```\n~~~~\n# B", "B"},
		{"fi/a.md", "````\n# A\n```\n# B\n````\n# C", "C"},
		{"fi/a.md", "``` a`b\n# A", "A"},
		{"fi/a.md", "- ```\n  # A\n  ```\n# B", "B"},
		{"fi/a.md", "```\n# A", ""},
		{"fi/a.md", "<!--\n# A\n-->\n# B", "B"},
		{"fi/a.md", "<!-- x -->\n# B", "B"},
		{"fi/a.md", "<div>\n# A\n\n# B", "B"},
		{"fi/a.md", "<pre>\n\n# A\n</pre>\n# B", "B"},
		{"fi/a.md", "<h1 class=x>\nA <i>b</i>\n</h1>", "A b"},
		{"fi/a.md", "<div><h1>A</h1></div>\n\n# B", "A"},
		{"fi/a.md", "# [x]: y", "[x]: y"},
		{"fi/a.md", "# " + strings.Repeat("x", maxHeading), ""},
		{"fi/a.md", "# A\r", "A"},
		{"fi/a.md", strings.Repeat("# \n", maxEmpty-1) + "# A", "A"},
		{"fi/a.md", strings.Repeat("# \n", maxEmpty) + "# A", ""},
		{"fi/a.md", strings.Repeat("<h1></h1>\n\n", maxEmpty) + "# A", ""},
		{"fi/a.html", "<h2>x</h2><H1 id=a>A\n <b>b</b>&amp;<script>c</script><!-- d --></h1><h1>E</h1>", "A b&"},
		{"fi/a.html", "<h1> </h1><h1>B</h1>", "B"},
		{"fi/a.html", "<h1>A<br>B</h1>", "A B"},
		{"fi/a.html", "<!-- <h1>A</h1> --><style><h1>B</h1></style>", ""},
		{"fi/a.html", "<h1>A", "A"},
	} {
		if got := FormatOfFile(test.path).heading([]byte(test.body)); got != test.want {
			t.Errorf("%q has the heading %q, want %q", test.body, got, test.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, test := range []struct {
		path, text string
		fromPath   bool
		want       string
	}{
		{"fi/a.md", front("title: T") + "# H\n", true, "T"},
		{"fi/a.md", "# H\n", true, "H"},
		{"fi/a.html", "<title>T</title><h1>H</h1>", true, "T"},
		{"fi/a.html", "<title> </title><h1>H</h1>", true, "H"},
		{"fi/a.html", "---\nx: y\n---\n<h1>H</h1>", true, "H"},
		{"fi/b/c d.md", "x\n", true, "c d"},
		{"fi/b/index.md", "x\n", true, "b"},
		{"fi/b/_index.md", "x\n", true, "b"},
		{"fi/index.md", "x\n", true, "index"},
	} {
		site := testSite()
		if test.fromPath {
			site.TitleFrom = []string{TitlePath}
		}
		doc, problems := read(site, test.path, test.text)
		wantEqual(t, "problems of "+test.text, problems, []string(nil))
		if got := doc.Page.Meta.Get("title"); got == nil || got.Value != test.want {
			t.Errorf("%s %q has the title %+v, want %q", test.path, test.text, got, test.want)
		}
	}
}

// TestDesignExample reads the HTML document of the design.
func TestDesignExample(t *testing.T) {
	doc, problems := read(testSite(), "fi/vuokra-asunto.html", `<!doctype html>
<html lang="fi">
<head>
<title>Vuokra-asunto</title>                                                  <!-- meta.title -->
<meta name="dcterms.identifier" content="6ba7b810-9dad-51d1-80b4-00c04fd430c8">  <!-- the record's id -->
<meta name="dcterms.created" content="2015-03-02T08:11:25.123456Z">
<meta name="dcterms.modified" content="2019-05-06T08:06:31.004512Z">
<meta name="sivu.kind" content="article">
<meta name="description" content="Näin löydät vuokra-asunnon">                <!-- any other name is a meta key -->
<meta name="imagebanneralt">                                                  <!-- no content attribute: null -->
</head>
<body>…</body>
</html>
`)
	wantEqual(t, "problems", problems, []string(nil))
	p := doc.Page
	wantEqual(t, "fields", []string{p.ID.String(), p.Language, p.Kind.Name, p.Created.String(), p.Modified.String()},
		[]string{"6ba7b810-9dad-51d1-80b4-00c04fd430c8", "fi", "article", "2015-03-02T08:11:25.123456Z", "2019-05-06T08:06:31.004512Z"})
	wantEqual(t, "meta", metaText(p.Meta),
		[]string{"4:1 title=Vuokra-asunto", "9:1 description=Näin löydät vuokra-asunnon", "10:1 imagebanneralt:null", "url=fi/vuokra-asunto"})
}

// TestHostile runs through inputs made to take long or to go deep.
func TestHostile(t *testing.T) {
	const size = 1 << 18
	for name, text := range map[string]string{
		"metas":        strings.Repeat("<meta name=a>", size/13),
		"body tags":    "<body>" + strings.Repeat("</body>x", size/8),
		"comments":     strings.Repeat("<!--</body>", size/11),
		"less than":    strings.Repeat("<", size),
		"blank lines":  strings.Repeat("\n", size) + "---\na: b\n---\n",
		"delimiters":   strings.Repeat("---\n", size/4),
		"unterminated": "---\n" + strings.Repeat("a: b\n", size/5),
		"brackets":     "# " + strings.Repeat("[", size),
		"quotations":   strings.Repeat(">", size) + "\n===",
		"paragraph":    strings.Repeat("a\n", size/2),
		"list":         strings.Repeat("- ", size/2),
		"html blocks":  strings.Repeat("<div>\n\n", size/7),
		"TOML dots":    "+++\na" + strings.Repeat(".a", 30000) + " = 1\n+++\n",
		"TOML arrays":  "+++\na = " + strings.Repeat("[", 60000) + "\n+++\n",
		"TOML tables":  "+++\n" + strings.Repeat("[a.a]\n", 10000) + "+++\n",
		"YAML flow":    "---\na: " + strings.Repeat("[", 60000) + "\n---\n",
		"YAML indent":  "---\n" + strings.Repeat("- ", 30000) + "\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"fi/a.md", "fi/a.html"} {
				body(t, path, text)
			}
		})
	}
}
