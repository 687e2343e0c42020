package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// maxDepth limits the nesting of values. Records need four levels.
	maxDepth = 200

	// maxValues limits the values of one body: a short compressed body can hold many
	// megabytes of them, and each takes far more memory than bytes. A list page has
	// hundreds.
	maxValues = 50_000
)

// jsonIssue is a rule that the bytes of a valid JSON text break.
type jsonIssue struct {
	rule      *Rule
	offset    int
	due, came string
}

// parser reads one JSON text (RFC 8259). It keeps the first issue of each rule, and
// the first syntax error, after which its results have no meaning.
type parser struct {
	text   []byte
	at     int
	depth  int
	count  int // of values
	issues []jsonIssue
	err    error
}

// parseJSON reads a body. The error says where it is not JSON, and why.
func parseJSON(body []byte) (*value, []jsonIssue, error) {
	p := &parser{text: body}
	if bytes.HasPrefix(body, []byte("\uFEFF")) {
		p.issue(ruleEncoding, 0, "no byte order mark", "U+FEFF")
		p.at = len("\uFEFF")
	}
	p.space("before the value")
	v := p.value()
	p.space("after the value")
	if p.at < len(p.text) {
		p.unexpected("the end")
	}
	if p.err != nil {
		return nil, p.issues, p.err
	}
	return &v, p.issues, nil
}

func (p *parser) issue(rule *Rule, offset int, due, came string) {
	if !p.has(rule) {
		p.issues = append(p.issues, jsonIssue{rule, offset, due, came})
	}
}

func (p *parser) has(rule *Rule) bool {
	return slices.ContainsFunc(p.issues, func(i jsonIssue) bool { return i.rule == rule })
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("at byte %d %s", p.at, fmt.Sprintf(format, args...))
	}
}

func (p *parser) unexpected(due string) {
	came := "the body ends"
	if p.at < len(p.text) {
		r, _ := utf8.DecodeRune(p.text[p.at:])
		came = strconv.QuoteRune(r)
	}
	p.fail("%s where %s is due", came, due)
}

// next reports whether c comes next.
func (p *parser) next(c byte) bool { return p.at < len(p.text) && p.text[p.at] == c }

// take skips c, if it comes next.
func (p *parser) take(c byte) bool {
	ok := p.next(c)
	if ok {
		p.at++
	}
	return ok
}

// space skips white space, which is an issue.
func (p *parser) space(where string) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at > start {
		p.issue(ruleBytes, start, "no white space "+where, show(string(p.text[start:p.at])))
	}
}

func (p *parser) value() (v value) {
	if p.depth++; p.depth > maxDepth {
		p.fail("values lie in each other more than %d deep", maxDepth)
		return v
	}
	defer func() { p.depth-- }()
	if p.count++; p.count > maxValues {
		p.fail("there are more than %d values", maxValues)
		return v
	}
	switch {
	case p.next('{'):
		return value{kind: kindObject, items: p.items('}', "the object")}
	case p.next('['):
		return value{kind: kindArray, items: p.items(']', "the array")}
	case p.next('"'):
		return value{kind: kindString, text: p.string()}
	case p.next('-'), p.at < len(p.text) && isDigit(p.text[p.at]):
		return value{kind: kindNumber, text: p.number()}
	}
	for word, kind := range map[string]kind{"null": kindNull, "true": kindBool, "false": kindBool} {
		if bytes.HasPrefix(p.text[p.at:], []byte(word)) {
			p.at += len(word)
			return value{kind: kind, text: word}
		}
	}
	p.unexpected("a value")
	return v
}

// items reads the members of an object or the elements of an array.
func (p *parser) items(end byte, name string) (items []value) {
	p.at++
	p.space("between tokens")
	if p.take(end) {
		return nil
	}
	keys := map[string]bool{}
	for p.err == nil {
		key := ""
		if end == '}' {
			key = p.key(keys)
		}
		item := p.value()
		item.key = key
		items = append(items, item)
		p.space("between tokens")
		if p.take(end) {
			break
		}
		if !p.take(',') {
			p.unexpected("a comma or the end of " + name)
		}
		p.space("between tokens")
	}
	return items
}

// key reads a key and the colon. seen are the keys before it.
func (p *parser) key(seen map[string]bool) string {
	start := p.at
	if !p.next('"') {
		p.unexpected("a key")
		return ""
	}
	key := p.string()
	if seen[key] {
		p.issue(ruleDuplicateKey, start, "each key once", show(key)+" again")
	}
	seen[key] = true
	p.space("between tokens")
	if !p.take(':') {
		p.unexpected("a colon")
	}
	p.space("between tokens")
	return key
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) digits() {
	start := p.at
	for p.at < len(p.text) && isDigit(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		p.unexpected("a digit")
	}
}

func (p *parser) number() string {
	start := p.at
	p.take('-')
	if !p.take('0') {
		p.digits()
	}
	if p.take('.') {
		p.digits()
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		p.digits()
	}
	return string(p.text[start:p.at])
}

// string reads a string, and returns its text in valid UTF-8.
func (p *parser) string() string {
	p.at++
	var text strings.Builder
	text.Grow(p.stringSize())
	for p.err == nil {
		start := p.at
		if p.at >= len(p.text) {
			p.unexpected("the end of a string")
			break
		}
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return text.String()
		case c == '\\':
			text.WriteRune(p.escape())
		case c < ' ':
			p.unexpected("an escape")
		case c < utf8.RuneSelf:
			for p.at < len(p.text) && isPlain(p.text[p.at]) {
				p.at++
			}
			text.Write(p.text[start:p.at])
		default:
			r, size := utf8.DecodeRune(p.text[p.at:])
			p.at += size
			if r == utf8.RuneError && size == 1 {
				p.issue(ruleEncoding, start, "UTF-8", fmt.Sprintf("the byte 0x%02x", c))
			}
			if r == '\u2028' || r == '\u2029' {
				p.issue(ruleBytes, start, "the escape "+encoded(r), fmt.Sprintf("%U as it is", r))
			}
			text.WriteRune(r)
		}
	}
	return ""
}

func isPlain(c byte) bool { return ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\' }

// stringSize returns how many bytes the string that begins here has at most, if it is
// valid UTF-8: those up to its end.
func (p *parser) stringSize() int {
	for i := p.at; i < len(p.text); i++ {
		switch p.text[i] {
		case '"':
			return i - p.at
		case '\\':
			i++
		}
	}
	return 0
}

// escape reads an escape, or the two of a surrogate pair. An escape that is not the
// required encoding is an issue.
func (p *parser) escape() rune {
	start := p.at
	r, size := unescape(p.text[start:])
	if size == 0 {
		p.at++
		p.unexpected("an escape")
		return 0
	}
	p.at += size
	if low, size := unescape(p.text[p.at:]); utf16.DecodeRune(r, low) != utf8.RuneError {
		r = utf16.DecodeRune(r, low)
		p.at += size
	}
	came, due := string(p.text[start:p.at]), encoded(r)
	switch {
	case utf16.IsSurrogate(r):
		p.issue(ruleEncoding, start, "both halves of a surrogate pair", "the escape "+came+" alone")
		return utf8.RuneError
	case p.has(ruleBytes) || came == due: // cheap for a body with many escapes
	case due[0] == '\\':
		p.issue(ruleBytes, start, "the escape "+due, "the escape "+came)
	default:
		p.issue(ruleBytes, start, strconv.Quote(due), "the escape "+came)
	}
	return r
}

// unescape returns the character of the escape that a text begins with, or half a
// surrogate pair, and the size of the escape, which is 0 where there is none.
func unescape(text []byte) (r rune, size int) {
	const short, long = len(`\n`), len(`\u0000`)
	if len(text) < short || text[0] != '\\' {
		return 0, 0
	}
	if i := strings.IndexByte(shortLetters+"/", text[1]); i >= 0 {
		return rune((shortEscaped + "/")[i]), short
	}
	if len(text) >= long && text[1] == 'u' {
		if n, err := strconv.ParseUint(string(text[2:long]), 16, 16); err == nil {
			return rune(n), long
		}
	}
	return 0, 0
}
