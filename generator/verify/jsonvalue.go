package verify

import (
	"bytes"
	"slices"
)

// kind is the type of a JSON value.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

func (k kind) String() string { return kindNames[k] }

// value is a JSON value. Objects keep the order of their keys, and keys that
// are given twice.
type value struct {
	kind    kind
	text    string // of a string; of a number and a boolean as written
	items   []value
	members []member
}

type member struct {
	key   string
	value value
}

// get returns the value of a key: of one that is given twice the last, as most
// programs do.
func (v *value) get(key string) (*value, bool) {
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].key == key {
			return &v.members[i].value, true
		}
	}
	return nil, false
}

// string returns the string under a key, and false where there is none.
func (v *value) string(key string) (string, bool) {
	m, ok := v.get(key)
	if !ok || m.kind != kindString {
		return "", false
	}
	return m.text, true
}

// keys returns the keys in their order.
func (v *value) keys() []string {
	list := make([]string, len(v.members))
	for i, m := range v.members {
		list[i] = m.key
	}
	return list
}

// without returns an object less some keys.
func (v *value) without(keys ...string) *value {
	less := value{kind: kindObject}
	for _, m := range v.members {
		if !slices.Contains(keys, m.key) {
			less.members = append(less.members, m)
		}
	}
	return &less
}

// equal reports whether two values are the same but for the order of keys.
func (v *value) equal(w *value) bool {
	if v.kind != w.kind || v.text != w.text || len(v.items) != len(w.items) || len(v.members) != len(w.members) {
		return false
	}
	for i := range v.items {
		if !v.items[i].equal(&w.items[i]) {
			return false
		}
	}
	if len(v.members) == 0 || bytes.Equal(appendValue(nil, v), appendValue(nil, w)) {
		return true
	}
	a, b := v.sorted(), w.sorted()
	for i := range a {
		if a[i].key != b[i].key || !a[i].value.equal(&b[i].value) {
			return false
		}
	}
	return true
}

func (v *value) sorted() []member {
	list := slices.Clone(v.members)
	slices.SortStableFunc(list, func(a, b member) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
	return list
}

// appendValue appends a value in the bytes that are due (DESIGN.md, JSON bytes).
func appendValue(dst []byte, v *value) []byte {
	switch v.kind {
	case kindNull:
		return append(dst, "null"...)
	case kindString:
		return appendString(dst, v.text)
	case kindArray:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, &v.items[i])
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, v.members[i].key), ':')
			dst = appendValue(dst, &v.members[i].value)
		}
		return append(dst, '}')
	default:
		return append(dst, v.text...)
	}
}

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		dst = append(dst, inString(r)...)
	}
	return append(dst, '"')
}

// inString returns how a character is written in a string.
func inString(r rune) string {
	const digits = "0123456789abcdef"
	switch r {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	case '\u2028':
		return `\u2028`
	case '\u2029':
		return `\u2029`
	}
	if r < ' ' {
		return `\u00` + string(digits[r>>4]) + string(digits[r&15])
	}
	return string(r)
}
