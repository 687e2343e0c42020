package verify

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Hints about an address that is given.
const (
	baseHint    = "give the base address: what stands before /pages/"
	addressHint = "write it as https://api.example.fi"
)

// parseBase reads the address of a service, and returns it without a slash at its end,
// with scheme and host in lower case (RFC 3986, section 6.2.2.1). The error is an
// [Error], and does not repeat what may be a password.
func parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	refuse := func(hint, format string, args ...any) (*url.URL, error) {
		return nil, &Error{fmt.Errorf(format, args...), hint}
	}
	secret := strings.Contains(text, "@")
	switch {
	case err == nil && u.User != nil, secret && (err != nil || u.Host == ""):
		return refuse("leave out what stands before the @: verify asks as anybody may", "the address names a user")
	case err != nil:
		if outer := (*url.Error)(nil); errors.As(err, &outer) {
			err = outer.Err
		}
		return refuse(addressHint, "the address is not one: %w", err)
	case u.Scheme == "http" || u.Scheme == "https":
	case u.Scheme != "" && strings.Contains(text, "://"):
		return refuse("verify asks over https:// and http://", "%s is no scheme that verify knows", u.Scheme)
	default:
		return refuse(addressHint, "%q is no http or https address", text)
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	switch {
	case u.Hostname() == "":
		return refuse(addressHint, "%q has no host", text)
	case u.RawQuery != "" || u.ForceQuery:
		return refuse(baseHint, "the address has a query")
	case strings.Contains(text, "#"):
		return refuse(baseHint, "the address has a fragment")
	case u.Port() != "" && (err != nil || port == 0):
		return refuse("a port is a number from 1 to 65535", "%s is no port", u.Port())
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), ":")
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") // a slash that is escaped stays
	u.Path, err = url.PathUnescape(u.RawPath)
	return u, err
}

// form is how the links of one variant look.
type form struct {
	base  string // without a slash at its end
	style string // a link style
	api   bool
}

// list returns the address of list page n, from 1.
func (f form) list(n int) string {
	name := "page-" + strconv.Itoa(n)
	if n == 1 {
		name = "index"
	}
	return f.address("", name, n)
}

func (f form) record(id string) string { return f.address(id+"/", "index", 1) }

func (f form) address(folder, name string, n int) string {
	address := f.base + "/pages/" + folder
	if f.style != LinksQuery {
		address += name + ending(f.api)
	}
	var query []string
	if f.api {
		query = append(query, "format=api")
	}
	if n > 1 {
		query = append(query, "page="+strconv.Itoa(n))
	}
	if f.style == LinksFile || len(query) == 0 {
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

// below reports whether a client may open an address: it is in plain characters, and
// below the base address without dot segments.
func below(base, address string) bool {
	rest, ok := strings.CutPrefix(address, base+"/")
	if !ok || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\\\"<>^`{|}#", r) }) {
		return false
	}
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Host == "" {
		return false
	}
	path, _, _ := strings.Cut(rest, "?")
	path, err = url.PathUnescape(path)
	return err == nil && isPath(strings.TrimSuffix(path, "/"))
}

// isPath reports whether a path has neither an empty segment nor a dot segment.
func isPath(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// sameQuery reports whether two addresses differ at most in the order of parameters.
func sameQuery(a, b string) bool {
	pathA, queryA, _ := strings.Cut(a, "?")
	pathB, queryB, _ := strings.Cut(b, "?")
	listA, listB := strings.Split(queryA, "&"), strings.Split(queryB, "&")
	slices.Sort(listA)
	slices.Sort(listB)
	return pathA == pathB && slices.Equal(listA, listB)
}

// ruleForLink returns the rule that a wrong link breaks: the most specific of those
// about links, or else that of its field. target returns the address of what the link
// leads to in any form.
func ruleForLink(field *Rule, f form, target func(form) string, came string) *Rule {
	if !below(f.base, came) {
		return ruleLinkBase
	}
	if sameQuery(target(f), came) {
		return ruleQueryOrder
	}
	for _, style := range []string{LinksQuery, LinksFile, LinksFileQuery} {
		for _, api := range []bool{f.api, !f.api} {
			switch {
			case style == f.style && api == f.api, !sameQuery(target(form{f.base, style, api}), came):
			case style != f.style:
				return ruleLinkStyle
			default:
				return ruleLinkVariant
			}
		}
	}
	return field
}

// cutPages cuts the address of a record, on whatever base, at "/pages/".
func cutPages(address string) (base, rest string, ok bool) {
	at := strings.LastIndex(address, "/pages/")
	if at < 0 {
		return "", "", false
	}
	return address[:at], address[at+len("/pages/"):], true
}

// idIn returns the text of the id in the address of a record, or "".
func idIn(address string) string {
	_, id, _ := cutPages(address)
	if end := strings.IndexAny(id, "/?#"); end >= 0 {
		id = id[:end]
	}
	return id
}

// id returns the id in the url of a record.
func (v *value) id() (id uuid.UUID, ok bool) {
	address, _ := v.string("url")
	return parseID(idIn(address))
}

// parseID reads the id of a record: 8-4-4-4-12 hexadecimal digits of either case.
func parseID(s string) (id uuid.UUID, ok bool) {
	if len(s) != len("00000000-0000-0000-0000-000000000000") {
		return id, false // uuid takes other forms, too
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}
