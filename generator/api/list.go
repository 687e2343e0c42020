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
	address := l.appendAddressed(nil, nil, uuid.Nil, v) // of a record, without its id
	for i := range min(PageSize, count-(n-1)*PageSize) {
		if i > 0 {
			if rest, ok = bytes.CutPrefix(rest, []byte(",")); !ok {
				return List{}, false
			}
		}
		record, length := l.splitRecord(rest, v, address)
		if length == 0 {
			return List{}, false
		}
		records, rest = append(records, record), rest[length:]
	}
	list.Records = records
	return list, string(rest) == "]}"
}

// splitRecord splits the record that the rest of a list page begins with into its item
// and its id, and returns its length, or 0. An item may have an address like its own in
// its meta object, but only a record is followed by another one, or by the end of the
// list. It overwrites address, which has the length of all addresses.
func (l Links) splitRecord(rest []byte, v Variant, address []byte) (Record, int) {
	const idLength = 36
	prefix := len(`,"url":"`+"/"+Folder+"/") + len(l.Base)
	for start := 0; ; start++ {
		i := bytes.Index(rest[start:], address[:prefix])
		if i < 0 || !bytes.HasPrefix(rest, []byte("{")) {
			return Record{}, 0
		}
		start += i
		end := start + len(address)
		if end+len("},{") > len(rest) {
			return Record{}, 0
		}
		if following := string(rest[end:][:3]); following != "},{" && following != "}]}" {
			continue
		}
		id, err := uuid.ParseBytes(rest[start+prefix:][:idLength])
		if err == nil && bytes.Equal(rest[start:end], l.appendAddressed(address[:0], nil, id, v)) {
			return Record{ID: id, Item: rest[:start:start]}, end + len("}")
		}
	}
}
