package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// Head is the head of a source as it lies in its file, for programs that edit it.
type Head struct {
	FrontMatter FrontMatter // its delimiter is "" where there is none
	Document    bool        // the head of an HTML document, with tags in place of front matter

	// The doctype, the start tags of <html> and <head>, and the element <title>.
	// The End of a span is 0 where there is none before the body.
	Doctype, HTML, Head, Title Span

	ID      string // the id that the page gives
	IDField string // the name of its field; "" where there is none
	Fields  string // all other fields, in a form that can be compared
	Body    string // with LF line ends
	Problem string // the first error in the fields, or ""
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// ReadHead reads the head of a source. Text is a file's own, with its line ends,
// but without its byte order mark; offsets are into it.
func ReadHead(text []byte, format *Format, site *Site) Head {
	p := &reading{
		Reader: NewReader(site, nil),
		file:   new(File),
		format: format,
		text:   bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")),
	}
	format.read(p)
	p.assign()
	h := Head{Document: p.head.document, Body: string(p.text[p.head.bodyStart:p.head.bodyEnd])}
	h.FrontMatter, _ = findFrontMatter(text)
	if h.Document {
		s := newHeadScanner(text, nil)
		s.scan()
		h.Doctype, h.HTML, h.Head, h.Title = s.doctype, s.htmlTag, s.headTag, s.titleTag
	}
	if f := p.own[ownID]; f != nil {
		h.ID, h.IDField = f.value, f.name
	}
	var fields strings.Builder
	for i := range p.head.fields {
		if f := &p.head.fields[i]; f != p.own[ownID] {
			fmt.Fprintf(&fields, "%q %d %q:", f.name, f.shape, f.value)
			for _, item := range f.items {
				fmt.Fprintf(&fields, " %q %d %q", item.name, item.shape, item.value)
			}
			fields.WriteByte('\n')
		}
	}
	h.Fields = fields.String()
	for _, d := range p.problems {
		if d.Severity == diag.Error && h.Problem == "" {
			h.Problem = d.Message
		}
	}
	return h
}

// FieldName returns what the site's pages call a field of sivu's own, such as
// "id"; "" where site.yaml gives the name back to meta.
func (s *Site) FieldName(own string) string {
	if name, ok := s.Fields[own]; ok {
		return name
	}
	return own
}

// MetaKey returns the meta key that a field of that name becomes, in the head of
// an HTML document or in front matter. It reports false for a field that is
// sivu's own, ignored or under "skip_if".
func (s *Site) MetaKey(field string, document bool) (key string, ok bool) {
	names := newNaming(s.Fields)
	m, renamed := names.front[field]
	if document {
		m, renamed = names.document[field]
	}
	if !renamed {
		m.key = field
	}
	return m.key, m.own == notOwn && !slices.Contains(s.Ignore, field) && !slices.Contains(s.SkipIf, field)
}
