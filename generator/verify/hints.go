package verify

import (
	"net/url"
	"strings"
)

// hintLinks names what all links of a first list page have in common, where that
// is not what is due.
func (w *walk) hintLinks(l *list) {
	base, style := "", ""
	for i := range l.results {
		came, _ := l.results[i].string("url")
		at := strings.LastIndex(came, "/pages/")
		if at < 0 || i > 0 && (came[:at] != base || w.styleOf(came, l.next) != style) {
			return
		}
		base, style = came[:at], w.styleOf(came, l.next)
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.User != nil {
		return
	}
	if base != w.base {
		w.hint("all links begin with " + base + ": give that address, or build with --base-url " + w.base)
	}
	if style != "" && style != w.Links {
		w.hint("all links are of the style " + style + ": give --links " + style)
	}
}

// styleOf tells the link style of a list page by the address of a record and
// next. It is "" where both styles with files have these: one plain list page.
func (w *walk) styleOf(record, next string) string {
	switch {
	case !namesFile(record):
		return LinksQuery
	case strings.Contains(record+next, "?"):
		return LinksFileQuery
	case w.form.api || next != "":
		return LinksFile
	}
	return ""
}

func namesFile(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.HasSuffix(path, ".json")
}

// hasFileLinks reports whether the records of a list page, if there are any,
// have addresses that name files.
func hasFileLinks(root *value) bool {
	results, ok := root.get("results")
	if !ok || len(results.items) == 0 {
		return true
	}
	came, _ := results.items[0].string("url")
	return namesFile(came)
}
