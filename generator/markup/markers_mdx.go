package markup

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// How markers of MDX look, for people.
const (
	component  = "<>"
	expression = "{}"
)

// What is matched of JavaScript: braces, which may hold others and texts with any in them.
var (
	scriptText   = "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'|`[^`]*`"
	scriptBraces = nestedBraces(6)

	bracesPattern  = regexp.MustCompile("^" + scriptBraces)
	literalPattern = regexp.MustCompile("^(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'((?:[^'\\\\]|\\\\.)*)'|`((?:[^`\\\\$]|\\\\.)*)`|([0-9.]+))$")
	// moduleLines matches a block of imports and exports: lines up to the first empty one
	// that is in no braces.
	moduleLines = regexp.MustCompile("^(?:import|export)[ \t{'\"*](?:" + scriptLine + ")(?:\n(?:" + scriptLine + "))*")
	scriptLine  = "(?:" + scriptBraces + "|`[^`]*`|[^\n])+"
	// codeSpan matches one, or backticks that begin none.
	codeSpan = regexp.MustCompile("^(?:`(?:[^`\n]|\n[^`\n])+`|``(?:`?[^`\n]|\n[^`\n])+``|`+)")
	// tagPattern matches a tag of a component or an element.
	tagPattern = regexp.MustCompile("^<(/?)([A-Za-z_$][\\w$.:-]*)?((?:\\s+[^\\s=/>{}<\"'`]+(?:\\s*=\\s*(?:\"[^\"]*\"|'[^']*'|" +
		scriptBraces + "))?|\\s*" + scriptBraces + ")*)\\s*(/?)>")
)

// nestedBraces returns what matches braces that hold others, to that depth.
func nestedBraces(depth int) string {
	inner := ""
	if depth > 1 {
		inner = "|" + nestedBraces(depth-1)
	}
	return `\{(?:[^{}"'` + "`]|" + scriptText + inner + `)*\}`
}

// scripted adds the tags and expressions of the line that t is, and returns where the next
// line begins after them.
func (m *markers) scripted(line token) int {
	for at := line.start; at < len(m.src); line.first = false {
		t := line
		t.start, t.syntax = at, component
		switch m.src[at] {
		case '\n':
			return at + 1
		case '\\':
			at += 2
		case '`':
			at += len(codeSpan.Find(m.src[at:]))
		case '<':
			p := tagPattern.FindSubmatch(m.src[at:])
			if p == nil || len(p[2])+len(p[3]) > 0 && len(p[2]) == 0 {
				at++
				continue
			}
			at += len(p[0])
			t.end = at
			m.tag(t, string(p[1]), string(p[2]), string(p[3]), string(p[4]))
		case '{':
			p := bracesPattern.Find(m.src[at:])
			if bytes.HasPrefix(m.src[at:], []byte("{/*")) {
				if end := m.next("*/}", at); end >= 0 {
					p = m.src[at : end+len("*/}")]
				}
			}
			if p == nil || p[1] == '#' { // {#id} is that of a heading
				at++
				continue
			}
			at += len(p)
			t.end = at
			m.expression(t, strings.TrimSpace(string(p[1:len(p)-1])))
		default:
			i := bytes.IndexAny(m.src[at:], "\n\\`<{")
			if i < 0 {
				return len(m.src)
			}
			at += i
		}
	}
	return len(m.src)
}

// expression adds an expression in braces: a text that it is, or nothing.
func (m *markers) expression(t token, inner string) {
	value, isText := literalText(inner)
	switch {
	case isText:
		t.kind, t.syntax, t.insert = literal, "", escapeMarkdown(value)
	case inner == "" || strings.HasPrefix(inner, "/*") && strings.HasSuffix(inner, "*/"):
		t.kind, t.syntax = literal, ""
	default:
		if t.name = "expression"; strings.Trim(inner, letters+digits+"_$.") == "" {
			t.name = inner
		}
		t.kind, t.syntax = single, expression
	}
	m.add(t)
}

var scriptEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, " ", `\`, "")

// literalText returns the text of an expression that is a string or a number.
func literalText(s string) (string, bool) {
	p := literalPattern.FindStringSubmatch(s)
	if p == nil {
		return "", false
	}
	return scriptEscapes.Replace(p[1] + p[2] + p[3] + p[4]), true
}

// escapeMarkdown returns a text in which no character means something to Markdown.
func escapeMarkdown(s string) string {
	return markdownSpecial.ReplaceAllString(strings.ReplaceAll(s, "\n", " "), `\$0`)
}

var markdownSpecial = regexp.MustCompile("[\\\\`*_{}\\[\\]<>()#+\\-!|~&:.@]")

// tag adds a tag. One of an element of HTML, or a fragment, is no marker.
func (m *markers) tag(t token, slash, name, args, end string) {
	t.name, t.args = name, parseArgs(args, html.UnescapeString)
	if slash != "" {
		t.kind = closing
	} else if end != "" {
		t.kind = single
	}
	element := strings.ToLower(name)
	if name == "" {
		t.kind, t.syntax = literal, ""
	} else if element[0] == name[0] && !strings.Contains(name, ".") {
		t.syntax, t.insert = "", elementTag(element, &t)
		if isVoid(element) {
			t.kind = single
		}
	}
	m.add(t)
}

// elementTag returns the tag of an element in HTML.
func elementTag(name string, t *token) string {
	if t.kind == closing {
		return "</" + name + ">"
	}
	var b strings.Builder
	b.WriteString("<" + name)
	for _, a := range t.args {
		if a.name == "" {
			a = markerArg{a.value, ""}
		}
		if a.name == "" || strings.ContainsAny(a.name, ":.") {
			continue // of a component framework
		} else if a.name == "className" {
			a.name = "class"
		}
		b.WriteString(" " + a.name + `="` + html.EscapeString(oneLine(a.value)) + `"`)
	}
	b.WriteString(">")
	if t.kind == single && !isVoid(name) {
		b.WriteString("</" + name + ">")
	}
	return b.String()
}

// mdxMarkdown is the goldmark of MDX: without indented code, and where HTML stands on
// lines of its own, what is in it is Markdown.
var mdxMarkdown = sync.OnceValue(func() goldmark.Markdown {
	const codeBlock, fence, htmlBlock, paragraph = 500, 700, 900, 1000 // priorities of goldmark's own
	var blocks []util.PrioritizedValue
	for _, b := range parser.DefaultBlockParsers() {
		switch b.Priority {
		case codeBlock:
			continue
		case htmlBlock:
			b.Value = elementLine{b.Value.(parser.BlockParser)}
		case fence, paragraph:
			b.Value = indented{b.Value.(parser.BlockParser)}
		}
		blocks = append(blocks, b)
	}
	return newMarkdown(goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(blocks...), parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(unravel{}, 950)),
	)))
})

// indented are blocks that may be indented as code is.
type indented struct{ parser.BlockParser }

func (indented) CanAcceptIndentedLine() bool { return true }

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
