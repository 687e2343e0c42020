package markup

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// schemes are those that an address may have.
var schemes = []string{"http", "https", "mailto", "tel", "sms"}

// refScheme is that of a ref of Hugo, which the pass over template markers writes.
const refScheme = "sivu-ref"

// address returns the address to write in an attribute of the tag at offset at, and
// whether the attribute stays. An address that is loaded with the page is a file,
// never another page. Every address that stays can be parsed by net/url.
func (c *cleaner) address(value string, loaded bool, at int) (string, bool) {
	s := trimAddress(value)
	if scheme, ok := schemeOf(s); ok {
		switch {
		case loaded:
		case scheme == refScheme && c.index.Refs:
			return c.ref(fixEscapes(s[len(refScheme)+1:]), value, at)
		case scheme[0] == 'h':
			if address, ok := c.toOwnPage(s, value, at); ok {
				return c.readable(address, value, at)
			}
		}
		if c.opts.Trusted {
			return value, true
		}
		if !slices.Contains(schemes, scheme) || loaded && scheme[0] != 'h' {
			c.warn(ruleRemoved, at, "addresses are relative or begin with http:, https:, mailto:, tel: or sms:",
				"the address %v is removed", c.shown(value))
			return "", false
		}
		return c.readable(fixEscapes(s), value, at)
	}
	s = fixEscapes(s)
	switch {
	case s == "":
		c.warn(ruleAddress, at, "write one, or leave out the markup around the text", "an address is empty")
		return s, c.opts.Trusted
	case s[0] == '#':
		c.linkAnchor(c.from, s[1:], value, at)
	case len(s) > 1 && isSlash(s[0]) && isSlash(s[1]):
		end := strings.IndexAny(s+"#", "?#")
		s = strings.ReplaceAll(s[:end], `\`, "/") + s[end:]
		if !loaded {
			if address, ok := c.toOwnPage(s, value, at); ok {
				s = address
			}
		}
	default:
		s = c.relative(s, value, loaded, at)
	}
	return c.readable(s, value, at)
}

// shown returns an address as a message shows it: in Markdown without the escapes
// that goldmark writes for letters outside of ASCII.
func (c *cleaner) shown(address string) quoted {
	if c.origin != nil {
		if s := unescapeIf(address, func(b byte) bool { return b >= utf8.RuneSelf }); utf8.ValidString(s) {
			return quoted(s)
		}
	}
	return quoted(address)
}

// readable returns s and true, or reports that net/url cannot parse it.
func (c *cleaner) readable(s, value string, at int) (string, bool) {
	if isPlainAddress(s) {
		return s, true
	}
	if _, err := url.Parse(s); err != nil {
		c.warn(ruleRemoved, at, "", "the address %v is removed: it cannot be read", c.shown(value))
		return "", false
	}
	return s, true
}

// isPlainAddress reports whether an address is so plain that net/url is known
// to read it: https with a plain host, or a path from the root; then nothing that
// needs a look at its escapes.
func isPlainAddress(s string) bool {
	if rest, ok := strings.CutPrefix(s, "https://"); ok {
		if s = strings.TrimLeft(rest, letters+digits+".-"); s == "" || !isIn(s[0], "/?#") {
			return s == ""
		}
	} else if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r == '%' || r <= ' ' || r == 0x7f }) < 0
}

// A fragment is a link to an anchor of the same page, judged at its end.
type fragment struct {
	Link
	raw uint64 // HashAnchor of the anchor with its escapes
}

// linkAnchor notes a link to an anchor. A text directive and "top" are none.
func (c *cleaner) linkAnchor(target int, anchor, written string, at int) {
	anchor, _, _ = strings.Cut(anchor, ":~:")
	if anchor == "" || strings.EqualFold(anchor, "top") {
		return
	}
	link := Link{Offset: c.where(at), Target: target, Anchor: HashAnchor(unescape(anchor)), Text: string(c.shown(written))}
	if target == c.from {
		c.fragments = append(c.fragments, fragment{link, HashAnchor(anchor)})
	} else {
		c.res.Links = append(c.res.Links, link)
	}
}

// checkFragments reports links to anchors that this page does not have.
func (c *cleaner) checkFragments() {
	slices.Sort(c.res.Anchors)
	c.res.Anchors = slices.Compact(c.res.Anchors)
	for _, f := range c.fragments {
		_, raw := slices.BinarySearch(c.res.Anchors, f.raw)
		_, decoded := slices.BinarySearch(c.res.Anchors, f.Anchor)
		if !raw && !decoded {
			c.report(Problem{Offset: f.Offset, Rule: ruleBrokenLink}, "the link %v leads to an anchor that is not on this page", quoted(f.Text))
		}
	}
}

// relative returns the address to write for one without scheme and host.
func (c *cleaner) relative(s, written string, loaded bool, at int) string {
	p, suffix := cutPath(s)
	if p = c.index.belowBase(strings.ReplaceAll(p, `\`, "/")); loaded {
		return c.asset(p, suffix)
	}
	target := c.from
	if p != "" {
		target = c.resolve(unescape(p))
	}
	if target == toAsset || target == toMissing {
		if meant := withScheme(p); meant != "" {
			target = toAsset
			c.warn(ruleAddress, at, fmt.Sprintf("write %v", c.shown(meant)), "the address %v has no scheme: it is that of a file", c.shown(written))
		}
	}
	if target == toAsset {
		return c.asset(p, suffix)
	}
	return c.toPage(target, p, suffix, s, written, at)
}

// withScheme returns the address that the author of a relative path most likely meant, of
// another site or of e-mail, or "".
func withScheme(p string) string {
	name, host, isMail := strings.Cut(p, "@")
	switch {
	case len(p) > len("www.") && strings.EqualFold(p[:len("www.")], "www."):
		return "https://" + p
	case isMail && name != "" && !strings.Contains(p, "/") && strings.Contains(host, ".") && isLetter(host[0]):
		return "mailto:" + p
	}
	return ""
}

// cutPath cuts an address without scheme and host after its path.
func cutPath(s string) (p, suffix string) {
	if end := strings.IndexAny(s, "?#"); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// toOwnPage returns the address to write for an absolute one, with its host, of a page of
// the site. It reports false for any other.
func (c *cleaner) toOwnPage(s, written string, at int) (string, bool) {
	if c.index.Web == "" {
		return "", false
	}
	own, ok := c.index.ownPath(fixEscapes(s))
	if !ok {
		return "", false
	}
	p, suffix := cutPath(own)
	name := norm.NFC.String(rooted(unescape(p)))
	isRoot := c.index.Root != "" && !c.index.beginsWithLanguage(name)
	var target int
	switch {
	case c.index.Exact:
		target = c.resolveExact("/" + name)
	case isRoot:
		target = c.resolveRooted(strings.TrimSuffix(c.index.Root+"/"+name, "/"))
	default:
		target = c.resolveRooted(name)
	}
	if target == toAsset || target == toMissing && isRoot { // which may be anything
		return "", false
	}
	return c.toPage(target, p, suffix, fixEscapes(s), written, at), true
}

// ownPath returns the path, from the root of the site, of an address whose host is the
// site's, with "www." or without, and whether it is one. The scheme, if there is one,
// is http or https.
func (x *Index) ownPath(address string) (string, bool) {
	host, base, _ := strings.Cut(withoutScheme(x.Web), "/")
	rest := withoutScheme(address)
	if x.Web == "" || len(rest) < len(host) || !strings.EqualFold(rest[:len(host)], host) {
		return "", false
	}
	if rest = rest[len(host):]; rest == "" || rest[0] != '/' {
		rest = "/" + rest
		if len(rest) > 1 && !isIn(rest[1], "?#") {
			return "", false
		}
	}
	p := x.belowBase(rest)
	return p, base == "" || p != rest
}

// withoutScheme returns what follows the scheme of an address, and "www.".
func withoutScheme(address string) string {
	_, rest, _ := strings.Cut(address, "//")
	return strings.TrimPrefix(rest, "www.")
}

// belowBase returns a path from the root of the site, given one from the root of its
// host. A path that is not below that of the site stays.
func (x *Index) belowBase(p string) string {
	if x.Web == "" {
		return p
	}
	_, base, _ := strings.Cut(withoutScheme(x.Web), "/")
	rest, ok := strings.CutPrefix(p, "/"+strings.TrimSuffix(base, "/"))
	switch {
	case base == "" || !ok || rest != "" && !isIn(rest[0], "/?#"):
		return p
	case rest == "" || rest[0] != '/':
		return "/" + rest
	}
	return rest
}

// ref returns the address to write for a ref, and whether it leads to a page.
func (c *cleaner) ref(s, value string, at int) (string, bool) {
	p, suffix := cutPath(s)
	if _, ok := schemeOf(s); p == "" || ok {
		return c.address(s, false, at)
	}
	target := c.resolveRef(unescape(p))
	address := c.toPage(target, "/"+strings.TrimPrefix(p, "/"), suffix, suffix, unescape(s), at)
	if target < 0 || address == "" {
		return "", false
	}
	return c.readable(address, value, at)
}

// toPage returns the address to write for one that leads to a page: that of the page
// with the suffix, or s where there is none, which is reported.
func (c *cleaner) toPage(target int, p, suffix, s, written string, at int) string {
	switch target {
	case toMissing:
		missing := unescape(p)
		if p[0] != '/' && c.startsAtAddress(missing) {
			missing = "/" + c.fromAddress(missing)
		}
		c.report(Problem{Offset: c.where(at), Rule: ruleBrokenLink, Missing: missing}, "page not found: %v", c.shown(written))
		return s
	case toLeftOut:
		c.warn(ruleBrokenLink, at, "drafts and pages under skip_if or exclude in site.yaml are not published",
			"the link %v leads to a page that is left out", c.shown(written))
		return s
	}
	page := c.index.pages[target]
	if page.URL == "" {
		if p != "" {
			c.warn(ruleBrokenLink, at, "give the page a url",
				"the link %v leads to a page that has no address", c.shown(written))
		}
		return s
	}
	query, anchor, hasAnchor := strings.Cut(suffix, "#")
	if hasAnchor {
		c.linkAnchor(target, anchor, written, at)
	}
	if len(query) < len("?x") && !hasAnchor {
		suffix = ""
	}
	return "/" + escapePath(page.URL) + suffix
}

// asset returns the address of a file beside the pages: absolute where the site has
// a base for them, else from the root of the site.
func (c *cleaner) asset(p, suffix string) string {
	if p == "" {
		return suffix
	}
	if p[0] != '/' {
		page := c.index.pages[c.from]
		folder, _ := path.Split(page.Path)
		if c.startsAtAddress(p) {
			folder = c.index.served(page.URL) + "/"
		}
		p = escapePath(folder) + p
	}
	p = withoutDots(p)
	c.res.Files = append(c.res.Files, File{c.where(c.at), p})
	if c.opts.Assets == "" {
		c.res.Assets++
		return p + suffix
	}
	return strings.TrimRight(c.opts.Assets, "/") + p + suffix
}

// withoutDots returns a path from the root without "." and ".." segments, also
// where the dots are escaped. It begins with one slash, never two, so that it
// can not name another host.
func withoutDots(p string) string {
	var kept []string
	segments := strings.Split(p, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		dots := segment
		if strings.Contains(segment, "%") {
			dots = unescape(segment)
		}
		switch {
		case dots == "..":
			kept = kept[:max(len(kept)-1, 0)]
		case dots == ".", segment == "" && len(kept) == 0:
		default:
			kept = append(kept, segment)
			continue
		}
		if last && len(kept) > 0 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}
