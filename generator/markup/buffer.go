package markup

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"
)

// A buffer takes the HTML that goldmark writes, and notes where in the source
// its parts came from. It is the util.BufWriter that the renderer writes to.
type buffer struct {
	data  []byte
	marks []mark
	plain *cleaner // of the addresses of a plain block; else nil
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

// nodes renders Markdown as goldmark does, with marks in the buffer, with raw HTML,
// and with a character for a task box.
type nodes struct {
	renderer.NodeRendererFuncRegisterer
}

// RegisterFuncs is called by goldmark, once.
func (nodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	html.NewRenderer(html.WithUnsafe(), html.WithWriter(textWriter{html.DefaultWriter})).RegisterFuncs(nodes{reg})
	reg.Register(ast.KindHTMLBlock, renderHTMLBlock)
	reg.Register(ast.KindRawHTML, renderRawHTML)
	reg.Register(east.KindTaskCheckBox, renderTaskCheckBox)
}

// Register takes a function of goldmark's own renderer.
func (n nodes) Register(kind ast.NodeKind, f renderer.NodeRendererFunc) {
	switch kind {
	case ast.KindHeading:
		f = marked(f, (*buffer).noteAnchor)
	case ast.KindLink, ast.KindAutoLink:
		f = marked(f, func(b *buffer, _ ast.Node, start int) { b.cleanAddress(start, `<a href="`, false) })
	case ast.KindImage:
		f = marked(f, func(b *buffer, _ ast.Node, start int) { b.cleanAddress(start, `<img src="`, true) })
	case ast.KindParagraph, ast.KindBlockquote, ast.KindListItem, ast.KindEmphasis:
		f = marked(f, nil)
	}
	n.NodeRendererFuncRegisterer.Register(kind, f)
}

// marked returns a function that marks where a node begins and renders it as f
// does. Clean is called after the start tag of one in a plain block.
func marked(f renderer.NodeRendererFunc, clean func(b *buffer, n ast.Node, start int)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		b := w.(*buffer)
		start := len(b.data)
		if entering {
			b.mark(n.Pos(), false)
		}
		status, err := f(w, source, n, entering)
		if entering && clean != nil && b.plain != nil {
			clean(b, n, start)
		}
		return status, err
	}
}

func (b *buffer) noteAnchor(heading ast.Node, _ int) {
	if id, ok := heading.Attribute(idName); ok {
		b.plain.res.Anchors = append(b.plain.res.Anchors, HashAnchor(string(id.([]byte))))
	}
}

// cleanAddress cleans the address that follows before in the tag that begins at
// start.
func (b *buffer) cleanAddress(start int, before string, loaded bool) {
	from := start + len(before)
	end := from + bytes.IndexByte(b.data[from:], '"')
	written := string(b.data[from:end])
	if strings.Contains(written, "&") {
		written = nethtml.UnescapeString(written)
	}
	b.plain.at = start
	switch address, keep := b.plain.address(written, loaded, start); {
	case !keep:
		b.data = slices.Delete(b.data, start+strings.IndexByte(before, ' '), end+1)
	case address != written:
		b.data = slices.Replace(b.data, from, end, []byte(attributeEscaper.Replace(address))...)
	}
}

func renderHTMLBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		block := n.(*ast.HTMLBlock)
		w.(*buffer).writeSource(source, block.Lines().Sliced(0, block.Lines().Len())...)
		if block.HasClosure() {
			w.(*buffer).writeSource(source, block.ClosureLine)
		}
	}
	return ast.WalkContinue, nil
}

func renderRawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := n.(*ast.RawHTML).Segments
		w.(*buffer).writeSource(source, segments.Sliced(0, segments.Len())...)
	}
	return ast.WalkSkipChildren, nil
}

// writeSource writes pieces of raw HTML. Padding stands for the columns of a tab
// that belong to one.
func (b *buffer) writeSource(source []byte, segments ...text.Segment) {
	for _, s := range segments {
		b.data = append(b.data, bytes.Repeat([]byte(" "), s.Padding)...)
		b.mark(s.Start, true)
		b.data = append(b.data, source[s.Start:s.Stop]...)
		if s.ForceNewline {
			b.data = append(b.data, '\n')
		}
		b.mark(s.Stop, false)
	}
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
