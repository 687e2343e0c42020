package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The types in this file handle the common cases of goldmark's parsers and writer
// faster, with the same output, and leave the others to them.

// A textParser makes a text node of all bytes up to the next one that may begin another
// node. goldmark goes byte by byte, and looks for an autolink at every space.
type textParser struct{}

// Trigger returns the bytes that may precede an autolink; " " stands also for the start
// of a line and for the end of another node.
func (textParser) Trigger() []byte { return []byte(" (*_~") }

// Parse returns nil where goldmark has to look at single bytes: where an autolink may
// begin, and where it may take the first byte for an escaped one.
func (textParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if segment.Padding > 0 || segment.ForceNewline || mayEscape(parent.LastChild(), block.Source()) {
		return nil
	}
	n, wholeLine := textLength(line)
	if n == 0 && !wholeLine {
		return nil
	}
	node := ast.NewTextSegment(segment.WithStop(segment.Start + n))
	if !wholeLine {
		block.Advance(n)
		return node
	}
	isBreak := len(line)-n == len("  \n")
	node.SetHardLineBreak(isBreak)
	node.SetSoftLineBreak(!isBreak && n < len(line))
	block.AdvanceLine()
	return node
}

// mayEscape reports whether goldmark may take the byte after a node for an escaped one.
// It does after a backslash, and forgets that only with a byte of text: not with the
// nodes that follow, nor with the end of the line, nor with a backtick without another
// one, which is a text node. The backslash may also be before an autolink, or in a link.
func mayEscape(n ast.Node, source []byte) bool {
	for ; n != nil; n = n.PreviousSibling() {
		switch n := n.(type) {
		case *ast.AutoLink, *ast.Link, *ast.Image:
			return true
		case *ast.Text:
			if n.Segment.IsEmpty() || source[n.Segment.Stop-1] == '\\' {
				return true
			} else if source[n.Segment.Stop-1] != '`' {
				return false
			}
		}
	}
	return false
}

// The classes of bytes of a textParser.
const (
	inText     = iota
	inAddress  // it may be in an autolink
	beforeLink // an autolink may begin after it
	notText    // it may begin another node, or escape the next byte
	lineEnd
)

var textBytes = func() (table [256]uint8) {
	for set, class := range map[string]uint8{":.@": inAddress, " \t(": beforeLink, "\\[]!*_~`<": notText, "\n": lineEnd} {
		for _, c := range []byte(set) {
			table[c] = class
		}
	}
	return table
}()

// textLength returns the length of the text that a line begins with, and whether
// nothing but a line ending follows it.
func textLength(line []byte) (n int, wholeLine bool) {
	word := 0 // where an autolink may begin
	for i, c := range line {
		switch textBytes[c] {
		case inAddress:
			if isAutolink(line[word:]) {
				return word, false
			}
		case beforeLink:
			word = i
		case notText:
			if i > 0 && isAutolink(line[word:]) {
				return word, false
			} else if i > 0 {
				return i, false
			}
		case lineEnd:
			return trimLine(line)
		}
	}
	return trimLine(line)
}

// isAutolink reports whether text may begin with an autolink, after one more byte.
func isAutolink(s []byte) bool {
	if isIn(s[0], " \t(*_~") {
		s = s[1:]
	}
	for _, start := range autolinkStarts {
		if bytes.HasPrefix(s, start) {
			return true
		}
	}
	return util.FindEmailIndex(s) >= 0
}

var autolinkStarts = [][]byte{[]byte("http:"), []byte("https:"), []byte("ftp:"), []byte("www.")}

// trimLine returns the length of a line without its line ending and the blanks
// before it, and whether these are so few that goldmark drops them all.
func trimLine(line []byte) (n int, ok bool) {
	n = len(line) - util.TrimRightSpaceLength(line)
	switch string(line[n:]) {
	case "", "\n", " \n", "  \n":
		return n, true
	}
	return n, false
}

// An htmlBlockParser opens blocks of HTML that begin with the tag of a common element,
// without the regular expressions of goldmark's own.
type htmlBlockParser struct{ parser.BlockParser }

var commonBlocks = setOf("p div table ul ol dl section details figure blockquote h1 h2 h3 h4 h5 h6")

// Open returns nil where the line begins with something else.
func (htmlBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	tag := bytes.TrimPrefix(bytes.TrimLeft(line, " "), []byte("<"))
	tag = bytes.TrimPrefix(tag, []byte("/"))
	name := tagName(tag)
	if !commonBlocks[string(name)] || len(tag) == len(name) || !isIn(tag[len(name)], " >") {
		return nil, parser.NoChildren
	}
	node := ast.NewHTMLBlock(ast.HTMLBlockType6)
	reader.AdvanceToEOL()
	node.Lines().Append(segment)
	return node, parser.NoChildren
}

// A textWriter escapes text.
type textWriter struct{ html.Writer }

// Write is used for text with escapes and entities.
func (w textWriter) Write(out util.BufWriter, s []byte) {
	if isUnescaped(s) {
		_, _ = out.Write(s)
	} else {
		w.Writer.Write(out, s)
	}
}

// RawWrite is used for text as it is.
func (w textWriter) RawWrite(out util.BufWriter, s []byte) {
	if isUnescaped(s) {
		_, _ = out.Write(s)
	} else {
		w.Writer.RawWrite(out, s)
	}
}

var escapedBytes = func() (table [256]bool) {
	for _, c := range []byte("\\&<>\"\x00") {
		table[c] = true
	}
	return table
}()

// isUnescaped reports whether text has no escape, no entity and no character that HTML
// escapes.
func isUnescaped(s []byte) bool {
	for _, c := range s {
		if escapedBytes[c] {
			return false
		}
	}
	return true
}
