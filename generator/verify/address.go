package verify

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// form is how the links of one variant look.
type form struct {
	base  string // without a slash at its end
	style string // a link style
	api   bool
}

var linkStyles = []string{LinksQuery, LinksFile, LinksFileQuery}

// list returns the address of a list page, from 1.
func (f form) list(n int) string {
	name := "page-" + strconv.Itoa(n)
	if n == 1 {
		name = "index"
	}
	return f.address("", name, n)
}

// record returns the address of a record.
func (f form) record(id string) string { return f.address(id+"/", "index", 1) }

func (f form) address(folder, name string, n int) string {
	address := f.base + "/pages/" + folder
	if f.style != LinksQuery {
		address += name + ending(f.api)
	}
	if f.style == LinksFile {
		return address
	}
	var query []string
	if f.api {
		query = append(query, "format=api")
	}
	if n > 1 {
		query = append(query, "page="+strconv.Itoa(n))
	}
	if len(query) == 0 {
		return address
	}
	return address + "?" + strings.Join(query, "&")
}

func ending(api bool) string {
	if api {
		return ".api.json"
	}
	return ".json"
}

// others returns the forms that are not f: other variant, other styles.
func (f form) others() []form {
	var list []form
	for _, style := range linkStyles {
		for _, api := range []bool{f.api, !f.api} {
			if style != f.style || api != f.api {
				list = append(list, form{f.base, style, api})
			}
		}
	}
	return list
}

// below reports whether an address is one that a client may open: in plain
// characters, below the base address, with no way out of there.
func below(base, address string) bool {
	rest, ok := strings.CutPrefix(address, base+"/")
	if !ok || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\\\"<>^`{|}", r) }) {
		return false
	}
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" || strings.Contains(address, "#") || u.User != nil || u.Host == "" {
		return false
	}
	path, _, _ := strings.Cut(rest, "?")
	path, err = url.PathUnescape(path)
	if err != nil {
		return false
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(path, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// sameQuery reports whether two addresses differ in the order of their query's
// parameters only.
func sameQuery(a, b string) bool {
	pathA, queryA, _ := strings.Cut(a, "?")
	pathB, queryB, _ := strings.Cut(b, "?")
	listA, listB := strings.Split(queryA, "&"), strings.Split(queryB, "&")
	slices.Sort(listA)
	slices.Sort(listB)
	return pathA == pathB && slices.Equal(listA, listB)
}

// blame returns the rule that a link breaks, which is not the one that is due:
// the most telling of those about links, else the one of its field. target
// gives the address of what the link leads to in any form.
func blame(field *Rule, f form, target func(form) string, came string) *Rule {
	if !below(f.base, came) {
		return ruleLinkBase
	}
	if sameQuery(target(f), came) {
		return ruleQueryOrder
	}
	for _, other := range f.others() {
		switch {
		case !sameQuery(target(other), came):
		case other.style != f.style:
			return ruleLinkStyle
		default:
			return ruleLinkVariant
		}
	}
	return field
}

// idIn returns the text that stands for the id in the address of a record, on
// whatever base, and "" where nothing does.
func idIn(address string) string {
	at := strings.LastIndex(address, "/pages/")
	if at < 0 {
		return ""
	}
	id := address[at+len("/pages/"):]
	if end := strings.IndexAny(id, "/?#"); end >= 0 {
		id = id[:end]
	}
	return id
}

// uuid is a record's id.
type uuid [16]byte

// parseID reads 8-4-4-4-12 hexadecimal digits of either case.
func parseID(s string) (id uuid, ok bool) {
	const size = len("00000000-0000-0000-0000-000000000000")
	if len(s) != size {
		return id, false
	}
	n := 0
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return id, false
			}
			continue
		}
		digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if digit < 0 || s[i] < '0' {
			return id, false
		}
		id[n/2] |= byte(digit) << (4 * (1 - n%2))
		n++
	}
	return id, true
}

// String returns the id in lower-case digits.
func (id uuid) String() string {
	const digits = "0123456789abcdef"
	text := make([]byte, 0, len("00000000-0000-0000-0000-000000000000"))
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text = append(text, '-')
		}
		text = append(text, digits[b>>4], digits[b&15])
	}
	return string(text)
}
