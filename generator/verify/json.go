package verify

import (
	"fmt"
	"hash/maphash"
	"reflect"
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

// value is a JSON value. Objects keep the order of their keys, and duplicate keys.
type value struct {
	kind  kind
	key   string  // of a member of an object
	text  string  // of a string; of a number and a boolean as written
	items []value // elements of an array, or members of an object
}

// get returns the value of a key: of a duplicate key the last, as most programs do.
func (v *value) get(key string) (*value, bool) {
	for i := len(v.items) - 1; i >= 0 && v.kind == kindObject; i-- {
		if v.items[i].key == key {
			return &v.items[i], true
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

// elements returns the elements of the array under a key.
func (v *value) elements(key string) []value {
	if m, ok := v.get(key); ok && m.kind == kindArray {
		return m.items
	}
	return nil
}

// keys returns the keys in their order.
func (v *value) keys() []string {
	list := make([]string, len(v.items))
	for i, m := range v.items {
		list[i] = m.key
	}
	return list
}

// without returns an object less some keys.
func (v *value) without(keys ...string) *value {
	less := value{kind: kindObject}
	for _, m := range v.items {
		if !slices.Contains(keys, m.key) {
			less.items = append(less.items, m)
		}
	}
	return &less
}

// equal reports whether two values are the same but for the order of keys.
func (v *value) equal(w *value) bool { return reflect.DeepEqual(v.sorted(), w.sorted()) }

// sorted returns a value with its keys in order.
func (v *value) sorted() *value {
	s := *v
	s.items = slices.Clone(v.items)
	for i := range s.items {
		s.items[i] = *s.items[i].sorted()
	}
	if s.kind == kindObject {
		slices.SortStableFunc(s.items, func(a, b value) int { return strings.Compare(a.key, b.key) })
	}
	return &s
}

// hash adds a value to a hash, independent of white space and escapes.
func (v *value) hash(h *maphash.Hash) {
	h.WriteByte(byte(v.kind))
	for _, text := range []string{v.key, v.text} {
		maphash.WriteComparable(h, len(text))
		h.WriteString(text)
	}
	maphash.WriteComparable(h, len(v.items))
	for i := range v.items {
		v.items[i].hash(h)
	}
}

// start returns how a value begins in JSON, in little more than so many bytes.
func (v *value) start(most int) string { return string(appendValue(nil, v, most)) }

// difference returns the surroundings of the first byte in which two values differ.
func (v *value) difference(w *value) (due, came string) {
	if v.kind == kindString && w.kind == kindString {
		return difference(v.text, w.text)
	}
	const most = 1 << 20
	return difference(v.start(most), w.start(most))
}

// appendValue appends a value in the required encoding (contract.md 2). Once
// dst has most bytes, the rest of the value is left out.
func appendValue(dst []byte, v *value, most int) []byte {
	switch v.kind {
	case kindNull:
		return append(dst, "null"...)
	case kindString:
		return appendString(dst, v.text, most)
	case kindBool, kindNumber:
		return append(dst, v.text...)
	}
	brackets := map[kind]string{kindArray: "[]", kindObject: "{}"}[v.kind]
	dst = append(dst, brackets[0])
	for i := 0; i < len(v.items) && len(dst) < most; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v.kind == kindObject {
			dst = append(appendString(dst, v.items[i].key, most), ':')
		}
		dst = appendValue(dst, &v.items[i], most)
	}
	return append(dst, brackets[1])
}

func appendString(dst []byte, s string, most int) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		if len(dst) >= most {
			break
		}
		dst = append(dst, encoded(r)...)
	}
	return append(dst, '"')
}

// The characters with a short escape, and the letters of those.
const (
	shortEscaped = "\"\\\b\f\n\r\t"
	shortLetters = `"\bfnrt`
)

// encoded returns the required encoding of a character in a string.
func encoded(r rune) string {
	if i := strings.IndexRune(shortEscaped, r); i >= 0 {
		return `\` + shortLetters[i:i+1]
	}
	if r < ' ' || r == '\u2028' || r == '\u2029' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return string(r)
}
