package markup

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A destination is the kind of thing a relative address leads to.
type destination uint8

const (
	toAsset   destination = iota // a file beside the pages
	toPage                       // a page of the site
	toMissing                    // a page that is not there
	toLeftOut                    // a page that is left out of the site
)

// resolve returns where a path leads that stands in a link of page from, and
// the number of the page where it leads to one. The path is decoded; one that
// begins with a slash starts at the root of the site, another at the folder of
// the page's source.
func (c *cleaner) resolve(from int, p string) (destination, int) {
	p = norm.NFC.String(p)
	if rest, ok := strings.CutPrefix(p, "/"); ok {
		return c.resolveRooted(from, rooted(rest))
	}
	page := c.index.pages[from]
	name := rooted(path.Dir(page.Path) + "/" + p)
	target := c.source(name, page.Language)
	if target < 0 && page.URL != "" && !c.index.isSource(p) {
		target = c.byURL(norm.NFC.String(rooted(path.Dir(page.URL) + "/" + p)))
	}
	switch {
	case target >= 0:
		return toPage, target
	case c.isLeftOut(name) || c.isLeftOut(name+"/index"):
		return toLeftOut, 0
	case c.index.isSource(p), !hasFileEnding(name) && c.index.beginsWithLanguage(name):
		return toMissing, 0
	}
	// As the address of a file it would begin at the root. There it may mean
	// a page, and it has to mean the same whichever way it is written.
	return c.resolveRooted(from, name)
}

// resolveRooted is resolve for a path from the root of the site.
func (c *cleaner) resolveRooted(from int, name string) (destination, int) {
	names := [3]string{name}
	n := 1
	language := c.index.pages[from].Language
	if !c.index.beginsWithLanguage(name) {
		for _, l := range [...]string{language, c.index.defaultLanguage} {
			if l != "" {
				names[n] = rooted(l + "/" + name)
				n++
			}
		}
	}
	for _, name := range names[:n] {
		if target := c.byURL(name); target >= 0 {
			return toPage, target
		}
		if target := c.source(name, language); target >= 0 {
			return toPage, target
		}
	}
	for _, name := range names[:n] {
		if c.isLeftOut(name) || c.isLeftOut(name+"/index") {
			return toLeftOut, 0
		}
	}
	if c.index.beginsWithLanguage(name) && (c.index.isSource(name) || !hasFileEnding(name)) {
		return toMissing, 0
	}
	return toAsset, 0
}

// source returns the page whose source a path means, or -1: the path itself,
// the index of a folder, or the path with the page's language as its suffix.
func (c *cleaner) source(name, language string) int {
	target := c.bySource(name)
	if target < 0 && !hasFileEnding(name) {
		target = c.bySource(strings.TrimPrefix(name+"/index", "/"))
	}
	if target < 0 && !hasFileEnding(name) {
		target = c.bySource(strings.TrimPrefix(name+"/_index", "/"))
	}
	if target < 0 && language != "" && (c.index.isSource(name) || !hasFileEnding(name)) {
		target = c.bySource(stemOf(name, c.index.isSource) + "." + language)
	}
	return target
}

// rooted returns a path without empty, "." and ".." segments, and without a
// slash at either end. A ".." at the root stays there.
func rooted(p string) string { return path.Clean("/" + p)[1:] }

// candidates returns the pages that a table has under s, in their order.
// Strings are compared once found, so equal dependencies only cost time.
func (c *cleaner) candidates(t table, s string) []int32 {
	d := t.dependency(s)
	c.res.Deps = append(c.res.Deps, d)
	c.found = c.index.tables[t].appendFound(c.found[:0], d)
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

// hasFileEnding reports whether the last segment of a path ends like the name
// of a file: a name, a dot, then one to five letters or digits with a letter among
// them.
func hasFileEnding(name string) bool {
	ending := path.Ext(name)
	if len(ending) < 2 || len(ending) > 6 || len(ending) == len(path.Base(name)) {
		return false
	}
	letters := 0
	for _, c := range []byte(ending[1:]) {
		if !isAlphanumeric(c) {
			return false
		}
		if isLetter(c) {
			letters++
		}
	}
	return letters > 0
}
