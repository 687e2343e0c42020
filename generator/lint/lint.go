// Package lint checks all pages of a site together: ids, topics and addresses that
// are used twice, and missing translations. [Check] runs the rules on a [Collection]
// and reports problems.
//
// A rule is a value in [Rules]; a new one is one new file and one line there. It
// declares which facts of a page it reads. The rules run again only where [Same]
// finds that one of these changed.
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

	Reads Facts // the facts that its problems depend on, beside the languages of the collection
	Check func(c *Collection, report func(diag.Diagnostic))
}

// Rules are all rules of this package, in the order of their reports.
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

// A groupKey says which pages are of a group: those with the same hash for which
// compare finds no difference. A hash that tells most groups apart makes it fast.
type groupKey struct {
	hash    func(p *page.Record) uint64
	compare func(a, b *page.Record) int
}

// eachDuplicate calls f with each page of a group but the first, in the order of
// their paths, and with that first one. The groups come in no order.
func (c *Collection) eachDuplicate(key groupKey, f func(first, p *page.Record)) {
	if !c.hasGroups(key) {
		return
	}
	order := c.sorted(key)
	first := 0
	for i := 1; i < len(order); i++ {
		if a, b := c.Pages[order[first]], c.Pages[order[i]]; key.compare(a, b) == 0 {
			f(a, b)
		} else {
			first = i
		}
	}
}

// hasGroups reports whether any two pages may be of a group. In a good site none are,
// for most rules, and numbers alone sort in no time.
func (c *Collection) hasGroups(key groupKey) bool {
	hashes := make([]uint64, len(c.Pages))
	for i := range hashes {
		hashes[i] = key.hash(c.Pages[i])
	}
	slices.Sort(hashes)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			return true
		}
	}
	return false
}

// sorted returns the indexes of all pages, those of a group next to each other and
// in the order of their paths.
func (c *Collection) sorted(key groupKey) []int32 {
	type hashed struct {
		hash  uint64
		index int32
	}
	list := make([]hashed, len(c.Pages))
	for i := range list {
		list[i] = hashed{key.hash(c.Pages[i]), int32(i)}
	}
	slices.SortFunc(list, func(a, b hashed) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Or(key.compare(c.Pages[a.index], c.Pages[b.index]), cmp.Compare(a.index, b.index))
	})
	indexes := make([]int32, len(list))
	for i := range indexes {
		indexes[i] = list[i].index
	}
	return indexes
}

// at returns the position of a place in a page's source, or of its first line.
func at(p *page.Record, place page.Place) diag.Position {
	return diag.Position{File: p.Path, Line: int(max(place.Line, 1)), Column: int(max(place.Column, 1))}
}

// isSameRecord reports whether two pages are one topic in one language, which
// is reported as such and needs no other report.
func isSameRecord(a, b *page.Record) bool {
	return a.Topic != "" && a.Topic == b.Topic && a.Language == b.Language
}

// byTopic groups the pages of one topic.
var byTopic = groupKey{
	func(p *page.Record) uint64 { return xxhash.Sum64String(p.Topic) },
	func(a, b *page.Record) int { return strings.Compare(a.Topic, b.Topic) },
}
