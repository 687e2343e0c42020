package source

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"example.org/sivu/generator/page"
)

var markdownFormat = &Format{
	Name:    "markdown",
	Doc:     "Markdown with YAML or TOML front matter",
	Endings: []string{".md", ".markdown"},
	Syntax:  page.Markdown,
	read:    (*reading).readFrontMatter,
	heading: markdownHeading,
}

// The bounds of looking for a title.
const (
	maxHeading = 4096 // bytes of a heading's source
	maxEmpty   = 1000 // headings without a text that are passed over
)

// markdownHeading returns the text of the first level-1 heading of a Markdown
// body: "# Text", a line underlined with "=", or <h1> in raw HTML. It reads each
// line once and builds no tree, so size and depth of the body do not matter.
func markdownHeading(body []byte) string {
	s := headingScanner{body: body, paragraph: none}
	for at := 0; at < len(body); {
		line, next := lineAt(body, at)
		if heading := s.line(line, at); heading != "" {
			return heading
		}
		at = next
	}
	if s.block.end != nil {
		return s.blockHeading(body[s.block.start:])
	}
	return ""
}

// States of [headingScanner.paragraph] other than the offset of its start.
const (
	none      = -1
	contained = -2 // in a list or a quotation, where an underline is text
)

// headingScanner reads as much of CommonMark's block structure (0.31, 4) as is
// needed to find headings.
type headingScanner struct {
	body      []byte
	paragraph int    // where an open paragraph begins
	fence     []byte // the characters that opened a fenced code block
	headings  int    // that were looked at, all without a text
	block     struct {
		start int
		end   func(line []byte) bool // nil outside of an HTML block
	}
}

// line reads a line without its end, and returns the heading that ends with it.
func (s *headingScanner) line(line []byte, at int) string {
	indent, rest := indentation(line)
	switch {
	case s.fence != nil:
		if closesFence(stripContainers(rest), s.fence) {
			s.fence = nil
		}
		return ""
	case s.block.end != nil:
		if !s.block.end(line) {
			return ""
		}
		s.block.end = nil
		return s.blockHeading(s.body[s.block.start : at+len(line)])
	case len(rest) == 0:
		s.paragraph = none
		return ""
	case indent >= 4:
		return "" // code, or a paragraph's next line
	case s.paragraph >= 0 && len(bytes.Trim(rest, "=")) == 0:
		text := s.body[s.paragraph : at-1]
		s.paragraph = none
		return s.headingText(string(text), "\n===")
	case s.paragraph >= 0 && len(bytes.Trim(rest, "-")) == 0:
		s.paragraph = none
		return ""
	}
	return s.open(rest, at)
}

// open reads a line that may begin a block.
func (s *headingScanner) open(rest []byte, at int) string {
	inner := stripContainers(rest)
	if len(inner) < len(rest) {
		s.paragraph = contained
	}
	switch {
	case len(inner) == 0:
	case inner[0] == '#':
		level := len(inner) - len(bytes.TrimLeft(inner, "#"))
		if after := inner[level:]; level <= 6 && (len(after) == 0 || after[0] == ' ' || after[0] == '\t') {
			s.paragraph = none
			if level == 1 {
				return s.headingText(string(inner), "")
			}
		}
	case opensFence(inner) != nil:
		s.fence, s.paragraph = opensFence(inner), none
	case inner[0] == '<' && s.paragraph < 0:
		if end := htmlBlockEnd(inner); end != nil && !end(inner) {
			s.block.start, s.block.end = at, end
		} else if end != nil {
			return s.blockHeading(inner)
		}
	case s.paragraph == none:
		s.paragraph = at
	}
	return ""
}

// indentation returns how far a line is indented, with tab stops of four, and
// the rest of it.
func indentation(line []byte) (columns int, rest []byte) {
	for i, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, line[i:]
		}
	}
	return columns, nil
}

// containerMarks matches the marks of quotations and list items.
var containerMarks = regexp.MustCompile(`^(?:(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$))[ \t]*)*`)

func stripContainers(line []byte) []byte {
	if !bytes.ContainsAny(line[:min(1, len(line))], ">-+*0123456789") {
		return line // as most lines
	}
	return line[len(containerMarks.Find(line)):]
}

// fencePattern matches a line that opens a fenced code block.
var fencePattern = regexp.MustCompile("^(?:(`{3,})[^`]*|(~{3,}).*)$")

// opensFence returns the characters that open a fenced code block, or nil.
func opensFence(line []byte) []byte {
	if m := fencePattern.FindSubmatch(line); m != nil {
		return append(m[1], m[2]...)
	}
	return nil
}

func closesFence(line, fence []byte) bool {
	return len(line) >= len(fence) && len(bytes.Trim(line, string(fence[0]))) == 0
}

// htmlBlocks are the beginnings of HTML blocks that end with a certain text.
var htmlBlocks = []struct{ begin, end string }{
	{"<!--", "-->"}, {"<?", "?>"}, {"<![cdata[", "]]>"}, {"<!", ">"},
	{"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"},
}

var tagPattern = regexp.MustCompile(`^</?[A-Za-z]`)

// htmlBlockEnd returns a function that reports the last line of the HTML block that
// a line begins, or nil where it begins none.
func htmlBlockEnd(line []byte) func([]byte) bool {
	lower := bytes.ToLower(line[:min(len(line), 10)])
	for _, b := range htmlBlocks {
		if bytes.HasPrefix(lower, []byte(b.begin)) {
			return func(line []byte) bool { return bytes.Contains(bytes.ToLower(line), []byte(b.end)) }
		}
	}
	if tagPattern.Match(line) {
		return func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	}
	return nil
}

// blockHeading returns the text of the first <h1> of an HTML block. Most blocks
// have none, and are not worth a scanner.
func (s *headingScanner) blockHeading(block []byte) string {
	if !bytes.Contains(block, []byte("<h1")) && !bytes.Contains(block, []byte("<H1")) || !s.next() {
		return ""
	}
	return htmlHeading(block)
}

var headingMarkdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Strikethrough))
})

var headingID = regexp.MustCompile(`[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$`)

// next reports whether one more heading is looked at.
func (s *headingScanner) next() bool {
	s.headings++
	return s.headings <= maxEmpty
}

// headingText returns the text of a heading without its markup. Underline is
// the line below it, if there is one.
func (s *headingScanner) headingText(heading, underline string) string {
	if len(heading)+len(underline) > maxHeading || !s.next() {
		return ""
	}
	var rendered bytes.Buffer
	if headingMarkdown().Convert([]byte(headingID.ReplaceAllString(heading, "")+underline), &rendered) != nil {
		return ""
	}
	return htmlHeading(rendered.Bytes())
}
