// Package lint checks all pages of a site together: ids, topics and addresses that
// are used twice, and missing translations. [Check] runs the rules on a [Collection]
// and reports problems.
//
// A rule is a value in [Rules]; a new one is one new file and one line there. It
// declares which facts of a page it reads. The rules run again only where [Same]
// finds that one of these changed.
package lint

import (
	"hash/maphash"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// Rule is one rule over all pages.
type Rule struct {
	*diag.Rule

	Reads Facts // the facts that its problems depend on, beside the languages of the collection
	Check func(c *Collection, report func(diag.Diagnostic))
}

// Rules are all rules of this package, in the order of their reports.
var Rules = []Rule{
	{duplicateID, Path | ID | IDPosition | Topic | Language, checkIDs},
	{duplicateRecord, Path | Topic | Language, checkTopics},
	{duplicateURL, Path | URL | URLPosition | Topic | Language, checkURLs},
	{missingTranslation, Path | Topic | Language, checkTranslations},
}

// Collection is all pages of a site, sorted by path, and its languages, of
// which the first is the reference language. No rule reads its stubs.
type Collection struct {
	Pages     []*page.Record
	Languages []string
	Stubs     []Stub
}

// Stub is a source that is left out until it is finished: a draft, or what skip_if leaves
// out.
type Stub struct {
	Topic, Language string
}

// Check runs all rules. Positions name files below the content folder.
func Check(c *Collection, report func(diag.Diagnostic)) {
	found := make([][]diag.Diagnostic, len(Rules))
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))       // each takes memory for the whole collection
	for i, rule := range slices.Backward(Rules) { // the last takes longest
		running.Go(func() error {
			rule.Check(c, func(d diag.Diagnostic) { found[i] = append(found[i], d) })
			return nil
		})
	}
	running.Wait()
	for _, list := range found {
		for _, d := range list {
			report(d)
		}
	}
}

// eachDuplicate calls f with each page that has the key of an earlier one, in the order
// of paths, and with the first of those. In a good site there are none, for most rules:
// then sorting hashes, which are numbers alone, is all it takes.
func eachDuplicate[K comparable](c *Collection, key func(p *page.Record) K, f func(first, p *page.Record)) {
	seed := maphash.MakeSeed()
	hashes := make([]uint64, len(c.Pages))
	for i, p := range c.Pages {
		hashes[i] = maphash.Comparable(seed, key(p))
	}
	slices.Sort(hashes)
	repeated := map[uint64]bool{}
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			repeated[hashes[i]] = true
		}
	}
	if len(repeated) == 0 {
		return
	}
	firsts := map[K]*page.Record{}
	for _, p := range c.Pages {
		k := key(p)
		if first := firsts[k]; first != nil {
			f(first, p)
		} else if repeated[maphash.Comparable(seed, k)] {
			firsts[k] = p
		}
	}
}

// at returns a position in the source of a page, by default its first line.
func at(p *page.Record, position page.Position) diag.Position {
	return diag.Position{File: p.Path, Line: int(max(position.Line, 1)), Column: int(max(position.Column, 1))}
}

// isSameRecord reports whether two pages are one topic in one language, which
// is reported as such and needs no other report.
func isSameRecord(a, b *page.Record) bool {
	return a.Topic != "" && a.Topic == b.Topic && a.Language == b.Language
}

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
	Aliases
	Created
	Modified
	Text
	IDPosition
	URLPosition
)

// agree reports whether two pages are the same in these facts.
func (f Facts) agree(a, b *page.Record) bool {
	return (f&Path == 0 || a.Path == b.Path) &&
		(f&ID == 0 || a.ID == b.ID) &&
		(f&Language == 0 || a.Language == b.Language) &&
		(f&Kind == 0 || a.Kind == b.Kind) &&
		(f&Topic == 0 || a.Topic == b.Topic) &&
		(f&URL == 0 || a.URL == b.URL) &&
		(f&Aliases == 0 || slices.Equal(a.Aliases, b.Aliases)) &&
		(f&Created == 0 || a.Created == b.Created) &&
		(f&Modified == 0 || a.Modified == b.Modified) &&
		(f&Text == 0 || a.Text == b.Text) &&
		(f&IDPosition == 0 || a.IDPosition == b.IDPosition) &&
		(f&URLPosition == 0 || a.URLPosition == b.URLPosition)
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
