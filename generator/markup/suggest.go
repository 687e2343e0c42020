package markup

import (
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// A hint is not worth more than comparing so many pages of one folder, or of one
// name, with a link of so many bytes.
const (
	maxSiblings  = 10_000
	maxElsewhere = 100
	maxLink      = 300
)

// Suggest returns what the author of a link to a missing page most likely meant,
// as it is to be written in its place, or "". The link is one of
// [Problem.Missing], in the source at the path from. A page is meant whose name
// is near to the link's and which lies in the same folder, or which has the same
// name in another folder of the language. isSource is that of [NewIndex].
func Suggest(pages []page.Record, isSource func(name string) bool, from, link string) string {
	link = norm.NFC.String(link)
	isRooted := strings.HasPrefix(link, "/")
	wanted := rooted(link)
	if !isRooted {
		wanted = rooted(path.Dir(from) + "/" + link)
	}
	if len(wanted) > maxLink {
		return ""
	}
	stem := stemOf(wanted, isSource)
	folder, name := path.Split(stem)
	language, _, _ := strings.Cut(stem, "/")
	var siblings []string               // names of pages in the folder
	var elsewhere []string              // paths of pages of the same name
	pageOf := map[string]*page.Record{} // by either
	for i := range pages {
		for _, known := range [...]string{stemOf(pages[i].Path, isSource), pages[i].URL} {
			switch rest, ok := strings.CutPrefix(known, folder); {
			case known == "":
			case ok && !strings.Contains(rest, "/") && len(siblings) < maxSiblings:
				siblings = append(siblings, rest)
				pageOf[rest] = &pages[i]
			case len(elsewhere) < maxElsewhere && strings.HasSuffix(known, "/"+name) && strings.HasPrefix(known, language+"/"):
				elsewhere = append(elsewhere, known)
				pageOf[known] = &pages[i]
			}
		}
	}
	near := diag.Closest(name, siblings)
	if near == "" {
		near = closestPath(stem, elsewhere)
	}
	if near == "" {
		return ""
	}
	meant := pageOf[near]
	target := stemOf(meant.Path, isSource)
	switch {
	case isSource(wanted):
		target = meant.Path
	case isRooted && meant.URL != "":
		target = meant.URL
	}
	return linkTo(target, from, isRooted)
}

// closestPath returns the path that is nearest to a text, however far.
func closestPath(text string, paths []string) string {
	best := ""
	for _, p := range paths {
		if best == "" || diag.Distance(text, p) < diag.Distance(text, best) {
			best = p
		}
	}
	return best
}

// linkTo returns a link to a path from the source at another.
func linkTo(target, from string, isRooted bool) string {
	if !isRooted {
		if relative, err := filepath.Rel(filepath.FromSlash(path.Dir(from)), filepath.FromSlash(target)); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return "/" + target
}
