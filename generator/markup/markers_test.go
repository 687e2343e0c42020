package markup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// markerIndex has pages that ref of Hugo can name.
func markerIndex() *markup.Index {
	var pages []*page.Record
	for _, name := range []string{"en/guides/a.md", "en/guides/b.md", "en/news/2015/2015-07-16-pluto.md", "en/topics/mobile/_index.md", "fi/news/2015/2015-07-16-pluto.md", "fi/a.md"} {
		url := strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/_index")
		pages = append(pages, &page.Record{Path: name, URL: url, Language: name[:2]})
	}
	return markup.NewIndex(pages, nil, markup.Addressing{Languages: []string{"en", "fi"}, Default: "en", Refs: true, IsSource: isSource})
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	md, mdx := page.Markdown, page.MDX
	for _, test := range []struct {
		name, generator string
		syntax          *page.Syntax
		body, want      string
		markers         []string // name treatment uses, in order
	}{
		{"no generator", "", md, "{{< a >}} {% b %} {{ c }}", "<p>{{&lt; a &gt;}} {% b %} {{ c }}</p>", nil},
		{"another generator", page.Astro, md, "{{< a >}}", "<p>{{&lt; a &gt;}}</p>", nil},
		{"in a line", page.Hugo, md, "one {{< a >}} two{{% b x=\"y\" %}}, three", "<p>one two, three</p>", []string{"a drop 1", "b drop 1"}},
		{"words stay apart", page.Hugo, md, "one{{< a >}}two", "<p>one two</p>", []string{"a drop 1"}},
		{"a pair in a word", page.Hugo, md, "o{{< i >}}n{{< /i >}}e", "<p>one</p>", []string{"i unwrap 1"}},
		{"no line break", page.Hugo, md, "one  {{< a >}}\ntwo", "<p>one\ntwo</p>", []string{"a drop 1"}},
		{"no code", page.Hugo, md, "{{< a >}}     one", "<p>one</p>", []string{"a drop 1"}},
		{"lines of its own", page.Hugo, md, "- one\n  {{< a >}}\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>", []string{"a drop 1"}},
		{"a pair", page.Hugo, md, "{{% note %}}\n*one*\n{{% /note %}}\n\n{{< note >}}two{{< /note >}}", "<p><em>one</em></p>\n<p>two</p>", []string{"note unwrap 1", "note unwrap 1"}},
		{"nested", page.Hugo, md, "{{< tabs >}}\n{{< tab >}}\none\n{{< single >}}\n\n{{< /tab >}}\n{{< /tabs >}}\n", "<p>one</p>", []string{"tabs unwrap 1", "tab unwrap 1", "single drop 1"}},
		{"indented in a pair", page.Hugo, md, "{{< table >}}\n    {{< row >}}*one*{{< /row >}}\n\n    {{< row >}}two{{< /row >}}\n{{< /table >}}\n\n    {{< row >}}\n", "<p><em>one</em></p>\n<p>two</p>", []string{"table unwrap 1", "row unwrap 2", "row drop 1"}},
		{"self-closing", page.Hugo, md, "{{< a />}}one{{< a >}}two{{< /a >}}", "<p>onetwo</p>", []string{"a drop 1", "a unwrap 1"}},
		{"title", page.Hugo, md, "{{% alert title=\"Mind *this*\" %}}\none\n{{% /alert %}}", "<p><strong>Mind <em>this</em></strong></p>\n<p>one</p>", []string{"alert unwrap 1"}},
		{"quotes", page.Hugo, md, "one {{< a b=\"{{< c >}}\" d=`>}}` >}}two", "<p>one two</p>", []string{"a drop 1"}},
		{"an open quote", page.Hugo, md, "one {{< a b=\"c >}} two\n{{< d >}}", "<p>one two</p>", []string{"a drop 1", "d drop 1"}},
		{"many lines", page.Hugo, md, "one\n\n{{< a\n  b=1\n>}}\n\ntwo", "<p>one</p>\n<p>two</p>", []string{"a drop 1"}},
		{"braces", page.Hugo, md, "one {{{< a >}}} {< b >}}", "<p>one {} {&lt; b &gt;}}</p>", []string{"a drop 1"}},
		{"no end", page.Hugo, md, "one {{< a", "<p>one {{&lt; a</p>", nil},
		{"escaped", page.Hugo, md, "`{{</* a b=\"c\" */>}}` {{%/* d */%}}", "<p><code>{{&lt; a b=&quot;c&quot; &gt;}}</code> {{% d %}}</p>", nil},
		{"in code", page.Hugo, md, "```sh\ncurl {{% param v %}}/x\n```", "<pre><code class=\"language-sh\">curl /x\n</code></pre>", []string{"param drop 1"}},
		{"in HTML", page.Hugo, page.HTML, "<p>one {{< a >}}two</p>{{< b >}}<p>three</p>{{< /b >}}", "<p>one two</p><p>three</p>", []string{"a drop 1", "b unwrap 1"}},
		{"comment", page.Hugo, md, "one\n{{% comment %}}two{{% /comment %}}\n", "<p>one</p>", []string{"comment drop 1"}},
		{"ref", page.Hugo, md, "[a]({{< ref \"b.md#x\" >}}) [c]({{< relref \"/topics/mobile\" >}}) [d]({{< ref \"2015-07-16-pluto.md\" >}} \"e\") [f]({{< ref path=\"/a\" lang=\"fi\" >}})",
			`<p><a href="/en/guides/b#x">a</a> <a href="/en/topics/mobile">c</a> <a href="/en/news/2015/2015-07-16-pluto" title="e">d</a> <a href="/fi/a">f</a></p>`, []string{"ref link 3", "relref link 1"}},
		{"ref in HTML", page.Hugo, page.HTML, `<a href="{{< ref "b.md" >}}">a</a>`, `<a href="/en/guides/b">a</a>`, []string{"ref link 1"}},
		{"ref elsewhere", page.Hugo, md, "See {{< ref \"b.md\" >}} <{{< ref \"b.md\" >}}> [a][b] [c](<{{< ref \"b.md\" >}}>)\n\n[b]: {{< ref \"b.md\" >}} \"d\"",
			`<p>See &lt;&gt; <a href="/en/guides/b" title="d">a</a> <a href="/en/guides/b">c</a></p>`, []string{"ref drop 2", "ref link 2"}},
		{"an address that is lost", page.Hugo, md, "[a]({{< page 1 >}} \"b\") [c]({{< page 2 >}}) [d](<{{< page 3 >}}> \"e\")", `<p><a title="b">a</a> <a>c</a> <a title="e">d</a></p>`, []string{"page drop 3"}},
		{"an address of a file", page.Hugo, md, "[a]({{< link \"b.md\" >}} \"c\")", `<p><a href="/en/guides/b" title="c">a</a></p>`, []string{"link link 1"}},
		{"an address", page.Hugo, md, "[a]( {{< link \"/guides/a/\" >}}) {{< link \"/x\" >}}b", `<p><a href="/en/guides/a">a</a> b</p>`, []string{"link link 1", "link drop 1"}},
		{"figure", page.Hugo, md, "{{< figure src=\"https://x.fi/a.png\" alt=\"b\" caption=\"c\" >}}\n*d*", "<figure><img src=\"https://x.fi/a.png\" alt=\"b\"><figcaption>c</figcaption></figure>\n<p><em>d</em></p>", []string{"figure image 1"}},
		{"figure in a line", page.Hugo, md, "a {{< figure src=\"https://x.fi/a.png\" link=\"https://x.fi\" >}} b", `<p>a <a href="https://x.fi"><img src="https://x.fi/a.png" alt=""></a> b</p>`, []string{"figure image 1"}},
		{"images", page.Hugo, md, "{{< img src=\"/a.png\" alt=\"b\" >}}\n*c* {{< img src=\"a\" alt=\"b\" >}}", "<p><img src=\"/a.png\" alt=\"b\">\n<em>c</em> b</p>", []string{"img image 1", "img unwrap 1"}},
		{"button", page.Hugo, md, "{{< button href=\"https://x.fi\" text=\"a\" >}}", `<p><a href="https://x.fi"><strong>a</strong></a></p>`, []string{"button link 1"}},
		{"a link around a text", page.Hugo, md, "{{< button link=\"https://x.fi\" >}}*a*{{< /button >}}", `<p><a href="https://x.fi"><em>a</em></a></p>`, []string{"button link 1"}},
		{"a component around a text", "", mdx, "a <Link to=\"/guides/b\">*c*</Link>", `<p>a <a href="/en/guides/b"><em>c</em></a></p>`, []string{"Link link 1"}},
		{"text", page.Hugo, md, "{{< quote text=\"a < b\" >}}", "<p>a &lt; b</p>", []string{"quote unwrap 1"}},
		{"highlight", page.Hugo, md, "{{< highlight go >}}\na *b*\n{{< /highlight >}}", "<pre><code class=\"language-go\">a *b*\n</code></pre>", []string{"highlight code 1"}},
		{"Liquid", page.Jekyll, md, "{% if a %}one{% else %}two{% endif %} {{ site.title | upcase }}.{%- assign b = 1 -%}", "<p>one two .</p>", []string{"if unwrap 1", "else drop 1", "site.title | upcase drop 1", "assign drop 1"}},
		{"raw", page.Jekyll, md, "{% raw %}{{ a }}{% b %}{% endraw %}{% comment %}c{% endcomment %}", "<p>{{ a }}{% b %}</p>", []string{"comment drop 1"}},
		{"Liquid addresses", page.Jekyll, md, "[a]({{ site.baseurl }}/guides/b) [c]({% link guides/a.md %}) [d]({{ '/guides/a' | relative_url }}) [e]({% post_url 2015-07-16-pluto %})",
			`<p><a href="/en/guides/b">a</a> <a href="/en/guides/a">c</a> <a href="/en/guides/a">d</a> <a href="/en/news/2015/2015-07-16-pluto">e</a></p>`, []string{"link link 1", "post_url link 1"}},
		{"containers", page.Docusaurus, md, "::::[Mind *this*]\none\n:::tip\ntwo\n:::\n::::\n```\n:::note\n```", "<p><strong>Mind <em>this</em></strong></p>\n<p>one</p>\n<p>two</p>\n<pre><code>:::note\n</code></pre>", []string{"::: unwrap 1", "tip unwrap 1"}},
		{"a title without brackets", page.VitePress, md, "::: details Open *me* {open}\none\n:::", "<p><strong>Open <em>me</em></strong></p>\n<p>one</p>", []string{"details unwrap 1"}},
		{"admonitions", page.MkDocs, md, "!!! note \"Mind\"\n    one\n\n    ??? tip\n        *two*\n\nthree", "<p><strong>Mind</strong></p>\n<p>one</p>\n<p><em>two</em></p>\n<p>three</p>", []string{"note unwrap 1", "tip unwrap 1"}},
		{"imports", "", mdx, "import A from 'a';\nexport const b = {\n\n  c: 1,\n}\n\nimportant *word*\nimport it\n\nimport D from 'd'", "<p>important <em>word</em>\nimport it</p>", nil},
		{"expressions", "", mdx, "a {/* b */}c {'*d*'} {\"e\"}{` `}{f.g} {h(`}`)}.", "<p>a c *d* e .</p>", []string{"f.g drop 1", "expression drop 1"}},
		{"MDX in code", "", mdx, "`{a} <B>`\n\n```js\nimport a from 'b';\n<B>{c}</B>\n```", "<p><code>{a} &lt;B&gt;</code></p>\n<pre><code class=\"language-js\">import a from 'b';\n&lt;B&gt;{c}&lt;/B&gt;\n</code></pre>", nil},
		{"components", "", mdx, "<Steps>\n1. *a*\n\n   <Tab label=\"x\">\n     **b**\n\n     ```\n     c\n     ```\n   </Tab>\n</Steps>\n<Since v={1}\n  /> d",
			"<ol>\n<li>\n<p><em>a</em></p>\n<p><strong>x</strong></p>\n<p><strong>b</strong></p>\n<pre><code>c\n</code></pre>\n</li>\n</ol>\n<p>d</p>", []string{"Steps unwrap 1", "Tab unwrap 1", "Since drop 1"}},
		{"indented", "", mdx, "<A>\n    <B>\n        ## c\n\n        d\n    </B>\n</A>", "<h2 id=\"c\">c</h2>\n<p>d</p>", []string{"A unwrap 1", "B unwrap 1"}},
		{"code that is less indented", "", mdx, "1. a\n\n    <A>\n      <B>\n      ```sh\n    c\n      ```\n      </B>\n    </A>\n\n2. d", "<ol>\n<li>\n<p>a</p>\n<pre><code class=\"language-sh\">c\n</code></pre>\n</li>\n<li>\n<p>d</p>\n</li>\n</ol>", []string{"A unwrap 1", "B unwrap 1"}},
		{"elements", "", mdx, "<div className=\"a\" style={{b: 1}}>\n*c*\n</div>\n\n<p>\n\n*d*\n</p>\n\n<p>*e*<br /></p>\n\nf <kbd>g</kbd>", "<div class=\"a\">\n<p><em>c</em></p>\n</div>\n<p><em>d</em></p>\n<p><em>e</em><br></p>\n<p>f <kbd>g</kbd></p>", nil},
		{"a card", "", mdx, "<LinkCard title=\"a\" href=\"/en/guides/b\" description=\"c\" />", `<p><a href="/en/guides/b"><strong>a</strong></a> c</p>`, []string{"LinkCard link 1"}},
		{"no tags", "", mdx, "a < b, \\<C>, \\{d}\n\n## e {#f}", "<p>a &lt; b, &lt;C&gt;, {d}</p>\n<h2 id=\"f\">e</h2>", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := markup.NewRenderer(markup.Options{Generator: test.generator}, markerIndex())
			res := r.Render(0, test.syntax, []byte(test.body))
			checkPositions(t, res, len(test.body))
			content := strings.TrimSuffix(strings.TrimPrefix(string(res.Content), `<div class="xmldoc">`), "</div>")
			if diff := cmp.Diff(test.want, content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			var markers []string
			for _, m := range res.Markers {
				markers = append(markers, fmt.Sprintf("%s %s %d", m.Name, m.Treatment, m.Uses))
			}
			if diff := cmp.Diff(test.markers, markers); diff != "" {
				t.Errorf("markers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMarkersTreated renders a body under rules of site.yaml.
func TestMarkersTreated(t *testing.T) {
	t.Parallel()
	const body = "{{< a >}}one{{< b >}}two{{< /b >}}{{< /a >}} {{< c >}}"
	for _, test := range []struct {
		rules map[string]string
		want  string
	}{
		{nil, "<p>onetwo</p>"},
		{map[string]string{"b": markup.MarkerDrop}, "<p>one</p>"},
		{map[string]string{"a": markup.MarkerUnwrap, "*": markup.MarkerDrop}, "<p>one</p>"},
		{map[string]string{"a": markup.MarkerDrop}, ""},
		{map[string]string{"b": markup.MarkerKeep, "c": markup.MarkerUnwrap}, "<p>one{{&lt; b &gt;}}two{{&lt; /b &gt;}}</p>"},
	} {
		r := markup.NewRenderer(markup.Options{Generator: page.Hugo, Markers: test.rules}, markerIndex())
		res := r.Render(0, page.Markdown, []byte(body))
		if want := `<div class="xmldoc">` + test.want + "</div>"; string(res.Content) != want {
			t.Errorf("%v: %s, want %s", test.rules, res.Content, want)
		}
		for _, m := range res.Markers {
			if _, decided := test.rules[m.Name]; m.Decided != (decided || test.rules["*"] != "") {
				t.Errorf("%v: %s is decided: %v", test.rules, m.Name, m.Decided)
			}
		}
	}
}

// TestMarkersInAddresses holds that a rule for a name does not break links.
func TestMarkersInAddresses(t *testing.T) {
	t.Parallel()
	opts := markup.Options{Generator: page.Hugo, Markers: map[string]string{"link": markup.MarkerDrop}}
	res := markup.NewRenderer(opts, markerIndex()).Render(0, page.Markdown, []byte("[a]({{< link \"/guides/a/\" >}} \"b\") {{< link \"/x\" >}}"))
	if want := `<div class="xmldoc"><p><a href="/en/guides/a" title="b">a</a></p></div>`; string(res.Content) != want {
		t.Errorf("%s, want %s", res.Content, want)
	}
}

// TestMarkersPositions holds the places of problems after markers against the body.
func TestMarkersPositions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		generator string
		syntax    *page.Syntax
		body      string
	}{
		{page.Hugo, page.Markdown, "a {{< b >}} c\n{{< d >}}\ne\n\nä {{</* f */>}} [g](#missing)"},
		{page.Hugo, page.HTML, "<p>{{< b c=\"d\" >}}<a href=#missing>g</a></p>"},
		{"", page.MDX, "import a from 'a'\n\n<Steps>\n    <A title=\"x\">\n        text\n\n        [g](#missing)\n    </A>\n</Steps>"},
		{page.Docusaurus, page.Markdown, ":::note[T]\na\n:::\n[g](#missing)"},
	} {
		res := markup.NewRenderer(markup.Options{Generator: test.generator}, markerIndex()).Render(0, test.syntax, []byte(test.body))
		at := max(strings.Index(test.body, "[g]"), strings.Index(test.body, "<a href"))
		if i := slices.IndexFunc(res.Problems, func(p markup.Problem) bool { return p.Offset == at }); i < 0 {
			t.Errorf("%q: no problem at %d: %v", test.body, at, res.Problems)
		}
	}
}

// TestRefMissing reports a ref to a page that is not there, at its place.
func TestRefMissing(t *testing.T) {
	t.Parallel()
	res := markup.NewRenderer(markup.Options{Generator: page.Hugo}, markerIndex()).Render(0, page.Markdown, []byte("{{< x >}}\n[a]({{< ref \"gone.md\" >}})"))
	if len(res.Problems) != 1 || res.Problems[0].Message != `page not found: "gone.md"` || res.Problems[0].Offset != 10 {
		t.Errorf("problems: %+v", res.Problems)
	}
}

// hostileMarkers repeat what could be looked at again and again.
var hostileMarkers = []string{
	"{{< a ", "{{< a \"", "{{<a `", "{{< a >}}", "{{< a >}}{{< /b >}}", "{{% /a %}}", "{% raw %}", "{% a \"", "{{ '", "{{</* ", "{#", "{", "{`${", "{'", "<a b={", "<A b=\"", "<A>", "</A>", "<A\n",
	"<a {<b {} ", "\" <a {", "{ {} ", "<a b='\"", ":::a\n", "::::\n:::a\n", "- ", "> ", "!!! a\n    ", "`", "``` ``", "import {\n\n", "export `\n\n", "<p>\n", " {{< a >}}", "{{< a >}} \t", "{/*", "\\", "<", "\t", "1. - ",
}

func FuzzMarkers(f *testing.F) {
	for _, seed := range hostileMarkers {
		f.Add(strings.Repeat(seed, 3) + "a\n" + seed)
	}
	f.Add("import a from 'b'\n\n<A b=\"c\">\n    - d {e}\n</A>\n\n{{< f >}}g{{< /f >}} {{< ref \"a.md\" >}}\n:::h[i]\n:::\n")
	syntaxes := []*page.Syntax{page.Markdown, page.HTML, page.MDX}
	f.Fuzz(func(t *testing.T, body string) {
		if !utf8.ValidString(body) || strings.ContainsRune(body, 0) {
			t.Skip("a source is UTF-8 without NUL")
		}
		for _, generator := range page.Generators {
			r := markup.NewRenderer(markup.Options{Generator: generator}, markerIndex())
			for _, syntax := range syntaxes {
				res := r.Render(0, syntax, []byte(body))
				checkPositions(t, res, len(body))
				checkContent(t, markup.Options{}, string(res.Content))
				last := 0
				for _, m := range res.Markers {
					if m.Offset < last || m.Offset > len(body) || m.Uses < 1 {
						t.Errorf("marker %+v after %d of %d", m, last, len(body))
					}
					last = m.Offset
				}
			}
		}
	})
}

// BenchmarkHostileMarkers shows that time grows with the length, not with its square.
func BenchmarkHostileMarkers(b *testing.B) {
	const size = 1 << 20
	for _, seed := range hostileMarkers {
		b.Run(fmt.Sprintf("%q", seed), func(b *testing.B) {
			body := []byte(strings.Repeat(seed, size/len(seed)))
			b.SetBytes(size)
			for b.Loop() {
				for _, generator := range []string{page.Hugo, page.Jekyll, page.MkDocs} {
					markup.NewRenderer(markup.Options{Generator: generator}, markerIndex()).Expand(page.Markdown, body)
				}
				markup.NewRenderer(markup.Options{}, markerIndex()).Expand(page.MDX, body)
			}
		})
	}
}

// TestTooManyMarkers reports a body that no page needs.
func TestTooManyMarkers(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("{{< a >}} ", 300_000)
	res := markup.NewRenderer(markup.Options{Generator: page.Hugo}, markerIndex()).Render(0, page.HTML, []byte(body))
	checkPositions(t, res, len(body))
	if !slices.ContainsFunc(res.Problems, func(p markup.Problem) bool { return p.Rule.Name == "markdown-depth" && p.Offset > 0 }) {
		t.Error("no problem is reported")
	}
}

// TestNoMarkers holds that looking for markers costs a page without any no memory.
func TestNoMarkers(t *testing.T) {
	body := []byte(strings.Repeat("# one\n\n*two* three: [four](five.md) {six}\n\n", 50))
	for _, generator := range []string{"", page.Hugo, page.Jekyll, page.Docusaurus} {
		r := markup.NewRenderer(markup.Options{Generator: generator}, markerIndex())
		if n := testing.AllocsPerRun(10, func() { r.Expand(page.Markdown, body) }); n > 0 {
			t.Errorf("%q: %v allocations", generator, n)
		}
	}
}
