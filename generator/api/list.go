package api

import (
	"bytes"
	"strconv"

	"github.com/google/uuid"
)

// Record is a record as a list page shows it.
type Record struct {
	ID   uuid.UUID
	Item []byte // of AppendItem
}

// List is one list page (contract.md 2.4).
type List struct {
	Count   int // records in the whole collection
	Number  int // of this list page, from 1
	Records []Record
}

// AppendEnvelope appends the JSON of a list page.
func (l Links) AppendEnvelope(dst []byte, list List, v Variant) []byte {
	dst = l.appendEnvelopeStart(dst, list, v)
	for i, record := range list.Records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = l.appendAddressed(dst, record.Item, record.ID, v)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// appendEnvelopeStart appends a list page up to its records.
func (l Links) appendEnvelopeStart(dst []byte, list List, v Variant) []byte {
	last := ListPages(list.Count)
	dst = append(dst, countKey...)
	dst = strconv.AppendInt(dst, int64(list.Count), 10)
	dst = append(dst, `,"next":`...)
	dst = l.appendNeighbour(dst, list.Number+1, last, v)
	dst = append(dst, `,"previous":`...)
	dst = l.appendNeighbour(dst, list.Number-1, last, v)
	return append(dst, `,"results":[`...)
}

const countKey = `{"count":`

func (l Links) appendNeighbour(dst []byte, n, last int, v Variant) []byte {
	if n < 1 || n > last {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = l.AppendList(dst, n, v)
	return append(dst, '"')
}

// SplitEnvelope is the inverse of [Links.AppendEnvelope]: it returns list page
// number n, given its JSON. The records are appended to the given ones; their items
// share memory with the JSON. It reports false where AppendEnvelope writes other
// bytes for any list page n.
func (l Links) SplitEnvelope(body []byte, n int, v Variant, records []Record) (List, bool) {
	list := List{Number: n}
	digits, ok := bytes.CutPrefix(body, []byte(countKey))
	if !ok {
		return List{}, false
	}
	digits, _, _ = bytes.Cut(digits, []byte(","))
	count, err := strconv.Atoi(string(digits))
	if err != nil || count < 0 || n < 1 || n > ListPages(count) {
		return List{}, false
	}
	list.Count = count
	rest, ok := bytes.CutPrefix(body, l.appendEnvelopeStart(nil, list, v))
	if !ok {
		return List{}, false
	}
	end := append(l.appendAddressed(nil, nil, uuid.Nil, v), '}') // of a record; its length is that of all
	for i := range min(PageSize, count-(n-1)*PageSize) {
		if i > 0 {
			if rest, ok = bytes.CutPrefix(rest, []byte(",")); !ok {
				return List{}, false
			}
		}
		object := rest[:objectEnd(rest)]
		record, ok := l.splitRecord(object, v, end)
		if !ok {
			return List{}, false
		}
		records, rest = append(records, record), rest[len(object):]
	}
	list.Records = records
	return list, string(rest) == "]}"
}

// splitRecord splits a record of a list page into its item and its id. It overwrites
// end, which is as long as what follows the item.
func (l Links) splitRecord(object []byte, v Variant, end []byte) (Record, bool) {
	start := len(object) - len(end)
	if start < 0 {
		return Record{}, false
	}
	const idLength = 36
	at := start + len(`,"url":"`+"/"+Folder+"/") + len(l.Base)
	id, err := uuid.ParseBytes(object[at : at+idLength])
	if err != nil || !bytes.Equal(object[start:], append(l.appendAddressed(end[:0], nil, id, v), '}')) {
		return Record{}, false
	}
	return Record{ID: id, Item: object[:start:start]}, true
}

// objectEnd returns the length of the JSON object that b begins with, or 0 where it
// begins with none.
func objectEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		}
		if depth <= 0 {
			return 0
		}
	}
	return 0
}
