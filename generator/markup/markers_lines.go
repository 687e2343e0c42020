package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/page"
)

// admonitionIndent is how far the content of an admonition is indented.
const admonitionIndent = 4

var (
	directiveLine  = regexp.MustCompile(`^(:{3,})[ \t]*([^\s\[\]{}]*)[ \t]*(?:\[(.*)\])?[ \t]*([^{]*)(?:\{.*)?$`)
	admonitionLine = regexp.MustCompile(`^(?:!!!|\?\?\?\+?|===\+?)[ \t]+([-\w]*)[^"]*(?:"(.*)")?[ \t]*$`)
	listMark       = regexp.MustCompile(`^(?:[-+*]|[0-9]{1,9}[.)])[ \t]+`)
)

// lines finds what begins with a line: containers (:::note), admonitions of MkDocs, and all
// that MDX adds to Markdown. Nothing of that is looked for in code.
func (m *markers) lines() {
	isMDX := m.syntax == page.MDX
	isMkDocs := m.opts.Generator == page.MkDocs && !isMDX
	if m.syntax == page.HTML || !isMDX && !isMkDocs && !bytes.Contains(m.src, []byte(directive)) {
		return
	}
	var fence []byte
	var indents []int // of open admonitions
	end := func(at, indent int) {
		for n := len(indents); n > 0 && indent < indents[n-1]+admonitionIndent; n = len(indents) {
			m.add(token{start: at, end: at, kind: closing, key: admonition, syntax: admonition})
			indents = indents[:n-1]
		}
	}
	afterBlank := true
	for at := 0; at < len(m.src); {
		next := len(m.src)
		if i := bytes.IndexByte(m.src[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := bytes.TrimRight(m.src[at:next], " \t\n")
		text := bytes.TrimLeft(line, " \t")
		indent := len(line) - len(text)
		switch {
		case len(text) == 0:
			afterBlank, at = true, next
			continue
		case fence != nil:
			if inner := withoutContainers(text); len(inner) >= len(fence) && len(bytes.Trim(inner, string(fence[:1]))) == 0 {
				fence = nil
			}
			at = next
			continue
		}
		end(at, indent)
		if n := len(m.stack); isMDX && n > 0 && !bytes.HasPrefix(text, []byte("</")) {
			inner := &m.tokens[m.stack[n-1]]
			inner.least = min(inner.least, indent)
		}
		t := token{start: at + indent, end: at + len(line), indent: indent, block: true}
		fence = fenceOf(withoutContainers(text))
		switch {
		case fence != nil:
		case isMkDocs && admonitionLine.Match(text):
			p := admonitionLine.FindSubmatch(text)
			t.kind, t.key, t.name, t.syntax, t.shift = opening, admonition, string(p[1]), admonition, admonitionIndent
			if t.name == "" {
				t.name = string(text[:3])
			}
			t.args = []markerArg{{"title", string(p[2])}}
			m.add(t)
			m.tokens[len(m.tokens)-1].shift = admonitionIndent
			indents = append(indents, indent)
		case !isMkDocs && bytes.HasPrefix(text, []byte(directive)) && directiveLine.Match(text):
			m.container(t, directiveLine.FindSubmatch(text))
		case isMDX && afterBlank && indent == 0 && (isESM(text, "import") || isESM(text, "export")):
			next = m.esm(at)
			m.add(token{start: at, end: next - 1, kind: literal, block: true})
		case isMDX:
			next = m.jsx(at, at+indent)
		}
		at, afterBlank = next, false
	}
	end(len(m.src), -1)
}

// container adds the line of a container, given the parts of [directiveLine].
func (m *markers) container(t token, p [][]byte) {
	t.key, t.syntax, t.name = directive, directive, string(p[2])
	if t.kind = opening; t.name == "" {
		t.kind, t.name = closing, directive
	}
	title := p[3]
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
