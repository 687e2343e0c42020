package diag

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoteLimit is how many characters of a page's text a message shows.
const quoteLimit = 80

// Quote returns text from a page or a file name as a quoted string that is
// safe on any terminal: control characters, bidirectional controls and invalid
// UTF-8 are escaped, and long text is cut.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == quoteLimit {
			return defused(strconv.Quote(s[:i])) + "…"
		}
		n++
	}
	return defused(strconv.Quote(s))
}

// JoinQuoted returns names in quotes, joined for people with "and" or "or":
// "a", "b" and "c".
func JoinQuoted(names []string, conjunction string) string {
	var b strings.Builder
	for i, name := range names {
		switch i {
		case 0:
		case len(names) - 1:
			b.WriteString(" " + conjunction + " ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(Quote(name))
	}
	return b.String()
}

// Plural returns a number and its noun, as in "1 page" and "2 pages".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Name returns a file name for a line "name:line:column: message". A name that
// could be misread there, because it holds a position, a severity or characters
// that cannot be seen, becomes a quoted Go string in which every colon is an
// escape, so that the name always ends at the first colon.
func Name(s string) string {
	if strings.HasPrefix(s, `"`) || strings.TrimSpace(s) != s || strings.ContainsFunc(s, isUnsafe) || likeLocation.MatchString(s) {
		return strings.ReplaceAll(strconv.Quote(s), ":", `\x3a`)
	}
	return s
}

// likeLocation matches the end of a name and the line number of a diagnostic,
// or the beginning of a workflow command.
var likeLocation = regexp.MustCompile(`:(?:[\p{Nd}\s]|:|$)|(?i:error|warning):`)

// likeDiagnostic matches a position and a severity within a text.
var likeDiagnostic = regexp.MustCompile(`(?i)(?::\p{Nd}+)+:?\s*(?:fatal\s+)?(?:error|warning|note|info|hint)\s*:`)

// Clean escapes everything that could drive a terminal, and the colons of text
// that looks like a diagnostic. Printable text of any script stays as it is.
func Clean(s string) string { return defused(printable(s)) }

// defused escapes the colons of text that looks like a diagnostic.
func defused(s string) string {
	return likeDiagnostic.ReplaceAllStringFunc(s, func(forged string) string {
		return strings.ReplaceAll(forged, ":", `\x3a`)
	})
}

// printable escapes everything that could drive a terminal.
func printable(s string) string {
	if !strings.ContainsFunc(s, isUnsafe) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case isUnsafe(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isUnsafe also holds for U+FFFD, which stands for a byte that is not UTF-8.
// The joiners that Persian and other scripts need are safe.
func isUnsafe(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	return r == utf8.RuneError || !unicode.IsPrint(r) && r != zwnj && r != zwj && !unicode.Is(unicode.Zs, r)
}

// Locator turns byte offsets of a text into lines and columns, both from 1. A
// column is a code point. Offsets that come in rising order cost one walk over
// the text in all, however many they are.
type Locator struct {
	text         []byte
	offset       int
	line, column int
}

// NewLocator returns a locator for text.
func NewLocator(text []byte) *Locator {
	return &Locator{text: text, line: 1, column: 1}
}

// LineColumn returns the line and column of offset, or of the nearest in the text.
func (l *Locator) LineColumn(offset int) (line, column int) {
	offset = min(max(offset, 0), len(l.text))
	if offset < l.offset {
		l.offset, l.line, l.column = 0, 1, 1
	}
	part := l.text[l.offset:offset]
	if last := bytes.LastIndexByte(part, '\n'); last >= 0 {
		l.line += bytes.Count(part, []byte{'\n'})
		l.column = 1
		part = part[last+1:]
	}
	l.column += utf8.RuneCount(part)
	l.offset = offset
	return l.line, l.column
}

// LineColumn returns the line and column of one offset in text.
func LineColumn(text []byte, offset int) (line, column int) {
	return NewLocator(text).LineColumn(offset)
}
