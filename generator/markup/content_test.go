package markup_test

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// testIndex is the site that the tests' pages stand in. Page 0 renders.
func testIndex() *markup.Index {
	return markup.NewIndex([]*page.Record{
		{Path: "fi/asuminen.md", URL: "fi/asuminen", Language: "fi"},
		{Path: "fi/tyo/index.md", URL: "fi/tyo", Language: "fi"},
		{Path: "fi/tyo/haku.html", URL: "fi/tyo/hakeminen", Language: "fi"},
		{Path: "en/housing.md", URL: "en/housing", Language: "en"},
		{Path: "fi/index.md", URL: "fi", Language: "fi"},
		{Path: "fi/404.md", Language: "fi"},
		{Path: "palaute.fi.md", URL: "palaute", Language: "fi"},
		{Path: "fi/lupa-äänestää.md", URL: "fi/lupa-äänestää", Language: "fi"},
		{Path: "about.md", URL: "en/about", Language: "en"},
	}, []string{"fi/luonnos.md", "fi/kansio/index.md"}, markup.Addressing{Languages: []string{"fi", "en", "sv"}, Default: "en", IsSource: isSource})
}

func isSource(name string) bool { return slices.Contains([]string{".md", ".html"}, path.Ext(name)) }

// designPolicy is the allow-list, for a sanitizer that shares no
// code with this package.
func designPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	elements := strings.Fields(`a abbr acronym address article aside audio b bdi bdo blockquote br caption cite code col
		colgroup data dd del details dfn dialog div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img
		ins kbd li main mark menu meter nav ol p picture pre progress q rp rt ruby s samp section small source span strong sub
		summary sup table tbody td tfoot th thead time tr track u ul var video wbr`)
	p.AllowElements(elements...)
	p.AllowNoAttrs().OnElements(elements...)
	p.AllowAttrs("lang", "dir", "id", "class", "title", "role", "hidden", "translate").Globally()
	p.AllowAttrs(strings.Fields(ariaKept)...).Globally()
	p.AllowAttrs("href", "hreflang", "rel", "name", "download").OnElements("a")
	p.AllowAttrs("src", "srcset", "sizes", "alt", "width", "height", "loading").OnElements("img")
	p.AllowAttrs("src", "srcset", "sizes", "width", "height", "media", "type").OnElements("source")
	p.AllowAttrs("src", "controls", "loop", "muted", "preload", "crossorigin").OnElements("audio", "video")
	p.AllowAttrs("poster", "playsinline", "width", "height").OnElements("video")
	p.AllowAttrs("src", "kind", "srclang", "label", "default").OnElements("track")
	p.AllowAttrs("start", "reversed", "type").OnElements("ol")
	p.AllowAttrs("value").OnElements("li", "data", "meter", "progress")
	p.AllowAttrs("max").OnElements("meter", "progress")
	p.AllowAttrs("min", "low", "high", "optimum").OnElements("meter")
	p.AllowAttrs("colspan", "rowspan", "headers", "scope", "align").OnElements("td", "th")
	p.AllowAttrs("abbr").OnElements("th")
	p.AllowAttrs("datetime").OnElements("time", "del", "ins")
	p.AllowAttrs("cite").OnElements("blockquote", "q", "del", "ins")
	p.AllowAttrs("open").OnElements("details", "dialog")
	p.AllowAttrs("name").OnElements("details")
	p.AllowAttrs("span").OnElements("col", "colgroup")
	p.AllowURLSchemes("http", "https", "mailto", "tel", "sms")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
}

var policy = designPolicy()

// tree writes what a parser sees of nodes, one line for each. Addresses are
// written as net/url spells them, as bluemonday does.
func tree(nodes []*html.Node) string {
	var b []byte
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		for range depth {
			b = append(b, "  "...)
		}
		b = strconv.AppendQuote(append(strconv.AppendInt(b, int64(n.Type), 10), ' '), n.Data)
		slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
		for _, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "cite" {
				if u, err := url.Parse(strings.TrimSpace(a.Val)); err == nil {
					a.Val = u.String()
				}
				if a.Val == "" {
					continue
				}
			}
			b = strconv.AppendQuote(append(append(append(b, ' '), a.Key...), '='), a.Val)
		}
		b = append(b, '\n')
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	for _, n := range nodes {
		walk(n, 0)
	}
	return string(b)
}

// fragment parses HTML as the content of a body.
func fragment(t *testing.T, content string) []*html.Node {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(content), body)
	if err != nil {
		t.Fatalf("content cannot be parsed: %v\n%q", err, content)
	}
	return nodes
}

// document parses HTML as a document of its own, and returns what is in its body.
func document(t *testing.T, content string) []*html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(content))
	if err != nil {
		t.Fatalf("content cannot be parsed: %v\n%q", err, content)
	}
	var nodes []*html.Node
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Html && n.FirstChild.NextSibling.NextSibling != nil {
			t.Fatalf("something is after the body\n%q", content)
		}
		if n.DataAtom == atom.Head && n.FirstChild != nil {
			t.Fatalf("something is in the head\n%q", content)
		}
		if n.DataAtom == atom.Body {
			for c := range n.ChildNodes() {
				nodes = append(nodes, c)
			}
			break
		}
	}
	return nodes
}

// checkOneDiv fails unless content is one div.xmldoc to every parser. It returns
// the div and its tree.
func checkOneDiv(t *testing.T, content string) (div *html.Node, seen string) {
	t.Helper()
	trees := map[string]bool{}
	for _, nodes := range [][]*html.Node{fragment(t, content), document(t, content)} {
		seen = tree(nodes)
		if len(nodes) != 1 || nodes[0].Data != "div" || len(nodes[0].Attr) != 1 ||
			nodes[0].Attr[0] != (html.Attribute{Key: "class", Val: "xmldoc"}) {
			t.Fatalf("content is not one div.xmldoc\n%q\n%s", content, seen)
		}
		trees[seen], div = true, nodes[0]
	}
	if len(trees) != 1 {
		t.Fatalf("a fragment and a document are not the same tree\n%q", content)
	}
	return div, seen
}

// checkContent fails unless content is what templates/help/bodies.md says of cleaned HTML.
func checkContent(t *testing.T, opts markup.Options, content string) {
	t.Helper()
	div, want := checkOneDiv(t, content)
	r := markup.NewRenderer(opts, testIndex())
	again := r.Render(0, page.HTML, []byte(content))
	if string(again.Content) != content {
		t.Fatalf("cleaning again changes something\n once: %q\ntwice: %q", content, again.Content)
	}
	whole := string(markup.AppendContent(nil, modified, []byte(content)))
	if again := r.Render(0, page.HTML, []byte(whole)); string(again.Content) != content {
		t.Fatalf("cleaning whole content changes something\n once: %q\ntwice: %q", content, again.Content)
	}
	nodes := fragment(t, whole)
	if len(nodes) != 2 || nodes[0].Type != html.CommentNode || nodes[0].Data != " modified: 2019-05-06T08:06:31 " {
		t.Fatalf("whole content is not a comment and a div\n%q", whole)
	}
	if opts.Trusted {
		return
	}
	if got := tree(fragment(t, policy.Sanitize(content))); got != want {
		t.Fatalf("bluemonday removes more\n%q\n%s", content, cmp.Diff(want, got))
	}
	checkFiles(t, div, content)
}

// inParentheses is the part of a descriptor where a comma ends nothing.
var inParentheses = regexp.MustCompile(`\([^)]*\)?`)

// checkFiles fails if content loads something whose address is neither relative
// nor of the web. bluemonday looks at few of these attributes.
func checkFiles(t *testing.T, div *html.Node, content string) {
	t.Helper()
	for n := range div.Descendants() {
		for _, a := range n.Attr {
			var loaded []string
			switch a.Key {
			case "src", "poster":
				loaded = []string{a.Val}
			case "srcset":
				// An address ends at white space, and may hold commas inside.
				for rest := strings.TrimLeft(a.Val, ", \t\n\f\r"); rest != ""; rest = strings.TrimLeft(rest, ", \t\n\f\r") {
					address := strings.Fields(rest)[0]
					rest = rest[len(address):]
					if loaded = append(loaded, strings.TrimRight(address, ",")); !strings.HasSuffix(address, ",") {
						_, rest, _ = strings.Cut(inParentheses.ReplaceAllString(rest, ""), ",")
					}
				}
			}
			for _, address := range loaded {
				if u, err := url.Parse(address); err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
					t.Fatalf("%s of %s loads %q\n%q", a.Key, n.Data, address, content)
				}
			}
		}
	}
}

var modified, _ = page.TimeOf(time.Date(2019, 5, 6, 8, 6, 31, 4512000, time.UTC))
