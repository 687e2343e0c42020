package markup

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The budget of one Markdown body: far more than a page needs. Beyond it, goldmark's
// time grows with the square of the input, or its memory or stack runs out.
const (
	maxCost       = 1_000_000 // lines, blocks and marks, weighed: see overBudget
	maxBlocks     = 100       // quotes, lists, items and notes open around a line
	maxDelimiters = 1000      // runs of *, _ and ~ in one paragraph, heading or cell
	maxBrackets   = 1000      // "[" in one paragraph, heading or cell
	maxRun        = 100       // characters of a run of *, _, ~ or `
	maxReferences = 1000      // lines that begin with "[" in one paragraph
	maxNotes      = 1000      // lines that begin a footnote
	maxCells      = 1_000_000 // of a table
	maxEscapes    = 1000      // lines of paragraphs with a code span and an escaped "|"
)

// The cost of a line and of the parts in it. No byte costs more than their sum.
const (
	lineCost  = 1
	blockCost = 3 // on top of its line
	markCost  = 2
)

// overBudget returns the offset at which a body has cost more than maxCost, or -1.
// It runs before goldmark, which keeps several hundred bytes for almost each line,
// block and mark. It counts what looks like one, also in code, so that nothing can
// hide from it. 16 MiB of paragraphs of 300 bytes with two links each stay below.
func overBudget(body []byte) int {
	if len(body) <= maxCost/(lineCost+blockCost+markCost) {
		return -1
	}
	cost, at, blank := 0, 0, true
	for line := range bytes.Lines(body) {
		if text := bytes.TrimSpace(line); len(text) == 0 {
			blank = true
		} else {
			cost += lineCost
			if blank || isIn(text[0], "#>-+*=|~`<:[0123456789") {
				cost += blockCost
			}
			blank = false
		}
		for i := range line {
			if isMark(line[i:]) {
				cost += markCost
			}
			if cost > maxCost {
				return at + i
			}
		}
		at += len(line)
	}
	return -1
}

// isMark reports whether a link, emphasis, code, a cell, a tag or an autolink could
// begin or end with the first byte of s.
func isMark(s []byte) bool {
	switch s[0] {
	case '[', ']', '*', '_', '~', '`', '|', '<', '@':
		return true
	case ':':
		return bytes.HasPrefix(s, []byte("://"))
	case 'w':
		return bytes.HasPrefix(s, []byte("www."))
	}
	return false
}

// limits returns parsers that run before those of goldmark and count their input.
// Beyond a bound they take it for text, or drop it, and report an error.
func limits() []parser.Option {
	const first = -1
	return []parser.Option{
		parser.WithBlockParsers(util.Prioritized(blockLimit{parser.NewParagraphParser()}, first)),
		parser.WithParagraphTransformers(util.Prioritized(paragraphLimit{}, first)),
		parser.WithInlineParsers(util.Prioritized(inlineLimit{}, first)),
	}
}

// counts are the counts of one document.
type counts struct {
	problems   []Problem
	notes      int
	escapes    int
	parent     ast.Node // whose delimiters and brackets are counted
	delimiters int
	brackets   int
	addresses  int // bytes looked through for the addresses of links
}

var countsKey = parser.NewContextKey()

func countsOf(pc parser.Context) *counts {
	return pc.ComputeIfAbsent(countsKey, func() any { return &counts{} }).(*counts)
}

// report notes a problem, once for each message.
func (c *counts) report(offset int, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	for _, p := range c.problems {
		if p.Message == message {
			return
		}
	}
	c.problems = append(c.problems, Problem{Offset: max(offset, 0), Rule: ruleMarkdownDepth, Message: message})
}

// A blockLimit opens a paragraph where no other block may be opened.
type blockLimit struct{ parser.BlockParser }

// Trigger returns the bytes that blocks begin with which hold other blocks.
func (blockLimit) Trigger() []byte { return []byte(">-+*[:0123456789") }

// Open counts footnotes and open blocks.
func (b blockLimit) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	c := countsOf(pc)
	line, segment := reader.PeekLine()
	indent := max(pc.BlockOffset(), 0)
	if rest := line[indent:]; bytes.HasPrefix(rest, []byte("[^")) && bytes.Contains(rest, []byte("]:")) {
		if c.notes++; c.notes > maxNotes {
			c.report(segment.Start+indent, "there are more than %d footnotes", maxNotes)
			return b.BlockParser.Open(parent, reader, pc)
		}
	}
	isList := parent.Kind() == ast.KindList || parent.Kind() == east.KindDefinitionList
	if isList || len(pc.OpenedBlocks()) < maxBlocks {
		return nil, parser.NoChildren // a list must get its item
	}
	c.report(segment.Start+indent, "lists and quotes are nested too deep: more than %d blocks are open around this line", maxBlocks)
	return b.BlockParser.Open(parent, reader, pc)
}

// CanInterruptParagraph is true, as it is of the blocks that are kept away.
func (blockLimit) CanInterruptParagraph() bool { return true }

// A paragraphLimit drops a paragraph whose link references or table would cost too
// much.
type paragraphLimit struct{}

// Transform is called with every paragraph.
func (paragraphLimit) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if !countsOf(pc).fits(node, reader.Source()) {
		node.Parent().RemoveChild(node.Parent(), node)
	}
}

func (c *counts) fits(node *ast.Paragraph, source []byte) bool {
	lines, references := node.Lines(), 0
	for i := range lines.Len() {
		line := lines.At(i)
		value := bytes.TrimLeft(source[line.Start:line.Stop], whitespace)
		if len(value) == 0 {
			continue
		}
		if bytes.Contains(value, []byte(`\|`)) && bytes.IndexByte(value, '`') >= 0 {
			if c.escapes == maxEscapes {
				c.report(line.Start, "more than %d lines have an escaped bar and code", maxEscapes)
				return false
			}
			c.escapes++
		}
		switch value[0] {
		case '[':
			references++
		case '|', ':', '-':
			if len(bytes.Trim(value, "|:- \t\n")) > 0 {
				continue
			}
			cells := bytes.Count(value, []byte("|")) * (lines.Len() - i)
			if cells > maxCells || cells > maxCells/100 && cells > lines.At(lines.Len()-1).Stop-lines.At(0).Start {
				c.report(line.Start, "a table has too many cells for its text")
				return false
			}
		}
	}
	if references > maxReferences {
		c.report(node.Pos(), "more than %d lines of a paragraph begin with a bracket", maxReferences)
		return false
	}
	return true
}

// An inlineLimit takes a block's text for text alone from where it has too many
// marks.
type inlineLimit struct{}

// Trigger returns the bytes that are counted.
func (inlineLimit) Trigger() []byte { return []byte("*_~[]`") }

// Parse returns nil where the parsers of goldmark are to go on.
func (inlineLimit) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	c := countsOf(pc)
	if c.parent != parent {
		c.parent, c.delimiters, c.brackets = parent, 0, 0
	}
	line, segment := block.PeekLine()
	mark, run := line[0], 1
	for mark != '[' && mark != ']' && run < len(line) && line[run] == mark {
		run++
	}
	switch {
	case mark == ']':
		// Where all links end, their addresses together are no longer than
		// the document.
		if c.addresses += addressLength(line[1:]); c.addresses <= 4*len(block.Source()) {
			return nil
		}
		c.report(segment.Start, "too many links do not end")
	case mark == '[':
		if c.brackets++; c.brackets <= maxBrackets {
			return nil
		}
		c.report(segment.Start, "there are more than %d brackets in one paragraph", maxBrackets)
	case run > maxRun:
		c.report(segment.Start, "more than %d of the same mark follow each other", maxRun)
	case mark == '`':
		return nil
	case mark == '_' && run < len(line) && isWord(rune(line[run])) && isWord(block.PrecendingCharacter()):
		return nil // inside a word it never is a mark
	default:
		if c.delimiters++; c.delimiters <= maxDelimiters {
			return nil
		}
		c.report(segment.Start, "there are more than %d marks of emphasis in one paragraph", maxDelimiters)
	}
	for line != nil {
		block.AdvanceLine()
		line, _ = block.PeekLine()
	}
	return ast.NewTextSegment(segment)
}

func isWord(r rune) bool { return r >= 0x80 || isAlphanumeric(byte(r)) }

// addressLength returns how many bytes after the "]" of a link goldmark looks
// through for its address.
func addressLength(rest []byte) int {
	if len(rest) < 2 || rest[0] != '(' {
		return 0
	}
	if rest[1] == '<' {
		if end := bytes.IndexByte(rest, '>'); end >= 0 {
			return end
		}
		return len(rest)
	}
	open := 0
	for i, b := range rest {
		switch b {
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 || b <= ' ' {
			return i
		}
	}
	return len(rest)
}
