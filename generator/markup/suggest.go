package markup

import (
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// A hint is not worth more than comparing so many names of pages in one folder, or
// of one name, with a link of so many bytes.
const (
	maxSiblings  = 10_000
	maxElsewhere = 100
	maxLink      = 300
)

// MissingLink is a link to a page that is not there.
type MissingLink struct {
	From string // the path of the source that it is in
	Link string // as in [Problem.Missing]
}

// Suggest returns for each link what its author most likely meant, as it is to be
// written in its place, or "". A page is meant whose name is near to the link's and
// which lies in the same folder, or which has the same name in another folder of the
// language. isSource is that of [NewIndex]. All links are looked for in one pass over
// the pages.
func Suggest(pages []*page.Record, isSource func(name string) bool, links []MissingLink) []string {
	targets := make([]missingTarget, len(links))
	known := candidates{siblings: map[string]*names{}, elsewhere: map[languageAndName]*names{}}
	for i, l := range links {
		targets[i] = targetOf(l, isSource)
		known.lookFor(&targets[i])
	}
	for i := range pages {
		stem := stemOf(pages[i].Path, isSource)
		known.add(stem, pages[i])
		if pages[i].URL != stem {
			known.add(pages[i].URL, pages[i])
		}
	}
	suggestions := make([]string, len(links))
	for i := range targets {
		if t := &targets[i]; !t.isTooLong {
			suggestions[i] = t.linkTo(known.closest(t), isSource)
		}
	}
	return suggestions
}

// missingTarget is where a missing link leads.
type missingTarget struct {
	MissingLink

	isRooted  bool
	isTooLong bool
	path      string
	stem      string // the path without the ending of a source
}

func targetOf(l MissingLink, isSource func(name string) bool) missingTarget {
	link := norm.NFC.String(l.Link)
	t := missingTarget{MissingLink: l, isRooted: strings.HasPrefix(link, "/")}
	if !t.isRooted {
		link = path.Dir(l.From) + "/" + link
	}
	t.path = rooted(link)
	t.stem, t.isTooLong = stemOf(t.path, isSource), len(t.path) > maxLink
	return t
}

// linkTo returns the link to a page that is to be written in the place of the
// missing one, or "" where there is no page.
func (t *missingTarget) linkTo(p *page.Record, isSource func(name string) bool) string {
	if p == nil {
		return ""
	}
	target := stemOf(p.Path, isSource)
	switch {
	case isSource(t.path):
		target = p.Path
	case t.isRooted && p.URL != "":
		target = p.URL
	}
	if !t.isRooted {
		if relative, err := filepath.Rel(filepath.FromSlash(path.Dir(t.From)), filepath.FromSlash(target)); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return "/" + target
}

// candidates are the pages that missing links may mean.
type candidates struct {
	siblings  map[string]*names          // by their last segments, for each folder
	elsewhere map[languageAndName]*names // by their paths
}

// languageAndName is the first and the last segment of a path.
type languageAndName struct{ language, name string }

// names are pages by a name or a path. A page may have two: that of its file, and
// that of its address.
type names struct {
	list []string
	page map[string]*page.Record
}

// lookFor has candidates gathered for a missing link.
func (c *candidates) lookFor(t *missingTarget) {
	if t.isTooLong {
		return
	}
	folder, of := split(t.stem)
	if c.siblings[folder] == nil {
		c.siblings[folder] = &names{page: map[string]*page.Record{}}
	}
	if c.elsewhere[of] == nil {
		c.elsewhere[of] = &names{page: map[string]*page.Record{}}
	}
}

// add takes in a page by a path, where a link is missing that may mean it.
func (c *candidates) add(known string, p *page.Record) {
	if known == "" {
		return
	}
	folder, of := split(known)
	c.siblings[folder].add(of.name, p, maxSiblings)
	if folder != "" {
		c.elsewhere[of].add(known, p, maxElsewhere)
	}
}

func (n *names) add(name string, p *page.Record, limit int) {
	if n != nil && len(n.list) < limit {
		n.list = append(n.list, name)
		n.page[name] = p
	}
}

// closest returns the page that a missing link most likely means, or nil.
func (c *candidates) closest(t *missingTarget) *page.Record {
	folder, of := split(t.stem)
	siblings, elsewhere := c.siblings[folder], c.elsewhere[of]
	if near := diag.Closest(of.name, siblings.list); near != "" {
		return siblings.page[near]
	}
	return elsewhere.page[closestPath(t.stem, elsewhere.list)]
}

func split(stem string) (folder string, of languageAndName) {
	folder, of.name = path.Split(stem)
	of.language, _, _ = strings.Cut(stem, "/")
	return folder, of
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
