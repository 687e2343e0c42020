package api

import "strings"

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
	for i := 0; i < len(s); i++ {
		b := s[i]
		if plain[b] || b == 0xE2 && (i+2 >= len(s) || s[i+1] != 0x80 || s[i+2]&^1 != 0xA8) {
			continue
		}
		dst = append(dst, s[start:i]...)
		if short := strings.IndexByte("\"\\\b\f\n\r\t", b); short >= 0 {
			dst = append(dst, '\\', `"\bfnrt`[short])
		} else if b < ' ' {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xF])
		} else {
			i += len("\u2028") - 1
			dst = append(append(dst, `\u202`...), hexDigits[s[i]&0xF])
		}
		start = i + 1
	}
	return append(dst, s[start:]...)
}
