package preview

import (
	"bytes"
	"fmt"

	"example.org/sivu/generator/api"
)

// rebasing gives the links of an answer another base address. All other bytes
// stay as they are: a base address in content, or a key "url" in meta, is no
// link.
type rebasing struct {
	from, to []byte // base addresses as they stand in JSON, without the quotation marks
	twin     bool   // make the links those of the api variant
	query    bool   // these carry format=api; else only the names of files differ
}

// inJSON returns s as it stands between quotation marks.
func inJSON(s string) []byte {
	quoted := api.AppendString(nil, s)
	return quoted[1 : len(quoted)-1]
}

// apply returns a list page or a record with its links changed. The error says
// where the body is no such thing.
func (b rebasing) apply(body []byte) ([]byte, error) {
	const room = 1024 // for links that grow
	s := surgeon{rebasing: b, body: body, out: make([]byte, 0, len(body)+room)}
	s.space()
	if err := s.object(true); err != nil {
		return nil, err
	}
	if s.space(); s.at < len(body) {
		return nil, s.broken("the end")
	}
	return append(s.out, body[s.copied:]...), nil
}

// link appends a link, given as it stands in JSON, with its changes.
func (b rebasing) link(dst, link []byte) []byte {
	rest, ok := bytes.CutPrefix(link, b.from)
	if !ok || !bytes.HasPrefix(rest, []byte("/"+api.Folder+"/")) {
		return append(dst, link...)
	}
	dst = append(dst, b.to...)
	if !b.twin {
		return append(dst, rest...)
	}
	path, query, hasQuery := bytes.Cut(rest, []byte("?"))
	if name, isFile := bytes.CutSuffix(path, []byte(".json")); isFile {
		dst = append(append(dst, name...), ".api.json"...)
	} else {
		dst = append(dst, path...)
	}
	separator := byte('?')
	if b.query {
		dst = append(dst, "?format=api"...)
		separator = '&'
	}
	if hasQuery {
		dst = append(append(dst, separator), query...)
	}
	return dst
}

// surgeon walks the structure of one body.
type surgeon struct {
	rebasing
	body   []byte
	at     int    // what is looked at next
	out    []byte // the new body up to copied
	copied int
}

// object walks an object with links: the whole body, or a record in a list.
func (s *surgeon) object(outer bool) error {
	if !s.take('{') {
		return s.broken("an object")
	}
	if s.space(); s.take('}') {
		return nil
	}
	for {
		s.space()
		key, err := s.text()
		if err != nil {
			return err
		}
		if s.space(); !s.take(':') {
			return s.broken("a colon")
		}
		s.space()
		if err := s.member(string(key), outer); err != nil {
			return err
		}
		if s.space(); s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.broken("a comma")
		}
	}
}

// member walks the value of a key.
func (s *surgeon) member(key string, outer bool) error {
	isText := s.at < len(s.body) && s.body[s.at] == '"'
	switch {
	case isText && (key == "url" || outer && (key == "next" || key == "previous")):
		link, err := s.text()
		if err != nil {
			return err
		}
		end := s.at - len(`"`)
		s.out = append(s.out, s.body[s.copied:end-len(link)]...)
		s.out = s.link(s.out, link)
		s.copied = end
		return nil
	case outer && key == "results":
		return s.results()
	}
	return s.skip()
}

// results walks the records of a list.
func (s *surgeon) results() error {
	if !s.take('[') {
		return s.broken("an array")
	}
	if s.space(); s.take(']') {
		return nil
	}
	for {
		s.space()
		if err := s.object(false); err != nil {
			return err
		}
		if s.space(); s.take(']') {
			return nil
		}
		if !s.take(',') {
			return s.broken("a comma")
		}
	}
}

// skip passes over a value without links, whatever it holds.
func (s *surgeon) skip() error {
	depth, start := 0, s.at
	for s.at < len(s.body) {
		switch s.body[s.at] {
		case '"':
			if _, err := s.text(); err != nil {
				return err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.skipped(start)
			}
			depth--
		case ',':
			if depth == 0 {
				return s.skipped(start)
			}
		}
		s.at++
	}
	return s.broken("the rest")
}

func (s *surgeon) skipped(start int) error {
	if s.at == start {
		return s.broken("a value")
	}
	return nil
}

// text passes over a string and returns what stands in it.
func (s *surgeon) text() ([]byte, error) {
	if !s.take('"') {
		return nil, s.broken("a string")
	}
	for start := s.at; s.at < len(s.body); s.at++ {
		switch s.body[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.body[start : s.at-1], nil
		}
	}
	s.at = len(s.body)
	return nil, s.broken("the end of a string")
}

func (s *surgeon) take(c byte) bool {
	if s.at < len(s.body) && s.body[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *surgeon) space() {
	for s.at < len(s.body) && bytes.IndexByte([]byte(" \t\r\n"), s.body[s.at]) >= 0 {
		s.at++
	}
}

func (s *surgeon) broken(due string) error {
	return fmt.Errorf("no JSON as the contract has it: %s is due at byte %d", due, s.at)
}
