package markup_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// href returns the address that a link of a page is written with.
func href(t *testing.T, content []byte) string {
	t.Helper()
	for n := range fragment(t, string(content))[0].Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" {
			for _, a := range n.Attr {
				if a.Key == "href" {
					return a.Val
				}
			}
		}
	}
	return ""
}

func linkBody(address string) []byte {
	return []byte(`<a href="` + html.EscapeString(address) + `">x</a>`)
}

func TestLinks(t *testing.T) {
	const (
		missing = "page not found: %q"
		leftOut = "the link %q leads to a page that is left out"
		nowhere = "the link %q leads to a page that has no address"
	)
	for _, test := range []struct {
		address, want string
		broken        string // what the message says, "" where the link is good
	}{
		{"https://a.fi/x", "https://a.fi/x", ""},
		{"//a.fi/x", "//a.fi/x", ""},
		{`\\a.fi\x`, `//a.fi/x`, ""},
		{"#", "#", ""},
		{"#top", "#top", ""},

		{"/fi/asuminen", "/fi/asuminen", ""},
		{"/fi/asuminen/", "/fi/asuminen", ""},
		{"/fi/asuminen.md", "/fi/asuminen", ""},
		{"/fi/tyo/hakeminen?a=b", "/fi/tyo/hakeminen?a=b", ""},
		{"/fi/tyo/haku", "/fi/tyo/hakeminen", ""},
		{"/fi/tyo/index.md", "/fi/tyo", ""},
		{"/asuminen", "/fi/asuminen", ""},
		{"/about", "/en/about", ""},
		{"/", "/fi", ""},
		{"/en/housing", "/en/housing", ""},
		{"/palaute", "/palaute", ""},
		{"/fi/lupa-%C3%A4%C3%A4nest%C3%A4%C3%A4", "/fi/lupa-äänestää", ""},
		{"/fi/lupa-a\u0308a\u0308nesta\u0308a\u0308", "/fi/lupa-äänestää", ""},
		{"/../../fi/./asuminen", "/fi/asuminen", ""},
		{"/fi/nowhere", "/fi/nowhere", missing},
		{"/fi/nowhere.html#x", "/fi/nowhere.html#x", missing},
		{"/fi/luonnos", "/fi/luonnos", leftOut},
		{"/fi/kansio/", "/fi/kansio/", leftOut},
		{"/fi/404", "/fi/404", nowhere},
		{"/fi/a.pdf", "/fi/a.pdf", ""},
		{"/downloads/", "/downloads/", ""},

		{"tyo/haku.html", "/fi/tyo/hakeminen", ""},
		{"tyo/haku.md", "/fi/tyo/hakeminen", ""},
		{"./tyo/haku", "/fi/tyo/hakeminen", ""},
		{"tyo", "/fi/tyo", ""},
		{"../en/housing.md", "/en/housing", ""},
		{"../palaute.fi.md", "/palaute", ""},
		{"../palaute", "/palaute", ""},
		{"tyo/hakeminen", "/fi/tyo/hakeminen", ""},
		{"?page=2", "/fi/asuminen?page=2", ""},
		{"nowhere.md", "nowhere.md", missing},
		{"../sv/nowhere", "../sv/nowhere", missing},
		{"luonnos.md", "luonnos.md", leftOut},
		{"a.pdf", "/fi/a.pdf", ""},
		{"../a b.pdf?c#d", "/a%20b.pdf?c#d", ""},
		{"../../../../a.pdf", "/a.pdf", ""},
		{"/.//a.fi/b.pdf", "/a.fi/b.pdf", ""},
		{"%2e%2e/%2E%2e//a.pdf", "/a.pdf", ""},
		{`..\\a.pdf`, "/a.pdf", ""},
	} {
		res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, linkBody(test.address))
		if got := href(t, res.Content); got != test.want {
			t.Errorf("%q became %q, want %q", test.address, got, test.want)
		}
		var want []string
		if test.broken != "" {
			want = []string{fmt.Sprintf("0 broken-link: "+test.broken, test.address)}
		}
		if diff := cmp.Diff(want, problems(res)); diff != "" {
			t.Errorf("%q: problems (-want +got):\n%s", test.address, diff)
		}
		checkContent(t, markup.Options{}, string(res.Content))
	}
}

func TestAnchors(t *testing.T) {
	body := `<p id="a"><a name="b &amp; ä"></a><a href="#a">1</a><a href="#b%20&amp;%20%C3%A4">2</a><a href="#c">3</a>` +
		`<a href="asuminen.md#a">4</a><a href="asuminen.md#d">5</a><a href="/fi/tyo#e%C3%A4">6</a><a href="/fi/tyo#:~:text=x">7</a>`
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(body))
	want := []string{
		`88 broken-link: the link "#c" leads to an anchor that is not on this page`,
		`135 broken-link: the link "asuminen.md#d" leads to an anchor that is not on this page`,
	}
	if diff := cmp.Diff(want, problems(res)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	links := []markup.Link{{Offset: 164, Target: 1, Anchor: markup.HashAnchor("eä"), Text: "/fi/tyo#e%C3%A4"}}
	if diff := cmp.Diff(links, res.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	broken := res.Links[0].Broken("fi/tyo/index.md")
	if want := `the link "/fi/tyo#e%C3%A4" leads to an anchor that "fi/tyo/index.md" does not have`; broken.Message != want || broken.Offset != 164 {
		t.Errorf("broken: %d %s", broken.Offset, broken.Message)
	}
	for _, anchor := range []string{"a", "b & ä"} {
		if !contains(res.Anchors, markup.HashAnchor(anchor)) {
			t.Errorf("anchor %q is not among the page's", anchor)
		}
	}
	if len(res.Anchors) != 2 {
		t.Errorf("%d anchors, want 2", len(res.Anchors))
	}
}

func contains(list []uint64, x uint64) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

func TestAssets(t *testing.T) {
	const body = `<img src="a.png"><img src="../b.png"><img src=/c.png><a href="d.pdf#p">x</a><a href="tyo">y</a><img src="tyo">`
	res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte(body))
	want := `<img src="/fi/a.png"><img src="/b.png"><img src=/c.png><a href="/fi/d.pdf#p">x</a><a href="/fi/tyo">y</a><img src="/fi/tyo">`
	if got := inner(t, res.Content); got != want {
		t.Errorf("without assets:\n%s\nwant\n%s", got, want)
	}
	if res.Assets != 5 {
		t.Errorf("%d assets are counted, want 5", res.Assets)
	}
	opts := markup.Options{Assets: "https://www.example.fi/x/"}
	res = markup.NewRenderer(opts, testIndex()).Render(0, page.HTML, []byte(body))
	want = `<img src="https://www.example.fi/x/fi/a.png"><img src="https://www.example.fi/x/b.png"><img src="https://www.example.fi/x/c.png">` +
		`<a href="https://www.example.fi/x/fi/d.pdf#p">x</a><a href="/fi/tyo">y</a><img src="https://www.example.fi/x/fi/tyo">`
	if got := inner(t, res.Content); got != want {
		t.Errorf("with assets:\n%s\nwant\n%s", got, want)
	}
	if res.Assets != 0 {
		t.Errorf("%d assets are counted, want none", res.Assets)
	}
	checkContent(t, opts, string(res.Content))
}

// FuzzLinks holds that no address can make a link that leads to another host,
// other than one that names it, or that has another scheme than are allowed.
func FuzzLinks(f *testing.F) {
	for _, address := range []string{
		"", "a", "/", "//a.fi", `/\a.fi`, "..//a.fi", "/.//a.fi", "%2e%2e//a", "?a#b", "#%", "a:b", "1a:b", "/%2f/a", "/fi/asuminen.md#x",
		"tyo/../..//x.pdf", "javascript:x", "java\tscript:x", "\x01javascript:x", "https:a", "http://[::1]:x/", "%zz", "/fi/a%2F..%2Fb", "ä.pdf",
		"/%5ca.fi", `a\..\..\\b`, "mailto:%", "tel:+1 2", "/fi/luonnos?x", ".%2e/", "/fi/%2e%2e/fi/tyo",
	} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if !utf8.ValidString(address) || strings.ContainsRune(address, 0) {
			t.Skip("a source is UTF-8 without NUL")
		}
		for _, opts := range []markup.Options{{}, {Assets: "https://assets.example"}} {
			for from := range 9 {
				checkLink(t, opts, from, address)
			}
		}
	})
}

func checkLink(t *testing.T, opts markup.Options, from int, address string) {
	r := markup.NewRenderer(opts, testIndex())
	res := r.Render(from, page.HTML, linkBody(address))
	content := string(res.Content)
	got := href(t, res.Content)
	u, err := url.Parse("https://pages.example/")
	if err == nil {
		u, err = u.Parse(got)
	}
	if err != nil {
		t.Fatalf("%q became %q: %v", address, got, err)
	}
	named := strings.ContainsAny(address, ":") || strings.HasPrefix(strings.ReplaceAll(strings.TrimFunc(address, func(r rune) bool {
		return r <= ' '
	}), `\`, "/"), "//") || strings.ContainsAny(address, "\t\n\r")
	switch {
	case u.Scheme == "mailto" || u.Scheme == "tel" || u.Scheme == "http":
		if !named {
			t.Fatalf("%q became %q", address, got)
		}
	case u.Scheme != "https":
		t.Fatalf("%q became %q", address, got)
	case u.Host != "pages.example" && u.Host != "assets.example" && !named:
		t.Fatalf("%q became %q, on another host", address, got)
	}
	if again := r.Render(from, page.HTML, []byte(content)); string(again.Content) != content {
		t.Fatalf("cleaning again changes something\n once: %q\ntwice: %q", content, again.Content)
	}
}
