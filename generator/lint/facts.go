package lint

import (
	"slices"

	"example.org/sivu/generator/page"
)

// Facts is a set of facts about a page that a rule may read.
type Facts uint16

// The facts, in the order of the fields of page.Record.
const (
	Path Facts = 1 << iota
	ID
	Language
	Kind
	Topic
	URL
	Created
	Modified
	IDPlace
	URLPlace
)

// agree reports whether two pages are the same in these facts.
func (f Facts) agree(a, b *page.Record) bool {
	return (f&Path == 0 || a.Path == b.Path) &&
		(f&ID == 0 || a.ID == b.ID) &&
		(f&Language == 0 || a.Language == b.Language) &&
		(f&Kind == 0 || a.Kind == b.Kind) &&
		(f&Topic == 0 || a.Topic == b.Topic) &&
		(f&URL == 0 || a.URL == b.URL) &&
		(f&Created == 0 || a.Created == b.Created) &&
		(f&Modified == 0 || a.Modified == b.Modified) &&
		(f&IDPlace == 0 || a.IDPlace == b.IDPlace) &&
		(f&URLPlace == 0 || a.URLPlace == b.URLPlace)
}

// Same reports whether all rules find the same in two collections: whether these
// agree in all that any of the rules reads.
func Same(a, b *Collection) bool {
	if len(a.Pages) != len(b.Pages) || !slices.Equal(a.Languages, b.Languages) {
		return false
	}
	var read Facts
	for _, rule := range Rules {
		read |= rule.Reads
	}
	for i := range a.Pages {
		if !read.agree(a.Pages[i], b.Pages[i]) {
			return false
		}
	}
	return true
}
