package markup

import (
	"cmp"
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
	merge(before, now, func(a, b *page.Record) int { return strings.Compare(a.Path, b.Path) }, func(a, b *page.Record) {
		if a != nil && b != nil && a.URL == b.URL {
			return
		}
		for _, p := range []*page.Record{a, b} {
			if p != nil {
				add(tableStems, p.Path)
			}
			if p != nil && p.URL != "" {
				add(tableURLs, p.URL)
			}
		}
	})
	merge(leftOutBefore, leftOutNow, strings.Compare, func(a, b string) {
		if a == "" || b == "" {
			add(tableLeftOut, cmp.Or(a, b))
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

// merge walks two sorted lists side by side. It calls f with equal elements, and
// with the zero value, which no list has, for an element that one of them lacks.
func merge[T any](as, bs []T, compare func(a, b T) int, f func(a, b T)) {
	for len(as) > 0 || len(bs) > 0 {
		order := 0
		switch {
		case len(as) == 0:
			order = 1
		case len(bs) == 0:
			order = -1
		default:
			order = compare(as[0], bs[0])
		}
		var a, b T
		if order <= 0 {
			a, as = as[0], as[1:]
		}
		if order >= 0 {
			b, bs = bs[0], bs[1:]
		}
		f(a, b)
	}
}
