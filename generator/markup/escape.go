package markup

import "strings"

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
	for i := range len(s) {
		c := s[i]
		switch {
		case isLetter(c):
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(s[:i]), true
		default:
			return "", false
		}
	}
	return "", false
}

// fixEscapes returns an address in which spaces and control characters are
// escaped, and "%" where it is not part of an escape.
func fixEscapes(s string) string {
	return escape(s, func(i int) bool {
		c := s[i]
		return c <= ' ' || c == 0x7f || c == '%' && !(i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]))
	})
}

// escapePath returns a path as it stands in an address.
func escapePath(p string) string {
	return escape(p, func(i int) bool {
		c := p[i]
		return c <= ' ' || c == 0x7f || c == '%' || c == '?' || c == '#' || c == '\\'
	})
}

func escape(s string, must func(i int) bool) string {
	const digits = "0123456789ABCDEF"
	var b []byte
	for i := range len(s) {
		switch {
		case must(i):
			if b == nil {
				b = append(make([]byte, 0, len(s)+8), s[:i]...)
			}
			b = append(b, '%', digits[s[i]>>4], digits[s[i]&15])
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
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			if c := unhex(s[i+1])<<4 | unhex(s[i+2]); kind(c) {
				b = append(b, c)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// appendEscaped appends the value of an attribute as it stands between double
// quotes.
func appendEscaped(dst []byte, s string) []byte {
	for i := range len(s) {
		switch s[i] {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&#34;"...)
		default:
			dst = append(dst, s[i])
		}
	}
	return dst
}
