package markup_test

import (
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

func TestFallback(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"object", `a<object data=b.swf><param name=c><p>d</p></object>e`, `a<p>d</p>e`, []string{
			`1 html-removed: element "object" is not allowed: its tag is removed, its content stays, the address "b.swf" is lost`, voidRemoved(20, "param")}},
		{"noscript", `a<noscript><p title="</noscript><img src=x onerror=y>">b</noscript>c`,
			`a<p title="&lt;/noscript&gt;&lt;img src=x onerror=y&gt;">bc`, []string{tagRemoved(1, "noscript")}},
		{"hidden noscript", `a<noscript hidden><p>b</noscript>c`, `ac`, []string{allRemoved(1, "noscript")}},
		{"what counts visits", `<noscript><iframe src=https://a.fi></iframe><img src=https://b.fi alt=" "><img src=https://c.fi alt=d></noscript><img src=https://e.fi alt>`,
			`<img src=https://c.fi alt=d><img src=https://e.fi alt>`, []string{tagRemoved(0, "noscript"),
				`10 embed-address: an iframe in a noscript is removed: it is no embed`,
				`44 html-removed: an image without a text in a noscript is removed: it is there to count visits`}},
		{"textarea", "a<textarea rows=2>\n<b>b</b> &amp; &lt;i&gt;\n</textarea>c", `a&lt;b>b&lt;/b> &amp; &lt;i&gt;c`, []string{textStays(1, "textarea")}},
		{"text in a table", `<table><textarea>a</textarea><tr><td>b</table>`, `<table><tr><td>a<tr><td>b</table>`, []string{textStays(7, "textarea")}},
		{"select", `a<select name=b> x <option value=c>Suomi & <i>Åland</i><option label="A<b">d</option><optgroup label=e><option> f </optgroup><option hidden>g<option></select>h`,
			`aSuomi & Åland<br>A&lt;b<br>e<br>fh`, []string{textStays(1, "select")}},
		{"math", `a<math display=block><semantics><mrow><mi>x</mi><mo>&lt;</mo><mn> 2</mn></mrow><annotation encoding=tex>x \lt 2</annotation></semantics></math>b`,
			`ax &lt; 2b`, []string{textStays(1, "math")}},
		{"text for a formula", `<math alttext="1/2"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>`, `1/2`, []string{textStays(0, "math")}},
		{"title of a drawing", `<a href="https://a.fi"><svg><title>Etusivu &amp; <x>koti</title><path/></svg></a>`,
			`<a href="https://a.fi">Etusivu &amp; koti</a>`, []string{textStays(23, "svg")}},
		{"empty title", `<svg><title/><style/><path/></svg>a`, `a`, []string{allRemoved(0, "svg")}},
		{"texts of a drawing", `<svg> a <defs><text>b</text></defs><symbol><title>c</title></symbol><g><text x=1>d<tspan>e</tspan></text>f</g><style>g</style><desc>h</desc></svg>`,
			`d e h`, []string{textStays(0, "svg")}},
		{"name of a drawing", `<svg aria-label="a"><title>b</title></svg>`, `a`, []string{textStays(0, "svg")}},
		{"drawing that is decoration", `<svg aria-hidden=true><title>a</title></svg><svg hidden><text>b</text></svg>`, ``,
			[]string{allRemoved(0, "svg"), allRemoved(44, "svg")}},
		{"buttons and fields", `<input type=submit value="Lähetä">a<input type=IMAGE src=b.png alt='"Hätä"'>c<input value="&lt;d>">e<input type=password value=f><input type=submit value=" ">`,
			`Lähetäa&#34;Hätä&#34;c&lt;d&gt;e`, []string{textStays(0, "input"),
				`37 html-removed: element "input" is removed, its text stays, the address "b.png" is lost`,
				textStays(81, "input"), voidRemoved(104, "input"), voidRemoved(133, "input")}},
		{"other void elements", `<area alt="Kartta" href="/k"><embed src=b.swf alt=c><image src=d.png alt=e><embed hidden src=f alt=g><object data="pic.png"></object><table><input value=h></table>`,
			`Karttace<table><tr><td>h</table>`, []string{
				`0 html-removed: element "area" is removed, its text stays, the address "/k" is lost`,
				`29 html-removed: element "embed" is removed, its text stays, the address "b.swf" is lost`,
				`52 html-removed: element "image" is removed, its text stays, the address "d.png" is lost`,
				voidRemoved(75, "embed"),
				`101 html-removed: element "object" is not allowed: its tag is removed, its content stays, the address "pic.png" is lost`,
				textStays(140, "input")}},
		{"text without an end", `a<textarea>b`, `a`, []string{`1 html-removed: element "textarea" has no end tag: all after it is removed`}},
		{"text that looks like a tag", `a<textarea><</textarea>script>b`, `a&lt;script>b`, []string{textStays(1, "textarea")}},
	})
}

func TestHiddenStaysHidden(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"with its element", `a<p hidden>b</p><dialog>c</dialog><div hidden=until-found>d</div>`,
			`a<p hidden>b</p><dialog>c</dialog><div hidden=until-found>d</div>`, nil},
		{"without its element", `a<form hidden><p>b</form>c<label HIDDEN="">d</label>e<my-card hidden>f</my-card>g`, `aceg`,
			[]string{allRemoved(1, "form"), allRemoved(26, "label"), allRemoved(53, "my-card")}},
		{"void", `a<input type=checkbox hidden>b<embed hidden>c`, `abc`, []string{voidRemoved(1, "input"), voidRemoved(30, "embed")}},
		{"names of the parser", `a<marquee hidden>b</marquee>c<head hidden></head>d<param hidden>e<body hidden>f</body>`, `acde`,
			[]string{allRemoved(1, "marquee"), tagRemoved(29, "head"), voidRemoved(50, "param"), allRemoved(65, "body")}},
		{"popover", `a<div popover>b</div><p id=c popover="manual" hidden>d</p><label popover>e</label><dialog popover open>f</dialog>`,
			`a<div hidden>b</div><p id=c hidden>d</p><dialog open>f</dialog>`, []string{hiddenInstead(1, "popover", "div"),
				hiddenInstead(21, "popover", "p"), allRemoved(58, "label"), attributeRemoved(82, "popover", "dialog")}},
		{"style", `<p style="color: red; DISPLAY : none !important">a</p><b style=visibility:hidden>b</b><i style="display:none;display:block">c</i><my-a style=display:none>d</my-a>`,
			`<p hidden>a</p><b hidden>b</b><i>c</i>`, []string{hiddenInstead(0, "style", "p"), hiddenInstead(54, "style", "b"),
				allRemoved(129, "my-a")}},
		{"in a select", `<select><optgroup hidden label=a><option>b<option label=c></optgroup><option>d<option hidden>e<option><span hidden>f</span> g<optgroup hidden><option>h<optgroup label=i></select>`,
			`d<br>g<br>i`, []string{textStays(0, "select")}},
		{"in a drawing", `<svg><foreignObject>a<p hidden>b<p>c<p hidden>d</foreignObject><g display="none"><g/><g><text>e</text></g><foreignObject>f</foreignObject><text>g</text></g><text visibility=hidden>h</text><text>i<tspan display=none />j</text></svg>`,
			`a c i j`, []string{textStays(0, "svg")}},
		{"drawing", `a<svg display=none><text>b</text></svg>`, `a`, []string{allRemoved(1, "svg")}},
		{"in a formula", `<math><mi>a</mi><mphantom><mi>b</mi></mphantom><mrow hidden><mi>c</mi></mrow></math>`, `a`, []string{textStays(0, "math")}},
		{"suggestions", `<input list=a><datalist id=a><option>b</datalist>c`, `c`, []string{voidRemoved(0, "input"), allRemoved(14, "datalist")}},
		{"textarea and select", `a<textarea hidden>b</textarea><select hidden><option>c</select>`, `a`,
			[]string{allRemoved(1, "textarea"), allRemoved(30, "select")}},
	})
}

func TestMedia(t *testing.T) {
	runClean(t, markup.Options{}, []cleanCase{
		{"autoplay", `<video src="/a.mp4" autoplay muted></video>`, `<video src="/a.mp4" muted controls></video>`, []string{attributeRemoved(0, "autoplay", "video")}},
		{"controls are added", `<audio src=/a.mp3><source src=b.ogg></audio>`, `<audio src=/a.mp3 controls><source src="/fi/b.ogg"></audio>`, nil},
		{"poster", `<video controls poster="a.png"></video><video controls poster="javascript:x">`,
			`<video controls poster="/fi/a.png"></video><video controls></video>`,
			[]string{`39 html-removed: the address "javascript:x" is removed`}},
		{"track", `<video controls><track src="a.vtt" default onload=x></video>`, `<video controls><track src="/fi/a.vtt" default></video>`,
			[]string{attributeRemoved(16, "onload", "track")}},
		{"dialog in an item", `<ul><li><dialog>a<li>b</dialog></ul>`, `<ul><li><dialog>a</dialog><li>b</ul>`, nil},
		{"dialog around a block", `<p>a<dialog><div>b</dialog>c`, `<p>a<dialog><div>b</div></dialog>c`, nil},
	})
	runClean(t, markup.Options{Trusted: true}, []cleanCase{
		{"trusted", `<video src=a.mp4 autoplay></video><img alt srcset="data:image/png;base64,x 2x">`,
			`<video src="/fi/a.mp4" autoplay></video><img alt srcset="data:image/png;base64,x 2x">`, nil},
	})
}

func TestSrcset(t *testing.T) {
	const removed = `0 html-removed: the address "javascript:x" is removed`
	for _, test := range []struct {
		srcset, want string
		problems     []string
	}{
		{"a.png, ../b.png 2x", "/fi/a.png, /b.png 2x", nil},
		{"\n/a.png 100w,\n/b.png 200w\n", "\n/a.png 100w,\n/b.png 200w\n", nil},
		{"/a.png,/b.png 2x", "/a.png,/b.png 2x", nil}, // one address with a comma
		{"b.png,c.png 2x", "/fi/b.png,c.png 2x", nil},
		{"b.png,, ,c.png", "/fi/b.png, /fi/c.png", nil},
		{"javascript:x 1x, b.png 2x", "/fi/b.png 2x", []string{removed}},
		{"b.png (1,x) 2w, javascript:x, /c.png (", "/fi/b.png (1,x) 2w, /c.png (", []string{removed}},
		{"https://a.fi/b,c 1x, d", "https://a.fi/b,c 1x, /fi/d", nil},
		{"a,\x01 2x", "/fi/a%2C 2x", nil},
		{"javascript:x", "", []string{removed}},
		{" , ", "", nil},
		{"mailto:a@b.fi", "", []string{`0 html-removed: the address "mailto:a@b.fi" is removed`}},
	} {
		want := `<img alt srcset="` + test.want + `">`
		if test.want == "" {
			want = `<img alt>`
		}
		runClean(t, markup.Options{}, []cleanCase{{test.srcset, `<img alt srcset="` + test.srcset + `">`, want, test.problems}})
	}
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(`<img src=a srcset="b, c 2x"><video controls poster=d>`))
	if res.Assets != 4 {
		t.Errorf("%d assets are counted, want 4", res.Assets)
	}
	runClean(t, markup.Options{Assets: "https://a.fi/x"}, []cleanCase{
		{"assets", `<picture><source srcset="a.webp 1x, tyo/haku.md 2x"></picture>`,
			`<picture><source srcset="https://a.fi/x/fi/a.webp 1x, https://a.fi/x/fi/tyo/haku.md 2x"></picture>`, nil},
	})
}
