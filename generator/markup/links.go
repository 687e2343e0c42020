package markup

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Addressing says how the site reads the addresses in its links.
type Addressing struct {
	Languages       []string          // the first is the reference language
	Default         string            // the language that an address without one may mean, after that of the page; "" for none
	Root            string            // the same, and the site serves its pages without a prefix; "" for none
	LanguageAliases map[string]string // other names of languages in paths and addresses, in lower case
	Web             string            // address of the site itself, with a slash at its end; "" for none
	FromPage        bool              // a relative address starts from that of its page, seen as a folder, not from its file
	Fallback        bool              // a link to a page that is not translated leads to the one in the reference language
	Refs            bool              // a link may be a ref: see resolveRef
	Exact           bool              // sources lie where the site serves them, so a path means the file that a server would send

	IsSource func(name string) bool // whether a name has the ending of a source
}

// What resolve returns for a path that leads to no page.
const (
	toAsset   = -1 - iota // a file beside the pages
	toMissing             // a page that is not there
	toLeftOut             // a page that is left out of the site
)

// resolve returns the number of the page where a path in a link leads. The path is
// decoded; one that begins with a slash starts at the root of the site, another at
// the folder of the page's source, or at the page's address.
func (c *cleaner) resolve(p string) int {
	p = norm.NFC.String(p)
	switch {
	case strings.HasPrefix(p, "/"):
		return c.resolveRooted(rooted(p))
	case c.startsAtAddress(p) && !c.index.Exact:
		return c.resolveRooted(c.fromAddress(p))
	}
	page := c.index.pages[c.from]
	name := rooted("/" + path.Dir(page.Path) + "/" + p)
	if c.index.Exact {
		return c.resolveRooted(name)
	}
	target := c.source(name, page.Language)
	if target < 0 && page.URL != "" && !c.index.IsSource(p) {
		target = c.byURL(norm.NFC.String(rooted("/" + path.Dir(page.URL) + "/" + p)))
	}
	if reference := c.index.inReference(name); target < 0 && reference != "" {
		target = c.source(reference, c.index.Languages[0])
	}
	switch {
	case target >= 0:
		return target
	case c.isLeftOut(name):
		return toLeftOut
	case c.index.IsSource(p), !hasFileEnding(name) && c.index.beginsWithLanguage(name):
		return toMissing
	}
	// As the address of a file it would begin at the root. There it may mean
	// a page, and it has to mean the same whichever way it is written.
	return c.resolveRooted(name)
}

// startsAtAddress reports whether a relative path starts at the address of its page.
func (c *cleaner) startsAtAddress(p string) bool {
	return c.index.FromPage && c.index.pages[c.from].URL != "" && !c.index.IsSource(p)
}

// fromAddress returns the path, from the root of the site, of one that starts at the
// address of its page.
func (c *cleaner) fromAddress(p string) string {
	name, _ := c.index.withRoot(norm.NFC.String(rooted("/" + c.index.served(c.index.pages[c.from].URL) + "/" + p)))
	return name
}

// withRoot returns a path at which the site serves a page with its language, and whether
// the path lacks it. Where sources lie as they are served, it is left as it is.
func (x *Index) withRoot(name string) (string, bool) {
	if x.Root == "" || x.beginsWithLanguage(name) {
		return name, false
	}
	if !x.Exact {
		name = strings.TrimSuffix(x.Root+"/"+name, "/")
	}
	return name, true
}

// resolveRooted is resolve for a path from the root of the site.
func (c *cleaner) resolveRooted(name string) int {
	language := c.index.pages[c.from].Language
	if c.index.Exact {
		language = ""
	}
	names := append(make([]string, 0, 4), name)
	prefix, rest := c.index.cutLanguage(name)
	for _, l := range [...]string{language, c.index.Root, c.index.Default} {
		if prefix == "" && l != "" {
			names = append(names, rooted("/"+l+"/"+name))
		}
	}
	if prefix != "" && !strings.HasPrefix(name, prefix) {
		names = append(names, rooted("/"+prefix+"/"+rest))
	}
	if c.index.Fallback {
		names = append(names, rooted("/"+c.index.Languages[0]+"/"+rest))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
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
	case (prefix != "" || c.index.Exact) && (c.index.IsSource(name) || !hasFileEnding(name)):
		return toMissing
	}
	return toAsset
}

// resolveRef is resolve for a path in a ref of Hugo, which names the source of a page,
// with its ending or without: from the content folder of the language where it begins
// with a slash; else from the folder of the page, then as with a slash, then by its name
// alone if only one page of the language has that.
func (c *cleaner) resolveRef(p string) int {
	p = norm.NFC.String(p)
	page := c.index.pages[c.from]
	var names []string
	if !strings.HasPrefix(p, "/") {
		names = append(names, rooted("/"+path.Dir(page.Path)+"/"+p))
	}
	if first, _, _ := strings.Cut(page.Path, "/"); c.index.beginsWithLanguage(first) {
		names = append(names, rooted("/"+first+"/"+p))
	}
	names = append(names, rooted("/"+p))
	for _, name := range names {
		if target := c.source(name, page.Language); target >= 0 {
			return target
		}
	}
	if !strings.HasPrefix(p, "/") {
		if target := c.byName(nameOf(stemOf(rooted("/"+p), c.index.IsSource)), page.Language); target >= 0 {
			return target
		}
	}
	for _, name := range names {
		if reference := c.index.inReference(name); reference != "" {
			if target := c.source(reference, c.index.Languages[0]); target >= 0 {
				return target
			}
		}
	}
	if slices.ContainsFunc(names, c.isLeftOut) {
		return toLeftOut
	}
	return toMissing
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
	if target < 0 && language != "" && (c.index.IsSource(name) || !hasFileEnding(name)) {
		target = c.bySource(stemOf(name, c.index.IsSource) + "." + language)
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

// byURL returns the page of a meta.url or an alias in NFC, or -1.
func (c *cleaner) byURL(url string) int {
	for i := c.look(tableURLs, url); i >= 0; i = c.index.tables[tableURLs].after(i) {
		if norm.NFC.String(c.index.address(i)) != url {
			continue
		}
		if n := i - len(c.index.pages); n >= 0 {
			return int(c.index.aliases[n].page)
		}
		return i
	}
	return -1
}

// byName returns the only page in a language that has a name in NFC (see nameOf), or -1.
func (c *cleaner) byName(name, language string) int {
	found := -1
	key, _, _ := strings.Cut(name, ".")
	for i := c.look(tableNames, key); i >= 0; i = c.index.tables[tableNames].after(i) {
		p := c.index.pages[i]
		its := norm.NFC.String(nameOf(stemOf(p.Path, c.index.IsSource)))
		if p.Language != language || its != name && its != name+"."+language {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// bySource returns the page of a path in NFC, or -1. The path may have the
// ending of a source or none; one whose source has another ending is second
// best.
func (c *cleaner) bySource(name string) int {
	stem, found := stemOf(name, c.index.IsSource), -1
	for i := c.look(tableStems, stem); i >= 0; i = c.index.tables[tableStems].after(i) {
		p := c.index.pages[i].Path
		if p == name {
			return i
		}
		if p = norm.NFC.String(p); p == name {
			return i
		}
		if found < 0 && stemOf(p, c.index.IsSource) == stem {
			found = i
		}
	}
	return found
}

// isLeftOut reports whether a path, with or without an ending, is that of a source
// that the site leaves out, or of a folder whose index it leaves out.
func (c *cleaner) isLeftOut(name string) bool {
	for _, name := range [...]string{name, name + "/index"} {
		stem := stemOf(name, c.index.IsSource)
		for i := c.look(tableLeftOut, stem); i >= 0; i = c.index.tables[tableLeftOut].after(i) {
			if norm.NFC.String(stemOf(c.index.leftOut[i], c.index.IsSource)) == stem {
				return true
			}
		}
	}
	return false
}

// cutLanguage returns the language that the first segment of a path names, or "", and
// the path after it.
func (x *Index) cutLanguage(p string) (language, rest string) {
	first, rest, _ := strings.Cut(p, "/")
	if language = x.languages[first]; language == "" {
		if language = x.languages[strings.ToLower(first)]; language == "" {
			rest = p
		}
	}
	return language, rest
}

// beginsWithLanguage reports whether the first segment of a path names one of the
// site's languages.
func (x *Index) beginsWithLanguage(p string) bool {
	language, _ := x.cutLanguage(p)
	return language != ""
}

// inReference returns the path of a source with the reference language in the place of
// the language that its first or second segment names, or "" where no link falls back to
// that.
func (x *Index) inReference(name string) string {
	if !x.Fallback {
		return ""
	}
	reference := x.Languages[0]
	if _, rest := x.cutLanguage(name); rest != name {
		return reference + "/" + rest
	}
	first, below, _ := strings.Cut(name, "/")
	if _, rest := x.cutLanguage(below); rest != below {
		return first + "/" + reference + "/" + rest
	}
	return name
}

// served returns the path at which the site serves a page, given its meta.url.
func (x *Index) served(url string) string {
	if language, rest := x.cutLanguage(url); language != "" && language == x.Root {
		return rest
	}
	return url
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
