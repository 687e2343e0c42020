package api

import (
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
	dst = append(dst, l.Base...)
	dst = append(dst, "/"+Folder+"/"...)
	dst = appendUUID(dst, id)
	dst = append(dst, '/')
	if l.Style.files {
		dst = append(dst, "index"...)
		dst = append(dst, endings[ending(v)]...)
	}
	return l.appendQuery(dst, 1, v)
}

// AppendList appends the address of list page n, from 1. The first has no page
// parameter (contract.md 2.4).
func (l Links) AppendList(dst []byte, n int, v Variant) []byte {
	dst = append(dst, l.Base...)
	dst = append(dst, "/"+Folder+"/"...)
	if l.Style.files {
		if n == 1 {
			dst = append(dst, "index"...)
		} else {
			dst = append(dst, "page-"...)
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
		dst = append(dst, endings[ending(v)]...)
	}
	return l.appendQuery(dst, n, v)
}

func (l Links) appendQuery(dst []byte, n int, v Variant) []byte {
	if !l.Style.query {
		return dst
	}
	separator := byte('?')
	if v == API {
		dst = append(dst, "?format=api"...)
		separator = '&'
	}
	if n > 1 {
		dst = append(dst, separator)
		dst = append(dst, "page="...)
		dst = strconv.AppendInt(dst, int64(n), 10)
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
	id, _, _ := strings.Cut(url[at+len(Folder)+2:], "/")
	for _, style := range Styles {
		l := Links{Base: url[:at], Style: style}
		record := l.Addresses(Folder + "/" + id + "/" + IndexName(Plain))
		if len(record) == 1 && record[0] == url && (list.Next == nil || string(l.AppendList(nil, 2, Plain)) == *list.Next) {
			possible = append(possible, l)
		}
	}
	if len(possible) == 0 {
		err = fmt.Errorf("the links of the first list page are of no known style: %q", url)
	}
	return possible, err
}

// Answer is what a file of a snapshot is the answer to: a list page, or a record
// in detail.
type Answer struct {
	List    int       // number of the list page, from 1; 0 for a record
	ID      uuid.UUID // of the record
	Variant Variant
}

// ParseFile returns what a file is the answer to, given its path in the
// snapshot. Files that are no answer of their own have none.
func ParseFile(file string) (Answer, bool) {
	p, ok := ParsePath(file)
	if !ok || p.InRoot() || p.Coding() != 0 {
		return Answer{}, false
	}
	switch a := (Answer{Variant: p.Variant()}); p.Class() {
	case ClassRecord:
		a.ID = p.ID()
		return a, true
	case ClassFirstList:
		a.List = 1
		return a, true
	default:
		a.List = p.Number()
		return a, true
	}
}

// Addresses returns the addresses at which clients meet a file of a snapshot,
// given below its root: what a cache in front of it has to forget when the
// file changes. Files that are no answer of their own have none.
func (l Links) Addresses(file string) []string {
	a, ok := ParseFile(file)
	switch {
	case !ok:
		return nil
	case a.List == 0:
		return []string{string(l.AppendRecord(nil, a.ID, a.Variant))}
	case a.List == 1 && !strings.HasPrefix(file, Folder+"/index"):
		return []string{l.firstByNumber(a.Variant)}
	}
	return []string{string(l.AppendList(nil, a.List, a.Variant))}
}

// firstByNumber returns the address of list page 1 with its number, though no
// link ever says so.
func (l Links) firstByNumber(v Variant) string {
	second := string(l.AppendList(nil, 2, v))
	second = strings.Replace(second, "/page-2.", "/page-1.", 1)
	return strings.Replace(second, "page=2", "page=1", 1)
}
