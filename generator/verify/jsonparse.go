package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostDepth is how deep values may lie in each other. Records need four levels.
const mostDepth = 200

// mostValues is how many values one body may hold: a short compressed answer can
// stand for many megabytes of them, and each takes far more memory than bytes. A
// list page has hundreds.
const mostValues = 50_000

// flaw is what is wrong with the bytes of a JSON text that can be read.
type flaw struct {
	rule      *Rule
	offset    int
	due, came string
}

// parser reads one JSON text (RFC 8259), and takes note of the first flaw of
// each rule.
type parser struct {
	text  []byte
	at    int
	depth int
	count int // of values
	flaws []flaw
}

// parseJSON reads a body. The error says where it is no JSON, and why.
func parseJSON(body []byte) (*value, []flaw, error) {
	p := &parser{text: body}
	if bytes.HasPrefix(body, []byte("\uFEFF")) {
		p.flaw(ruleEncoding, 0, "no byte order mark", "U+FEFF")
		p.at = len("\uFEFF")
	}
	p.space("before the value")
	v, err := p.value()
	if err != nil {
		return nil, p.flaws, err
	}
	p.space("after the value")
	if p.at < len(p.text) {
		return nil, p.flaws, p.unexpected("the end")
	}
	return &v, p.flaws, nil
}

func (p *parser) flaw(rule *Rule, offset int, due, came string) {
	if !p.has(rule) {
		p.flaws = append(p.flaws, flaw{rule, offset, due, came})
	}
}

func (p *parser) has(rule *Rule) bool {
	return slices.ContainsFunc(p.flaws, func(f flaw) bool { return f.rule == rule })
}

func (p *parser) unexpected(due string) error {
	came := "the body ends"
	if p.at < len(p.text) {
		r, _ := utf8.DecodeRune(p.text[p.at:])
		came = strconv.QuoteRune(r)
	}
	return fmt.Errorf("at byte %d %s where %s is due", p.at, came, due)
}

// space passes over white space, which is a flaw.
func (p *parser) space(where string) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at > start {
		p.flaw(ruleBytes, start, "no white space "+where, show(string(p.text[start:p.at])))
	}
}

// take passes over c, if that comes next.
func (p *parser) take(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value() (value, error) {
	if p.at >= len(p.text) {
		return value{}, p.unexpected("a value")
	}
	if p.depth++; p.depth > mostDepth {
		return value{}, fmt.Errorf("at byte %d values lie in each other more than %d deep", p.at, mostDepth)
	}
	if p.count++; p.count > mostValues {
		return value{}, fmt.Errorf("at byte %d there are more than %d values", p.at, mostValues)
	}
	defer func() { p.depth-- }()
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"':
		text, err := p.string()
		return value{kind: kindString, text: text}, err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, word := range [...]struct {
		text string
		kind kind
	}{{"null", kindNull}, {"true", kindBool}, {"false", kindBool}} {
		if bytes.HasPrefix(p.text[p.at:], []byte(word.text)) {
			p.at += len(word.text)
			return value{kind: word.kind, text: word.text}, nil
		}
	}
	return value{}, p.unexpected("a value")
}

func (p *parser) object() (value, error) {
	v := value{kind: kindObject}
	p.at++
	p.space("between tokens")
	if p.take('}') {
		return v, nil
	}
	seen := map[string]bool{}
	for {
		start := p.at
		if p.at >= len(p.text) || p.text[p.at] != '"' {
			return v, p.unexpected("a key")
		}
		key, err := p.string()
		if err != nil {
			return v, err
		}
		if seen[key] {
			p.flaw(ruleDuplicateKey, start, "each key once", show(key)+" again")
		}
		seen[key] = true
		p.space("between tokens")
		if !p.take(':') {
			return v, p.unexpected("a colon")
		}
		p.space("between tokens")
		inner, err := p.value()
		if err != nil {
			return v, err
		}
		v.members = append(v.members, member{key, inner})
		p.space("between tokens")
		if p.take('}') {
			return v, nil
		}
		if !p.take(',') {
			return v, p.unexpected("a comma or the end of the object")
		}
		p.space("between tokens")
	}
}

func (p *parser) array() (value, error) {
	v := value{kind: kindArray}
	p.at++
	p.space("between tokens")
	if p.take(']') {
		return v, nil
	}
	for {
		inner, err := p.value()
		if err != nil {
			return v, err
		}
		v.items = append(v.items, inner)
		p.space("between tokens")
		if p.take(']') {
			return v, nil
		}
		if !p.take(',') {
			return v, p.unexpected("a comma or the end of the array")
		}
		p.space("between tokens")
	}
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *parser) number() (value, error) {
	start := p.at
	p.take('-')
	if !p.take('0') && !p.digits() {
		return value{}, p.unexpected("a digit")
	}
	if p.take('.') && !p.digits() {
		return value{}, p.unexpected("a digit")
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return value{}, p.unexpected("a digit")
		}
	}
	return value{kind: kindNumber, text: string(p.text[start:p.at])}, nil
}
