package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"example.org/sivu/generator/page"
)

// What markers look like that begin a line, for people.
const (
	directive  = ":::"
	admonition = "!!!"
)

const (
	admonitionIndent = 4 // of what is in an admonition
	codeIndent       = 4 // of code in Markdown
)

var (
	directiveLine  = regexp.MustCompile(`^:{3,}[ \t]*([^\s\[\]{}]*)[ \t]*(?:\[(.*)\])?[ \t]*([^{]*)(?:\{.*)?$`)
	admonitionLine = regexp.MustCompile(`^(?:!!!|\?\?\?\+?|===\+?)[ \t]+([-\w]*)[^"]*(?:"(.*)")?$`)
	listMark       = regexp.MustCompile(`^(?:[-+*]|[0-9]{1,9}[.)])[ \t]+`)
	fenceLine      = regexp.MustCompile("^(?:[-+*>][ \t]*|[0-9]+[.)][ \t]+)*(`{3,}|~{3,})([^`]*)$")
)

// A nesting is what a line is in: a list item, an admonition, a container or a component.
type nesting struct {
	content int  // column where what is in it begins; none before its first line
	shift   int  // columns that lines in it lose,
	least   int  // but those before it
	depth   int  // of m.stack
	isEnded bool // by a marker, not by the indent
}

// findLines finds what begins with a line: containers (:::note), admonitions of MkDocs, and
// all that MDX adds to Markdown. Nothing of that is looked for in code. Lines in a component
// or an admonition lose the indent that they have for being in it, and in MDX that of code,
// which it has not.
func (m *markers) findLines() {
	isMDX := m.syntax == page.MDX
	isMkDocs := m.opts.Generator == page.MkDocs && !isMDX
	if !isMDX && !isMkDocs && !bytes.Contains(m.src, []byte(directive)) {
		return
	}
	hasFences := bytes.Contains(m.src, []byte("```")) || bytes.Contains(m.src, []byte("~~~"))
	var fence []byte
	shift, least, afterBlank, next := 0, 0, true, 0
	for at := 0; at < len(m.src); at = next {
		next = len(m.src)
		if i := bytes.IndexByte(m.src[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := bytes.TrimRight(m.src[at:next], " \t\n")
		text := bytes.TrimLeft(line, " \t")
		if len(text) == 0 {
			afterBlank = true
			continue
		}
		blanks := line[:len(line)-len(text)]
		var mark [][]byte
		if hasFences {
			mark = fenceLine.FindSubmatch(text)
		}
		_, column := columns(blanks, len(m.src))
		if fence != nil { // no line of it may leave the list item that it is in
			m.cutIndent(at, blanks, min(shift, max(column-least, 0)))
			if mark != nil && bytes.HasPrefix(mark[1], fence) && len(mark[2]) == 0 {
				fence = nil
			}
			continue
		}
		var base int
		base, shift = m.enter(at, column)
		if isMDX && column-base >= codeIndent {
			shift += column - base
		}
		m.cutIndent(at, blanks, shift)
		if item := listMark.Find(text); isMDX && item != nil {
			m.nested = append(m.nested, nesting{column + len(item), shift, column - shift, len(m.stack), false})
		}
		t := token{start: at + len(blanks), end: at + len(line), kind: opening, block: true, first: true}
		depth := len(m.stack)
		if mark != nil {
			fence, least = mark[1], column-shift
		} else if isMDX && afterBlank && moduleLines.Match(m.src[at:]) {
			t.kind, t.end = literal, at+len(moduleLines.Find(m.src[at:]))
			m.add(t)
			next = min(t.end+1, len(m.src))
		} else if !m.lineMarker(t, text) && isMDX {
			next = m.scripted(t)
		}
		if n := len(m.stack); n > depth && isMkDocs {
			m.nested = append(m.nested, nesting{column + admonitionIndent, shift + admonitionIndent, column - shift, n, false})
		} else if n > depth {
			m.nested = append(m.nested, nesting{none, shift, column - shift, n, true})
		}
		afterBlank = false
	}
	m.enter(len(m.src), 0)
}

// lineMarker adds the marker that a line is, if it is one: an admonition or a container.
func (m *markers) lineMarker(t token, text []byte) bool {
	if m.opts.Generator == page.MkDocs && m.syntax != page.MDX {
		p := admonitionLine.FindSubmatch(text)
		if p != nil {
			t.key, t.syntax, t.name = admonition, admonition, cmp.Or(string(p[1]), "===")
			t.args = []markerArg{{"title", string(p[2])}}
			m.add(t)
		}
		return p != nil
	}
	p := directiveLine.FindSubmatch(text)
	if p == nil {
		return false
	}
	title := strings.TrimSpace(cmp.Or(string(p[2]), string(p[3])))
	t.key, t.syntax, t.name = directive, directive, cmp.Or(string(p[1]), directive)
	t.args = []markerArg{{"title", title}}
	if len(p[1]) == 0 && title == "" {
		t.kind = closing
	}
	m.add(t)
	return true
}

// enter ends what a line in that column at offset at is not in. It returns where lines begin
// in what is left, and how many columns they lose.
func (m *markers) enter(at, column int) (base, shift int) {
	for n := len(m.nested); n > 0; n = len(m.nested) {
		in := &m.nested[n-1]
		isOpen := in.depth <= len(m.stack)
		if isOpen && in.content == none { // the first line says how far lines are indented
			in.content, in.shift = column, max(in.shift, column-in.least)
		}
		if isOpen && (in.isEnded || column >= in.content) {
			return in.content, min(in.shift, max(column-in.least, 0))
		}
		if isOpen && in.depth > 0 && m.tokens[m.stack[in.depth-1]].key == admonition {
			m.add(token{start: at, end: at, kind: closing, key: admonition, syntax: admonition})
		}
		m.nested = m.nested[:n-1]
	}
	return 0, 0
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
