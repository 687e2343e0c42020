package markup

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxAttributes is how many bytes a list of attributes has at most: goldmark's time grows
// with the square of them.
const maxAttributes = 1000

// attributeReader takes attributes and the marks of alerts out of the text of a document's
// blocks. Attributes are written as "{#id .class key=value}", and begin with "#" or ".",
// with a colon before it as in kramdown or without: at the end of a heading, in the last
// line of another block, or in a line of their own, for the block above them or, after a
// blank line, below them.
type attributeReader struct {
	source   []byte
	headings []*ast.Heading // found on the way
}

// readBlocks reads n and its siblings, and the blocks in them.
func (r *attributeReader) readBlocks(n ast.Node) {
	var next ast.Node
	for ; n != nil; n = next {
		next = n.NextSibling()
		switch n := n.(type) {
		case *ast.Heading:
			r.headings = append(r.headings, n)
			r.take(n)
			continue
		case *ast.Paragraph:
			r.takeLine(n, n)
			continue
		case *ast.TextBlock: // has no tag itself
			r.takeLine(n, n.Parent())
			continue
		case *east.Table:
			r.takeRow(n)
			continue
		case *ast.Blockquote:
			r.readAlert(n)
		}
		if first := n.FirstChild(); first != nil && first.Type() == ast.TypeBlock {
			r.readBlocks(first)
		}
	}
}

// take takes attributes off the end of the text of a block.
func (r *attributeReader) take(block ast.Node) {
	if start, attributes := r.find(block); attributes != nil && r.cutEnd(block, start) {
		setAttributes(block, attributes)
	}
}

// takeLine takes attributes off the last line of a block, if they are all of it.
func (r *attributeReader) takeLine(block, of ast.Node) {
	start, attributes := r.find(block)
	if attributes == nil {
		return
	}
	lines := block.Lines()
	if last := lines.At(lines.Len() - 1); len(bytes.TrimLeft(r.source[last.Start:start], whitespace)) > 0 {
		return
	}
	if lines.Len() == 1 {
		if of = block.PreviousSibling(); of == nil || block.HasBlankPreviousLines() {
			of = block.NextSibling()
		}
	}
	if !r.cutEnd(block, start) {
		return
	}
	if of != nil {
		setAttributes(of, attributes)
	}
	if block.FirstChild() == nil {
		block.Parent().RemoveChild(block.Parent(), block)
	}
}

// takeRow takes attributes off a table whose last row they are.
func (r *attributeReader) takeRow(table *east.Table) {
	row, ok := table.LastChild().(*east.TableRow)
	if !ok || row.FirstChild() == nil {
		return
	}
	cell := row.FirstChild()
	for other := cell.NextSibling(); other != nil; other = other.NextSibling() {
		if other.FirstChild() != nil {
			return
		}
	}
	if start, attributes := r.find(cell); attributes != nil && start == cell.Lines().At(0).Start {
		setAttributes(table, attributes)
		table.RemoveChild(table, row)
	}
}

// find returns the attributes that the text of a block ends with and where they start, or
// nil.
func (r *attributeReader) find(block ast.Node) (start int, attributes parser.Attributes) {
	lines := block.Lines()
	if lines.Len() == 0 {
		return 0, nil
	}
	last := lines.At(lines.Len() - 1)
	line := bytes.TrimRight(r.source[last.Start:last.Stop], whitespace)
	if !bytes.HasSuffix(line, []byte("}")) || last.Padding != 0 {
		return 0, nil
	}
	start = bytes.LastIndexByte(line, '{')
	if start < 0 || start > 0 && line[start-1] == '\\' {
		return 0, nil
	}
	list := bytes.TrimLeft(bytes.TrimPrefix(line[start+1:], []byte(":")), whitespace)
	if !isIn(list[0], "#.") || len(list) > maxAttributes {
		return 0, nil
	}
	reader := text.NewReader(append([]byte{'{'}, list...))
	attributes, ok := parser.ParseAttributes(reader)
	if rest, _ := reader.PeekLine(); !ok || len(rest) > 0 {
		return 0, nil
	}
	for _, a := range attributes {
		if value, _ := a.Value.([]byte); string(a.Name) == "id" && !isID(value) || string(a.Name) == "class" && len(value) == 0 {
			return 0, nil
		}
	}
	return last.Start + start, attributes
}

// cutEnd is cut up to the end of a block, with the line break before.
func (r *attributeReader) cutEnd(block ast.Node, from int) bool {
	lines := block.Lines()
	if !cut(block, from, lines.At(lines.Len()-1).Stop) {
		return false
	}
	if last, ok := block.LastChild().(*ast.Text); ok {
		last.Segment = last.Segment.TrimRightSpace(r.source)
		last.SetSoftLineBreak(false)
		last.SetHardLineBreak(false)
	}
	return true
}

// cut removes the text between two offsets from the children of a block. It reports
// false, and changes nothing, where that is not only text.
func cut(block ast.Node, from, to int) bool {
	at := block.Lines().At(0).Start
	for c := block.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			at = t.Segment.Stop
		} else if from <= at && at < to {
			return false
		}
	}
	var next ast.Node
	for c := block.FirstChild(); c != nil; c = next {
		next = c.NextSibling()
		switch t, ok := c.(*ast.Text); {
		case !ok, t.Segment.Stop <= from, t.Segment.Start >= to:
		case from <= t.Segment.Start && t.Segment.Stop <= to:
			block.RemoveChild(block, c)
		case t.Segment.Start < from:
			t.Segment = t.Segment.WithStop(from)
		default:
			t.Segment = t.Segment.WithStart(to)
		}
	}
	return true
}

func setAttributes(n ast.Node, attributes parser.Attributes) {
	for _, a := range attributes {
		if value, ok := a.Value.([]byte); ok {
			n.SetAttribute(a.Name, value)
		}
	}
}

// alertMark is the mark of an alert, at the start of a quote, and white space after it.
// GitHub knows five kinds, and other sites have more.
var alertMark = regexp.MustCompile(`^\[!([A-Za-z]{2,20})\][+-]?(?:[ \t]+|\r?\n?$)`)

// readAlert makes an alert of a quote that begins with the mark of one: the classes are
// GitHub's. What follows the mark in its line is a title. Where there is none, a client
// has to show the kind: no word is written that is not in the page's language.
func (r *attributeReader) readAlert(quote *ast.Blockquote) {
	block, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || block.Lines().Len() == 0 {
		return
	}
	first := block.Lines().At(0)
	line := r.source[first.Start:first.Stop]
	if !bytes.HasPrefix(line, []byte("[!")) {
		return
	}
	mark := alertMark.FindSubmatch(line)
	if mark == nil {
		return
	}
	end := first.Start + len(mark[0])
	hasTitle := len(bytes.TrimSpace(r.source[end:first.Stop])) > 0
	if !cut(block, first.Start, end) {
		return
	}
	quote.SetAttribute([]byte("class"), append([]byte("markdown-alert markdown-alert-"), bytes.ToLower(mark[1])...))
	if hasTitle {
		title := ast.NewParagraph()
		title.SetAttribute([]byte("class"), []byte("markdown-alert-title"))
		strong := ast.NewEmphasis(2)
		title.AppendChild(title, strong)
		moveLine(strong, block)
		quote.InsertBefore(quote, block, title)
	}
	if block.FirstChild() == nil {
		quote.RemoveChild(quote, block)
	}
}

// moveLine moves the first line of a block.
func moveLine(to, block ast.Node) {
	for c := block.FirstChild(); c != nil; c = block.FirstChild() {
		to.AppendChild(to, c)
		if t, ok := c.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			t.SetSoftLineBreak(false)
			t.SetHardLineBreak(false)
			return
		}
	}
}
