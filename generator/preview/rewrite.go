package preview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"example.org/sivu/generator/api"
)

// rewriter gives the links of a list page or a record another base address. All
// other bytes stay as they are: a base address in content, or a key "url" in meta,
// is no link.
type rewriter struct {
	from, to   []byte // base addresses as they stand in JSON, without the quotation marks
	apiVariant bool   // make the links those of the api variant
	query      bool   // these carry format=api; else only the names of files differ
}

// inJSON returns s as it stands between quotation marks.
func inJSON(s string) []byte {
	quoted := api.AppendString(nil, s)
	return quoted[1 : len(quoted)-1]
}

// rewrite returns a list page or a record with its links changed. The error says
// where the body is neither.
func (r rewriter) rewrite(body []byte) ([]byte, error) {
	const room = 1024 // for links that grow
	e := edit{rewriter: r, Decoder: json.NewDecoder(bytes.NewReader(body)), body: body, out: make([]byte, 0, len(body)+room)}
	err := e.object("url", "next", "previous")
	if err == nil {
		var more json.Token
		if more, err = e.Token(); err == io.EOF {
			return append(e.out, body[e.copied:]...), nil
		} else if err == nil {
			err = fmt.Errorf("unexpected %v", more)
		}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, fmt.Errorf("no JSON as the contract has it: %w at byte %d", err, e.InputOffset())
}

// appendLink appends a link, given as it stands in JSON, with its changes.
func (r rewriter) appendLink(dst, link []byte) []byte {
	rest, ok := bytes.CutPrefix(link, r.from)
	if !ok || !bytes.HasPrefix(rest, []byte("/"+api.Folder+"/")) {
		return append(dst, link...)
	}
	dst = append(dst, r.to...)
	if !r.apiVariant {
		return append(dst, rest...)
	}
	path, query, hasQuery := bytes.Cut(rest, []byte("?"))
	if name, isFile := bytes.CutSuffix(path, []byte(".json")); isFile {
		dst = append(append(dst, name...), ".api.json"...)
	} else {
		dst = append(dst, path...)
	}
	separator := byte('?')
	if r.query {
		dst = append(dst, "?format=api"...)
		separator = '&'
	}
	if hasQuery {
		dst = append(append(dst, separator), query...)
	}
	return dst
}

// edit is the rewriting of one body.
type edit struct {
	rewriter
	*json.Decoder
	body   []byte
	out    []byte // the new body, for the old one up to copied
	copied int
}

// object rewrites the links of an object, which are strings with these keys, and
// those of its results.
func (e *edit) object(links ...string) error {
	if err := e.expect('{'); err != nil {
		return err
	}
	for e.More() {
		key, err := e.Token()
		if err != nil {
			return err
		}
		if key == "results" && len(links) > 1 { // records have none
			err = e.results()
		} else {
			err = e.member(slices.Contains(links, key.(string)))
		}
		if err != nil {
			return err
		}
	}
	return e.expect('}')
}

// results rewrites the links of the records in a list page.
func (e *edit) results() error {
	if err := e.expect('['); err != nil {
		return err
	}
	for e.More() {
		if err := e.object("url"); err != nil {
			return err
		}
	}
	return e.expect(']')
}

// member reads the value of a key, and rewrites it where it is a link.
func (e *edit) member(isLink bool) error {
	var value json.RawMessage
	if err := e.Decode(&value); err != nil {
		return err
	}
	if isLink && value[0] == '"' {
		end := int(e.InputOffset()) - len(`"`)
		link := value[1 : len(value)-1]
		e.out = append(e.out, e.body[e.copied:end-len(link)]...)
		e.out, e.copied = e.appendLink(e.out, link), end
	}
	return nil
}

func (e *edit) expect(delimiter json.Delim) error {
	token, err := e.Token()
	if err == nil && token != delimiter {
		err = fmt.Errorf("%v in place of %v", token, delimiter)
	}
	return err
}
