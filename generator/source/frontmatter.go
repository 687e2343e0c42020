package source

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// The delimiters of front matter.
const (
	yamlDelimiter = "---"
	tomlDelimiter = "+++"
)

// FrontMatter is the range of front matter in a text, in bytes.
type FrontMatter struct {
	Delimiter string // its first line: "---" for YAML, "+++" for TOML
	open      int    // where the opening line begins
	Start     int    // where the text after the opening line begins
	End       int    // where the closing line begins
	After     int    // where the line after the closing line begins; 0 where nothing closes it
}

// findFrontMatter returns the front matter of a text. Blank lines may stand before
// it, and blanks after its delimiters, which are equal. A line "..." ends only the
// YAML document.
func findFrontMatter(text []byte) (FrontMatter, bool) {
	open := 0
	for {
		line, next := lineAt(text, open)
		if len(line) > 0 || next == open {
			b := FrontMatter{Delimiter: string(line), open: open, Start: next}
			if b.Delimiter != yamlDelimiter && b.Delimiter != tomlDelimiter {
				return FrontMatter{}, false
			}
			for at := b.Start; at < len(text) && b.After == 0; {
				line, next := lineAt(text, at)
				if string(line) == b.Delimiter {
					b.End, b.After = at, next
				}
				at = next
			}
			return b, true
		}
		open = next
	}
}

// lineAt returns the line that begins at an offset, without blanks and the line end
// after it, and where the next one begins.
func lineAt(text []byte, at int) (line []byte, next int) {
	rest := text[at:]
	next = len(text)
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest, next = rest[:i], at+i+1
	}
	return bytes.TrimRight(rest, " \t\r"), next
}

// readFrontMatter reads a source of Markdown or of an HTML fragment: the front
// matter, where there is any, and the body after it.
func (p *reading) readFrontMatter() {
	b, ok := findFrontMatter(p.text)
	if !ok {
		p.head.bodyEnd = len(p.text)
		p.checkDashes()
		return
	}
	blank := bytes.Count(p.text[:b.open], []byte("\n"))
	if b.After == 0 {
		p.broken(blank+1, 1, fmt.Sprintf("the front matter that begins with %q does not end", b.Delimiter), fmt.Sprintf("close it with a line %q", b.Delimiter))
		return
	}
	p.head.bodyStart, p.head.bodyEnd = b.After, len(p.text)
	if b.End-b.Start > MaxFrontMatterSize {
		p.broken(blank+1, 1, fmt.Sprintf("the front matter is %d KiB; it may be at most %d KiB", (b.End-b.Start+1023)/1024, MaxFrontMatterSize/1024),
			"move long texts into the body")
		return
	}
	if b.Delimiter == tomlDelimiter {
		p.readTOML(p.text[b.Start:b.End:b.End], blank+2)
		return
	}
	// The fields' texts share one copy of the front matter.
	var simple bool
	p.head.fields, simple = simpleFields(p.head.fields, string(p.text[b.Start:b.End]), blank+2)
	if simple {
		return
	}
	// "---" begins a document in YAML too, so that its parser counts the lines
	// of the file.
	text := p.text[b.open:b.End:b.End]
	if blank > 0 {
		text = slices.Concat(bytes.Repeat([]byte("\n"), blank), text)
	}
	p.readYAML(text)
}

// dashedFields matches what stands between two lines of dashes of any kind at the
// beginning of a text.
var dashedFields = regexp.MustCompile(`^\s*([\p{Pd}\x{2212}][\p{Pd}\x{2212} ]{0,9})[\t\r]*\n((?s:.*?\n)) *[\p{Pd}\x{2212}][\p{Pd}\x{2212} ]{0,9}[\t\r]*(?:\n|$)`)

// checkDashes reports front matter that stands between lines of other dashes, as
// word processors make of three hyphens.
func (p *reading) checkDashes() {
	m := dashedFields.FindSubmatchIndex(p.text)
	if m == nil {
		return
	}
	for line := range strings.Lines(string(p.text[m[4]:m[5]])) {
		name, _, isPair := strings.Cut(line, ":")
		if _, isOwn := p.naming.front[name]; isPair && (isOwn || name == "title" || name == "description") {
			p.broken(bytes.Count(p.text[:m[2]], []byte("\n"))+1, 1, "front matter begins with three hyphens (---)",
				fmt.Sprintf("write %q in place of %s", yamlDelimiter, diag.Quote(strings.TrimRight(string(p.text[m[2]:m[3]]), " "))))
			return
		}
	}
}

// broken reports front matter of which not all fields can be read.
func (p *reading) broken(line, column int, message, hint string) {
	p.head.broken = true
	p.syntaxProblem(line, column, message, hint)
}

// syntaxProblem reports a problem of front matter.
func (p *reading) syntaxProblem(line, column int, message, hint string) {
	d := ruleSyntax.At(diag.Position{File: p.file.Path, Line: line, Column: column}, "%s", message)
	d.Hint = hint
	p.problem(d)
}

// lenient says what is taken in the YAML of a file. Hugo took the last of several fields
// of one name until its version 0.152, which refuses them: the pages of an old site have
// some, and are not lost for them.
func (p *reading) lenient(file string) (lenient leniency) {
	lenient.ignores = func(name string) bool { return p.naming.ignored[p.naming.name(name)] }
	if p.site.Generator == page.Hugo {
		lenient.repeated = func(line, column int, message, hint string) {
			p.problem(ruleRepeated.At(diag.Position{File: file, Line: line, Column: column}, "%s; the last counts, as it did on Hugo", message).WithHint("%s", hint))
		}
	}
	return lenient
}

// readYAML reads the fields of YAML that stands in the lines of its file.
func (p *reading) readYAML(text []byte) {
	root, ok := parseYAML(text, p.lenient(p.file.Path), p.syntaxProblem)
	if root == nil {
		p.head.broken = !ok
		return
	}
	switch root.shape {
	case table:
		p.head.fields = append(p.head.fields, root.items...)
	case list, scalar:
		p.broken(root.line, root.column, "the front matter is "+root.shape.String()+", not fields with names",
			"write each field in a line of its own, as in \"title: Asuminen\"")
	}
}

// The limits of reading YAML without its parser, which has limits of its own for
// keys. Of many fields, the search for repeats would be slow.
const (
	maxSimpleKey    = 100 // bytes
	maxSimpleFields = 32
)

// simpleFields reads YAML that is plain enough to need no parser: lines
// "key: value" whose values are plain text or stand in quotes without escapes,
// blank lines and lines of comment. Most front matter is of that kind, and the
// parser takes longer for it than all the rest of reading a page. FirstLine is
// the line of the text in its file.
//
// It reports false for any other text, which is then for the parser. A fuzz target
// checks that the parser finds the same fields at the same positions, and no problem.
func simpleFields(fields []field, text string, firstLine int) ([]field, bool) {
	before := len(fields)
	for line := firstLine; text != ""; line++ {
		var current string
		current, text, _ = strings.Cut(text, "\n")
		if current == "" {
			continue
		}
		if strings.ContainsFunc(current, isSpecial) {
			return fields[:before], false
		}
		if current[0] == '#' {
			continue
		}
		f, ok := simpleField(current)
		if !ok || fieldNamed(fields[before:], f.name) != nil || len(fields)-before >= maxSimpleFields {
			return fields[:before], false
		}
		f.line, f.column = line, 1
		fields = append(fields, f)
	}
	return fields, len(fields) > before
}

// isSpecial reports characters that are line ends to YAML, that it forbids, or that
// stand for bytes that are not UTF-8; and tabs.
func isSpecial(r rune) bool {
	return r < ' ' || r >= 0x7f && (r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xffc0 && r <= 0xffff)
}

// simpleField reads a line "key: value".
func simpleField(line string) (field, bool) {
	name, value, ok := strings.Cut(line, ":")
	if !ok || name == "" || len(name) > maxSimpleKey || strings.ContainsFunc(name, isNoKey) || name[0] == '-' || name[0] == '.' ||
		value != "" && value[0] != ' ' {
		return field{}, false
	}
	f := field{name: name}
	value = strings.Trim(value, " ")
	if isNull(value) {
		f.shape = null
		return f, true
	}
	f.value, ok = simpleValue(value)
	return f, ok
}

func isNoKey(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.'
}

// simpleValue returns the text of a scalar that is not empty.
func simpleValue(value string) (string, bool) {
	if c := value[0]; c == '"' || c == '\'' {
		inner := value[1:]
		// Escapes, a doubled quote, and text after the quotes are for the parser.
		return strings.TrimSuffix(inner, value[:1]), strings.IndexByte(inner, c) == len(inner)-1 && inner != "" && (c == '\'' || strings.IndexByte(inner, '\\') < 0)
	}
	if strings.IndexByte("-?:,[]{}#&*!|><%@`=\"'", value[0]) >= 0 ||
		strings.Contains(value, ": ") || strings.HasSuffix(value, ":") || strings.Contains(value, " #") {
		return "", false
	}
	return value, true
}
