package markup

import (
	"bytes"
	"sort"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"
)

// Extensions are what this package's Markdown has beyond CommonMark: GitHub's
// tables, strikethrough, autolinks and task lists, and footnotes.
func Extensions() []goldmark.Extender {
	return append(extensionsButAutolinks(), extension.Linkify)
}

func extensionsButAutolinks() []goldmark.Extender {
	return []goldmark.Extender{
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough,
		extension.TaskList,
		extension.Footnote,
	}
}

// newMarkdown returns a goldmark with the extensions, raw HTML, ids for
// headings, and the limits of the budget. It is safe for concurrent use.
func newMarkdown(extensions []goldmark.Extender) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extensions...),
		goldmark.WithParserOptions(limits()...),
		goldmark.WithParserOptions(
			parser.WithASTTransformers(util.Prioritized(headingIDs{}, 900)),
		),
		goldmark.WithRendererOptions(
			html.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(&nodes{}, 100)),
		),
	)
}

// The goldmarks of the program: for all bodies, and for those that hold nothing
// that could become an autolink. The second is quicker by a third, as the first
// stops at every space to look for one.
var (
	complete         = sync.OnceValue(func() goldmark.Markdown { return newMarkdown(Extensions()) })
	withoutAutolinks = sync.OnceValue(func() goldmark.Markdown { return newMarkdown(extensionsButAutolinks()) })
)

func markdownFor(body []byte) goldmark.Markdown {
	if mayAutolink(body) {
		return complete()
	}
	return withoutAutolinks()
}

// autolinkStarts are what the address of an autolink begins with, save that of
// an e-mail, which has an "@".
var autolinkStarts = [][]byte{[]byte("http:"), []byte("https:"), []byte("ftp:"), []byte("www.")}

// mayAutolink reports whether a body may hold an autolink, an address without
// angle brackets. One begins at the start of a block's text or after a space,
// "*", "_", "~" or "(". So an address right after a "<", a quotation mark, "=",
// "/", a letter or a digit is none.
func mayAutolink(body []byte) bool {
	if bytes.IndexByte(body, '@') >= 0 || hasBlanksAtLineEnd(body) {
		return true
	}
	for _, start := range autolinkStarts {
		for at := 0; ; {
			i := bytes.Index(body[at:], start)
			if i < 0 {
				break
			}
			at += i
			if at == 0 || !isAlphanumeric(body[at-1]) && !isIn(body[at-1], `<="'/`) {
				return true
			}
			at += len(start)
		}
	}
	return false
}

// hasBlanksAtLineEnd reports whether a line ends with a tab, or with more spaces
// than a break has. With autolinks goldmark keeps some of them, and without
// drops them.
func hasBlanksAtLineEnd(body []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(body[at:], '\n')
		if i < 0 {
			return false
		}
		at += i
		if line := bytes.TrimSuffix(bytes.TrimSuffix(body[:at], []byte(" ")), []byte(" ")); len(line) > 0 && isSpace(line[len(line)-1]) && line[len(line)-1] != '\n' {
			return true
		}
	}
}

func isIn(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

// A buffer takes the HTML that goldmark writes, and notes where in the source
// its parts came from. It is the util.BufWriter that the renderer writes to.
type buffer struct {
	data    []byte
	marks   []mark
	plain   *cleaner // of the addresses of a plain block; else nil
	scratch []byte
}

// A mark says that the HTML from offset out on came from offset src on. Where
// it is verbatim, so did every byte up to the next mark.
type mark struct {
	out, src int
	verbatim bool
}

func (b *buffer) Write(p []byte) (int, error) { b.data = append(b.data, p...); return len(p), nil }
func (b *buffer) WriteString(s string) (int, error) {
	b.data = append(b.data, s...)
	return len(s), nil
}
func (b *buffer) WriteByte(c byte) error { b.data = append(b.data, c); return nil }
func (b *buffer) Available() int         { return cap(b.data) - len(b.data) }
func (b *buffer) Buffered() int          { return 0 }
func (b *buffer) Flush() error           { return nil }

func (b *buffer) WriteRune(r rune) (int, error) {
	n := len(b.data)
	b.data = append(b.data, string(r)...)
	return len(b.data) - n, nil
}

func (b *buffer) mark(src int, verbatim bool) {
	if src >= 0 {
		b.marks = append(b.marks, mark{len(b.data), src, verbatim})
	}
}

func (b *buffer) reset() { b.data, b.marks, b.plain = b.data[:0], b.marks[:0], nil }

// next empties the buffer for the block that follows. What has no mark of its own
// there came from where the last mark says.
func (b *buffer) next() {
	src := 0
	if n := len(b.marks); n > 0 {
		src = b.marks[n-1].src
	}
	b.reset()
	b.mark(src, false)
}

// origin returns the offset in the source that the HTML at offset out came from.
func (b *buffer) origin(out int) int {
	i := sort.Search(len(b.marks), func(i int) bool { return b.marks[i].out > out }) - 1
	if i < 0 {
		return 0
	}
	m := b.marks[i]
	if m.verbatim {
		return m.src + out - m.out
	}
	return m.src
}

// renderMarkdown renders a Markdown body to the result.
func (r *Renderer) renderMarkdown(body []byte) {
	b, c := &r.markdown, &r.cleaner
	b.reset()
	if at := overBudget(body); at >= 0 {
		c.parsed = append(c.parsed, Problem{
			Offset: at, Rule: ruleMarkdownDepth,
			Message: "before this place stand more lines, blocks and marks than one page may hold",
			Hint:    "cut the page into several",
		})
		c.clean(nil, b.origin)
		return
	}
	md := markdownFor(body)
	pc := parser.NewContext()
	doc := md.Parser().Parse(text.NewReader(body), parser.WithContext(pc))
	c.parsed = append(c.parsed, countsOf(pc).problems...)
	render := func(n ast.Node) {
		if err := md.Renderer().Render(b, body, n); err != nil {
			panic(err) // the buffer never fails, and no node renderer here does
		}
	}
	// Whether a body is to be unwrapped shows at its end.
	if r.whole || bytes.Contains(body, []byte("xmldoc")) || !r.renderBlocks(doc.FirstChild(), render) {
		b.reset()
		render(doc)
		c.clean(b.data, b.origin)
	}
}

// renderBlocks renders n and the blocks after it one by one. What goldmark writes
// for a plain block needs no cleaning. The others are cleaned each by itself; where
// one leaves something open, with all that follow. It reports false where the body
// has more problems than are listed.
func (r *Renderer) renderBlocks(n ast.Node, render func(ast.Node)) bool {
	b, c := &r.markdown, &r.cleaner
	c.begin(b.origin)
	for ; n != nil; n = n.NextSibling() {
		b.next()
		if isPlain(n, 0, false, false) {
			b.plain, c.base = c, 0
			render(n)
			b.plain = nil
			c.out = append(c.out, b.data...)
			continue
		}
		before, src := c.checkpoint(), b.origin(0)
		render(n)
		if c.feed(b.data, 0) || n.NextSibling() == nil {
			continue
		}
		c.restore(before)
		b.reset()
		b.mark(src, false)
		for ; n != nil; n = n.NextSibling() {
			render(n)
		}
		c.feed(b.data, 0)
		break
	}
	if c.unlisted > 0 {
		return false
	}
	c.finish()
	return true
}

// maxPlainDepth is how deep the nodes of a plain block are nested. For each of them
// goldmark writes two elements at most.
const maxPlainDepth = maxDepth/2 - 1

// isPlain reports whether a node and those in it are of kinds that goldmark writes
// as allowed elements, in an order that needs no repair.
func isPlain(n ast.Node, depth int, inLink, inImage bool) bool {
	switch n := n.(type) {
	case *ast.Text:
		return !inImage || !n.HardLineBreak() // written as a tag in an attribute
	case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.ThematicBreak, *ast.LinkReferenceDefinition, *east.TaskCheckBox:
		return !inImage
	case *ast.AutoLink:
		return !inLink
	case *ast.Link:
		if inLink {
			return false
		}
		inLink = true
	case *ast.Image:
		inImage = true
	case *ast.Document, *ast.Paragraph, *ast.TextBlock, *ast.Heading, *ast.Blockquote, *ast.List, *ast.ListItem, *ast.Emphasis,
		*east.Strikethrough, *east.Table, *east.TableHeader, *east.TableRow, *east.TableCell:
	default:
		return false
	}
	if depth == maxPlainDepth {
		return false
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if !isPlain(child, depth+1, inLink, inImage) {
			return false
		}
	}
	return true
}

// nodes renders the nodes whose place in the source is of interest, and those
// that goldmark would render as what no content may hold.
type nodes struct {
	html map[ast.NodeKind]renderer.NodeRendererFunc
}

// Register takes a function of goldmark's own renderer.
func (n *nodes) Register(kind ast.NodeKind, f renderer.NodeRendererFunc) { n.html[kind] = f }

// RegisterFuncs is called by goldmark, once.
func (n *nodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	n.html = map[ast.NodeKind]renderer.NodeRendererFunc{}
	html.NewRenderer(html.WithUnsafe()).RegisterFuncs(n)
	for kind, plain := range map[ast.NodeKind]func(b *buffer, n ast.Node, start int){
		ast.KindHeading: (*buffer).cleanHeading, ast.KindParagraph: nil, ast.KindBlockquote: nil, ast.KindListItem: nil,
		ast.KindLink: (*buffer).cleanLink, ast.KindImage: (*buffer).cleanImage, ast.KindAutoLink: (*buffer).cleanLink, ast.KindEmphasis: nil,
	} {
		reg.Register(kind, marked(n.html[kind], plain))
	}
	reg.Register(ast.KindHTMLBlock, renderHTMLBlock)
	reg.Register(ast.KindRawHTML, renderRawHTML)
	reg.Register(east.KindTaskCheckBox, renderTaskCheckBox)
}

// marked returns a function that notes the place of a node and renders it as f
// does. In a plain block, clean is called when the start tag is written.
func marked(f renderer.NodeRendererFunc, clean func(b *buffer, n ast.Node, start int)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		b, ok := w.(*buffer)
		if !ok || !entering {
			return f(w, source, n, entering)
		}
		b.mark(n.Pos(), false)
		start := len(b.data)
		status, err := f(w, source, n, entering)
		if b.plain != nil && clean != nil {
			clean(b, n, start)
		}
		return status, err
	}
}

func (b *buffer) cleanHeading(n ast.Node, _ int) {
	if id, ok := n.AttributeString("id"); ok {
		b.plain.res.Anchors = append(b.plain.res.Anchors, HashAnchor(string(id.([]byte))))
	}
}

func (b *buffer) cleanLink(_ ast.Node, start int) { b.cleanAddress(start, `<a href="`, false) }

func (b *buffer) cleanImage(_ ast.Node, start int) { b.cleanAddress(start, `<img src="`, true) }

// cleanAddress cleans the first attribute of the tag that is written at start: an
// address.
func (b *buffer) cleanAddress(start int, before string, loaded bool) {
	value := b.data[start+len(before):]
	value = value[:bytes.IndexByte(value, '"')]
	written := string(value)
	if strings.Contains(written, "&") {
		written = nethtml.UnescapeString(written)
	}
	b.plain.at = start
	address, keep := b.plain.address(written, loaded, start)
	if keep && address == written {
		return
	}
	b.scratch = append(b.scratch[:0], b.data[start+len(before)+len(value)+1:]...)
	if b.data = b.data[:start+len(before)]; keep {
		b.data = append(append(b.data, attributeEscaper.Replace(address)...), '"')
	} else {
		b.data = b.data[:start+strings.IndexByte(before, ' ')]
	}
	b.data = append(b.data, b.scratch...)
}

func renderHTMLBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	writeSegments(w, source, block.Lines())
	if block.HasClosure() {
		writeSegment(w, source, block.ClosureLine)
	}
	return ast.WalkContinue, nil
}

func renderRawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		writeSegments(w, source, n.(*ast.RawHTML).Segments)
	}
	return ast.WalkSkipChildren, nil
}

func writeSegments(w util.BufWriter, source []byte, segments *text.Segments) {
	for i := range segments.Len() {
		writeSegment(w, source, segments.At(i))
	}
}

// writeSegment writes a piece of raw HTML. Padding stands for the columns of a
// tab that belong to it.
func writeSegment(w util.BufWriter, source []byte, s text.Segment) {
	b, ok := w.(*buffer)
	if !ok {
		_, _ = w.Write(s.Value(source))
		return
	}
	for range s.Padding {
		_ = b.WriteByte(' ')
	}
	b.mark(s.Start, true)
	_, _ = b.Write(source[s.Start:s.Stop])
	if s.ForceNewline {
		_ = b.WriteByte('\n')
	}
	b.mark(s.Stop, false)
}

func renderTaskCheckBox(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		box := "☐ "
		if n.(*east.TaskCheckBox).IsChecked {
			box = "☑ "
		}
		_, _ = w.WriteString(box)
	}
	return ast.WalkContinue, nil
}
