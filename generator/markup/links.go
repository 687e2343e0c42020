package markup

import (
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/page"
)

// What resolve returns for a path that leads to no page.
const (
	toAsset   = -1 - iota // a file beside the pages
	toMissing             // a page that is not there
	toLeftOut             // a page that is left out of the site
)

// resolve returns the number of the page where a path in a link leads. The path is
// decoded; one that begins with a slash starts at the root of the site, another at
// the folder of the page's source.
func (c *cleaner) resolve(p string) int {
	p = norm.NFC.String(p)
	if c.isRef {
		return c.resolveRef(p)
	}
	if strings.HasPrefix(p, "/") {
		return c.resolveRooted(rooted(p))
	}
	page := c.index.pages[c.from]
	name := rooted("/" + path.Dir(page.Path) + "/" + p)
	target := c.source(name, page.Language)
	if target < 0 && page.URL != "" && !c.index.isSource(p) {
		target = c.byURL(norm.NFC.String(rooted("/" + path.Dir(page.URL) + "/" + p)))
	}
	switch {
	case target >= 0:
		return target
	case c.isLeftOut(name):
		return toLeftOut
	case c.index.isSource(p), !hasFileEnding(name) && c.index.beginsWithLanguage(name):
		return toMissing
	}
	// As the address of a file it would begin at the root. There it may mean
	// a page, and it has to mean the same whichever way it is written.
	return c.resolveRooted(name)
}

// resolveRooted is resolve for a path from the root of the site.
func (c *cleaner) resolveRooted(name string) int {
	language := c.index.pages[c.from].Language
	names := append(make([]string, 0, 3), name)
	if !c.index.beginsWithLanguage(name) {
		for _, l := range [...]string{language, c.index.defaultLanguage} {
			if l != "" {
				names = append(names, rooted("/"+l+"/"+name))
			}
		}
	}
	for _, name := range names {
		if target := c.byURL(name); target >= 0 {
			return target
		}
		if target := c.source(name, language); target >= 0 {
			return target
		}
	}
	switch {
	case slices.ContainsFunc(names, c.isLeftOut):
		return toLeftOut
	case c.index.beginsWithLanguage(name) && (c.index.isSource(name) || !hasFileEnding(name)):
		return toMissing
	}
	return toAsset
}

// source returns the page whose source a path means, or -1: the path itself,
// the index of a folder, or the path with the page's language as its suffix.
func (c *cleaner) source(name, language string) int {
	target := c.bySource(name)
	for _, index := range [...]string{"/index", "/_index"} {
		if target < 0 && !hasFileEnding(name) {
			target = c.bySource(strings.TrimPrefix(name+index, "/"))
		}
	}
	if target < 0 && language != "" && (c.index.isSource(name) || !hasFileEnding(name)) {
		target = c.bySource(stemOf(name, c.index.isSource) + "." + language)
	}
	return target
}

// rooted returns a path that begins with a slash without empty, "." and ".." segments,
// and without a slash at either end. A ".." at the root stays there.
func rooted(p string) string { return path.Clean(p)[1:] }

// look returns the first of the numbers that a table has under s, or -1: see
// [lookup.after].
func (c *cleaner) look(t table, s string) int {
	d := t.dependency(s)
	c.res.Deps = append(c.res.Deps, d)
	return int(*c.index.tables[t].at(d)) - 1
}

// byURL returns the page of a meta.url in NFC, or -1.
func (c *cleaner) byURL(url string) int {
	for i := c.look(tableURLs, url); i >= 0; i = c.index.tables[tableURLs].after(i) {
		if norm.NFC.String(c.index.pages[i].URL) == url {
			return i
		}
	}
	return -1
}

// bySource returns the page of a path in NFC, or -1. The path may have the
// ending of a source or none; one whose source has another ending is second
// best.
func (c *cleaner) bySource(name string) int {
	stem, found := stemOf(name, c.index.isSource), -1
	for i := c.look(tableStems, stem); i >= 0; i = c.index.tables[tableStems].after(i) {
		p := c.index.pages[i].Path
		if p == name {
			return i
		}
		if p = norm.NFC.String(p); p == name {
			return i
		}
		if found < 0 && stemOf(p, c.index.isSource) == stem {
			found = i
		}
	}
	return found
}

// isLeftOut reports whether a path, with or without an ending, is that of a source
// that the site leaves out, or of a folder whose index it leaves out.
func (c *cleaner) isLeftOut(name string) bool {
	for _, name := range [...]string{name, name + "/index"} {
		stem := stemOf(name, c.index.isSource)
		for i := c.look(tableLeftOut, stem); i >= 0; i = c.index.tables[tableLeftOut].after(i) {
			if norm.NFC.String(stemOf(c.index.leftOut[i], c.index.isSource)) == stem {
				return true
			}
		}
	}
	return false
}

// beginsWithLanguage reports whether the first segment of a path is one of the
// site's languages.
func (x *Index) beginsWithLanguage(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(x.languages, first)
}

// hasFileEnding reports whether the last segment of a path ends like the name
// of a file: a name, a dot, then one to five letters or digits with a letter among
// them.
func hasFileEnding(name string) bool {
	ending := path.Ext(name)
	if len(ending) < 2 || len(ending) > 6 || len(ending) == len(path.Base(name)) {
		return false
	}
	return strings.Trim(ending[1:], letters+digits) == "" && strings.Trim(ending[1:], digits) != ""
}

// Index knows where every page of a site is. It does not change, so any number
// of renderers may share it.
type Index struct {
	pages           []*page.Record
	languages       []string
	defaultLanguage string
	leftOut         []string
	isSource        func(name string) bool
	tables          [tableCount]lookup
	names           func() lookup // by the name of the file without its ending
}

// table is a table of an index.
type table uint64

const (
	tableURLs    table = iota // by meta.url
	tableStems                // by path without its ending
	tableLeftOut              // those that are left out, by path without its ending
	tableCount
	tableNames // made when it is first needed: few sites do
)

// NewIndex returns an index of pages, whose numbers are their indexes in the list. The
// slices are kept, not copied. languages are those of the site, defaultLanguage is the
// one that addresses without a language may mean, leftOut are the paths of sources that
// are left out of the site, and isSource reports whether a name has the ending of a
// source.
func NewIndex(pages []*page.Record, languages []string, defaultLanguage string, leftOut []string, isSource func(name string) bool) *Index {
	x := &Index{pages: pages, languages: languages, defaultLanguage: defaultLanguage, leftOut: leftOut, isSource: isSource}
	var filled sync.WaitGroup
	filled.Go(func() { x.fill(tableURLs, len(pages), func(i int) string { return pages[i].URL }) })
	x.fill(tableStems, len(pages), func(i int) string { return pages[i].Path })
	x.fill(tableLeftOut, len(leftOut), func(i int) string { return leftOut[i] })
	filled.Wait()
	x.names = sync.OnceValue(func() lookup {
		return x.lookup(tableNames, len(pages), func(i int) string { return path.Base(pages[i].Path) })
	})
	return x
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
	if t != tableURLs {
		s = stemOf(s, isSource)
	}
	return t.dependency(norm.NFC.String(s))
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
		if a != nil && b != nil && a.URL == b.URL && a.Language == b.Language {
			return
		}
		for _, p := range []*page.Record{a, b} {
			if p != nil {
				add(tableStems, p.Path)
				add(tableNames, path.Base(p.Path))
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

// lookup is a hash table from dependencies to the numbers of pages. It holds no
// pointers: a large site has hundreds of thousands of entries. Numbers count from 1, and
// 0 is none.
type lookup struct {
	first []int32 // of a bucket: the dependency modulo the length, a power of two
	next  []int32 // in the same bucket, by number less 1
}

// fill fills a table with the numbers below n whose text is not "".
func (x *Index) fill(t table, n int, text func(i int) string) { x.tables[t] = x.lookup(t, n, text) }

func (x *Index) lookup(t table, n int, text func(i int) string) lookup {
	const spread = 2 // so that few buckets have more than one
	l := lookup{make([]int32, 1<<bits.Len(uint(spread*n))), make([]int32, n)}
	for i := n - 1; i >= 0; i-- {
		if s := text(i); s != "" {
			first := l.at(t.dependencyOn(s, x.isSource))
			l.next[i], *first = *first, int32(i+1)
		}
	}
	return l
}

func (l lookup) at(d Dependency) *int32 { return &l.first[int(d)&(len(l.first)-1)] }

// after returns the number after i that may be that of the same text, or -1. They
// ascend.
func (l lookup) after(i int) int { return int(l.next[i]) - 1 }
