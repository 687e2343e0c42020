package markup

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The bounds of Markdown. What they count is cheap in any number that a page
// needs, and costs its square in goldmark, or more stack than there is.
const (
	maxBlocks     = 100       // quotes, lists, items and notes open around a line
	maxDelimiters = 1000      // runs of *, _ and ~ in one paragraph, heading or cell
	maxBrackets   = 1000      // "[" in one paragraph, heading or cell
	maxRun        = 100       // characters of a run of *, _, ~ or `
	maxReferences = 1000      // lines that begin with "[" in one paragraph
	maxNotes      = 1000      // lines that begin a footnote
	maxCells      = 1_000_000 // of a table
	maxEscapes    = 1000      // lines of paragraphs with a code span and an escaped "|"
)

// A guard keeps goldmark from input that it would take minutes for. It stands
// before the parsers of goldmark in all three of their lists, counts what they
// are about to see, and beyond a bound takes it for text and notes a problem.
type guard struct {
	parser.BlockParser // of paragraphs
}

func newGuard() *guard { return &guard{parser.NewParagraphParser()} }

// options puts the guard before all other parsers.
func (g *guard) options() []parser.Option {
	const first = -1
	return []parser.Option{
		parser.WithBlockParsers(util.Prioritized(g, first)),
		parser.WithParagraphTransformers(util.Prioritized(paragraphGuard{}, first)),
		parser.WithInlineParsers(util.Prioritized(inlineGuard{}, first)),
	}
}

var guardKey = parser.NewContextKey()

// counts are what a guard knows of a document.
type counts struct {
	problems   []Problem
	notes      int
	escapes    int
	parent     ast.Node // whose delimiters and brackets are counted
	delimiters int
	brackets   int
	addresses  int // bytes looked through for the addresses of links
}

func countsOf(pc parser.Context) *counts {
	return pc.ComputeIfAbsent(guardKey, func() any { return &counts{} }).(*counts)
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

// Trigger returns the bytes that blocks begin with which hold other blocks.
func (g *guard) Trigger() []byte { return []byte(">-+*[0123456789") }

// Open opens a paragraph where no other block may be opened.
func (g *guard) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	c := countsOf(pc)
	line, segment := reader.PeekLine()
	offset := segment.Start + max(pc.BlockOffset(), 0)
	if rest := line[max(pc.BlockOffset(), 0):]; bytes.HasPrefix(rest, []byte("[^")) && bytes.Contains(rest, []byte("]:")) {
		if c.notes++; c.notes > maxNotes {
			c.report(offset, "there are more than %d footnotes", maxNotes)
			return g.BlockParser.Open(parent, reader, pc)
		}
	}
	if _, isList := parent.(*ast.List); isList || len(pc.OpenedBlocks()) < maxBlocks {
		return nil, parser.NoChildren // a list must get its item
	}
	c.report(offset, "lists and quotes are nested too deep: more than %d blocks are open around this line", maxBlocks)
	return g.BlockParser.Open(parent, reader, pc)
}

// CanInterruptParagraph is true, as it is of the blocks that are kept away.
func (g *guard) CanInterruptParagraph() bool { return true }

// A paragraphGuard keeps paragraphs from becoming link references or tables.
type paragraphGuard struct{}

// Transform drops a paragraph that would cost too much. As the problem is an
// error, nobody misses it.
func (paragraphGuard) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, references := node.Lines(), 0
	for i := range lines.Len() {
		line := lines.At(i)
		value := bytes.TrimLeft(reader.Source()[line.Start:line.Stop], whitespace)
		if len(value) == 0 {
			continue
		}
		if bytes.Contains(value, []byte(`\|`)) && bytes.IndexByte(value, '`') >= 0 {
			if c := countsOf(pc); c.escapes == maxEscapes {
				c.report(line.Start, "more than %d lines have an escaped bar and code", maxEscapes)
				node.Parent().RemoveChild(node.Parent(), node)
				return
			} else {
				c.escapes++
			}
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
				countsOf(pc).report(line.Start, "a table has too many cells for its text")
				node.Parent().RemoveChild(node.Parent(), node)
				return
			}
		}
	}
	if references > maxReferences {
		countsOf(pc).report(node.Pos(), "more than %d lines of a paragraph begin with a bracket", maxReferences)
		node.Parent().RemoveChild(node.Parent(), node)
	}
}

// An inlineGuard keeps marks in a text from being more than marks.
type inlineGuard struct{}

// Trigger returns the bytes that are counted.
func (inlineGuard) Trigger() []byte { return []byte("*_~[]`") }

// Parse returns the line as text where there are too many marks, and passes
// over the rest of the block. As the problem is an error, nobody misses it.
func (inlineGuard) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
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
	case mark == '_' && run < len(line) && isWord(line[run]) && isWord(lastByte(block)):
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
		switch {
		case b == '(':
			open++
		case b == ')':
			open--
		}
		if open == 0 || b <= ' ' {
			return i
		}
	}
	return len(rest)
}

// lastByte returns the byte before the position of a reader, a space where
// there is none.
func lastByte(block text.Reader) byte {
	if r := block.PrecendingCharacter(); r < 0x80 {
		return byte(r)
	}
	return 'a'
}

func isWord(b byte) bool { return isAlphanumeric(b) || b >= 0x80 }
