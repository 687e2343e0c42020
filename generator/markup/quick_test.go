package markup

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	east "github.com/yuin/goldmark/extension/ast"
)

// plainNodes renders as goldmark does, but for the nodes that are always rendered in
// another way.
type plainNodes struct{}

func (plainNodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, renderHTMLBlock)
	reg.Register(ast.KindRawHTML, renderRawHTML)
	reg.Register(east.KindTaskCheckBox, renderTaskCheckBox)
}

// plainMarkdown is what markdown is without the quick ways.
var plainMarkdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(Extensions()...),
		goldmark.WithParserOptions(limits()...),
		goldmark.WithParserOptions(attributeOptions()...),
		goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(plainNodes{}, 100))),
	)
})

// checkQuick fails where goldmark by itself gives something else.
func checkQuick(t *testing.T, body []byte) {
	t.Helper()
	var got, want buffer
	if markdown().Convert(body, &got) != nil || plainMarkdown().Convert(body, &want) != nil {
		t.Fatal("the buffer failed")
	}
	if string(got.data) != string(want.data) {
		t.Fatalf("%q (-goldmark +quick):\n%s", body, cmp.Diff(string(want.data), string(got.data)))
	}
}

func FuzzQuick(f *testing.F) {
	for _, seed := range []string{
		"", "plain text, no address", "see <https://example.fi/>", "see <https://www.example.fi/>", `<a href="https://example.fi/">x</a>`,
		"<a href=https://example.fi/>x</a>", "xhttps://example.fi", "https://example.fi/", "see https://example.fi/", "[x](https://example.fi/)",
		"*www.example.fi*", "|www.example.fi|", ">ftp://example.fi", "<https://a.fi> and http://example.fi", "write to a@example.fi",
		"a<https://x.fi>", "\"https://x.fi", "`a`https://x.fi", "=www.x.fi", "/www.x.fi", "<https://www.x.fi> /www.x.fi", "[a]\n\n[a]:<https://x.fi>", "a\n=https://x.fi",
		"<http://x.fi y>", "<www.x.fi>", "'ftp://x.fi'", "1https://x.fi", "ähttps://x.fi", "| a |\n|-|\n|<https://x.fi|", "0  \n0", "0   \n0", "0 \n0", "0\t \n0", "0\t\t\n0",
		"\\ http://x.fi*a\\*b*", "\\ http://x.fi`a\\*b*", "a\\\\\\\nb\\*c*d*", "a\\  \nb\\*c*d*", "[a\\\\\\\n](b)c\\*d*e*", "> a\\\\\\\n> *b\\*c*",
		"a*b@c.fi _d_e@f.fi g`h@i.fi j!k@l.fi (m@n.fi) *o@p.fi*", "\\ foo\\*bar*", "\\ http://x.fi foo\\*bar*", "a\\\nb\\\\\nc\\\\\\\nd", "`a`  \n`b` \n`c`\t\n\\  \n", "a\r\nb  \r\nc\\\r\n",
		"a (b * c) d ! e ] f ~ g_h &amp; &lt", "# a  {#b_c}\n# http: # b.c@\n", "|a |b\t|\n|-|:-:|\n|c\\|d|e  f|", "[a http://b](c) [d e@f.fi](g) ![h  i](j)", "- [ ] a\n-\ta\n\t b\n",
		"<div>\na\n\n</div>\nb", "<p>", " <P class=a>b\n", "<p\n>", "</table x>", "<pre>\n\na", "<p/>", "a\n<p>b", "<ul>\n- a\n", "<h7>", "> <p>\na", "    <p>", "<p-x> a",
		"a \"b\" <c & d> \\\" \\a &#34; &copy; `e & \\f`\n\n    g & h\n", "http: http: www. a@ www.b", "> [!NOTE] a\\*b\n> c", "a `b`\n: c www.d.fi\n{.e}\n", "(http://a.fi) (www.b.fi", "x\thttp://a.fi y\twww.b.fi",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkQuick)
}

// The same for the pages of real sites.
func TestQuickCorpora(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("SIVU_CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no corpora of real pages: SIVU_CORPORA names their folder (%v)", err)
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		text, err := os.ReadFile(name)
		checkQuick(t, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
