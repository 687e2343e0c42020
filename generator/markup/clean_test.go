package markup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// inner returns what lies in the one div of content.
func inner(t *testing.T, content []byte) string {
	t.Helper()
	s, ok := strings.CutPrefix(string(content), `<div class="xmldoc">`)
	s, end := strings.CutSuffix(s, "</div>")
	if !ok || !end {
		t.Fatalf("content is not in a div.xmldoc: %q", content)
	}
	return s
}

// problems writes problems as "offset rule: message", in the order of the body.
func problems(res *markup.Result) []string {
	list := slices.Clone(res.Problems)
	slices.SortStableFunc(list, func(a, b markup.Problem) int { return a.Offset - b.Offset })
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%d %s: %s", p.Offset, p.Rule.Name, p.Message))
	}
	return lines
}

func tagRemoved(offset int, name string) string {
	return fmt.Sprintf("%d html-removed: element %q is not allowed: its tag is removed, its content stays", offset, name)
}

func divInstead(offset int, name string) string {
	return fmt.Sprintf("%d html-removed: element %q is not allowed: a div takes its place", offset, name)
}

func voidRemoved(offset int, name string) string {
	return fmt.Sprintf("%d html-removed: element %q is removed", offset, name)
}

func allRemoved(offset int, name string) string {
	return fmt.Sprintf("%d html-removed: element %q is removed with its content", offset, name)
}

func textStays(offset int, name string) string {
	return fmt.Sprintf("%d html-removed: element %q is removed, its text stays", offset, name)
}

func attributeRemoved(offset int, attr, name string) string {
	return fmt.Sprintf("%d html-removed: attribute %q of element %q is removed", offset, attr, name)
}

func hiddenInstead(offset int, attr, name string) string {
	return fmt.Sprintf("%d html-removed: attribute %q of element %q is removed, hidden takes its place", offset, attr, name)
}

type cleanCase struct {
	name, body, want string
	problems         []string
}

func runClean(t *testing.T, opts markup.Options, cases []cleanCase) {
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			r := markup.NewRenderer(opts, testIndex())
			res := r.Render(0, page.HTML, []byte(test.body))
			if diff := cmp.Diff(test.want, inner(t, res.Content)); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problems, problems(res)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			checkContent(t, opts, string(res.Content))
		})
	}
}

func TestCleanKeepsBytes(t *testing.T) {
	for _, body := range []string{
		`text &amp; &copy; & > "quoted"`,
		`<P CLASS=a>upper case</P ><br/><BR><hr />`,
		"<p\n id='a'\tlang=\"fi\"  dir=ltr >x</p>",
		`<ul><li>a<li>b</ul><dl><dt>a<dd>b<dt>c</dl><p>a<p>b<div>c</div>`,
		`<table><caption>c</caption><colgroup><col span=2></colgroup><thead><tr><th scope=col>a<tbody><tr><td colspan=2>b</table>`,
		`<table><tr><td align="center">a</td></tr></table><ol start="3" reversed type=a><li value=2>a</ol>`,
		`<ruby>漢<rp>(<rt>kan<rp>)</ruby>`,
		`<details open><summary>a</summary>b</details><time datetime="2019">x</time><del cite="https://x.fi/" datetime=2019>y</del>`,
		`<a href="https://www.example.fi/?a=1&amp;b=2#c" rel=nofollow hreflang=sv title="t">a</a><a href="mailto:a@b.fi">b</a><a href='tel:+358'>c</a>`,
		`<img src="https://x.fi/a.png" alt="" width=1 height=2><figure><figcaption>x</figcaption></figure>`,
		`<div role=note aria-label=x aria-hidden=true aria-describedby=y aria-labelledby=z></div><a name="old"></a><a href="#old">x</a>`,
		`<abbr>a</abbr><bdi>a</bdi><bdo>a</bdo><cite>a</cite><code>a</code><dfn>a</dfn><em>a</em><i>a</i><ins>a</ins><kbd>a</kbd><mark>a</mark>`,
		`<q cite="https://x.fi">a</q><s>a</s><samp>a</samp><small>a</small><span>a</span><strong>a</strong><sub>a</sub><sup>a</sup><u>a</u><var>a</var><wbr>`,
		`<address>a</address><article>a</article><aside>a</aside><footer>a</footer><header>a</header><hgroup><h1>a</h1></hgroup><main>a</main><nav>a</nav><section>a</section>`,
		"<pre>\n  a\n</pre><blockquote cite=\"https://x.fi/\">a</blockquote>",
		`<b><p>a</p></b><a href="https://x.fi/"><h2>t</h2></a>`,
		`<p hidden>a</p><div HIDDEN="until-found">b</div><span translate=no>c</span><a href="sms:+358401234567?body=x">d</a>`,
		`<a href="https://x.fi/a.pdf" download="b.pdf">a</a><acronym title="b">c</acronym><data value=1>d</data><menu><li>e</menu>`,
		`<table><tr><th abbr=a scope=col>b</table><nav aria-label=c><a href="/fi" aria-current="page">d</a></nav><p aria-live=polite aria-expanded=false aria-controls=x>e`,
		`<picture><source srcset="https://x.fi/a.webp 1x,https://x.fi/b.webp  2x" media="(width > 1px)" type=image/webp sizes="100vw"><img src=https://x.fi/a.png srcset=https://x.fi/a.png loading=lazy alt=""></picture>`,
		`<video controls poster="https://x.fi/a.png" width=1 height=2 loop muted playsinline preload=none crossorigin><source src=https://x.fi/a.mp4><track src=https://x.fi/a.vtt kind=captions srclang=fi label=a default><a href="https://x.fi/a.mp4">b</a></video>`,
		`<audio CONTROLS src="https://x.fi/a.mp3"></audio><meter min=0 max=9 low=2 high=8 optimum=5 value=4>4</meter><progress value=1 max=2>50 %</progress>`,
		`<dialog open><p>a</dialog><dialog>b</dialog><details name=c open><summary>d</summary>e</details>`,
	} {
		res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(body))
		if got := inner(t, res.Content); got != body {
			t.Errorf("changed\n%s to\n%s", body, got)
		}
		if len(res.Problems) > 0 {
			t.Errorf("%s: %q", body, problems(res))
		}
		checkContent(t, markup.Options{}, string(res.Content))
	}
}

func TestCleanAllowList(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"unknown element", `a<font color=red>b</font>c`, `abc`, []string{tagRemoved(1, "font")}},
		{"custom element", `<my-card>b</my-card>`, `b`, []string{tagRemoved(0, "my-card")}},
		{"event handler", `<p onclick="x()" id=a>b</p>`, `<p id=a>b</p>`, []string{attributeRemoved(0, "onclick", "p")}},
		{"style and data", `<p style="x" data-y>b</p>`, `<p>b</p>`, nil},
		{"attribute of another element", `<p href=x start=2>`, `<p>`,
			[]string{attributeRemoved(0, "href", "p"), attributeRemoved(0, "start", "p")}},
		{"script", `a<script>if (x<y) "</p>"</script>b`, `ab`, []string{allRemoved(1, "script")}},
		{"all that go with their content", `<style>a</style><template>b</template><title>c</title><xmp>d</xmp><noembed>e</noembed>` +
			`<noframes>f</noframes><datalist><option>g</datalist>h`,
			`h`, []string{allRemoved(0, "style"), allRemoved(16, "template"), allRemoved(38, "title"), allRemoved(54, "xmp"),
				allRemoved(66, "noembed"), allRemoved(86, "noframes"), allRemoved(108, "datalist")}},
		{"long tags", `a<script src="` + strings.Repeat("x", 9000) + `">b<!--</script>c<p title="` + strings.Repeat("y", 9000) + `">d<font>`,
			`ac<p title="` + strings.Repeat("y", 9000) + `">d`, []string{allRemoved(1, "script"), tagRemoved(18044, "font")}},
		{"plaintext", `a<plaintext>b</plaintext>c`, `a`,
			[]string{`1 html-removed: element "plaintext" has no end tag: all after it is removed`}},
		{"nested removed elements", `a<template>b<template>c</template>d</template>e`, `ae`, []string{allRemoved(1, "template")}},
		{"another end tag in a removed element", `a<svg><p></div></svg>b`, `ab`, []string{allRemoved(1, "svg")}},
		{"removed element without an end", `<p>a<svg>b</p>c`, `<p>a`,
			[]string{`4 html-removed: element "svg" has no end tag: all after it is removed`}},
		{"empty svg", `a<svg/>b<math />c`, `abc`, []string{allRemoved(1, "svg"), allRemoved(8, "math")}},
		{"silent", `a<!-- b --><!doctype html><?php c ?><![CDATA[d]]></>e`, `ae`, nil},
		{"javascript", `<a href="javascript:x">a</a><a href=" Java&#10;Script&colon;x">b</a>`, `<a>a</a><a>b</a>`,
			[]string{`0 html-removed: the address "javascript:x" is removed`, `28 html-removed: the address " Java\nScript:x" is removed`}},
		{"other schemes", `<img src="data:image/png;base64,x" alt><a href="vbscript:x" id=i>b</a>`, `<img alt><a id=i>b</a>`,
			[]string{`0 html-removed: the address "data:image/png;base64,x" is removed`, `39 html-removed: the address "vbscript:x" is removed`}},
		{"an address for mail is none of an image", `<img src="mailto:a@b.fi" alt=x>`, `<img alt=x>`,
			[]string{`0 html-removed: the address "mailto:a@b.fi" is removed`}},
		{"unreadable address", `<a href="http://[x">a</a>`, `<a>a</a>`,
			[]string{`0 html-removed: the address "http://[x" is removed: it cannot be read`}},
		{"spaces in an address", "<a href=' https://x.fi/a\tb c '>d</a>", `<a href="https://x.fi/ab%20c">d</a>`, nil},
		{"checkbox", `<input type=checkbox checked>a<input type="CHECKBOX">b<input>c`, `☑a☐bc`, []string{voidRemoved(54, "input")}},
		{"repeated attribute", `<p id=a ID=b>c`, `<p id="a">c`, nil},
		{"tag that is not plain", "<p title='a<b' \"x id=a>c</p/>", `<p title="a&lt;b" id="a">c</p>`, []string{attributeRemoved(0, `"x`, "p")}},
		{"slash of what is not empty", `<p/>a<div id=b />c`, `<p>a<div id=b>c</div>`, nil},
	})
}

func TestCleanJoins(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"less-than in text", `a < b <3 <`, `a < b <3 &lt;`, nil},
		{"less-than before what is removed", `a <<!-- -->/b> < <i>x</i> << `, `a &lt;/b> < <i>x</i> <&lt;`, nil},
		{"a tag of pieces", `<<script></script>b>x`, `&lt;b>x`, []string{allRemoved(1, "script")}},
		{"a tag around a comment", `<<!-- -->img src=x onerror=y>`, `&lt;img src=x onerror=y>`, nil},
		{"tag without an end", `a<b c="d">e<i f`, `a<b>e</b>`,
			[]string{attributeRemoved(1, "c", "b"), `11 html-removed: a tag does not end: all after it is removed`}},
		{"comment without an end", `a<!-- <b>c`, `a`, []string{`1 html-removed: a comment does not end: all after it is removed`}},
		{"white space at both ends", " \n<!-- a --> b <script></script>\n ", "b", []string{allRemoved(15, "script")}},
	})
}

func TestCleanBalance(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"stray end tags", `</p>a</div></b></table></li>`, `a`, nil},
		{"open elements", `<div><b>a<ul><li><i>b`, `<div><b>a<ul><li><i>b</i></li></ul></b></div>`, nil},
		{"crossing", `<p><b>a</p>b</b>`, `<p><b>a</b></p>b`, nil},
		{"formatting around a block", `<b><p>a</b>b</p>c`, `<b><p>a</p></b>bc`, nil},
		{"anchor around a heading", `<a name=x><h2>a</a></h2>b`, `<a name=x><h2>a</h2></a>b`, nil},
		{"nested anchors", `<a name=x>a<a name=y>b`, `<a name=x>a</a><a name=y>b</a>`, nil},
		{"nested headings", `<h1>a<b>b<h2>c</h1>d`, `<h1>a<b>b</b></h1><h2>c</h2>d`, nil},
		{"nested headings around a paragraph", `<h1><b><p>a<h2>b`, `<h1><b><p>a</p></b></h1><h2>b</h2>`, nil},
		{"another heading's end", `<h1>a</h2>b`, `<h1>a</h1>b`, nil},
		{"inline end over a block", `<span><div>a</span>b</div>c`, `<span><div>ab</div>c</span>`, nil},
		{"item with a block", `<ul><li><div>a<li>b</ul>`, `<ul><li><div>a</div><li>b</ul>`, nil},
		{"item in an inner list", `<ul><li>a<ul></li><li>b</ul></ul>`, `<ul><li>a<ul><li>b</ul></ul>`, nil},
		{"paragraph before a table", `<p>a<table><tr><td>b</table>`, `<p>a</p><table><tr><td>b</table>`, nil},
		{"end of a break", `a</br>b</hr>c`, `a<br>bc`, nil},
		{"table parts outside a table", `<tr><td>a</td></tr>`, `a`, []string{
			`0 html-removed: element "tr" stands outside a table: its tag is removed`,
			`4 html-removed: element "td" stands outside a table: its tag is removed`}},
		{"text in a table", `<table>a<tr>b<td>c</table>`, `<table><tr><td>a<tr><td>b<td>c</table>`, nil},
		{"element in a table", `<table><tr><p>a<tr><td>b</table>`, `<table><tr><td><p>a<tr><td>b</table>`, nil},
		{"table in a table", `<table><tr><table><tr><td>a</table>`, `<table><tr></tr></table><table><tr><td>a</table>`, nil},
		{"table in a cell", `<table><tr><td><b>a<table><tr><td>b</td></table>c</td></table>`,
			`<table><tr><td><b>a<table><tr><td>b</td></table>c</b></td></table>`, nil},
		{"end tags across a cell", `<div><table><tr><td></div>a</table></div>`, `<div><table><tr><td>a</table></div>`, nil},
		{"caption", `<table><caption>a<tr><td>b</table>`, `<table><caption>a</caption><tr><td>b</table>`, nil},
		{"breaking out", `a</div></div><p>b`, `a<p>b`, nil},
		{"document", `<html><body class=x><p>a</body></html>`, `<p>a`, []string{tagRemoved(0, "html"), tagRemoved(6, "body")}},
	})
}

func TestCleanBlocks(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"words", `<p>Nimi<fieldset><legend>Osoite</legend>Katu<div>x</div></fieldset>Kaupunki <center>Keskus</center>Alue`,
			`<p>Nimi<div><div>Osoite</div>Katu<div>x</div></div>Kaupunki <div>Keskus</div>Alue`,
			[]string{divInstead(7, "fieldset"), divInstead(17, "legend"), divInstead(76, "center")}},
		{"attributes", `<FORM action=/x method=post id=a LANG='sv' onsubmit=x>b</FORM >`, `<div id="a" lang="sv">b</div>`, []string{divInstead(0, "form")}},
		{"crossing", `<div><search>a<div>b</search>c</div><listing>d</div>e</listing>f`,
			`<div><div>a<div>b</div></div>c</div><div>de</div>f`, []string{divInstead(5, "search"), divInstead(36, "listing")}},
		{"an end tag of a div", `<div>a<form>b</div>c</form>d`, `<div>a<div>b</div></div>cd`, []string{divInstead(6, "form")}},
		{"in an item", `<ul><li><form>a<li>b</form></ul>`, `<ul><li><div>a</div><li>b</ul>`, []string{divInstead(8, "form")}},
		{"around rows", `<table><form><tr><td><form><p>a</form>b</table>`, `<table><tr><td><div><p>a</div>b</table>`,
			[]string{tagRemoved(7, "form"), divInstead(21, "form")}},
		{"breaking out", `<div class="xmldoc"><form>a</div>b</form></div>`, `<div class="xmldoc"><div>a</div></div>b`, []string{divInstead(20, "form")}},
	})
	runClean(t, markup.Options{Trusted: true}, []cleanCase{
		{"trusted", `<form>a<listing>b</listing></form>`, `<form>a<div>b</div></form>`, []string{divInstead(7, "listing")}},
	})
}

func TestUnwrap(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"div", `<div class="xmldoc"><p>a</p></div>`, `<p>a</p>`, nil},
		{"comment and div", " <!-- modified: 2019-05-06T08:06:31 -->\n<div class=\"xmldoc\">a</div>\n", `a`, nil},
		{"single quotes", `<div class='xmldoc'>a</div>`, `a`, nil},
		{"no quotes", `<div class=xmldoc>a</div>`, `a`, nil},
		{"upper case", `<DIV CLASS="xmldoc">a</DIV>`, `a`, nil},
		{"white space", "<div\n class = \"xmldoc\" >\n<p>a<font>\n</div \n>", "<p>a", []string{tagRemoved(29, "font")}},
		{"another attribute", `<div class="xmldoc" lang=fi>a</div>`, `<div class="xmldoc" lang=fi>a</div>`, nil},
		{"another class", `<div class="xmldoc b">a</div>`, `<div class="xmldoc b">a</div>`, nil},
		{"another name", `<divclass=xmldoc>a</div>`, `a`, []string{tagRemoved(0, "divclass=xmldoc")}},
		{"offsets", `<div class="xmldoc">a<font></div>`, `a`, []string{tagRemoved(21, "font")}},
		{"two divs", `<div class="xmldoc">a</div><div>b</div>`, `<div class="xmldoc">a</div><div>b</div>`, nil},
		{"text after", `<div class="xmldoc">a</div>b`, `<div class="xmldoc">a</div>b`, nil},
		{"another comment", `<!-- x --><div class="xmldoc">a</div>`, `<div class="xmldoc">a</div>`, nil},
		{"empty", ``, ``, nil},
	})
}

func TestDepth(t *testing.T) {
	r := markup.NewRenderer(markup.Options{}, testIndex())
	if res := r.Render(0, page.HTML, []byte(strings.Repeat("<div>", 256))); len(res.Problems) > 0 {
		t.Errorf("256 levels: %q", problems(res))
	}
	for _, test := range []struct {
		body   string
		offset int
	}{
		{strings.Repeat("<div>", 257), 5 * 256},
		{strings.Repeat("<div>", 1000), 5 * 256},
		{strings.Repeat("<b><div>", 1000), 8 * 128},
		{strings.Repeat("<table><td>", 1000), 11 * 64},
	} {
		res := r.Render(0, page.HTML, []byte(test.body))
		want := []string{fmt.Sprintf("%d html-depth: elements are nested more than 256 levels deep", test.offset)}
		if diff := cmp.Diff(want, problems(res)); diff != "" {
			t.Errorf("%.20s… (-want +got):\n%s", test.body, diff)
		}
	}
}

func TestEmbeds(t *testing.T) {
	body := `<iframe src="https://a.fi/1"><p></iframe>a<iframe src=//b.fi/2></iframe><iframe src="https://a.fi/1"></iframe>` +
		`<iframe src="http://c.fi"></iframe><iframe src="/d"></iframe><iframe srcdoc=x></iframe><iframe src="https:e"></iframe>b`
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(body))
	if got := inner(t, res.Content); got != "ab" {
		t.Errorf("content = %q, want ab", got)
	}
	if diff := cmp.Diff([]page.Embed{{URI: "https://a.fi/1"}, {URI: "https://b.fi/2"}}, res.Embeds); diff != "" {
		t.Errorf("embeds (-want +got):\n%s", diff)
	}
	want := []string{
		`110 embed-address: an iframe with the address "http://c.fi" is removed`,
		`145 embed-address: an iframe with the address "/d" is removed`,
		`171 embed-address: an iframe with the address "" is removed`,
		`197 embed-address: an iframe with the address "https:e" is removed`,
	}
	if diff := cmp.Diff(want, problems(res)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestTrusted(t *testing.T) {
	runClean(t, markup.Options{Trusted: true}, []cleanCase{
		{"all stays", `<font color=red onclick="x()" style=y data-z>a</font><my-card>b</my-card><form><input name=c><button>d</button></form>`,
			`<font color=red onclick="x()" style=y data-z>a</font><my-card>b</my-card><form><input name=c><button>d</button></form>`, nil},
		{"text elements", `<script>a</p></div></script><style></div></style><textarea></div></textarea>`,
			`<script>a</p></div></script><style></div></style><textarea></div></textarea>`, nil},
		{"text element without an end", `a<script>b</div>`, `a`,
			[]string{`1 html-removed: element "script" has no end tag, or attributes that cannot be read: it is removed`}},
		{"drawing", `<svg viewBox="0 0 1 1"><g><path d="M0"/></div></svg>a`, `<svg viewBox="0 0 1 1"><g><path d="M0"/></g></svg>a`, nil},
		{"HTML in a drawing", `<svg><p>a<foreignObject><div></svg>b`, `<svg>a</svg>b`,
			[]string{tagRemoved(5, "p"), tagRemoved(9, "foreignobject"), tagRemoved(24, "div")}},
		{"balance", `<center><p>a</div></center>b<form><form>c`, `<center><p>a</center>b<form>c</form>`, []string{tagRemoved(34, "form")}},
		{"links", `<a href=/fi/tyo/haku.html onclick=x>a</a><a href="javascript:x">b</a><iframe src=https://a.fi></iframe>`,
			`<a href="/fi/tyo/hakeminen" onclick=x>a</a><a href="javascript:x">b</a>`, nil},
		{"what no div can hold", `a<template></div></template><plaintext>b`, `a`, []string{allRemoved(1, "template"),
			`28 html-removed: element "plaintext" has no end tag: all after it is removed`}},
	})
}

func TestManyProblems(t *testing.T) {
	body := strings.Repeat("<font>", 5000) + strings.Repeat("<div>", 300)
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(body))
	got := problems(res)
	if len(got) != 1002 {
		t.Fatalf("%d problems, want 1000, an error and the count of the rest", len(got))
	}
	if !slices.Contains(got, "0 html-removed: 4000 more problems of this body are not listed") {
		t.Error("the rest is not counted")
	}
	if !strings.Contains(got[len(got)-1], "html-depth") {
		t.Errorf("the error is not listed, the last is %s", got[len(got)-1])
	}
}

func TestRendererIsReused(t *testing.T) {
	r := markup.NewRenderer(markup.Options{}, testIndex())
	r.Render(0, page.HTML, []byte(`<div><font><p id=a><iframe src=https://x.fi/></iframe><a href="/fi/tyo#x">`))
	res := r.Render(0, page.HTML, []byte(`b`))
	want := &markup.Result{Content: []byte(`<div class="xmldoc">b</div>`)}
	got := &markup.Result{Content: res.Content}
	if len(res.Embeds)+len(res.Anchors)+len(res.Links)+len(res.Problems)+res.Assets > 0 {
		t.Errorf("something of the last body is left: %+v", res)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAppendContent(t *testing.T) {
	got := string(markup.AppendContent([]byte("x"), modified, []byte(`<div class="xmldoc"></div>`)))
	if want := `x<!-- modified: 2019-05-06T08:06:31 --><div class="xmldoc"></div>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
