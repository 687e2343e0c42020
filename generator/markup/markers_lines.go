package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/page"
)

const (
	admonitionIndent = 4 // of what is in an admonition
	codeIndent       = 4 // of code in Markdown
)

var (
	directiveLine  = regexp.MustCompile(`^(:{3,})[ \t]*([^\s\[\]{}]*)[ \t]*(?:\[(.*)\])?[ \t]*([^{]*)(?:\{.*)?$`)
	admonitionLine = regexp.MustCompile(`^(?:!!!|\?\?\?\+?|===\+?)[ \t]+([-\w]*)[^"]*(?:"(.*)")?[ \t]*$`)
	listMark       = regexp.MustCompile(`^(?:[-+*]|[0-9]{1,9}[.)])[ \t]+`)
)

// A nesting is a list item or an admonition that a line is in.
type nesting struct {
	content      int // column where what is in it begins
	shift        int // columns that lines in it lose
	isAdmonition bool
}

// lines finds what begins with a line: containers (:::note), admonitions of MkDocs, and all
// that MDX adds to Markdown. Nothing of that is looked for in code. As MDX has no indented
// code, and indents what is in components, lines that would be code lose their indent.
func (m *markers) lines() {
	isMDX := m.syntax == page.MDX
	isMkDocs := m.opts.Generator == page.MkDocs && !isMDX
	if m.syntax == page.HTML || !isMDX && !isMkDocs && !bytes.Contains(m.src, []byte(directive)) {
		return
	}
	var fence []byte
	var outer []nesting
	shift, afterBlank, next := 0, true, 0
	for at := 0; at < len(m.src); at = next {
		next = len(m.src)
		if i := bytes.IndexByte(m.src[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := bytes.TrimRight(m.src[at:next], " \t\n")
		text := bytes.TrimLeft(line, " \t")
		blanks, inner := line[:len(line)-len(text)], withoutContainers(text)
		switch {
		case len(text) == 0:
			afterBlank = true
			continue
		case fence != nil:
			m.cutIndent(at, blanks, shift)
			if len(inner) >= len(fence) && len(bytes.Trim(inner, string(fence[:1]))) == 0 {
				fence = nil
			}
			continue
		}
		_, column := columns(blanks, len(m.src))
		outer = m.leave(outer, at, column)
		base := 0
		if shift = 0; len(outer) > 0 {
			base, shift = outer[len(outer)-1].content, outer[len(outer)-1].shift
		}
		if isMDX && column-base >= codeIndent {
			shift += column - base
		}
		m.cutIndent(at, blanks, shift)
		if mark := listMark.Find(text); isMDX && mark != nil {
			outer = append(outer, nesting{column + len(mark), shift, false})
		}
		start := at + len(blanks)
		t := token{start: start, end: at + len(line), first: true, block: true, kind: opening}
		fence = fenceOf(inner)
		switch {
		case fence != nil:
		case isMkDocs && admonitionLine.Match(text):
			p := admonitionLine.FindSubmatch(text)
			t.key, t.syntax, t.name = admonition, admonition, cmp.Or(string(p[1]), "===")
			t.args = []markerArg{{"title", string(p[2])}}
			m.add(t)
			outer = append(outer, nesting{column + admonitionIndent, shift + admonitionIndent, true})
		case !isMkDocs && bytes.HasPrefix(text, []byte(directive)) && directiveLine.Match(text):
			m.container(t, directiveLine.FindSubmatch(text))
		case isMDX && afterBlank && column == 0 && (isESM(text, "import") || isESM(text, "export")):
			next = m.esm(at)
			m.add(token{start: at, end: at + len(bytes.TrimRight(m.src[at:next], "\n")), kind: literal, block: true})
		case isMDX:
			next = m.jsx(start)
		}
		afterBlank = false
	}
	m.leave(outer, len(m.src), 0)
}

// leave returns the nestings that a line in that column is still in, and ends others.
func (m *markers) leave(outer []nesting, at, column int) []nesting {
	for n := len(outer); n > 0 && column < outer[n-1].content; n = len(outer) {
		if outer[n-1].isAdmonition {
			m.add(token{start: at, end: at, kind: closing, key: admonition, syntax: admonition})
		}
		outer = outer[:n-1]
	}
	return outer
}

// columns returns how wide blanks are, or as many of them as are at least that wide.
func columns(blanks []byte, width int) (n, columns int) {
	for n < len(blanks) && columns < width {
		columns++
		if blanks[n] == '\t' {
			columns = (columns + 3) / 4 * 4
		}
		n++
	}
	return n, columns
}

// cutIndent cuts columns off the blanks that a line begins with at offset at.
func (m *markers) cutIndent(at int, blanks []byte, shift int) {
	if n, width := columns(blanks, shift); n > 0 {
		m.add(token{start: at, end: at + n, kind: indent, insert: strings.Repeat(" ", max(width-shift, 0))})
	}
}

// container adds the line of a container, given the parts of [directiveLine].
func (m *markers) container(t token, p [][]byte) {
	t.key, t.syntax, t.name = directive, directive, string(p[2])
	title := p[3]
	if t.kind = opening; t.name == "" {
		t.name = directive
		if len(title) == 0 {
			t.kind = closing
		}
	}
	if len(title) == 0 {
		title = p[4]
	}
	t.args = []markerArg{{"title", strings.TrimSpace(string(title))}}
	m.add(t)
}

// withoutContainers returns a line without the marks of quotations and list items that it
// begins with.
func withoutContainers(line []byte) []byte {
	for {
		rest := bytes.TrimLeft(bytes.TrimLeft(line, ">"), " \t")
		if len(rest) > 0 && isIn(rest[0], "-+*0123456789") {
			rest = rest[len(listMark.Find(rest)):]
		}
		if len(rest) == len(line) {
			return line
		}
		line = rest
	}
}

// fenceOf returns the characters that open a fenced code block, or nil.
func fenceOf(line []byte) []byte {
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return nil
	}
	n := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	if n < 3 || line[0] == '`' && slices.Contains(line[n:], '`') {
		return nil
	}
	return line[:n]
}
