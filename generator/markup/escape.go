package markup

import (
	"strconv"
	"strings"
)

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

func isIn(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

func isSlash(c byte) bool { return c == '/' || c == '\\' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

// trimAddress returns an address as a browser reads it: without control
// characters and spaces around it, and without tabs and line ends in it.
func trimAddress(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(s, "\t\n\r") {
		return s
	}
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
}

// schemeOf returns the scheme of an address in lower case.
func schemeOf(s string) (string, bool) {
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isLetter(scheme[0]) || strings.Trim(scheme, letters+digits+"+-.") != "" {
		return "", false
	}
	return strings.ToLower(scheme), true
}

// fixEscapes returns an address in which spaces and control characters are
// escaped, and "%" where it is not part of an escape.
func fixEscapes(s string) string {
	return escape(s, func(i int) bool {
		if s[i] == '%' {
			_, ok := escapeAt(s, i)
			return !ok
		}
		return s[i] <= ' ' || s[i] == 0x7f
	})
}

// escapePath returns a path as it stands in an address.
func escapePath(p string) string {
	return escape(p, func(i int) bool { return p[i] <= ' ' || p[i] == 0x7f || isIn(p[i], `%?#\`) })
}

func escape(s string, must func(i int) bool) string {
	const hex = "0123456789ABCDEF"
	var b []byte
	for i := range len(s) {
		switch {
		case must(i):
			if b == nil {
				b = append(make([]byte, 0, len(s)+8), s[:i]...)
			}
			b = append(b, '%', hex[s[i]>>4], hex[s[i]&15])
		case b != nil:
			b = append(b, s[i])
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}

// unescape returns s with its escapes decoded. A "%" that begins none stays.
func unescape(s string) string { return unescapeIf(s, func(byte) bool { return true }) }

// unescapeIf is unescape for those escapes that stand for a byte of a kind.
func unescapeIf(s string, kind func(byte) bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c, ok := escapeAt(s, i); ok && kind(c) {
			b = append(b, c)
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// escapeAt returns the byte that the escape at s[i] stands for.
func escapeAt(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
	return byte(c), err == nil
}

// attributeEscaper escapes the value of an attribute between double quotes.
var attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")
