package verify

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestDiv(t *testing.T) {
	for body, due := range map[string]string{
		"":                                       "",
		"text":                                   "",
		"<div>a<div>b</div></div>":               "",
		"<p>a<p>b":                               "", // ends may be left out
		"<ul><li>a<li>b</ul>":                    "",
		"<table><tr><td>a<td>b<tr><th>c</table>": "",
		"a<br>b<hr/><img src=a>":                 "",
		"<p>a<div>b</div></p>":                   "",
		"<!-- a > b -->":                         "",
		"<svg><path d=\"\"/><title>a</title></svg>": "",
		"<script>if (a</div>b)</script>":            "",
		"&lt;/div&gt;":                              "",
		"<b>a":                                      "at byte 24 </div> ends nothing, while <b> is open",
		"a</b>":                                     "at byte 21 </b> ends nothing, while <div> is open",
		"<b><i>a</b></i>":                           "at byte 27 </b> ends nothing, while <i> is open",
		"</div><div>":                               `"<div></div>" after the end of the div`,
		"</div>a<div>":                              `"a<div></div>" after the end of the div`,
		"<div>":                                     "<div> is still open at the end",
		"<div/>":                                    "<div> is still open at the end",
		"<textarea>":                                "<textarea> is still open at the end",
		"<!-- a":                                    "<div> is still open at the end",
	} {
		if came := divProblem(divTag + body + "</div>"); came != due {
			t.Errorf("%s: %q, want %q", body, came, due)
		}
	}
	for text, due := range map[string]string{
		"":                                    "nothing",
		"a":                                   `it begins with "a"`,
		"<p class=xmldoc></p>":                `it begins with "<p class=xmldoc></p>"`,
		"<div></div>":                         `it begins with "<div></div>"`,
		divTag + "</div><!-- a -->":           `"<!-- a -->" after the end of the div`,
		divTag + "</div><b":                   "a tag or comment that begins at byte 26 does not end",
		`<DIV class='a xmldoc b'>a</DIV>`:     "",
		divTag + divTag + "</div></div>":      "",
		divTag + "</div>" + divTag + "</div>": `"<div class=\"xmldoc\"></div>" after the end of the div`,
	} {
		if came := divProblem(text); came != due {
			t.Errorf("%s: %q, want %q", text, came, due)
		}
	}
}

// TestImplied holds tags that HTML lets authors leave out, or implies, against
// the HTML standard, section 13.2.6.
func TestImplied(t *testing.T) {
	for _, body := range []string{
		"<table><tr><td>x</td></tr><td>a</td></tr></table>", // a cell implies its row
		"<table><td>a</td></tr></tbody><th>b</th></tr></tbody></table>",
		"<table><tr><td>a</tr></tbody><thead><th>b</tr></thead><tfoot><tr></tfoot></table>",
		"<table><caption>a<col><col></colgroup><tr><td>b</table>",
		"<table><caption><p>a</caption><colgroup><col></colgroup><td>b<table><td>c</table></td></table>",
		"<table><colgroup> </colgroup><colgroup>\n<tr><td>a</table>",
		"<p>a<ul><li>b<p>c<li>d<ol><li>e</ol></ul><p>f<h1>g</h1><p>h<hr><p>i<address>j</address>",
		"<dl><dt>a<dd><p>b<dt>c<dd><ul><li>d</ul></dl>", "<div><p>a</div>", "<p>a<div>b</div></p>", "a</p>b</br>c",
		"<ruby>a<rt>b<rp>c<rt>d</ruby><ruby>a<rb>b<rtc>c<rt>d</rtc></ruby>",
		"<select><option>a<option>b<optgroup><option>c<optgroup><option>d</select>", "<select><option>a</option><hr></select>",
		"<a><p>b</p></a>", "<template><td>a</td><tr></template>", "<noscript><p>a</p></noscript>", "<noscript>a<br></noscript>",
		"<video controls><source src=a><track src=b>c</video><picture><source srcset=d><img src=e></picture><audio>f</audio>",
		"<svg><title>a</title><style>b</style><style/><desc><p>c</p></desc><g/></svg>", "<svg><![CDATA[</div>]]></svg>",
		"<math><mi>a<b>c</b></mi><annotation-xml encoding=text/html><p>d</p></annotation-xml></math>",
		"<meter>a</meter><progress>b</progress><dialog open><p>c</dialog><details><summary>d</summary>e</details>",
		"<object><p>a</object>", "<my-card><p>a</p></my-card>", "<textarea></div></textarea><title></div></title>",
	} {
		if came := divProblem(divTag + body + "</div>"); came != "" {
			t.Errorf("%s: %s", body, came)
		}
		checkOneDiv(t, divTag+body+"</div>")
	}
}

// TestUnbalanced holds HTML that is balanced by the letter, and not to a parser.
func TestUnbalanced(t *testing.T) {
	for body, due := range map[string]string{
		"<ul><li><div>a<li>b</div></ul>":                               "at byte 34 <li> ends <li>, while <div> in it is open",
		"<dl><dt><div>a<dd>b</div></dl>":                               "at byte 34 <dd> ends <dt>, while <div> in it is open",
		"<p><b>a<div>b</div></b></p>":                                  "at byte 27 <div> ends <p>, while <b> in it is open",
		"<b><p>a</b>":                                                  "at byte 27 </b> ends nothing, while <p> is open",
		"<span><p>a</span>":                                            "at byte 30 </span> ends nothing, while <p> is open",
		"<a>b<a>c</a></a>":                                             "at byte 24 <a> in <a>",
		"<h1>a<h2>b</h2></h1>":                                         "at byte 25 <h2> in <h1>",
		"<h1><p>a<h2>b</h2></h1>":                                      "at byte 28 <h2> in <h1>",
		"<h1>a</h2>":                                                   "at byte 25 </h2> ends nothing, while <h1> is open",
		"<table><tr><td><div>a<td></div></table>":                      "at byte 41 <td> where <div> is open",
		"<table><tr><td>a</td></div></tr></table>":                     "at byte 41 </div> ends nothing, while <tr> is open",
		"<table><table></table></table>":                               "at byte 27 <table> in a table, but in none of its cells",
		"<table><caption>a</tr></caption></table>":                     "at byte 37 </tr> ends nothing, while <caption> is open",
		"<table><colgroup>a</colgroup></table>":                        "at byte 38 </colgroup> ends nothing, while <table> is open",
		"<tr><td>a</td></tr>":                                          "at byte 20 <tr> outside a table",
		"<li><div><td><li></td></div>":                                 "at byte 29 <td> outside a table",
		"<button><div><button></div></button>":                         "at byte 33 <button> in <button>",
		"<form><table><td><form></form></table>":                       "at byte 37 <form> in <form>",
		"<select><div><input></div></select>":                          "at byte 33 <input> cannot stand in <select>",
		"<body><div></body></div>":                                     "at byte 20 <body> cannot stand in a div",
		"<svg><p>a</p></svg>":                                          "at byte 25 <p> ends <svg>",
		"<svg></p></svg>":                                              "at byte 25 </p> ends nothing, while <svg> is open",
		"<svg><font size=1></font></svg>":                              "at byte 25 <font> ends <svg>",
		"<svg><style><!--</style></svg></div>--></svg>":                "",
		"<svg><desc><style><!--</style></desc></svg></div>--></style>": "",
		"<svg><style/></svg></div><style></style>":                     "",
		"<svg><![CDATA[ > <!-- ]]></svg></div> -->":                    "",
		"<noscript><p title=\"</noscript></div>\"></p>":                "a tag or comment that begins at byte 30 does not end",
		"<noscript><noscript>a</noscript></noscript>":                  "at byte 30 <noscript> in <noscript>",
		"<noscript><object><noscript></noscript></object></noscript>":  "at byte 38 <noscript> in <noscript>",
		"<noscript><svg><noscript></noscript><style><!--</style></svg></noscript></div>--></style></svg></noscript>": "at byte 35 <noscript> in <noscript>",
		"<plaintext>a</plaintext>":                               "<plaintext> is still open at the end",
		strings.Repeat("<b>", 600) + strings.Repeat("</b>", 600): "at byte 1553 elements lie in each other more than 512 deep",
	} {
		if came := divProblem(divTag + body + "</div>"); came == "" || !strings.HasPrefix(came, due) {
			t.Errorf("%s: %q, want %q", body, came, due)
		}
	}
}

// checkOneDiv fails unless a text is one div.xmldoc to a parser, which nothing is
// open after: with and without scripts, in a document of any mode and in a fragment.
func checkOneDiv(t *testing.T, text string) {
	t.Helper()
	for _, scripting := range []bool{true, false} {
		option := html.ParseOptionEnableScripting(scripting)
		for _, doctype := range []string{"", "<!doctype html>"} {
			doc, err := html.ParseWithOptions(strings.NewReader(doctype+"<body>"+text+"after"), option)
			if err != nil {
				t.Fatalf("%v\n%q", err, text)
			}
			checkNodes(t, text, doc.LastChild.LastChild)
		}
		body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragmentWithOptions(strings.NewReader(text+"after"), body, option)
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		for _, node := range nodes {
			body.AppendChild(node)
		}
		checkNodes(t, text, body)
	}
}

func checkNodes(t *testing.T, text string, body *html.Node) {
	t.Helper()
	div := body.FirstChild
	if body.Data != "body" || div == nil || div.Data != "div" || div.NextSibling == nil || div.NextSibling != body.LastChild ||
		body.LastChild.Type != html.TextNode || body.LastChild.Data != "after" {
		var b strings.Builder
		html.Render(&b, body)
		t.Fatalf("not one div to a parser:\n%q\n%s", text, b.String())
	}
}

// Whatever stands in the div, the check ends; what it takes for one div has no end
// tag of it inside, and is one to a parser.
func FuzzDiv(f *testing.F) {
	f.Add("<p>a<b>b</b>")
	f.Add("</div><div>")
	f.Add("<svg><title><div>")
	f.Add("<table><tr><td>x</td></tr><td>a</td></tr></table>")
	f.Add("<select><option>a</select><ruby>a<rt>b</ruby><ul><li><div>c</div><li>d</ul>")
	f.Fuzz(checkDiv)
}

func checkDiv(t *testing.T, body string) {
	if divProblem(divTag+body+"</div>") != "" {
		return
	}
	if divProblem(divTag+body+"</div></div>") == "" {
		t.Fatalf("%q takes an end tag too many", body)
	}
	if divProblem(divTag+body) == "" {
		t.Fatalf("%q needs no end tag", body)
	}
	if strings.IndexByte(body, 0) < 0 { // no source has one, and parsers do not agree
		checkOneDiv(t, divTag+body+"</div>")
	}
}

// soup returns random HTML of the tags that stand in others in ways of their own.
func soup(random *rand.Rand, names []string) string {
	var b strings.Builder
	var open []string
	for range 1 + random.IntN(16) {
		name := names[random.IntN(len(names))]
		switch random.IntN(8) {
		case 0:
			b.WriteString("a")
		case 1:
			fmt.Fprintf(&b, "</%s>", name)
		case 2, 3:
			if len(open) > 0 {
				fmt.Fprintf(&b, "</%s>", open[len(open)-1])
				open = open[:len(open)-1]
			}
		case 4:
			fmt.Fprintf(&b, "<%s/>", name)
		default:
			fmt.Fprintf(&b, "<%s>", name)
			open = append(open, name)
		}
	}
	for len(open) > 0 && random.IntN(8) > 0 {
		if random.IntN(4) > 0 {
			fmt.Fprintf(&b, "</%s>", open[len(open)-1])
		}
		open = open[:len(open)-1]
	}
	return b.String()
}

// soups are families of tags.
var soups = [][]string{
	strings.Fields("table caption colgroup col thead tbody tfoot tr td th p b"),
	strings.Fields("table tr td table tr td div a select option template"),
	strings.Fields("ul ol li dl dt dd p div address span h1 h2 hr"),
	strings.Fields("a b i code font nobr p div h1 li ruby rt rp rb rtc"),
	strings.Fields("select option optgroup hr button form input textarea p div object template"),
	strings.Fields("svg math title desc style p div mi mglyph foreignobject annotation-xml b td table"),
	strings.Fields("video audio picture source track img details summary dialog noscript p div b script xmp iframe"),
	strings.Fields("body html head div p b table tr td frameset search menu fieldset plaintext my-card"),
}

func TestDivSoup(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 13))
	passed := 0
	for i := range 16_000 {
		body := soup(random, soups[i%len(soups)])
		if divProblem(divTag+body+"</div>") == "" {
			passed++
		}
		checkDiv(t, body)
	}
	if passed < 1_600 {
		t.Errorf("%d of the bodies are one div, which is too few to tell", passed)
	}
}
