package api

import (
	"strconv"

	"github.com/google/uuid"

	"example.org/sivu/generator/page"
)

// AppendHead appends a record up to its address: the open object with
// language, meta, created and modified (contract.md 2.1, 2.3).
func AppendHead(dst []byte, p *page.Page) []byte {
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

// AppendTail appends what a detail record has beyond a list record, and closes
// the object (contract.md 2.2). The content comes in pieces that are joined.
func AppendTail(dst []byte, embeds []page.Embed, content ...[]byte) []byte {
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

// AppendDetail appends the detail record made of head and tail.
func (l Links) AppendDetail(dst, head, tail []byte, id uuid.UUID, v Variant) []byte {
	dst = l.appendAddressed(dst, head, id, v)
	return append(dst, tail...)
}

func (l Links) appendAddressed(dst, head []byte, id uuid.UUID, v Variant) []byte {
	dst = append(dst, head...)
	dst = append(dst, `,"url":"`...)
	dst = l.AppendRecord(dst, id, v)
	return append(dst, '"')
}

// Record is what a list page needs of a record.
type Record struct {
	ID   uuid.UUID
	Head []byte // of AppendHead
}

// List is one list page (contract.md 2.4).
type List struct {
	Count  int // records in the whole collection
	Number int // of this list page, from 1
	// Results returns the record at a place of this list page, from 0.
	Results func(i int) Record
}

// AppendEnvelope appends a list page. It holds as many records as Count and
// Number leave for it.
func (l Links) AppendEnvelope(dst []byte, list List, v Variant) []byte {
	last := ListPages(list.Count)
	dst = append(dst, `{"count":`...)
	dst = strconv.AppendInt(dst, int64(list.Count), 10)
	dst = append(dst, `,"next":`...)
	dst = l.appendNeighbour(dst, list.Number+1, last, v)
	dst = append(dst, `,"previous":`...)
	dst = l.appendNeighbour(dst, list.Number-1, last, v)
	dst = append(dst, `,"results":[`...)
	for i := range min(PageSize, list.Count-(list.Number-1)*PageSize) {
		if i > 0 {
			dst = append(dst, ',')
		}
		record := list.Results(i)
		dst = l.appendAddressed(dst, record.Head, record.ID, v)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

func (l Links) appendNeighbour(dst []byte, n, last int, v Variant) []byte {
	if n < 1 || n > last {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = l.AppendList(dst, n, v)
	return append(dst, '"')
}
