package preview

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"example.org/sivu/generator/api"
)

// target is how a request of the contract is answered: with a file of the
// snapshot, or with a status that needs none.
type target struct {
	status   int
	file     string // with status 200: below the root of the snapshot; "" is the answer to OPTIONS
	location string // with status 308
}

var (
	notFound   = target{status: http.StatusNotFound}
	notAllowed = target{status: http.StatusMethodNotAllowed}
	options    = target{status: http.StatusOK}
)

// route maps a request to its answer (DESIGN.md, the files of a snapshot). The
// path is the escaped one. The file is always one that a snapshot can have, but
// this one need not have it.
func route(method, path, rawQuery string) target {
	switch method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		return options
	default:
		return notAllowed
	}
	rest, ok := belowPages(path)
	if !ok {
		return notFound
	}
	if rest == "" {
		return redirect(api.Folder, rawQuery)
	}
	rest = rest[1:]
	name, inside, slash := strings.Cut(rest, "/")
	switch {
	case rest == "":
		return listTarget(parseQuery(rawQuery))
	case isID(name) && !slash:
		return redirect(api.Folder+"/"+name, rawQuery)
	case isID(name):
		return recordTarget(name, inside, rawQuery)
	case !slash:
		return listFileTarget(name)
	}
	return notFound
}

// belowPages returns what follows "/pages" in an escaped path: nothing, or what
// begins with a slash. An escaped slash is none.
func belowPages(escaped string) (string, bool) {
	path, err := url.PathUnescape(escaped)
	if err != nil || strings.Count(path, "/") != strings.Count(escaped, "/") {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, "/"+api.Folder)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// redirect sends the address of a folder to the one with the slash. The path is
// one of a closed set, and the query has what a header cannot hold escaped.
func redirect(path, rawQuery string) target {
	location := "/" + path + "/"
	if rawQuery != "" {
		location += "?" + escapeForHeader(rawQuery)
	}
	return target{status: http.StatusPermanentRedirect, location: location}
}

func escapeForHeader(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > ' ' && c < 0x7F {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

// query is what a query asks for.
type query struct {
	page    string
	paged   bool // there is a page parameter
	variant api.Variant
}

// parseQuery reads the parameters that count. Of a repeated one the last does,
// and others are passed over, also those that merely look alike.
func parseQuery(raw string) query {
	var q query
	for parameter := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		switch unescape(name) {
		case "page":
			q.page, q.paged = unescape(value), true
		case "format":
			q.variant = api.Plain
			if unescape(value) == "api" {
				q.variant = api.API
			}
		}
	}
	return q
}

// unescape returns text as it is where it is not rightly escaped.
func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func listTarget(q query) target {
	if !q.paged {
		return fileTarget(api.IndexName(q.variant))
	}
	n, ok := pageNumber(q.page)
	if !ok {
		return notFound
	}
	return fileTarget(api.ListName(n, q.variant))
}

// listFileTarget finds the file of a list page by its own name.
func listFileTarget(name string) target {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, "page-"), ".")
	n, numbered := pageNumber(digits)
	for _, v := range api.Variants {
		if name == api.IndexName(v) || numbered && name == api.ListName(n, v) {
			return fileTarget(name)
		}
	}
	return notFound
}

// recordTarget finds a record by the address of its folder or of a file in it.
func recordTarget(id, inside, rawQuery string) target {
	if inside == "" {
		inside = api.IndexName(parseQuery(rawQuery).variant)
	}
	for _, v := range api.Variants {
		if inside == api.IndexName(v) {
			return fileTarget(id + "/" + inside)
		}
	}
	return notFound
}

func fileTarget(name string) target {
	return target{status: http.StatusOK, file: api.Folder + "/" + name}
}

// pageNumber reads [1-9][0-9]{0,8}.
func pageNumber(s string) (int, bool) {
	const longest = 9
	if s == "" || len(s) > longest || s[0] == '0' {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// isID reports whether s is the identifier of a record as addresses have it:
// 8-4-4-4-12 hexadecimal digits in lower case.
func isID(s string) bool {
	const form = "00000000-0000-0000-0000-000000000000"
	if len(s) != len(form) {
		return false
	}
	for i, c := range []byte(s) {
		hyphen := c == '-'
		hex := c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
		if (form[i] == '-') != hyphen || !hyphen && !hex {
			return false
		}
	}
	return true
}
