package verify

import (
	"hash/maphash"
	"slices"
	"strings"
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
	a, b := v.sorted(), w.sorted()
	for i := range a {
		if a[i].key != b[i].key || !a[i].value.equal(&b[i].value) {
			return false
		}
	}
	return true
}

// isIn reports whether the keys of two values that are equal stand in the same
// order.
func (v *value) isIn(order *value) bool {
	for i := range v.items {
		if !v.items[i].isIn(&order.items[i]) {
			return false
		}
	}
	for i := range v.members {
		m, n := &v.members[i], &order.members[i]
		if m.key != n.key || !m.value.isIn(&n.value) {
			return false
		}
	}
	return true
}

// hash adds a value to a hash: the same for the same bytes that are due.
func (v *value) hash(h *maphash.Hash) {
	h.WriteByte(byte(v.kind))
	hashText(h, v.text)
	maphash.WriteComparable(h, len(v.items))
	for i := range v.items {
		v.items[i].hash(h)
	}
	maphash.WriteComparable(h, len(v.members))
	for i := range v.members {
		hashText(h, v.members[i].key)
		v.members[i].value.hash(h)
	}
}

func hashText(h *maphash.Hash, s string) {
	maphash.WriteComparable(h, len(s))
	h.WriteString(s)
}

// start returns how a value begins in JSON, in little more than so many bytes.
func (v *value) start(most int) string { return string(appendValue(nil, v, most)) }

func (v *value) sorted() []member {
	list := slices.Clone(v.members)
	slices.SortStableFunc(list, func(a, b member) int { return strings.Compare(a.key, b.key) })
	return list
}

// difference returns the surroundings of the first byte in which two values differ.
func (v *value) difference(w *value) (due, came string) {
	if v.kind == kindString && w.kind == kindString {
		return difference(v.text, w.text)
	}
	const most = 1 << 20
	return difference(v.start(most), w.start(most))
}

// appendValue appends a value in the bytes that are due (DESIGN.md, JSON bytes),
// and no more than begins it, once dst has most bytes.
func appendValue(dst []byte, v *value, most int) []byte {
	switch v.kind {
	case kindNull:
		return append(dst, "null"...)
	case kindString:
		return appendString(dst, v.text, most)
	case kindArray:
		dst = append(dst, '[')
		for i := 0; i < len(v.items) && len(dst) < most; i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, &v.items[i], most)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i := 0; i < len(v.members) && len(dst) < most; i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, v.members[i].key, most), ':')
			dst = appendValue(dst, &v.members[i].value, most)
		}
		return append(dst, '}')
	default:
		return append(dst, v.text...)
	}
}

func appendString(dst []byte, s string, most int) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		if len(dst) >= most {
			break
		}
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
