// Package lint judges a collection as a whole: what no page shows by itself.
//
// A rule is a value in [Rules]; a new one is one new file and one line there. It
// declares which facts of a page it reads: only where one of these changed are the
// rules run again.
package lint

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// Rule is one rule over all pages.
type Rule struct {
	*diag.Rule

	Reads Facts // what its findings depend on, beside the languages of the collection
	Check func(c *Collection, report func(diag.Diagnostic))
}

// Rules are all rules of this package, in the order of what they report.
var Rules = []Rule{
	{duplicateID, Path | ID | IDPlace | Topic | Language, checkIDs},
	{duplicateRecord, Path | Topic | Language, checkTopics},
	{duplicateURL, Path | URL | URLPlace | Topic | Language, checkURLs},
	{missingTranslation, Path | Topic | Language, checkTranslations},
}

// Collection is all pages of a site, sorted by path, and its languages, of
// which the first is the reference language.
type Collection struct {
	Pages     []*page.Record
	Languages []string
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

// kinship says which pages are of a group: those with the same hash for which
// order finds no difference. A hash that tells most groups apart makes it fast.
type kinship struct {
	hash  func(p *page.Record) uint64
	order func(a, b *page.Record) int
}

// eachGroup calls f with the places in c.Pages of every group of two or more
// pages, in no order of groups, but in each the earliest path first.
func (c *Collection) eachGroup(kin kinship, f func(places []int32)) {
	if !c.hasGroups(kin) {
		return
	}
	places := c.sorted(kin)
	for start := 0; start < len(places); {
		end := start + 1
		for end < len(places) && kin.order(c.Pages[places[start]], c.Pages[places[end]]) == 0 {
			end++
		}
		if end-start > 1 {
			f(places[start:end])
		}
		start = end
	}
}

// hasGroups reports whether any two pages may be of a group. In a good site none are,
// for most rules, and numbers alone sort in no time.
func (c *Collection) hasGroups(kin kinship) bool {
	hashes := make([]uint64, len(c.Pages))
	for i := range hashes {
		hashes[i] = kin.hash(c.Pages[i])
	}
	slices.Sort(hashes)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			return true
		}
	}
	return false
}

// sorted returns the places of all pages, those of a group next to each other and
// in the order of their paths.
func (c *Collection) sorted(kin kinship) []int32 {
	type hashed struct {
		hash  uint64
		place int32
	}
	list := make([]hashed, len(c.Pages))
	for i := range list {
		list[i] = hashed{kin.hash(c.Pages[i]), int32(i)}
	}
	slices.SortFunc(list, func(a, b hashed) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Or(kin.order(c.Pages[a.place], c.Pages[b.place]), cmp.Compare(a.place, b.place))
	})
	places := make([]int32, len(list))
	for i := range places {
		places[i] = list[i].place
	}
	return places
}

// at is the position of a place in a page's source, or of its first line.
func at(p *page.Record, place page.Place) diag.Position {
	return diag.Position{File: p.Path, Line: int(max(place.Line, 1)), Column: int(max(place.Column, 1))}
}

// isSameRecord reports whether two pages are one topic in one language, which
// is reported as such and needs no other report.
func isSameRecord(a, b *page.Record) bool {
	return a.Topic != "" && a.Topic == b.Topic && a.Language == b.Language
}

// topic makes groups of the pages of one topic.
var topic = kinship{
	func(p *page.Record) uint64 { return xxhash.Sum64String(p.Topic) },
	func(a, b *page.Record) int { return strings.Compare(a.Topic, b.Topic) },
}
