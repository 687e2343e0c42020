package markup_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// hostileHTML are bodies that have broken sanitizers, or this one.
var hostileHTML = []string{
	"", "text", " \n", "<p>a<p>b", "<b><p>a</b>b</p>c", "<p><b>a</p>b", "<p><b>a<div>b</b>c</div>d",
	"<a href=x>1<a href=y>2</a>", "<a><ul><li><a>x</a></ul>", "<a><table><tr><td><a>x",
	"<b><b><b><b><b>x</b></b>", "<h1>a<h2>b</h1>c", "<h1><b>a<h2>b</b>c", "<h1><div><h2>x</h1>",
	"<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "<li><div>a<li>b", "<dl><dt>a<dd>b<dt>c</dl>", "<dd><span>x<dt>y",
	"<table><tr><td>a<td>b<tr><th>c</table>", "<table>a<tr>b<td>c", "<table><table><tr><td>x", "<td>x</td>",
	"<table><caption>a<b>b<tr><td>c", "<table><col><tr><td>x<caption>y", "<table><colgroup> <col>x</colgroup>y",
	"<table><tr><td><table><tr><td>x</tr></table>y</table>", "<p>a<table><tr><td>b</p>c</table>d",
	"<table><tbody><tr><td></tbody><tfoot><td>x", "<table><thead><th>a</thead>x<p>y", "<table><b>x</b><tr><i>y",
	"</div></div>x", "<div class=\"xmldoc\">a</div><div>b</div>", "<div class=\"xmldoc\"><p>a</div>",
	"<!-- modified: 2019-05-06T08:06:31 --><div class=\"xmldoc\"><p>x</p></div>", "<div class=\"xmldoc\"></div>x</div>",
	"<ruby>a<rt>b<rp>c</ruby>d", "<ruby><rt><b>x<rt>y", "<ruby><p>x<rt>y",
	"<scr<script>ipt>alert(1)</script>", "<<script></script>script>alert(1)</script>", "<<!-- -->script>x",
	"a<", "a</", "a<b", "<a href=", "<!--", "<!-- x", "<!", "<?php x ?>y", "<![CDATA[<b>]]>", "<!doctype html>x", "</>", "</ x>",
	"<svg><title></svg><img src=x onerror=1>", "<svg/>a<math/>b", "<math><mtext><table><mglyph><style><img src=x>",
	"<svg><p><style><a id=\"</style><img src=1 onerror=alert(1)>\">", "<noscript><p title=\"</noscript><img src=x>\">",
	"<template><template></template>a</template>b", "<select><option>a</select>b", "<textarea></div></textarea>a",
	"<script>a</script>b<script>", "<plaintext>a</div>", "<xmp></div></xmp>b", "<iframe src=//x.fi/></div></iframe>c",
	"<iframe src=http://x.fi></iframe><iframe>", "<img src=x title='<b>'>", "<p class=\"a\" CLASS=b id=c id=d>", "<P>a</P>",
	"<p/>a<br/>b</br>c</p>d</p>", "<p a=1 b=2>", "<p title=a&lt;b>", "<p title='\"'>", "<p title=\"'&quot;\" onclick=x>", "<p =a>",
	"<p title=x/>", "<a href=x/ onclick=y>", "<input type=checkbox checked>a<input>", "<font>a<center>b</font>",
	"<a href=\"java&#9;script:alert(1)\">", "<a href=\" &#1;javascript:x\">", "<a href=\"JaVaScRiPt&colon;x\">",
	"<a href=\"\\\\evil.fi\\x\">", "<a href=\"/\\evil.fi\">", "<a href=\"/.//evil.fi\">", "<a href=\"%2e%2e/%2e%2e//x\">",
	"<a href=\"http://[\">", "<a href=\"http://a b\">", "<a href=\"1a:b\">", "<a href=\"%zz\">", "<a href=\"tel:+358 9 1\">",
	"<a href=\"asuminen.md#x\"><p id=x>", "<img src=\"data:image/png;base64,x\">", "<blockquote cite=\"javascript:x\">",
	"<pre>\n\nx</pre>", "<pre><!-- x -->\ny", "<details><summary>a<p>b</details>c", "<span><div>a</span>b</div>c", "<ins><p>a</ins>b",
	"<html><head><title>x</title></head><body>y</body></html>z", "<frameset><frame></frameset>x", "<form><p>a</form>b",
	"<A href=..>", strings.Repeat("<table><td>", 62) + strings.Repeat("<table><tr>", 4) + "<x", "<svg><circle r=1/><path/>", "<table><col></colgroup>x",
	strings.Repeat("<div>", 300) + "x", strings.Repeat("<b><p>", 300), strings.Repeat("<table><td>", 200),
	"<form><form></form>x<button>a<button>b<select><option>c<option>d<select></div>e",
	"<svg><g><path/><circle r=1></g></div><text>a<p>b</svg>c", "<svg><desc><div></svg>", "<object><p>a<b></object>b",
	"<style></div></style>a<table><script>x</script><tr><style>y</style><textarea>z", "<script><!--<script></script>--></script>x",
	"<custom-x a=b>c<div></custom-x>d</div>", "<nobr>a<nobr>b", "<marquee><b>x</marquee>y", "<image src=x>",
	"<dialog><p>a</dialog>b<search><li></search>", "<option>a<optgroup>b", "<textarea>\na</textarea>", "<video src=x><source src=y></video>",
	"<noscript><img src=x><p title='</noscript>'>a<iframe src=//x.fi></iframe></noscript><img src=y>", "<picture><source srcset='a, b 2x,javascript:c (,)'><p>x</picture>",
	"<select><option>a<optgroup label='<b'><option label=&lt;i>c</select>d", "<table><select><option>a<option>b</select><svg><title>c</title></svg>d",
	"<math alttext='<x'><mi>a</math><math><annotation><mi>b</annotation><mtext>&lt;c</math>", "<svg><title><style></svg>a</style></title></svg>b",
	"<svg><text>a<p>b</text><foreignObject>c</svg>d", "<textarea>a<</textarea>b>c", "<form hidden><p>a</form>b<label hidden>c", "<ul><li><dialog>a<li>b<dialog><p>c</dialog>d",
	"<source srcset='00,:0'><source srcset='0, 0 (,%'><source srcset='a 1x,b,javascript:c'>", "<audio><track src=x><p>a</audio><meter><progress>b</meter>c", "<img srcset=',a,,b, ' src=c>", "<object hidden>a</object><param>b",
	"<form><div>a</form>b</div>c<li><fieldset>d<li>e", "<table><form><tr><td><form>a</div></form>b</table><dir><li>c</dir>",
	"<div popover>a</div><p style='x:y;display:none' hidden>b<marquee hidden>c", "<select><optgroup hidden><option>a</select><svg><g display=none><text>b</svg>c",
}

func FuzzClean(f *testing.F) {
	for _, body := range hostileHTML {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) { fuzzHTML(t, markup.Options{}, body) })
}

func FuzzTrusted(f *testing.F) {
	for _, body := range hostileHTML {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) { fuzzHTML(t, markup.Options{Trusted: true}, body) })
}

func fuzzHTML(t *testing.T, opts markup.Options, body string) {
	if !utf8.ValidString(body) || strings.ContainsRune(body, 0) {
		t.Skip("a source is UTF-8 without NUL")
	}
	r := newRenderers(opts, testIndex())
	r.check(t, 0, page.HTML, []byte(body))
	res := r.blocks.Render(0, page.HTML, []byte(body))
	checkPositions(t, res, len(body))
	checkContent(t, opts, string(res.Content))
}

func checkPositions(t *testing.T, res *markup.Result, size int) {
	t.Helper()
	for _, p := range res.Problems {
		if p.Offset < 0 || p.Offset > size {
			t.Errorf("problem at %d of %d: %s", p.Offset, size, p.Message)
		}
	}
	for _, l := range res.Links {
		if l.Offset < 0 || l.Offset > size {
			t.Errorf("link at %d of %d: %s", l.Offset, size, l.Text)
		}
	}
}

var markdownSeeds = []string{
	"# a *b* {#c}\n\n## a\n", "> > > x\n> - a\n>\n>   <div>\n> y", "[a](asuminen.md#x) ![b](c.png \"d\")", "a[^1]\n\n[^1]: b\n[^2]: c",
	"|a|b|\n|-|:-:|\n|c|<b>d|", "- [x] a\n- [ ] b", "```go\n<div>\n```", "<div>\n\n*a*\n\n</div>", "a <b\nc=d>e</b>", "~~a~~ www.x.fi <x:y>",
	"\t<pre>\n- \t<b>x\n", "[a]: javascript:x\n\n[a]", "a  \nb\\\nc", "Ä\n===\n\n{#x}\n---\n", "# {#a}\n# `{#b}`\n# x {#c:d}",
	"a {.b}\n{#c .d e=\"*f*\"}\n\n{.g}\n\n{:.h}\n# i {.j style=k}", "> [!NOTE] a [b](c)\n> d\n\n> [!x]\n\n[!x]: y", "a\n: b\n: - c\n\n  : d\n\n: e\n{.f}", "|a|\n|-|\n|{.b}|\n{.c}\n", "- a\n  {.b}\n- : c\n  {.d}", "***\n{.a style=\"b\" contenteditable=c}\n",
}

func FuzzMarkdown(f *testing.F) {
	for _, body := range hostileHTML {
		f.Add(body)
	}
	for _, body := range markdownSeeds {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if !utf8.ValidString(body) || strings.ContainsRune(body, 0) {
			t.Skip("a source is UTF-8 without NUL")
		}
		res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.Markdown, []byte(body))
		checkPositions(t, res, len(body))
		checkContent(t, markup.Options{}, string(res.Content))
	})
}
