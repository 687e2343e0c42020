package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxExample is how long a line may be, in characters, that a hint repeats in
// its right form.
const maxExample = 80

// lineFault looks at the line in which the YAML library gave up, for mistakes
// that its message does not name. Column is where it gave up, from 1 in
// characters; a second value other than 0 is a better one.
func lineFault(text []byte, line, column int) (message, hint string, at int) {
	current := lineOf(text, line)
	before := prefixOf(current, column-1)
	indent := current[:len(current)-len(strings.TrimLeft(current, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		return "a tab indents this line", "indent with spaces", tab + 1
	}
	key, value, ok := strings.Cut(current, ": ")
	key = strings.TrimSpace(key)
	value, _, _ = strings.Cut(value, " #") // a comment
	value = strings.TrimSpace(value)
	if !ok || value == "" || len(before) <= len(current)-len(strings.TrimLeft(current, " "))+len(key)+1 {
		return "", "", 0
	}
	return valueFault(key, value)
}

// valueFault names what is wrong with the value of a pair.
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

// lineOf returns a line, from 1, without its end; "" where there is none.
func lineOf(text []byte, line int) string {
	start := 0
	for range line - 1 {
		_, start = lineAt(text, start)
	}
	rest := text[start:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}

// prefixOf returns the first n characters of a line.
func prefixOf(line string, n int) string {
	for i := range line {
		if n <= 0 {
			return line[:i]
		}
		n--
	}
	return line
}
