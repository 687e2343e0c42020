package markup

import (
	"cmp"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/page"
)

// Index knows where every page of a site is. It does not change, so any number
// of renderers may share it.
type Index struct {
	Addressing
	pages     []*page.Record
	leftOut   []string
	aliases   []alias
	host      string            // of Addressing.Web, without "www."
	base      string            // the path of Addressing.Web, without a slash at its end
	languages map[string]string // by their names in paths and addresses, as they are and in lower case
	tables    [tableCount]lookup
}

// alias is a further address of a page.
type alias struct {
	page int32
	url  string
}

// table is a table of an index.
type table uint64

const (
	tableURLs    table = iota // by meta.url, and then by aliases
	tableStems                // by path without its ending
	tableLeftOut              // those that are left out, by path without its ending
	tableNames                // by name: see nameOf; only where Addressing.Refs is set
	tableCount
)

// NewIndex returns an index of pages, whose numbers are their indexes in the list, and of
// the paths of sources that are left out of the site. The slices are kept, not copied.
func NewIndex(pages []*page.Record, leftOut []string, a Addressing) *Index {
	x := &Index{Addressing: a, pages: pages, leftOut: leftOut, languages: maps.Clone(a.LanguageAliases)}
	if x.languages == nil {
		x.languages = make(map[string]string, len(a.Languages))
	}
	for _, language := range a.Languages {
		x.languages[strings.ToLower(language)], x.languages[language] = language, language
	}
	x.host, x.base, _ = strings.Cut(withoutScheme(a.Web), "/")
	x.base = strings.TrimSuffix("/"+x.base, "/")
	for i, p := range pages {
		for _, url := range p.Aliases {
			x.aliases = append(x.aliases, alias{int32(i), url})
		}
	}
	var filled sync.WaitGroup
	filled.Go(func() { x.fill(tableURLs, len(pages)+len(x.aliases), x.address) })
	x.fill(tableStems, len(pages), func(i int) string { return pages[i].Path })
	x.fill(tableLeftOut, len(leftOut), func(i int) string { return leftOut[i] })
	if a.Refs {
		x.fill(tableNames, len(pages), func(i int) string { return pages[i].Path })
	}
	filled.Wait()
	return x
}

// address returns what tableURLs has under a number.
func (x *Index) address(i int) string {
	if i < len(x.pages) {
		return x.pages[i].URL
	}
	return x.aliases[i-len(x.pages)].url
}

// Dependency stands for one look into an index. It is the same on every machine.
type Dependency uint32

// dependency returns the dependency of looking for a text, in NFC, in a table. Where two
// are the same by chance, a page is rendered in vain.
func (t table) dependency(s string) Dependency {
	const golden = 0x9e3779b97f4a7c15
	return Dependency((xxhash.Sum64String(s) + uint64(t)*golden) >> 32)
}

// dependencyOn returns the dependency under which a table has a page, given its
// meta.url or its path.
func (t table) dependencyOn(s string, isSource func(name string) bool) Dependency {
	switch t {
	case tableStems, tableLeftOut:
		s = stemOf(s, isSource)
	case tableNames:
		s, _, _ = strings.Cut(nameOf(stemOf(s, isSource)), ".") // what follows may be a language
	}
	return t.dependency(norm.NFC.String(s))
}

// nameOf returns the name by which a ref may name a page, given its path without its
// ending: its last segment, or that of the folder whose index it is.
func nameOf(stem string) string {
	folder, name := path.Split(stem)
	if plain, _, _ := strings.Cut(name, "."); folder != "" && (plain == "index" || plain == "_index") {
		return path.Base(folder)
	}
	return name
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
func Changes(before, now []*page.Record, leftOutBefore, leftOutNow []string, isSource func(name string) bool) map[Dependency]struct{} {
	changes := make(map[Dependency]struct{})
	add := func(t table, s string) { changes[t.dependencyOn(s, isSource)] = struct{}{} }
	merge(before, now, func(a, b *page.Record) int { return strings.Compare(a.Path, b.Path) }, func(a, b *page.Record) {
		if a != nil && b != nil && a.URL == b.URL && slices.Equal(a.Aliases, b.Aliases) {
			return
		}
		for _, p := range []*page.Record{a, b} {
			if p == nil {
				continue
			}
			add(tableStems, p.Path)
			add(tableNames, p.Path)
			for _, url := range append([]string{p.URL}, p.Aliases...) {
				if url != "" {
					add(tableURLs, url)
				}
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

// lookup is a hash table from dependencies to the numbers of pages. It holds no
// pointers: a large site has hundreds of thousands of entries. Numbers count from 1, and
// 0 is none.
type lookup struct {
	first []int32 // of a bucket: the dependency modulo the length, a power of two
	next  []int32 // in the same bucket, by number less 1
}

// fill fills a table with the numbers below n whose text is not "".
func (x *Index) fill(t table, n int, text func(i int) string) {
	const spread = 2 // so that few buckets have more than one
	l := lookup{make([]int32, 1<<bits.Len(uint(spread*n))), make([]int32, n)}
	for i := n - 1; i >= 0; i-- {
		if s := text(i); s != "" {
			first := l.at(t.dependencyOn(s, x.IsSource))
			l.next[i], *first = *first, int32(i+1)
		}
	}
	x.tables[t] = l
}

func (l lookup) at(d Dependency) *int32 { return &l.first[int(d)&(len(l.first)-1)] }

// after returns the number after i that may be that of the same text, or -1. They
// ascend.
func (l lookup) after(i int) int { return int(l.next[i]) - 1 }
