package corpus

import (
	"sort"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// readSitemap reads the sitemaps of a rendered site, unless only sources were touched since
// the previous corpus.
func (c *Corpus) readSitemap() {
	if c.previous != nil && !c.IsWalked {
		c.sitemap, c.sitemapBad = c.previous.sitemap, c.previous.sitemapBad
	} else {
		c.sitemap = source.ReadSitemap(c.settings.Files, c.settings.Site, func(d diag.Diagnostic) { c.sitemapBad = append(c.sitemapBad, d) })
	}
	c.addAll(c.sitemapBad)
}

// hasSameFacts reports whether what was asked about a source of the previous corpus, beside
// its text, has the same answer.
func (c *Corpus) hasSameFacts(old *Source) bool {
	return c.history.hasSameDates(old) && c.holds(old) && (old.sitemap == 0 || c.sitemap.Of(old.Path).Hash() == old.sitemap)
}

// findAliases gives the pages of a rendered site their addresses there, where meta.url is
// another, and those of the pages that do nothing but lead on to them. It is done anew in
// each build: redirects come and go while the page itself stays as it is.
func (c *Corpus) findAliases() {
	site := c.settings.Site
	if site.Rendered == nil {
		return
	}
	for i := range c.Pages {
		p := &c.Pages[i]
		p.Aliases = nil
		if address := site.SiteAddress(p.Path); address != p.URL {
			p.Aliases = append(p.Aliases, address)
		}
	}
	for i := range c.Sources {
		target := c.afterRedirects(&c.Sources[i])
		if target != nil && target.page != none && target != &c.Sources[i] {
			p := &c.Pages[target.page]
			p.Aliases = append(p.Aliases, site.SiteAddress(c.Sources[i].Path))
		}
	}
}

// reportMoved reports the pages that would get another id because they moved.
func (c *Corpus) reportMoved() {
	for i := range c.Pages {
		p := &c.Pages[i]
		if !p.Derived || len(p.Aliases) == 0 {
			continue
		}
		if url := c.settings.Site.MovedID(p.Aliases); url != "" {
			c.Add(source.MovedPage.At(diag.Position{File: p.Path, Line: 1, Column: 1}, "the page was at %s, whose id %s keeps", diag.Quote(url), source.IDsFile).
				WithHint("run \"sivu ids --write\", and the page has that id"))
		}
	}
}

// afterRedirects returns the source that redirects lead to from a source, or nil.
func (c *Corpus) afterRedirects(s *Source) *Source {
	const maxRedirects = 10
	for range maxRedirects {
		if s == nil || s.head.redirect == "" {
			return s
		}
		s = c.sourceAt(s.head.redirect)
	}
	return nil
}

// sourceAt returns the source of a rendered page by its address, or nil.
func (c *Corpus) sourceAt(address string) *Source {
	for _, ending := range []string{"/index.html", ".html", "/index.htm", ".htm"} {
		name := strings.TrimPrefix(address+ending, "/")
		i := sort.Search(len(c.Sources), func(i int) bool { return c.Sources[i].Path >= name })
		if i < len(c.Sources) && c.Sources[i].Path == name {
			return &c.Sources[i]
		}
	}
	return nil
}

// body returns the body of a page: where parts are left out a copy, in which each is a
// comment of the same length, so that offsets stay.
func (b *bodyRenderer) body(p *Page, s *Source, text []byte) []byte {
	body := text[p.bodyStart:p.bodyEnd]
	if len(s.head.removed) == 0 {
		return body
	}
	b.cut = append(b.cut[:0], body...)
	for _, span := range s.head.removed {
		blank(b.cut[span.Start-int(p.bodyStart) : span.End-int(p.bodyStart)])
	}
	return b.cut
}

// blank overwrites a part of a body by a comment, or by spaces where there is no room for one.
func blank(part []byte) {
	for i := range part {
		part[i] = ' '
	}
	const begin, end = "<!--", "-->"
	if len(part) >= len(begin)+len(end) {
		copy(part, begin)
		copy(part[len(part)-len(end):], end)
	}
}
