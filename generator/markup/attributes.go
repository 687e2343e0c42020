package markup

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxAttributes is how many bytes a list of attributes has at most: goldmark's time grows
// with the square of them.
const maxAttributes = 1000

// attributeOptions are those of a goldmark that takes attributes and the marks of alerts.
// Attributes are written as "{#id .class key=value}", and begin with "#" or ".", with a
// colon before it as in kramdown or without: at the end of a heading, in the last line of a
// paragraph or a table, or in a line of their own, for the block above them or, after a
// blank line, below them. Those of a paragraph in an item are the item's. goldmark itself
// has attributes of headings alone, and no kramdown.
func attributeOptions() []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(
			util.Prioritized(headingParser{parser.NewSetextHeadingParser()}, 99),
			util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 599),
		),
		parser.WithParagraphTransformers(util.Prioritized(paragraphAttributes{}, 199)), // last but for tables
		parser.WithASTTransformers(util.Prioritized(headingIDs{}, 900)),
	}
}

// A headingParser takes the attributes of headings.
type headingParser struct{ parser.BlockParser }

// Close is called when the text of a heading is known.
func (p headingParser) Close(n ast.Node, reader text.Reader, pc parser.Context) {
	before, _ := n.PreviousSibling().(*ast.Paragraph)
	p.BlockParser.Close(n, reader, pc)
	if before != nil && before.Parent() == nil { // it has become the heading
		moveAttributes(n, before)
	}
	takeAttributes(n, n.Lines(), reader.Source(), false)
}

// paragraphAttributes takes the attributes of paragraphs and tables, and the marks of alerts.
type paragraphAttributes struct{}

// Transform is called with every paragraph, before tables are made of them.
func (paragraphAttributes) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, lines := node.Parent(), node.Lines()
	if quote, ok := parent.(*ast.Blockquote); ok && node.PreviousSibling() == nil && lines.Len() > 0 {
		takeAlert(quote, node, reader.Source())
	}
	if !takeAttributes(node, lines, reader.Source(), true) {
		return
	}
	if lines.Len() == 0 {
		line := ast.NewTextBlock() // until the block that it belongs to is known
		line.SetBlankPreviousLines(node.HasBlankPreviousLines())
		moveAttributes(line, node)
		parent.ReplaceChild(parent, node, line)
		return
	}
	extension.NewTableParagraphTransformer().Transform(node, reader, pc)
	if table, ok := parent.LastChild().(*east.Table); ok {
		moveAttributes(table, node)
	} else if kind := parent.Kind(); kind == ast.KindListItem || kind == east.KindDefinitionDescription {
		moveAttributes(parent, node)
	}
}

// takeAttributes takes attributes off the last line of a block, and reports whether there
// are any. If whole is set, they have to be all of the line.
func takeAttributes(block ast.Node, lines *text.Segments, source []byte, whole bool) bool {
	if lines.Len() == 0 {
		return false
	}
	last := lines.Len() - 1
	line := lines.At(last)
	value := bytes.TrimRight(source[line.Start:line.Stop], whitespace)
	if !bytes.HasSuffix(value, []byte("}")) || line.Padding != 0 {
		return false
	}
	start := bytes.LastIndexByte(value, '{')
	if start < 0 || start > 0 && value[start-1] == '\\' || whole && len(bytes.TrimLeft(value[:start], whitespace)) > 0 {
		return false
	}
	attributes := parseAttributes(value[start+1:])
	if attributes == nil {
		return false
	}
	line.Stop = line.Start + start
	if len(bytes.TrimLeft(value[:start], whitespace)) == 0 {
		if lines.SetSliced(0, last); last > 0 {
			last--
			line = lines.At(last)
		}
	}
	if lines.Len() > 0 {
		lines.Set(last, line.TrimRightSpace(source))
	}
	for _, a := range attributes {
		block.SetAttribute(a.Name, a.Value)
	}
	return true
}

// parseAttributes returns the attributes of a list, given what follows its "{", or nil.
func parseAttributes(list []byte) (attributes parser.Attributes) {
	list = bytes.TrimLeft(bytes.TrimPrefix(list, []byte(":")), whitespace)
	if !isIn(list[0], "#.") || len(list) > maxAttributes {
		return nil
	}
	reader := text.NewReader(append([]byte{'{'}, list...))
	parsed, ok := parser.ParseAttributes(reader)
	if rest, _ := reader.PeekLine(); !ok || len(rest) > 0 {
		return nil
	}
	for _, a := range parsed {
		value, isText := a.Value.([]byte)
		if string(a.Name) == "id" && !isID(value) || string(a.Name) == "class" && len(value) == 0 {
			return nil
		}
		if isText {
			attributes = append(attributes, a)
		}
	}
	return attributes
}

func moveAttributes(to, from ast.Node) {
	for _, a := range from.Attributes() {
		to.SetAttribute(a.Name, a.Value)
	}
	from.RemoveAttributes()
}

// giveAttributes gives the attributes of a line of their own to the block that they belong to.
func giveAttributes(line *ast.TextBlock) {
	of := line.PreviousSibling()
	if of == nil || line.HasBlankPreviousLines() {
		of = line.NextSibling()
	}
	if of != nil {
		moveAttributes(of, line)
	}
	line.Parent().RemoveChild(line.Parent(), line)
}

// alertMark is the mark of an alert, at the start of a quote, and white space after it.
// GitHub knows five kinds, and other sites have more.
var alertMark = regexp.MustCompile(`^\[!([A-Za-z]{2,20})\][+-]?(?:[ \t]+|\r?\n?$)`)

// alertTitle is the class of the title of an alert.
var alertTitle = []byte("markdown-alert-title")

// takeAlert makes an alert of a quote whose first paragraph begins with the mark of one: the
// classes are GitHub's. What follows the mark in its line is a title. Where there is none, a
// client has to show the kind: no word is written that is not in the page's language.
func takeAlert(quote *ast.Blockquote, block *ast.Paragraph, source []byte) {
	lines := block.Lines()
	first := lines.At(0)
	first = first.TrimLeftSpace(source)
	mark := alertMark.FindSubmatch(source[first.Start:first.Stop])
	if mark == nil {
		return
	}
	quote.SetAttribute([]byte("class"), append([]byte("markdown-alert markdown-alert-"), bytes.ToLower(mark[1])...))
	lines.SetSliced(1, lines.Len())
	first.Start += len(mark[0])
	if first = first.TrimRightSpace(source); !first.IsEmpty() {
		title := ast.NewParagraph()
		title.SetAttribute([]byte("class"), alertTitle)
		title.Lines().Append(first)
		quote.InsertBefore(quote, block, title)
	}
}

// makeStrong makes the text of a block strong.
func makeStrong(block ast.Node) {
	strong := ast.NewEmphasis(2)
	for c := block.FirstChild(); c != nil; c = block.FirstChild() {
		strong.AppendChild(strong, c)
	}
	block.AppendChild(block, strong)
}
