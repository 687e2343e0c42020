package api

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// plain tells which bytes of a JSON string stand for themselves. The first byte
// of U+2028 and U+2029 does not: what follows it decides.
var plain = func() (table [256]bool) {
	for b := range table {
		table[b] = b >= ' ' && b != '"' && b != '\\' && b != 0xE2
	}
	return table
}()

// AppendString appends s, which must be valid UTF-8, as a JSON string.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, s)
	return append(dst, '"')
}

func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if plain[b] {
			i++
			continue
		}
		if b == 0xE2 {
			if i+2 >= len(s) || s[i+1] != 0x80 || s[i+2]&^1 != 0xA8 {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[s[i+2]&0xF])
			i += utf8.RuneLen('\u2028')
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, b)
		i++
		start = i
	}
	return append(dst, s[start:]...)
}

func appendEscape(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xF])
}
