package verify

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string, whose text comes back in valid UTF-8.
func (p *parser) string() (string, error) {
	p.at++
	var text strings.Builder
	text.Grow(p.stringSize())
	for {
		if p.at >= len(p.text) {
			return "", p.unexpected("the end of a string")
		}
		start := p.at
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return text.String(), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			text.WriteRune(r)
			p.judgeEscape(start, r)
		case c < ' ':
			return "", p.unexpected("an escape")
		case c < utf8.RuneSelf:
			for p.at < len(p.text) && isPlain(p.text[p.at]) {
				p.at++
			}
			text.Write(p.text[start:p.at])
		default:
			r, size := utf8.DecodeRune(p.text[p.at:])
			p.at += size
			if r == utf8.RuneError && size == 1 {
				p.flaw(ruleEncoding, start, "UTF-8", fmt.Sprintf("the byte 0x%02x", c))
			}
			if r == '\u2028' || r == '\u2029' {
				p.flaw(ruleBytes, start, "the escape "+inString(r), fmt.Sprintf("%U as it is", r))
			}
			text.WriteRune(r)
		}
	}
}

// stringSize returns how many bytes a string takes that begins here, and has none
// that are not UTF-8: at most those up to its end.
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

// judgeEscape takes note of an escape for which another form is due.
func (p *parser) judgeEscape(start int, r rune) {
	if p.has(ruleBytes) {
		return
	}
	came, due := string(p.text[start:p.at]), inString(r)
	if came == due || r == utf8.RuneError {
		return
	}
	if due[0] == '\\' {
		due = "the escape " + due
	} else {
		due = show(due)
	}
	p.flaw(ruleBytes, start, due, "the escape "+came)
}

func isPlain(c byte) bool { return ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\' }

var shortEscapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads one escape, or the two of a surrogate pair.
func (p *parser) escape() (rune, error) {
	start := p.at
	p.at++
	if p.at < len(p.text) {
		if r, ok := shortEscapes[p.text[p.at]]; ok {
			p.at++
			return r, nil
		}
	}
	r, ok := p.unit()
	if !ok {
		return 0, p.unexpected("an escape")
	}
	if !utf16.IsSurrogate(r) {
		if r == utf8.RuneError {
			p.flaw(ruleBytes, start, strconv.Quote(string(r)), "the escape "+string(p.text[start:p.at]))
		}
		return r, nil
	}
	if p.at < len(p.text) && p.text[p.at] == '\\' {
		after := p.at
		p.at++
		if low, ok := p.unit(); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return utf16.DecodeRune(r, low), nil
		}
		p.at = after
	}
	p.flaw(ruleEncoding, start, "both halves of a surrogate pair", "the escape "+string(p.text[start:p.at])+" alone")
	return utf8.RuneError, nil
}

// unit reads the rest of \uXXXX.
func (p *parser) unit() (rune, bool) {
	const size = len("uXXXX")
	if p.at+size > len(p.text) || p.text[p.at] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.text[p.at+1:p.at+size]), 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += size
	return rune(n), true
}
