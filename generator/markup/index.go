package markup

import (
	"cmp"
	"path"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/page"
)

// Index knows where every page of a site is. It does not change, so any number
// of renderers may share it.
type Index struct {
	pages           []page.Record
	languages       []string
	defaultLanguage string
	leftOut         []string
	isSource        func(name string) bool
	tables          [tableCount]hashTable
}

// table is one of the ways in which an index finds pages.
type table uint64

const (
	tableURLs    table = iota // by meta.url
	tableStems                // by path without its ending
	tableLeftOut              // those that are left out, by path without its ending
	tableCount
)

// NewIndex returns an index of pages, whose numbers are their places in the
// list. The slices are kept, not copied. languages are those of the site,
// defaultLanguage the one that addresses without a language may mean, leftOut the
// paths of sources that are left out of the site, and isSource reports whether a
// name has the ending of a source.
func NewIndex(pages []page.Record, languages []string, defaultLanguage string, leftOut []string, isSource func(name string) bool) *Index {
	x := &Index{pages: pages, languages: languages, defaultLanguage: defaultLanguage, leftOut: leftOut, isSource: isSource}
	var filled sync.WaitGroup
	filled.Go(func() {
		x.tables[tableURLs] = newHashTable(len(pages), func(i int) (uint64, bool) {
			return tableURLs.keyOf(pages[i].URL, isSource), pages[i].URL != ""
		})
	})
	x.tables[tableStems] = newHashTable(len(pages), func(i int) (uint64, bool) {
		return tableStems.keyOf(pages[i].Path, isSource), true
	})
	x.tables[tableLeftOut] = newHashTable(len(leftOut), func(i int) (uint64, bool) {
		return tableLeftOut.keyOf(leftOut[i], isSource), true
	})
	filled.Wait()
	return x
}

// keyOf returns the hash under which a table has a page, given its meta.url or
// its path. It is the same on every machine.
func (t table) keyOf(s string, isSource func(name string) bool) uint64 {
	if t != tableURLs {
		s = stemOf(s, isSource)
	}
	return xxhash.Sum64String(norm.NFC.String(s))
}

// Dependency stands for one look into an index.
type Dependency uint32

// dependency returns what stands for asking a table for a hash. That two are the
// same by chance costs a page that is rendered in vain.
func (t table) dependency(hash uint64) Dependency {
	const golden = 0x9e3779b97f4a7c15
	return Dependency((hash + uint64(t)*golden) >> 32)
}

// stemOf returns a path without the ending of a source.
func stemOf(name string, isSource func(name string) bool) string {
	if isSource(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// Changes returns the dependencies that have changed between two builds: the
// look-ups that may give another result in an index of the pages and left-out paths
// now than in one of those before. All lists are sorted by path, and isSource is
// that of [NewIndex]. A body that has none of these dependencies (see
// [Result.Deps]), of a page whose own record is the same, has the links that it
// had; only the numbers of pages may be others.
func Changes(before, now []page.Record, leftOutBefore, leftOutNow []string, isSource func(name string) bool) map[Dependency]struct{} {
	changes := make(map[Dependency]struct{})
	add := func(t table, s string) { changes[t.dependency(t.keyOf(s, isSource))] = struct{}{} }
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
	merge(leftOutBefore, leftOutNow, func(a, b *string) int { return strings.Compare(*a, *b) }, func(a, b *string) {
		if a == nil || b == nil {
			add(tableLeftOut, *cmp.Or(a, b))
		}
	})
	return changes
}

// With returns an index of pages that has the tables of x. Between the pages of x,
// and the paths that it leaves out, and those given there are no [Changes].
func (x *Index) With(pages []page.Record, leftOut []string) *Index {
	same := *x
	same.pages, same.leftOut = pages, leftOut
	return &same
}

// merge walks two sorted lists side by side. It calls f with equal elements, and
// with nil for the list that lacks an element of the other.
func merge[T any](as, bs []T, compare func(a, b *T) int, f func(a, b *T)) {
	for len(as) > 0 || len(bs) > 0 {
		order := 0
		switch {
		case len(as) == 0:
			order = 1
		case len(bs) == 0:
			order = -1
		default:
			order = compare(&as[0], &bs[0])
		}
		var a, b *T
		if order <= 0 {
			a, as = &as[0], as[1:]
		}
		if order >= 0 {
			b, bs = &bs[0], bs[1:]
		}
		f(a, b)
	}
}

// hashTable leads from hashes to numbers. It holds no pointers: a large site has
// hundreds of thousands of entries.
type hashTable struct {
	slots []slot // a power of two, at most half of them taken
}

type slot struct {
	tag    uint32 // the upper half of the hash
	number int32  // from 1; 0 in a slot that is free
}

// newHashTable returns a table of the numbers below n for which key returns true.
func newHashTable(n int, key func(i int) (hash uint64, ok bool)) hashTable {
	size := 1
	for size < 2*n {
		size *= 2
	}
	t := hashTable{make([]slot, size)}
	for i := range n {
		h, ok := key(i)
		if !ok {
			continue
		}
		at := h & uint64(size-1)
		for t.slots[at].number != 0 {
			at = (at + 1) & uint64(size-1)
		}
		t.slots[at] = slot{uint32(h >> 32), int32(i + 1)}
	}
	return t
}

// appendFound appends the numbers that a hash leads to, in ascending order; a few
// of them may belong to other hashes.
func (t hashTable) appendFound(dst []int32, h uint64) []int32 {
	mask := uint64(len(t.slots) - 1)
	for at := h & mask; t.slots[at].number != 0; at = (at + 1) & mask {
		if t.slots[at].tag == uint32(h>>32) {
			dst = append(dst, t.slots[at].number-1)
		}
	}
	return dst
}
