package markup

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// resolveRef returns the number of the page that ref of Hugo names with a path in NFC: from
// the root of the language's content, or relative to the page's folder, or by the name of
// its file alone.
func (c *cleaner) resolveRef(p string) int {
	from := c.index.pages[c.from]
	target := none
	if !strings.HasPrefix(p, "/") {
		if target = c.source(rooted("/"+path.Dir(from.Path)+"/"+p), from.Language); target == none {
			target = c.byName(p, from.Language)
		}
	}
	if target == none {
		target = c.resolveRooted(rooted("/" + p))
	}
	if target == toAsset {
		return toMissing
	}
	return target
}

// byName returns the page whose path ends with p, with or without the ending of a source,
// or none. One in that language comes first.
func (c *cleaner) byName(p, language string) int {
	stem := rooted("/" + stemOf(p, c.index.isSource))
	d := tableNames.dependency(path.Base(stem))
	c.res.Deps = append(c.res.Deps, d)
	names, found := c.index.names(), none
	for i := int(*names.at(d)) - 1; i >= 0; i = names.after(i) {
		page := c.index.pages[i]
		if !strings.HasSuffix("/"+norm.NFC.String(stemOf(page.Path, c.index.isSource)), "/"+stem) {
			continue
		}
		if page.Language == language {
			return i
		}
		if found == none {
			found = i
		}
	}
	return found
}
