package markup

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Extensions are the extensions of CommonMark that bodies may use: GitHub's
// tables, strikethrough and task lists, footnotes, definition lists, and last GitHub's
// autolinks.
func Extensions() []goldmark.Extender {
	return []goldmark.Extender{
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough,
		extension.TaskList,
		extension.Footnote,
		extension.DefinitionList,
		extension.Linkify,
	}
}

// markdown is the goldmark of all bodies: with the extensions, raw HTML, ids for
// headings, and the limits of the budget. It is safe for concurrent use.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return newMarkdown(goldmark.WithParserOptions(
		parser.WithBlockParsers(util.Prioritized(htmlBlockParser{parser.NewHTMLBlockParser()}, 899))))
})

// newMarkdown returns a goldmark with further options.
func newMarkdown(further ...goldmark.Option) goldmark.Markdown {
	return goldmark.New(append(further,
		goldmark.WithExtensions(Extensions()...),
		goldmark.WithParserOptions(limits()...),
		goldmark.WithParserOptions(attributeOptions()...),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(textParser{}, 998))), // last but for autolinks
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodes{}, 100))),
	)...)
}

// renderMarkdown renders a Markdown body to the result.
func (r *Renderer) renderMarkdown(md goldmark.Markdown, body []byte) {
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
	pc := parser.NewContext()
	doc := md.Parser().Parse(text.NewReader(body), parser.WithContext(pc))
	c.parsed = append(c.parsed, countsOf(pc).problems...)
	render := func(n ast.Node) {
		if err := md.Renderer().Render(b, body, n); err != nil {
			panic(err) // the buffer never fails, and no node renderer here does
		}
	}
	// Whether a body is to be unwrapped shows at its end.
	if c.whole || bytes.Contains(body, []byte("xmldoc")) || !r.renderBlocks(doc.FirstChild(), render) {
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
		before, src := c.content, b.origin(0)
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
		return !inImage && n.Attributes() == nil
	case *ast.AutoLink:
		return !inLink
	case *ast.Link:
		if inLink {
			return false
		}
		inLink = true
	case *ast.Image:
		inImage = true
	case *ast.Heading:
		if len(n.Attributes()) > 1 { // more than an id
			return false
		}
	case *ast.Paragraph, *ast.Blockquote, *ast.List, *ast.ListItem, *east.Table:
		if n.Attributes() != nil {
			return false
		}
	case *ast.Document, *ast.TextBlock, *ast.Emphasis, *east.Strikethrough, *east.TableHeader, *east.TableRow, *east.TableCell:
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
