package source

import (
	"strings"
	"unicode/utf8"
)

// maxSimpleKey is how long a key may be to be read without the YAML parser,
// which has limits of its own.
const maxSimpleKey = 100

// simpleFields reads YAML that is plain enough to need no parser: lines
// "key: value" whose values are plain text or stand in quotes without escapes,
// blank lines and lines of comment. Most front matter is of that kind, and the
// parser takes longer for it than all the rest of reading a page. FirstLine is
// the line of the text in its file.
//
// It reports false at the slightest doubt, without saying what is wrong; the
// text is then for the parser. A fuzz target holds that the parser would have
// found the same fields at the same places, and no problem.
func simpleFields(fields []field, text string, firstLine int) ([]field, bool) {
	if !utf8.ValidString(text) {
		return fields, false
	}
	before := len(fields)
	for line := firstLine; text != ""; line++ {
		var current string
		current, text, _ = strings.Cut(text, "\n")
		if current == "" {
			continue
		}
		if !isSimpleText(current) {
			return fields[:before], false
		}
		if current[0] == '#' {
			continue
		}
		f, ok := simpleField(current)
		if !ok || isNamed(fields[before:], f.name) {
			return fields[:before], false
		}
		f.line, f.column = line, 1
		fields = append(fields, f)
	}
	return fields, len(fields) > before
}

// isNamed reports whether one of the fields has that name. Front matter of very
// many fields is not simple, so that this stays short.
func isNamed(fields []field, name string) bool {
	if len(fields) >= manyKeys {
		return true
	}
	for i := range fields {
		if fields[i].name == name {
			return true
		}
	}
	return false
}

// isSimpleText reports whether a line holds neither control characters and
// tabs, nor characters that YAML takes as line ends or forbids.
func isSimpleText(line string) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c >= ' ' && c < 0x7f:
		case c < utf8.RuneSelf:
			return false
		case c == 0xc2 && line[i+1] < 0xa0: // U+0080 to U+009F
			return false
		case c == 0xe2 && line[i+1] == 0x80 && line[i+2]|1 == 0xa9: // U+2028, U+2029
			return false
		case c == 0xef && (line[i+1] == 0xbf || line[i+1] == 0xbb && line[i+2] == 0xbf): // U+FFC0 on, U+FEFF
			return false
		}
	}
	return true
}

// simpleField reads a line "key: value".
func simpleField(line string) (field, bool) {
	n := 0
	for n < len(line) && isSimpleKey(line[n]) {
		n++
	}
	if n == 0 || n > maxSimpleKey || n == len(line) || line[n] != ':' || n+1 < len(line) && line[n+1] != ' ' {
		return field{}, false
	}
	if c := line[0]; c == '-' || c == '.' {
		return field{}, false
	}
	f := field{name: line[:n]}
	value := strings.Trim(line[n+1:], " ")
	switch value {
	case "", "~", "null", "Null", "NULL":
		f.shape = null
		return f, true
	}
	var ok bool
	f.value, ok = simpleValue(value)
	return f, ok
}

func isSimpleKey(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

// simpleValue returns the text of a scalar that is not empty.
func simpleValue(value string) (string, bool) {
	switch c := value[0]; c {
	case '"', '\'':
		inner := value[1:]
		end := strings.IndexByte(inner, c)
		// Escapes, a doubled quote, and whatever comes after the quotes.
		if end < 0 || end != len(inner)-1 || c == '"' && strings.IndexByte(inner, '\\') >= 0 {
			return "", false
		}
		return inner[:end], true
	}
	if strings.IndexByte("-?:,[]{}#&*!|><%@`=\"'", value[0]) >= 0 ||
		strings.Contains(value, ": ") || strings.HasSuffix(value, ":") || strings.Contains(value, " #") {
		return "", false
	}
	return value, true
}
