package markup

import (
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// The bounds of the search for a suggestion.
const (
	maxSiblings  = 10_000 // pages in one folder
	maxElsewhere = 100    // pages of one name in one language
	maxLink      = 300    // bytes of a link
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
	targets := make([]*missingTarget, len(links))
	siblings, elsewhere := candidates{}, candidates{}
	for i, l := range links {
		if t := targetOf(l, isSource); len(t.path) <= maxLink {
			targets[i] = t
			siblings[t.siblings], elsewhere[t.elsewhere] = &names{}, &names{}
		}
	}
	add := func(stem string, p *page.Record) {
		if stem == "" {
			return
		}
		inFolder, inLanguage := groupsOf(stem)
		siblings[inFolder].add(stem[len(inFolder[0]):], p, maxSiblings)
		if inFolder[0] != "" {
			elsewhere[inLanguage].add(stem, p, maxElsewhere)
		}
	}
	for i := range pages {
		stem := stemOf(pages[i].Path, isSource)
		add(stem, pages[i])
		if pages[i].URL != stem {
			add(pages[i].URL, pages[i])
		}
	}
	suggestions := make([]string, len(links))
	for i, t := range targets {
		if t == nil {
			continue
		}
		_, name := path.Split(t.stem)
		near := siblings[t.siblings]
		p := near.pages[diag.Closest(name, near.list)]
		if p == nil {
			p = elsewhere[t.elsewhere].nearest(t.stem)
		}
		if p != nil {
			suggestions[i] = t.linkTo(p, isSource)
		}
	}
	return suggestions
}

// missingTarget is where a missing link leads.
type missingTarget struct {
	from                string
	isRooted            bool
	path                string
	stem                string // the path without the ending of a source
	siblings, elsewhere group
}

func targetOf(l MissingLink, isSource func(name string) bool) *missingTarget {
	link := norm.NFC.String(l.Link)
	t := &missingTarget{from: l.From, isRooted: strings.HasPrefix(link, "/")}
	if !t.isRooted {
		link = path.Dir(l.From) + "/" + link
	}
	t.path = rooted(link)
	t.stem = stemOf(t.path, isSource)
	t.siblings, t.elsewhere = groupsOf(t.stem)
	return t
}

// linkTo returns the link to a page that is to be written in the place of the
// missing one.
func (t *missingTarget) linkTo(p *page.Record, isSource func(name string) bool) string {
	target := stemOf(p.Path, isSource)
	switch {
	case isSource(t.path):
		target = p.Path
	case t.isRooted && p.URL != "":
		target = p.URL
	}
	if !t.isRooted {
		if relative, err := filepath.Rel(filepath.FromSlash(path.Dir(t.from)), filepath.FromSlash(target)); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return "/" + target
}

// A group of pages has a folder, or a language and a name.
type group [2]string

func groupsOf(stem string) (siblings, elsewhere group) {
	folder, name := path.Split(stem)
	language, _, _ := strings.Cut(stem, "/")
	return group{folder}, group{language, name}
}

// candidates are the pages that missing links may mean, in their groups.
type candidates map[group]*names

// names are pages by a name or a path. A page may have two: that of its file, and
// that of its address.
type names struct {
	list  []string
	pages map[string]*page.Record
}

func (n *names) add(name string, p *page.Record, limit int) {
	if n == nil || len(n.list) == limit {
		return
	}
	if n.pages == nil {
		n.pages = map[string]*page.Record{}
	}
	n.list = append(n.list, name)
	n.pages[name] = p
}

// nearest returns the page whose path is nearest to a text, however far, or nil.
func (n *names) nearest(text string) *page.Record {
	best := ""
	for _, p := range n.list {
		if best == "" || diag.Distance(text, p) < diag.Distance(text, best) {
			best = p
		}
	}
	return n.pages[best]
}
