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
	Folder string // of the source that it is in
	Link   string // as in [Problem.Missing]
}

// Suggest returns for each link the link that its author most likely meant, or "". It
// leads to a page of the same folder with a similar name, or to one of the same name in
// another folder of the language. isSource is that of [NewIndex]. One pass over the pages
// serves all links.
func Suggest(pages []*page.Record, isSource func(name string) bool, links []MissingLink) []string {
	groups := map[group]*names{}
	targets := make([]string, len(links))
	for i, l := range links {
		if targets[i] = l.target(); len(targets[i]) <= maxLink {
			siblings, elsewhere := groupsOf(stemOf(targets[i], isSource))
			groups[siblings], groups[elsewhere] = &names{pages: map[string]*page.Record{}}, &names{pages: map[string]*page.Record{}}
		}
	}
	add := func(stem string, p *page.Record) {
		if stem == "" {
			return
		}
		siblings, elsewhere := groupsOf(stem)
		folder := siblings[0]
		groups[siblings].add(stem[len(folder):], p, maxSiblings)
		if folder != "" {
			groups[elsewhere].add(stem, p, maxElsewhere)
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
	for i, target := range targets {
		if len(target) > maxLink {
			continue
		}
		stem := stemOf(target, isSource)
		siblings, elsewhere := groupsOf(stem)
		near := groups[siblings]
		p := near.pages[diag.Closest(stem[len(siblings[0]):], near.list)]
		if p == nil {
			p = groups[elsewhere].nearest(stem)
		}
		if p != nil {
			suggestions[i] = links[i].to(p, isSource(target), isSource)
		}
	}
	return suggestions
}

func (l MissingLink) isRooted() bool { return strings.HasPrefix(l.Link, "/") }

// target returns the path, from the root, that the link leads to.
func (l MissingLink) target() string {
	link := norm.NFC.String(l.Link)
	if !l.isRooted() {
		link = "/" + l.Folder + "/" + link
	}
	return rooted(link)
}

// to returns the link to a page, in the form of the missing one.
func (l MissingLink) to(p *page.Record, withEnding bool, isSource func(name string) bool) string {
	target := stemOf(p.Path, isSource)
	switch {
	case withEnding:
		target = p.Path
	case l.isRooted() && p.URL != "":
		target = p.URL
	}
	if !l.isRooted() {
		if relative, err := filepath.Rel(filepath.FromSlash(l.Folder), filepath.FromSlash(target)); err == nil {
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
	return group{folder}, group{language, "/" + name}
}

// names are the pages of a group by name or path. A page may have two: that of its
// file, and that of its address.
type names struct {
	list  []string
	pages map[string]*page.Record
}

func (n *names) add(name string, p *page.Record, limit int) {
	if n != nil && len(n.list) < limit {
		n.list = append(n.list, name)
		n.pages[name] = p
	}
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
