package markup_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// renderers render Markdown block by block and as a whole, which must give the same.
type renderers struct{ blocks, whole *markup.Renderer }

func newRenderers(opts markup.Options, index *markup.Index) renderers {
	return renderers{markup.NewRenderer(opts, index), markup.NewWholeRenderer(opts, index)}
}

// checkBlocks fails where a body that is rendered block by block is another than
// the same body rendered as a whole.
func (r renderers) checkBlocks(t *testing.T, from int, body []byte) {
	t.Helper()
	got, want := r.blocks.Render(from, page.Markdown, body), r.whole.Render(from, page.Markdown, body)
	if !bytes.Equal(got.Content, want.Content) {
		t.Errorf("%q: content (-whole +blocks):\n%s", body, cmp.Diff(string(want.Content), string(got.Content)))
	}
	slices.SortFunc(got.Problems, compareProblems)
	slices.SortFunc(want.Problems, compareProblems)
	checkSame(t, body, "problems", got.Problems, want.Problems)
	checkSame(t, body, "embeds", got.Embeds, want.Embeds)
	checkSame(t, body, "anchors", got.Anchors, want.Anchors)
	checkSame(t, body, "links", got.Links, want.Links)
	checkSame(t, body, "files", got.Files, want.Files)
	checkSame(t, body, "assets", []int{got.Assets}, []int{want.Assets})
	checkSame(t, body, "dependencies", got.Asked, want.Asked)
}

func checkSame[T comparable](t *testing.T, body []byte, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%q: %s (-whole +blocks):\n%s", body, what, cmp.Diff(want, got))
	}
}

func compareProblems(a, b markup.Problem) int {
	if a.Offset != b.Offset {
		return a.Offset - b.Offset
	}
	return strings.Compare(a.Message, b.Message)
}

func FuzzBlocks(f *testing.F) {
	for _, body := range slices.Concat(hostileHTML, markdownSeeds, blockSeeds) {
		f.Add(body, false)
		f.Add(body, true)
	}
	index := testIndex()
	strict, trusted := newRenderers(markup.Options{}, index), newRenderers(markup.Options{Trusted: true, Assets: "https://a.fi/x"}, index)
	f.Fuzz(func(t *testing.T, body string, isTrusted bool) {
		if !utf8.ValidString(body) || strings.ContainsRune(body, 0) {
			t.Skip("a source is UTF-8 without NUL")
		}
		if isTrusted {
			trusted.checkBlocks(t, 0, []byte(body))
		} else {
			strict.checkBlocks(t, 0, []byte(body))
		}
	})
}

// blockSeeds have blocks that leave something open, and all that goldmark writes.
var blockSeeds = []string{
	"a\n\n<p>b\n\nc\n", "<div>\n\n# a\n\n</div>\n\nb\n", "<!-- a\n\nb -->\n\nc\n", "<!-- a -->\n\nb\n", "<!doctype \n\na\n", "</\n\na\n", "a\n\n<script>\n\nb\n",
	"<textarea>\n\na\n", "<noscript>\n\n![](a.png)\n\n</noscript>\n", "<b>a\n\nb</b>\n\nc", "<table><tr>\n\n# a\n\n</table>\n", "</div>\n\na\n", "# <b>a\n\nc\n",
	"[a <https://b.fi>](c)\n", "[![a](b.png)](asuminen.md#x)\n", "![a  \nb](c)\n", "![a<b>](c)\n", "![`a` *b* [c](d)](e \"f\")\n", "[a](javascript:b \"c\")\n", "[]()\n",
	"[a](<b c> 'd\"&quot;e')\n", "[a](b&amp;c&copy=d)\n", "<mailto:a@b.fi> <x:y> <A@B.fi>\n", "[a](#b) [c](#d)\n\n# b\n", "a[^1]\n\n[^1]: b <i>c\n\nd\n",
	"[a](nowhere.md)\n\n<p>[b](nowhere.md)\n\n</p>\n\n[c](nowhere.md)\n", "<iframe src=//a.fi></iframe>\n\n<iframe src=//b.fi></iframe><p>\n\n<iframe src=//b.fi></iframe>\n",
	strings.Repeat("> ", 90) + strings.Repeat("*a ", 90) + strings.Repeat("b* ", 90), strings.Repeat("> - ", 60) + "a\n", strings.Repeat("*a **b ", 150) + "c" + strings.Repeat("** *", 150),
	strings.Repeat("[a](nowhere.md)\n", 1100), strings.Repeat("<font>", 1100) + "\n\na\n", "- [ ] a\n- [x] [b](c.md)\n  # d\n", "|a|b|\n|:-|-|\n|[c](d.png)|`e`|\n", "1) a\n\n   b\n\n\n   c\n",
	"<div class=\"xmldoc\">\n\na\n\n</div>\n", "<div class=\"xmldoc\">\n\na\n\n</div></div>\n", "\\&amp; &lt;b> &#60;c> a\\\nb\n", "``` a\"b<c\n<d>\n```\n\n    <e>\n", "a\r\n[b](c\rd)\r\n", " <p>\n<ins>\n\na\n",
}

func TestPayloadsInBlocks(t *testing.T) {
	t.Parallel()
	strict, trusted := newRenderers(markup.Options{}, testIndex()), newRenderers(markup.Options{Trusted: true}, testIndex())
	for payload := range payloads(t) {
		strict.checkBlocks(t, 0, []byte(payload))
		between := []byte("a\n\n" + payload + "\n\n[b](asuminen.md)\n")
		strict.checkBlocks(t, 0, between)
		trusted.checkBlocks(t, 0, between)
	}
}
