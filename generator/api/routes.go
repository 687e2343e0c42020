package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Folder is where all answers of a snapshot lie, below its root.
const Folder = "pages"

// IndexName returns the name of the file that answers for its folder:
// list page 1 in [Folder], a record in detail in its own folder.
func IndexName(v Variant) string { return "index" + endings[ending(v)] }

// ListName returns the name of the file, in [Folder], of list page n, from 1.
func ListName(n int, v Variant) string { return "page-" + strconv.Itoa(n) + endings[ending(v)] }

// RecordFolder returns the folder of a record, below the root of a snapshot.
func RecordFolder(id uuid.UUID) string { return Folder + "/" + id.String() }

// Style is the form of the links in a snapshot. Hosts that ignore the query
// need links that name files.
type Style struct {
	Name string
	Doc  string

	files bool // links name files
	query bool // links carry the contract's query
}

// Styles are all link styles; the first is the default.
var Styles = []Style{
	{Name: "query", Doc: "the contract's own addresses, for hosts that route on the query", query: true},
	{Name: "file", Doc: "addresses of files, for any file server", files: true},
	{Name: "file+query", Doc: "addresses of files with the contract's query, for clients that read page= out of next", files: true, query: true},
}

// StyleNamed returns the style of that name.
func StyleNamed(name string) (Style, bool) {
	for _, s := range Styles {
		if s.Name == name {
			return s, true
		}
	}
	return Style{}, false
}

// Links makes the absolute addresses of a snapshot.
type Links struct {
	Base  string // without a slash at its end
	Style Style
}

// AppendRecord appends the address of a record (contract.md 2.1).
func (l Links) AppendRecord(dst []byte, id uuid.UUID, v Variant) []byte {
	p := RecordPath(id, v)
	return l.append(dst, &p)
}

// AppendList appends the address of list page n, from 1. The first has no page
// parameter (contract.md 2.4).
func (l Links) AppendList(dst []byte, n int, v Variant) []byte {
	p := FirstListPath(v)
	if n > 1 {
		p = ListPath(n, v)
	}
	return l.append(dst, &p)
}

// append appends the address at which clients meet an answer.
func (l Links) append(dst []byte, p *Path) []byte {
	dst = append(append(dst, l.Base...), '/')
	dst = p.append(dst)
	if !l.Style.files {
		dst = dst[:bytes.LastIndexByte(dst, '/')+1]
	}
	if !l.Style.query {
		return dst
	}
	separator := byte('?')
	if p.Variant() == API {
		dst = append(dst, "?format=api"...)
		separator = '&'
	}
	if p.Class() == ClassList {
		dst = append(append(dst, separator), "page="...)
		dst = append(dst, p.digits()...)
	}
	return dst
}

// FindLinks returns which links a snapshot can have, given its first list page: none where
// that has no record, and two where it is the only one, whose links are the same in the two
// styles of files. The error says why it is no list page.
func FindLinks(first []byte) (possible []Links, err error) {
	var list struct {
		Next    *string
		Results []struct{ URL string }
	}
	if err := json.Unmarshal(first, &list); err != nil {
		return nil, fmt.Errorf("the first list page cannot be read: %w", err)
	}
	if len(list.Results) == 0 {
		return nil, nil
	}
	url := list.Results[0].URL
	at := strings.LastIndex(url, "/"+Folder+"/")
	if at < 0 {
		return nil, fmt.Errorf("the first list page has %q, which is not the address of a record", url)
	}
	folder, _, _ := strings.Cut(url[at+len(Folder)+2:], "/")
	record, ok := ParseRecordFolder(folder)
	for _, style := range Styles {
		l := Links{Base: url[:at], Style: style}
		if ok && string(l.AppendRecord(nil, record.ID(), Plain)) == url && (list.Next == nil || string(l.AppendList(nil, 2, Plain)) == *list.Next) {
			possible = append(possible, l)
		}
	}
	if len(possible) == 0 {
		err = fmt.Errorf("the links of the first list page are of no known style: %q", url)
	}
	return possible, err
}

// Addresses returns the addresses at which clients meet a file of a snapshot,
// given below its root: a cache in front of it has to forget them when the
// file changes. Files that are no answer of their own have none. List page 1
// has an address with its number, too, to which no link leads.
func (l Links) Addresses(file string) []string {
	p, ok := ParseAnswer(file)
	if !ok {
		return nil
	}
	return []string{string(l.append(nil, &p))}
}
