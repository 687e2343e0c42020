package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

func TestMarkdown(t *testing.T) {
	for _, test := range []struct {
		name, body, want string
		problems         []string
	}{
		{"text", "a *b* **c** ~~d~~ `e`\n", "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>", nil},
		{"table", "|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n", `<table>
<thead>
<tr>
<th align="left">a</th>
<th align="center">b</th>
<th align="right">c</th>
</tr>
</thead>
<tbody>
<tr>
<td align="left">1</td>
<td align="center">2</td>
<td align="right">3</td>
</tr>
</tbody>
</table>`, nil},
		{"tasks", "- [x] a\n- [ ] b\n", "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>", nil},
		{"autolinks", "https://a.fi www.b.fi c@d.fi\n",
			`<p><a href="https://a.fi">https://a.fi</a> <a href="http://www.b.fi">www.b.fi</a> <a href="mailto:c@d.fi">c@d.fi</a></p>`, nil},
		{"code and start", "3. a\n\n```go\n<b>\n```\n",
			"<ol start=\"3\">\n<li>a</li>\n</ol>\n<pre><code class=\"language-go\">&lt;b&gt;\n</code></pre>", nil},
		{"footnote", "a[^x]\n\n[^x]: b\n", `<p>a<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup></p>
<div class="footnotes" role="doc-endnotes">
<hr>
<ol>
<li id="fn:1">
<p>b&#160;<a href="#fnref:1" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a></p>
</li>
</ol>
</div>`, nil},
		{"links and images", "[a](tyo/haku.html \"t\") ![b](c.png)\n",
			`<p><a href="/fi/tyo/hakeminen" title="t">a</a> <img src="/fi/c.png" alt="b"></p>`, nil},
		{"raw HTML", "a <b>c</b> <font>d</font>\n\n<div onclick=x>\n\n*e*\n\n</div>\n",
			"<p>a <b>c</b> d</p>\n<div>\n<p><em>e</em></p>\n</div>",
			[]string{tagRemoved(11, "font"), attributeRemoved(27, "onclick", "div")}},
		{"raw HTML in a quote", "> a\n>\n> <div>\n> <font>b</font>\n> </div>\n", "<blockquote>\n<p>a</p>\n<div>\nb\n</div>\n</blockquote>",
			[]string{tagRemoved(16, "font")}},
		{"raw HTML in the middle of a line", "<div>\n  ä <font>b</font></div>\n", "<div>\n  ä b</div>", []string{tagRemoved(11, "font")}},
		{"raw HTML over lines", "a <b\n  onclick=x>c</b>\n", "<p>a <b>c</b></p>", []string{attributeRemoved(2, "onclick", "b")}},
		{"broken links", "ä [a](x.md)\n\n- ![b](javascript:x)\n- [c][r]\n- <foo:bar>\n\n[r]: #nowhere\n",
			"<p>ä <a href=\"x.md\">a</a></p>\n<ul>\n<li><img alt=\"b\"></li>\n<li><a href=\"#nowhere\">c</a></li>\n<li><a>foo:bar</a></li>\n</ul>",
			[]string{`3 broken-link: page not found: "x.md"`,
				`16 html-removed: the address "javascript:x" is removed`,
				`37 broken-link: the link "#nowhere" leads to an anchor that is not on this page`,
				`46 html-removed: the address "foo:bar" is removed`}},
		{"letters in addresses", "[a](дом.md) [b](/fi/ا%20b#ä) [c](#%FF)", "<p><a href=\"%D0%B4%D0%BE%D0%BC.md\">a</a> <a href=\"/fi/%D8%A7%20b#%C3%A4\">b</a> <a href=\"#%FF\">c</a></p>",
			[]string{`0 broken-link: page not found: "дом.md"`,
				`15 broken-link: page not found: "/fi/ا%20b#ä"`,
				`34 broken-link: the link "#%FF" leads to an anchor that is not on this page`}},
		{"attributes of headings", "## A {#b}\n## A { #c .d }\n## A {: .e}\n## `E` {.n lang=en}\nF {#g}\n---\n## {verb} {object}\n## H {no-id}\n## I \\{#j}\n## K {.l onclick=m data-n=1}\nM\n{#o}\n---\n",
			`<h2 id="b">A</h2>
<h2 id="c" class="d">A</h2>
<h2 class="e" id="a">A</h2>
<h2 class="n" lang="en" id="e"><code>E</code></h2>
<h2 id="g">F</h2>
<h2 id="verb-object">{verb} {object}</h2>
<h2 id="h-no-id">H {no-id}</h2>
<h2 id="i-j">I {#j}</h2>
<h2 class="l" id="k">K</h2>
<h2 id="o">M</h2>`, nil},
		{"attributes of blocks", "a\n{.b #c}\n\n![x](y.png)\n{: .d}\n\n> e\n\n{#f}\n\n## g\n\n|h|\n|-|\n|i|\n{.j}\n\nk {.l}\n\n[m](#c)\n{.n title=\"*b*\"}\n",
			`<p class="b" id="c">a</p>
<p class="d"><img src="/fi/y.png" alt="x"></p>
<blockquote>
<p>e</p>
</blockquote>
<h2 id="f">g</h2>
<table class="j">
<thead>
<tr>
<th>h</th>
</tr>
</thead>
<tbody>
<tr>
<td>i</td>
</tr>
</tbody>
</table>
<p>k {.l}</p>
<p class="n" title="*b*"><a href="#c">m</a></p>`, nil},
		{"definitions", "a\n: b *c*\n: d\n\ne\n\n: f\n\n  g\n\nh: i\n:j\n",
			"<dl>\n<dt>a</dt>\n<dd>b <em>c</em></dd>\n<dd>d</dd>\n<dt>e</dt>\n<dd>\n<p>f</p>\n<p>g</p>\n</dd>\n</dl>\n<p>h: i\n:j</p>", nil},
		{"alerts", "> [!NOTE]\n> a *b*\n> c\n\n> [!Tip] d *e*\n> f\n\n> [!CAUTION]\n>\n> - g\n\n> [!NOTE](#top)\n\n> [!i] j\n",
			`<blockquote class="markdown-alert markdown-alert-note"><p>a <em>b</em>
c</p>
</blockquote>
<blockquote class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title"><strong>d <em>e</em></strong></p>
<p>f</p>
</blockquote>
<blockquote class="markdown-alert markdown-alert-caution"><ul>
<li>g</li>
</ul>
</blockquote>
<blockquote>
<p><a href="#top">!NOTE</a></p>
</blockquote>
<blockquote>
<p>[!i] j</p>
</blockquote>`, nil},
		{"content as a body", "<!-- modified: 2019-05-06T08:06:31 --><div class=\"xmldoc\"><p>a</p></div>\n", "<p>a</p>", nil},
		{"empty", "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, []byte(test.body))
			if diff := cmp.Diff(test.want, inner(t, res.Content)); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problems, problems(res)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			checkContent(t, markup.Options{}, string(res.Content))
		})
	}
}

func TestHeadingIDs(t *testing.T) {
	body := `# Hello, *World*!
## hello world
## hello world
## hello-world-1
### Ääkköset ja ŠÍPKY_ 12 %
### 語言 العربية हिन्दी
### ` + "`code` [link](https://x.fi) &auml;&amp;" + `
### !!!
### Sääntö {#rule-1}
### Sääntö {#a b}
## rule-1
Alle
viivattu
===
### <b>raw</b> ![pic](a.png)
> # in a quote
### \*a\_b\* {#x_y_z}
`
	want := []string{
		`<h1 id="hello-world">`, `<h2 id="hello-world-1">`, `<h2 id="hello-world-2">`, `<h2 id="hello-world-1-1">`,
		`<h3 id="ääkköset-ja-šípky_-12-">`, `<h3 id="語言-العربية-हिन्दी">`, `<h3 id="code-link-ä">`, `<h3>`,
		`<h3 id="rule-1">`, `<h3 id="sääntö-a-b">`, `<h2 id="rule-1-1">`, `<h1 id="alle-viivattu">`, `<h3 id="raw-">`,
		`<h1 id="in-a-quote">`, `<h3 id="x_y_z">`,
	}
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, []byte(body))
	var got []string
	for line := range strings.Lines(inner(t, res.Content)) {
		if strings.HasPrefix(line, "<h") {
			got = append(got, line[:strings.IndexByte(line, '>')+1])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(res.Content), `<h3 id="rule-1">Sääntö</h3>`) || !strings.Contains(string(res.Content), `>*a_b*</h3>`) {
		t.Errorf("an id stays in the text of its heading:\n%s", res.Content)
	}
	if len(res.Anchors) != 14 {
		t.Errorf("%d anchors, want 14", len(res.Anchors))
	}
}

func TestMarkdownGuard(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body, want string
	}{
		{"quotes", strings.Repeat(">", 10000), "100 markdown-depth: lists and quotes are nested too deep: more than 100 blocks are open around this line"},
		{"lists", strings.Repeat("+ - ", 10000), "100 markdown-depth: lists and quotes are nested too deep: more than 100 blocks are open around this line"},
		{"brackets", strings.Repeat("[", 10000), "1000 markdown-depth: there are more than 1000 brackets in one paragraph"},
		{"emphasis", strings.Repeat("*a _", 10000), "2000 markdown-depth: there are more than 1000 marks of emphasis in one paragraph"},
		{"a long run", "a " + strings.Repeat("*", 1000), "2 markdown-depth: more than 100 of the same mark follow each other"},
		{"code", "a " + strings.Repeat("`", 1000), "2 markdown-depth: more than 100 of the same mark follow each other"},
		{"references", strings.Repeat("[a]: b\n", 10000), "0 markdown-depth: more than 1000 lines of a paragraph begin with a bracket"},
		{"footnotes", strings.Repeat("[^a]: b\n", 10000), "8000 markdown-depth: there are more than 1000 footnotes"},
		{"cells", strings.Repeat("|a", 1000) + "\n" + strings.Repeat("|-", 1000) + "\n" + strings.Repeat("b\n", 1000),
			"2001 markdown-depth: a table has too many cells for its text"},
		{"addresses", strings.Repeat("[a](b", 1000) + strings.Repeat("c", 5000), "22 markdown-depth: too many links do not end"},
		{"headings", strings.Repeat("# a\n", 300000), "1000000 markdown-depth: before this place stand more lines, blocks and marks than one page may hold"},
		{"images", strings.Repeat("![", 600000), "999997 markdown-depth: before this place stand more lines, blocks and marks than one page may hold"},
		{"short lines", strings.Repeat("a\n", 900000), ""},
		{"a long line", strings.Repeat("a b, c. ", 2<<20), ""},
		{"long addresses", strings.Repeat("[a](/fi/tyo?"+strings.Repeat("b", 9000)+")\n", 100), ""},
		{"links without spaces between", strings.Repeat("文[文](/fi/tyo)", 900), ""},
		{"a table of text", "|a|b|\n|-|-|\n" + strings.Repeat("|*c*|[d](/fi/tyo)|\n", 5000), ""},
		{"words with low lines", strings.Repeat("a_b ", 5000), ""},
		{"code of marks", "```\n" + strings.Repeat("*[_>", 5000) + "\n```\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, []byte(test.body))
			if got := strings.Join(problems(res), "\n"); got != test.want {
				t.Errorf("problems %q, want %q", got, test.want)
			}
		})
	}
}
