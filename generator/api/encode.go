package api

import (
	"strings"

	"github.com/google/uuid"

	"example.org/sivu/generator/page"
)

// AppendItem appends the list item of a record, up to its address: the open
// object with language, meta, created and modified (contract.md 2.1, 2.3).
func AppendItem(dst []byte, p *page.Page) []byte {
	dst = append(dst, `{"language":`...)
	dst = AppendString(dst, p.Language)
	dst = append(dst, `,"meta":{`...)
	for i, e := range p.Meta {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, e.Key)
		dst = append(dst, ':')
		if e.Null {
			dst = append(dst, "null"...)
		} else {
			dst = AppendString(dst, e.Value)
		}
	}
	dst = append(dst, `},"created":"`...)
	dst = p.Created.AppendTimestamp(dst)
	dst = append(dst, `","modified":"`...)
	dst = p.Modified.AppendTimestamp(dst)
	return append(dst, '"')
}

// AppendSuffix appends the part of a detail record after its address, and closes the
// object (contract.md 2.2). The content comes in pieces that are joined.
func AppendSuffix(dst []byte, embeds []page.Embed, content ...[]byte) []byte {
	dst = append(dst, `,"content":"`...)
	for _, piece := range content {
		dst = appendEscaped(dst, piece)
	}
	dst = append(dst, `","embeds":[`...)
	for i, e := range embeds {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"uri":`...)
		dst = AppendString(dst, e.URI)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// AppendDetail appends the detail record made of the item that lists show
// ([AppendItem]) and the rest ([AppendSuffix]).
func (l Links) AppendDetail(dst, item, suffix []byte, id uuid.UUID, v Variant) []byte {
	dst = l.appendAddressed(dst, item, id, v)
	return append(dst, suffix...)
}

func (l Links) appendAddressed(dst, item []byte, id uuid.UUID, v Variant) []byte {
	dst = append(dst, item...)
	dst = append(dst, `,"url":"`...)
	dst = l.AppendRecord(dst, id, v)
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// plain tells which bytes of a JSON string stand for themselves. The first byte
// of U+2028 and U+2029 does not: the next two decide.
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
