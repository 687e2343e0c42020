package markup

import (
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
	pages           []*page.Record
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
func NewIndex(pages []*page.Record, languages []string, defaultLanguage string, leftOut []string, isSource func(name string) bool) *Index {
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

// Question stands for one look into an index.
type Question uint32

// question returns what stands for asking a table for a hash. That two are the
// same by chance costs a page that is rendered in vain.
func (t table) question(hash uint64) Question {
	const golden = 0x9e3779b97f4a7c15
	return Question((hash + uint64(t)*golden) >> 32)
}

// candidates returns the pages that a table has under s, in their order.
// Strings are compared once found, so equal hashes only cost time.
func (c *cleaner) candidates(t table, s string) []int32 {
	h := xxhash.Sum64String(s)
	c.res.Asked = append(c.res.Asked, t.question(h))
	c.found = c.index.tables[t].appendFound(c.found[:0], h)
	return c.found
}

// byURL returns the page of a meta.url in NFC, or -1.
func (c *cleaner) byURL(url string) int {
	for _, i := range c.candidates(tableURLs, url) {
		if norm.NFC.String(c.index.pages[i].URL) == url {
			return int(i)
		}
	}
	return -1
}

// bySource returns the page of a path in NFC, or -1. The path may have the
// ending of a source or none; one whose source has another ending is second
// best.
func (c *cleaner) bySource(name string) int {
	stem, found := stemOf(name, c.index.isSource), -1
	for _, i := range c.candidates(tableStems, stem) {
		p := norm.NFC.String(c.index.pages[i].Path)
		if p == name {
			return int(i)
		}
		if found < 0 && stemOf(p, c.index.isSource) == stem {
			found = int(i)
		}
	}
	return found
}

// isLeftOut reports whether a path, with or without an ending, is that of a
// source that the site leaves out.
func (c *cleaner) isLeftOut(name string) bool {
	stem := stemOf(name, c.index.isSource)
	return slices.ContainsFunc(c.candidates(tableLeftOut, stem), func(i int32) bool {
		return norm.NFC.String(stemOf(c.index.leftOut[i], c.index.isSource)) == stem
	})
}

// beginsWithLanguage reports whether the first segment of a path is one of the
// site's languages.
func (x *Index) beginsWithLanguage(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(x.languages, first)
}

// stemOf returns a path without the ending of a source.
func stemOf(name string, isSource func(name string) bool) string {
	if isSource(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// hasFileEnding reports whether the last segment of a path ends like the name
// of a file: a name, a dot, then one to five letters or digits with a letter among
// them.
func hasFileEnding(name string) bool {
	ending := path.Ext(name)
	if len(ending) < 2 || len(ending) > 6 || len(ending) == len(path.Base(name)) {
		return false
	}
	letter := false
	for _, c := range []byte(ending[1:]) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letter = true
		case c < '0' || c > '9':
			return false
		}
	}
	return letter
}
