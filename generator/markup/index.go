package markup

import (
	"cmp"
	"hash/maphash"
	"path"
	"slices"
	"strings"

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
	urls            []indexKey // by meta.url
	stems           []indexKey // by path without its ending
	leftOutStems    []indexKey
}

// An indexKey leads from a hash to the number of a page. Pages are compared
// once found, so equal hashes only cost time.
type indexKey struct {
	hash uint64
	page int32
}

// NewIndex returns an index of pages, whose numbers are their places in the
// list. The slices are kept, not copied. languages are those of the site,
// defaultLanguage the one that addresses without a language may mean, and
// leftOut the paths of sources that are left out of the site.
func NewIndex(pages []page.Record, languages []string, defaultLanguage string, leftOut []string) *Index {
	x := &Index{pages: pages, languages: languages, defaultLanguage: defaultLanguage, leftOut: leftOut}
	x.urls = make([]indexKey, 0, len(pages))
	x.stems = make([]indexKey, len(pages))
	for i, p := range pages {
		if p.URL != "" {
			x.urls = append(x.urls, indexKey{hashOf(norm.NFC.String(p.URL)), int32(i)})
		}
		x.stems[i] = indexKey{hashOf(norm.NFC.String(stemOf(p.Path))), int32(i)}
	}
	x.leftOutStems = make([]indexKey, len(leftOut))
	for i, p := range leftOut {
		x.leftOutStems[i] = indexKey{hashOf(norm.NFC.String(stemOf(p))), int32(i)}
	}
	for _, keys := range [][]indexKey{x.urls, x.stems, x.leftOutStems} {
		slices.SortFunc(keys, func(a, b indexKey) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.page, b.page))
		})
	}
	return x
}

var indexSeed = maphash.MakeSeed()

func hashOf(s string) uint64 { return maphash.String(indexSeed, s) }

// asker asks an index, and notes what it asked.
type asker struct {
	*Index

	asked []uint64 // hashes of the questions
}

// table is one of the ways in which an index finds pages.
type table uint64

const (
	tableURLs table = iota + 1
	tableStems
	tableLeftOut
)

func (x *Index) keys(t table) []indexKey {
	return [...][]indexKey{tableURLs: x.urls, tableStems: x.stems, tableLeftOut: x.leftOutStems}[t]
}

// question returns what stands for asking a table for a hash.
func (t table) question(hash uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return hash + uint64(t)*golden
}

// candidates returns the keys of a table that have the hash of s.
func (x *asker) candidates(t table, s string) []indexKey {
	h, keys := hashOf(s), x.keys(t)
	x.asked = append(x.asked, t.question(h))
	i, _ := slices.BinarySearchFunc(keys, h, func(k indexKey, h uint64) int { return cmp.Compare(k.hash, h) })
	n := i
	for n < len(keys) && keys[n].hash == h {
		n++
	}
	return keys[i:n]
}

// byURL returns the page of a meta.url in NFC, or -1.
func (x *asker) byURL(url string) int {
	for _, k := range x.candidates(tableURLs, url) {
		if norm.NFC.String(x.pages[k.page].URL) == url {
			return int(k.page)
		}
	}
	return -1
}

// bySource returns the page of a path in NFC, or -1. The path may have the
// ending of a source or none; one whose source has another ending is second
// best.
func (x *asker) bySource(name string) int {
	stem, found := stemOf(name), -1
	for _, k := range x.candidates(tableStems, stem) {
		p := norm.NFC.String(x.pages[k.page].Path)
		if p == name {
			return int(k.page)
		}
		if found < 0 && stemOf(p) == stem {
			found = int(k.page)
		}
	}
	return found
}

// isLeftOut reports whether a path, with or without an ending, is that of a
// source that the site leaves out.
func (x *asker) isLeftOut(name string) bool {
	stem := stemOf(name)
	return slices.ContainsFunc(x.candidates(tableLeftOut, stem), func(k indexKey) bool {
		return norm.NFC.String(stemOf(x.leftOut[k.page])) == stem
	})
}

// beginsWithLanguage reports whether the first segment of a path is one of the
// site's languages.
func (x *Index) beginsWithLanguage(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(x.languages, first)
}

// sourceEndings are the endings that sources have.
var sourceEndings = []string{".html", ".htm", ".md", ".markdown"}

func hasSourceEnding(name string) bool { return slices.Contains(sourceEndings, path.Ext(name)) }

// stemOf returns a path without the ending of a source.
func stemOf(name string) string {
	if hasSourceEnding(name) {
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
