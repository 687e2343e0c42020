package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/diag"
)

const depthMessage = "lists and maps are nested more than 64 levels deep"

// yamlFault is our wording of an error of the YAML library.
type yamlFault struct {
	is      string // how the library's message begins
	message string
	hint    string
	opening bool // the position is that of the beginning of the broken thing
	line    bool // the line may show a mistake that the library does not name: see lineFault
}

const quoteHint = "put the value in quotes"

// yamlFaults are the library's errors that people run into, by its messages.
// Others are passed on as they are, so that a new version of the library
// cannot hide a problem.
var yamlFaults = []yamlFault{
	{"exceeded max depth", depthMessage, "", false, false},
	{"mapping values are not allowed", "\":\" cannot stand here", "put a value that holds \": \" in quotes, and check the indentation", false, true},
	{"block sequence entries are not allowed", "a list item cannot stand here", "begin the list in a line of its own, or put a value that begins with \"- \" in quotes", false, false},
	{"mapping keys are not allowed", "\"?\" cannot stand here", quoteHint, false, false},
	{"could not find expected ':'", "this line is not a pair of key and value", "write it as \"key: value\", or indent it to continue the value above", true, false},
	{"did not find expected key", "a key was expected here", "check the indentation, and the quotes of this line and the line above", false, true},
	{"did not find expected '-' indicator", "a list item that begins with \"-\" was expected here", "check the indentation", false, false},
	{"did not find expected ',' or ']'", "the list that begins here does not end", "close it with \"]\", or put a value that begins with \"[\" in quotes", true, false},
	{"did not find expected ',' or '}'", "the map that begins here does not end", "close it with \"}\", or put a value that begins with \"{\" in quotes", true, false},
	{"did not find expected node content", "a value was expected here", "check the commas and brackets", false, false},
	{"found unexpected end of stream", "the quoted text that begins here does not end", "close the quotes", true, false},
	{"found unexpected document indicator", "the quoted text that begins here does not end", "close the quotes", true, false},
	{"found unknown escape character", "a backslash in double quotes begins an escape that is not known", "write \\\\ for a backslash, or use single quotes", false, false},
	{"did not find expected hexadecimal", "an escape in double quotes lacks its hexadecimal digits", "write \\\\ for a backslash, or use single quotes", false, false},
	{"found invalid Unicode character escape", "an escape in double quotes names no character", "write the character itself", false, false},
	{"found a tab character", "a tab indents what follows", "indent with spaces", false, true},
	{"found mixed spaces and tabs", "a tab indents what follows", "indent with spaces", false, true},
	{"found character that cannot start", "a value cannot begin with this character", quoteHint, false, true},
	{"did not find expected alphabetic or numeric", "\"*\" and \"&\" cannot begin a value", quoteHint, false, false},
	{"did not find expected comment or line break", "text stands behind the \"|\" or \">\" that begins a block of text", "begin the text in the next line, or put the value in quotes", false, false},
	{"found a comment without preceding", "a comment needs a space before its \"#\"", quoteHint, false, false},
	{"found undefined tag handle", "tags are not understood", "put text that begins with \"!\" in quotes", true, false},
	{"did not find expected <document start>", "this line does not belong to what stands above it", "check the indentation", false, true},
	{"found incompatible YAML document", "a version of YAML that is not known", "leave the %YAML line out", false, false},
}

// syntax reports an error of the library in our words and at its position.
func (c *yamlReader) syntax(text []byte, err error) {
	load, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		c.problem(1, 1, "this cannot be read as YAML: "+diag.Clean(err.Error()), "")
		return
	}
	at := load.Mark
	message, hint := "this cannot be read as YAML: "+diag.Clean(load.Message), ""
	for _, f := range yamlFaults {
		if !strings.HasPrefix(load.Message, f.is) {
			continue
		}
		message, hint = f.message, f.hint
		if f.opening && load.ContextMark.Line > 0 {
			at = load.ContextMark
		}
		if f.line && c.ends == nil {
			if m, h, column := lineFault(text, at.Line, at.Column); m != "" {
				message, hint, at.Column = m, h, cmp.Or(column, at.Column)
			}
		}
		break
	}
	switch name, anchor := strings.CutPrefix(load.Message, "unknown anchor '"); {
	case anchor:
		name, _ = strings.CutSuffix(name, "' referenced")
		message, hint = fmt.Sprintf("alias %s: aliases are not understood", diag.Quote("*"+name)), aliasHint
	case load.Stage == yaml.ReaderStage:
		offset := min(max(at.Index, 0), len(text)) // in bytes, unlike the positions of other errors
		r, _ := utf8.DecodeRune(text[offset:])
		line, column := diag.LineColumn(text, offset)
		c.problem(line, column, fmt.Sprintf("character U+%04X cannot stand in YAML", r), "take it out")
		return
	}
	// Where the text ends too early, the library points behind its last line.
	if at.Line > bytes.Count(text, []byte{'\n'})+1 && c.ends == nil {
		at.Line, at.Column = diag.LineColumn(text, len(text))
	}
	line, column := c.position(at.Line, at.Column)
	c.problem(line, column, message, hint)
}

// maxExample is how long a line may be, in characters, that a hint repeats in
// its right form.
const maxExample = 80

// lineFault looks for mistakes that the YAML library's message does not name, in
// the line in which it gave up. Column is where it gave up, from 1 in characters;
// a column other than 0 that is returned is a better one.
func lineFault(text []byte, line, column int) (message, hint string, at int) {
	lines := strings.SplitN(string(text), "\n", line+1)
	if line > len(lines) {
		return "", "", 0
	}
	current := lines[line-1]
	indent := len(current) - len(strings.TrimLeft(current, " \t"))
	if tab := strings.IndexByte(current[:indent], '\t'); tab >= 0 {
		return "a tab indents this line", "indent with spaces", tab + 1
	}
	key, value, ok := strings.Cut(current[indent:], ": ")
	value, _, _ = strings.Cut(value, " #") // a comment
	value = strings.TrimSpace(value)
	if key = strings.TrimSpace(key); !ok || value == "" || column-1 <= indent+utf8.RuneCountInString(key)+1 {
		return "", "", 0
	}
	return valueFault(key, value)
}

// valueFault names the mistake in the value of a pair.
func valueFault(key, value string) (message, hint string, at int) {
	quote := value[0]
	switch {
	case quote != '"' && quote != '\'':
		part := `":"`
		if strings.Contains(value, ": ") {
			part = `": "`
		} else if !strings.HasSuffix(value, ":") {
			return "", "", 0
		}
		return "the value contains " + part, "put it in quotes" + example(key, quotedYAML(value)), 0
	case len(value) < 3 || strings.Count(value, string(quote)) < 2:
		return "", "", 0
	case value[len(value)-1] != quote:
		return "text stands after the closing quote", "put the whole value in quotes" + example(key, quotedYAML(value)), 0
	}
	inner, other := value[1:len(value)-1], "single"
	if quote == '\'' {
		other = "double"
	}
	if strings.ContainsAny(inner, `'\`) && quote == '"' || strings.ContainsAny(inner, `"\`) && quote == '\'' {
		return "a quote inside quotes", "write '' for a quote inside single quotes" + example(key, quotedYAML(inner)), 0
	}
	return "a quote inside quotes", "use " + other + " quotes around the value" + example(key, quotedYAML(inner)), 0
}

// example returns the pair as the end of a hint, unless it is long.
func example(key, value string) string {
	if utf8.RuneCountInString(key)+utf8.RuneCountInString(value) > maxExample {
		return ""
	}
	return fmt.Sprintf(": %s: %s", key, value)
}

// quotedYAML returns a text in those quotes that need the fewest escapes.
func quotedYAML(text string) string {
	if !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
