package markup

import (
	"bytes"
	"html"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// isESM reports whether a line begins a module's import or export.
func isESM(line []byte, keyword string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(keyword))
	return ok && len(rest) > 0 && isIn(rest[0], " \t{'\"*")
}

// esm returns where a block of imports and exports ends that begins at offset at: with the
// first empty line that is in no brackets.
func (m *markers) esm(at int) int {
	end := func(from int) int {
		if i := bytes.Index(m.src[from:], []byte("\n\n")); i >= 0 {
			return from + i + 1
		}
		return len(m.src)
	}
	blank := end(at)
	for i := at; i < blank; i++ {
		if c := m.src[i]; c == '{' || c == '`' {
			after := m.script(i)
			if after < 0 {
				break
			}
			if i = after - 1; after > blank {
				blank = end(after)
			}
		}
	}
	return blank
}

// jsx adds the tags and expressions of the line whose blanks end at offset at, and returns
// where the next line begins after them.
func (m *markers) jsx(at int) int {
	for first := true; at < len(m.src); first = false {
		t := token{start: at, first: first, syntax: component, block: true}
		end := at + 1
		switch m.src[at] {
		case '\n':
			return end
		case '\\':
			end++
		case '`':
			end = m.codeSpan(at)
		case '<':
			if t.end = m.tag(&t); t.end > 0 {
				end = t.end
				m.add(t)
			}
		case '{':
			if t.end = m.script(at); t.end > 0 && m.src[at+1] != '#' { // {#id} is that of a heading
				end = t.end
				m.expression(&t)
			}
		default:
			for end < len(m.src) && !isIn(m.src[end], "\n\\`<{") {
				end++
			}
		}
		at = end
	}
	return len(m.src)
}

// codeSpan returns where the code span ends that begins at offset at, or its backticks
// where they begin none.
func (m *markers) codeSpan(at int) int {
	run := len(m.src[at:]) - len(bytes.TrimLeft(m.src[at:], "`"))
	open := at + run
	paragraph := m.src[open:]
	if m.steps < 0 {
		return open
	}
	for i := 0; i < len(paragraph); {
		n := bytes.IndexAny(paragraph[i:], "`\n")
		if n < 0 || paragraph[i+n] == '\n' && bytes.HasPrefix(bytes.TrimLeft(paragraph[i+n+1:], " \t"), []byte("\n")) {
			m.steps -= i + max(n, 0)
			return open
		}
		i += n
		ticks := 0
		for i+ticks < len(paragraph) && paragraph[i+ticks] == '`' {
			ticks++
		}
		if ticks == run {
			return open + i + run
		}
		i += max(ticks, 1)
	}
	m.steps -= len(paragraph)
	return open
}

// script returns where the JavaScript in braces or backticks ends that begins at offset
// at, or -1.
func (m *markers) script(at int) int {
	var open []byte // "{" for a block, "`" for a template
	for i := at; i < len(m.src) && m.steps > 0; i++ {
		c := m.src[i]
		inTemplate := len(open) > 0 && open[len(open)-1] == '`'
		switch {
		case c == '\\':
			i++
		case c == '`' && inTemplate, c == '}' && !inTemplate:
			open = open[:len(open)-1]
		case inTemplate:
			if c == '$' && i+1 < len(m.src) && m.src[i+1] == '{' {
				open = append(open, '{')
				i++
			}
		case c == '{' || c == '`':
			open = append(open, c)
		case c == '"' || c == '\'': // an apostrophe in a text may have no other one
			line := m.src[i+1:]
			if n := bytes.IndexAny(line, string(c)+"\n"); n >= 0 && line[n] == c {
				i += n + 1
			}
		case c == '/' && i+1 < len(m.src) && m.src[i+1] == '*':
			n := bytes.Index(m.src[i+2:], []byte("*/"))
			if n < 0 {
				m.steps -= len(m.src) - at
				return -1
			}
			i += n + len("/*/")
		}
		if len(open) == 0 {
			return min(i+1, len(m.src))
		}
	}
	m.steps -= len(m.src) - at
	return -1
}

// expression adds an expression in braces: a text that it is, or nothing.
func (m *markers) expression(t *token) {
	inner := strings.TrimSpace(string(m.src[t.start+1 : t.end-1]))
	value, isText := literalText(inner)
	switch {
	case isText:
		t.kind, t.insert = literal, escapeMarkdown(value)
	case inner == "" || strings.HasPrefix(inner, "/*") && strings.HasSuffix(inner, "*/"):
		t.kind = literal
	default:
		if t.name = "expression"; strings.Trim(inner, letters+digits+"_$.") == "" {
			t.name = inner
		}
		t.kind, t.syntax = single, expression
	}
	m.add(*t)
}

var scriptEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, " ", `\`, "")

// literalText returns the text of an expression that is a string or a number.
func literalText(s string) (string, bool) {
	if s != "" && strings.Trim(s, digits+".") == "" {
		return s, true
	}
	if len(s) < 2 || s[0] != s[len(s)-1] || !isIn(s[0], "\"'`") {
		return "", false
	}
	quote, inner := s[0], s[1:len(s)-1]
	for i := 0; i < len(inner); i++ {
		switch {
		case inner[i] == '\\':
			i++
		case inner[i] == quote, quote == '`' && strings.HasPrefix(inner[i:], "${"):
			return "", false
		}
	}
	return scriptEscapes.Replace(inner), true
}

// escapeMarkdown returns a text in which no character means something to Markdown.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c == '\n' {
			c = ' '
		}
		if isIn(c, "\\`*_{}[]<>()#+-!|~&:.@") {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// tag reads the tag of a component or of an element of HTML that begins where t does. It
// returns its end, or -1 where there is none.
func (m *markers) tag(t *token) int {
	s := m.src
	i := t.start + 1
	fail := func() int {
		m.steps -= i - t.start
		return -1
	}
	skip := func() {
		for i < len(s) && isIn(s[i], whitespace) {
			i++
		}
	}
	t.kind = opening
	if i < len(s) && s[i] == '/' {
		t.kind = closing
		i++
	}
	name := i
	for i < len(s) && (isLetter(s[i]) || isIn(s[i], digits+"_$.:-")) {
		i++
	}
	t.name = string(s[name:i])
	t.key = "<" + t.name
	if t.name != "" && !isLetter(t.name[0]) && !isIn(t.name[0], "_$") {
		return fail()
	}
	for m.steps > 0 {
		if skip(); i == len(s) {
			return fail()
		}
		switch c := s[i]; {
		case c == '>':
			m.finishTag(t)
			return i + 1
		case c == '/':
			t.kind = single
			i++
			continue
		case c == '{': // ...props
			end := m.script(i)
			if end < 0 {
				return fail()
			}
			i = end
			continue
		case t.name == "" || isIn(c, "<=\"'`}"):
			return fail()
		}
		start := i
		for i < len(s) && !isIn(s[i], whitespace+"=/>{}<\"'`") {
			i++
		}
		a := markerArg{name: string(s[start:i])}
		if skip(); i == len(s) || s[i] != '=' {
			t.args = append(t.args, markerArg{a.name, ""})
			continue
		}
		i++
		if skip(); i == len(s) {
			return fail()
		}
		switch c := s[i]; c {
		case '"', '\'':
			n := bytes.IndexByte(s[i+1:], c)
			if n < 0 {
				m.steps -= len(s) - i
				return fail()
			}
			a.value = html.UnescapeString(string(s[i+1 : i+1+n]))
			t.args = append(t.args, a)
			i += n + 2
		case '{':
			end := m.script(i)
			if end < 0 {
				return fail()
			}
			if value, ok := literalText(strings.TrimSpace(string(s[i+1 : end-1]))); ok {
				a.value = value
				t.args = append(t.args, a)
			}
			i = end
		default:
			return fail()
		}
	}
	return fail()
}

// finishTag makes an element of HTML, or a fragment, of a tag that is no component.
func (m *markers) finishTag(t *token) {
	name := strings.ToLower(t.name)
	switch {
	case t.name == "":
		t.kind = literal
		return
	case name[0] != t.name[0] || strings.Contains(name, "."):
		return
	}
	t.syntax = ""
	if t.kind == closing {
		t.insert = "</" + name + ">"
		return
	}
	var b strings.Builder
	b.WriteString("<" + name)
	for _, a := range t.args {
		if strings.ContainsAny(a.name, ":.") {
			continue // of a component framework
		} else if a.name == "className" {
			a.name = "class"
		}
		b.WriteString(" " + a.name + `="` + html.EscapeString(oneLine(a.value)) + `"`)
	}
	b.WriteString(">")
	if isVoid(name) {
		t.kind = single
	} else if t.kind == single {
		b.WriteString("</" + name + ">")
	}
	t.insert = b.String()
}

// element returns what stands in the place of a tag of HTML. A p around paragraphs, which
// are none of its own, is left out.
func (m *markers) element(t, pair *token) string {
	if t.name == "p" && pair.mate != none && pair.first && m.endsLine(pair.end) && m.tokens[pair.mate].first {
		return ""
	}
	return t.insert
}

// mdxMarkdown is the goldmark of MDX: without indented code, and where HTML stands on
// lines of its own, what is in it is Markdown.
var mdxMarkdown = sync.OnceValue(func() goldmark.Markdown {
	const codeBlock, htmlBlock, paragraph = 500, 900, 1000 // priorities of goldmark's own
	var blocks []util.PrioritizedValue
	for _, b := range parser.DefaultBlockParsers() {
		if b.Priority != codeBlock && b.Priority != htmlBlock && b.Priority != paragraph {
			blocks = append(blocks, b)
		}
	}
	blocks = append(blocks, util.Prioritized(elementLine{parser.NewHTMLBlockParser()}, htmlBlock),
		util.Prioritized(indentedParagraph{parser.NewParagraphParser()}, paragraph))
	return newMarkdown(goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(blocks...), parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(unravel{}, 950)),
	)))
})

type indentedParagraph struct{ parser.BlockParser }

func (indentedParagraph) CanAcceptIndentedLine() bool { return true }

// An elementLine takes a line that is one tag for HTML.
type elementLine struct{ parser.BlockParser }

func (elementLine) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	tag := bytes.Trim(line, whitespace)
	if len(tag) < 3 || tag[0] != '<' || bytes.IndexByte(tag, '>') != len(tag)-1 || !isLetter(tag[1]) && tag[1] != '/' {
		return nil, parser.NoChildren
	}
	node := ast.NewHTMLBlock(ast.HTMLBlockType7)
	reader.AdvanceToEOL()
	node.Lines().Append(segment)
	return node, parser.NoChildren
}

func (elementLine) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

func (elementLine) CanAcceptIndentedLine() bool { return true }

// unravel takes the p off a paragraph that begins with the tag of a block.
type unravel struct{}

// Transform is called by goldmark for each document.
func (unravel) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var found []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() != ast.KindParagraph || !entering {
			return ast.WalkContinue, nil
		}
		if raw, ok := n.FirstChild().(*ast.RawHTML); ok {
			first := raw.Segments.At(0)
			tag := bytes.TrimLeft(first.Value(reader.Source()), "</")
			if el := allowed[string(tagName(tag))]; el != nil && el.is(closesP|tablePart) {
				found = append(found, n)
			}
		}
		return ast.WalkSkipChildren, nil
	})
	for _, p := range found {
		plain := ast.NewTextBlock()
		for c := p.FirstChild(); c != nil; c = p.FirstChild() {
			plain.AppendChild(plain, c)
		}
		p.Parent().ReplaceChild(p.Parent(), p, plain)
	}
}
