package markup

import (
	"strings"

	"example.org/sivu/generator/page"
)

// Changes returns the questions that an index of the pages now, and of the paths
// that are left out now, may answer in another way than one of those before. All
// lists are sorted by path, and isSource is that of [NewIndex]. A body that asked
// none of these questions (see [Result.Asked]), of a page whose own record is the
// same, has the links that it had; only the numbers of pages may be others.
func Changes(before, now []*page.Record, leftOutBefore, leftOutNow []string, isSource func(name string) bool) map[Question]struct{} {
	changes := make(map[Question]struct{})
	add := func(t table, s string) { changes[t.question(t.keyOf(s, isSource))] = struct{}{} }
	addPage := func(p *page.Record) {
		add(tableStems, p.Path)
		if p.URL != "" {
			add(tableURLs, p.URL)
		}
	}
	merge(len(before), len(now), func(i, j int) int { return strings.Compare(before[i].Path, now[j].Path) }, func(i, j int) {
		if i >= 0 && j >= 0 && before[i].URL == now[j].URL {
			return
		}
		if i >= 0 {
			addPage(before[i])
		}
		if j >= 0 {
			addPage(now[j])
		}
	})
	merge(len(leftOutBefore), len(leftOutNow), func(i, j int) int { return strings.Compare(leftOutBefore[i], leftOutNow[j]) }, func(i, j int) {
		switch {
		case i < 0:
			add(tableLeftOut, leftOutNow[j])
		case j < 0:
			add(tableLeftOut, leftOutBefore[i])
		}
	})
	return changes
}

// With returns an index of pages that has the tables of x. Between the pages of x,
// and the paths that it leaves out, and those given there are no [Changes].
func (x *Index) With(pages []*page.Record, leftOut []string) *Index {
	same := *x
	same.pages, same.leftOut = pages, leftOut
	return &same
}

// merge walks two sorted lists side by side. It calls f with the places of equal
// elements, and with -1 for the list that lacks an element of the other.
func merge(a, b int, compare func(i, j int) int, f func(i, j int)) {
	for i, j := 0, 0; i < a || j < b; {
		order := 0
		switch {
		case i == a:
			order = 1
		case j == b:
			order = -1
		default:
			order = compare(i, j)
		}
		switch {
		case order < 0:
			f(i, -1)
			i++
		case order > 0:
			f(-1, j)
			j++
		default:
			f(i, j)
			i, j = i+1, j+1
		}
	}
}
