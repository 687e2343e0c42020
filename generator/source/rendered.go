package source

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// renderedFormat is the format of all pages of a rendered site, whose metadata is what
// generators write for browsers and search engines.
var renderedFormat = &Format{
	Name:    "rendered page",
	Doc:     "an HTML document that the generator of the site wrote",
	Endings: htmlFormat.Endings,
	Syntax:  page.HTML,
	read:    readRendered,
	heading: htmlHeading,
}

// selectors are the compiled selectors of a rendered site.
type selectors struct{ body, remove, title []cascadia.SelectorGroup }

func newSelectors(r *Rendered) *selectors {
	if r == nil {
		return nil
	}
	compile := func(texts []string) (groups []cascadia.SelectorGroup) {
		for _, text := range texts {
			if group, err := cascadia.ParseGroup(text); err == nil { // else reported with site.yaml
				groups = append(groups, group)
			}
		}
		return groups
	}
	body := r.Body
	if len(body) == 0 {
		body = []string{"main", "[role=main]", "article", "body"}
	}
	return &selectors{compile(body), compile(r.Remove), compile(r.Title)}
}

// slowParts are the parts of selectors that take a time which grows with more than the
// depth of an element.
var slowParts = []string{"~", ":has", ":contains", ":matches", ":haschild", ":nth-", ":empty", ":input", ":only-of", ":first-of", ":last-of"}

func checkSelector(name, text string) (message, hint string) {
	if _, err := cascadia.ParseGroup(text); err != nil {
		return name + " " + diag.Quote(text) + " is not a CSS selector: " + err.Error(), "write it as in \"main .content\" or \"nav, .toc\""
	}
	for _, slow := range slowParts {
		if strings.Contains(strings.ReplaceAll(strings.ToLower(text), "~=", "="), slow) {
			return name + " " + diag.Quote(text) + " is slow on a large page: " + slow, "select by names, classes, ids and attributes"
		}
	}
	return "", ""
}

// renderedHead is what a rendered page says beside its fields.
type renderedHead struct {
	address string // of the page on the site: see addressOf
	lang    field  // <html lang>
	window  field  // <title>
	metas   []field
	jsonLD  [2]string // when it was created and modified
	times   [2]string

	alternate     string // address of the translation in the first of the site's languages
	alternateRank int    // of that language; -1 for none
	redirect      string // address of <meta http-equiv="refresh">
	hasFeed       bool   // a feed lies beside the page
}

func readRendered(p *reading) {
	p.head.document = true
	t := parseHTML(p.text, false)
	if t.tooMany != "" {
		line, column := t.LineColumn(t.tooManyAt)
		p.problem(ruleSyntax.At(diag.Position{File: p.file.Path, Line: line, Column: column}, "%s", t.tooMany).
			WithHint("leave the page out with \"exclude\" in site.yaml"))
		p.head.broken = true
		return
	}
	h := &renderedHead{address: addressOf(p.file.Path), alternateRank: -1}
	p.rendered = h
	for i := range t.elements {
		e := &t.elements[i]
		switch e.DataAtom {
		case atom.Html:
			h.lang = t.at(e.outer.Start, field{name: "lang", value: e.attribute("lang")})
		case atom.Title:
			if h.window.line == 0 && e.Parent.DataAtom != atom.Svg {
				h.window = t.at(e.outer.Start, field{name: "windowtitle", value: titleText(p.text, e.inner)})
			}
		case atom.Meta:
			if name := strings.ToLower(cmp.Or(e.attribute("name"), e.attribute("property"), e.attribute("http-equiv"))); name != "" {
				h.metas = append(h.metas, t.at(e.outer.Start, field{name: name, value: e.attribute("content")}))
			}
		case atom.Link:
			p.readLink(e)
		case atom.Script:
			if strings.EqualFold(e.attribute("type"), "application/ld+json") {
				var data any
				if json.Unmarshal(p.text[e.inner.Start:e.inner.End], &data) == nil {
					h.readJSONLD(data, 0)
				}
			}
		}
	}
	h.redirect = redirectTarget(h.meta("refresh").value)
	if h.redirect != "" || !p.isWanted() {
		p.doc.Skip, p.doc.Redirect = true, p.site.addressOfLink(h.address, h.redirect)
		return
	}
	body := t.first(p.selectors.body)
	if body == nil {
		p.doc.Skip = true
		p.problem(ruleNoBody.At(p.top(), "no element of the page is its body, and it is left out").
			WithHint("name the element that holds its text under \"body\" of \"rendered\" in site.yaml, or leave the page out with \"exclude\""))
		return
	}
	p.setBody(t, body)
	h.readTimes(t, body)
	title := t.at(0, field{name: "title", title: true})
	if e := t.first(p.selectors.title); e != nil {
		title = t.at(e.outer.Start, field{name: "title", title: true, value: shownText(p.text, e.inner)})
	}
	p.renderedFields(title, t.at(body.outer.Start, field{name: "data-id", own: ownID, value: body.attribute("data-id")}))
}

// meta returns the first meta of some names that has a content.
func (h *renderedHead) meta(names ...string) field {
	for _, name := range names {
		for _, f := range h.metas {
			if f.name == name && strings.TrimSpace(f.value) != "" {
				return f
			}
		}
	}
	return field{}
}

// renderedFields makes fields of the page's metadata, given the title and the id that
// its body gives, which may be empty.
func (p *reading) renderedFields(title, id field) {
	h := p.rendered
	fields := p.head.fields
	for _, f := range h.metas {
		f.own = ownMetas[f.name]
		if fieldNamed(fields, f.name) != nil && f.own != ownEmbeds {
			continue // the first counts: nobody can mend it in the page
		}
		if _, ok := p.naming.document[f.name]; ok || f.own != notOwn {
			fields = append(fields, f)
			if f.own == ownID {
				id.value = ""
			}
		}
	}
	if _, ok := parseID(id.value); ok {
		fields = append(fields, id)
	}
	if title.value == "" && h.window.value != "" {
		title.value, title.line, title.column = p.ownTitle(h.window.value), h.window.line, h.window.column
	}
	description, image := h.meta("description", "og:description"), h.meta("og:image")
	description.name, image.name = "description", "image"
	description.value = collapse(description.value)
	if h.window.value == title.value {
		h.window.value = ""
	}
	for _, f := range []field{title, description, h.window, image} {
		if f.value != "" {
			fields = append(fields, f)
		}
	}
	p.head.fields = fields
	if language := p.site.languageLike(h.lang.value); language != "" {
		h.lang.value = language
		p.head.language = h.lang
	} else if p.site.folderOf(h.address) == "" && h.lang.value != "" {
		p.head.language = h.lang // which is reported
	}
}

// ownTitle returns a <title> without what the titles of all pages end with. Where
// site.yaml does not tell, the title that the page gives for other sites to show does.
func (p *reading) ownTitle(window string) string {
	for _, suffix := range p.site.Rendered.TitleSuffix {
		if own, ok := strings.CutSuffix(window, collapse(suffix)); ok && own != "" {
			return strings.TrimRight(own, " ")
		}
	}
	if own := collapse(p.rendered.meta("og:title").value); own != "" && strings.HasPrefix(window, own) {
		return own
	}
	return window
}

// setBody sets the range of the body, and the parts of it that are left out.
func (p *reading) setBody(t *htmlTree, body *htmlElement) {
	p.head.bodyStart, p.head.bodyEnd = trimHTML(p.text, body.inner.Start, body.inner.End)
	end := p.head.bodyStart
	for i := range t.elements {
		e := &t.elements[i]
		if e.outer.Start >= p.head.bodyEnd {
			break
		}
		if e.outer.Start < end || e.outer.End > p.head.bodyEnd || !matches(p.selectors.remove, e) {
			continue
		}
		end = e.outer.End
		p.doc.Removed = append(p.doc.Removed, e.outer)
	}
}

// isWanted reports whether the page is one of the collection, by its address and its head.
func (p *reading) isWanted() bool {
	h := p.rendered
	if patterns := p.site.Rendered.Pages; patterns != nil {
		return matchesAny(patterns, cmp.Or(h.address, "index"))
	}
	if robots := strings.ToLower(h.meta("robots").value); strings.Contains(robots, "noindex") || h.hasFeed {
		return false
	}
	_, below := p.site.LanguageOf(p.file.Path)
	segments := strings.Split(below, "/")
	n := len(segments)
	isNumber := strings.Trim(segments[n-1], "0123456789") == ""
	return !slices.Contains(taxonomies, segments[0]) && !slices.Contains(functions, segments[n-1]) &&
		!(n > 1 && segments[n-2] == "page" && isNumber)
}

var (
	// taxonomies are the folders in which generators list pages by what they have in common.
	taxonomies = []string{"author", "authors", "categories", "category", "tag", "tags", "topics"}

	// functions are the names of pages that are there for the site itself.
	functions = []string{"404", "500", "search"}
)

// redirectTarget returns the address in the content of <meta http-equiv="refresh">, or "".
func redirectTarget(content string) string {
	_, target, _ := strings.Cut(content, ";")
	target = strings.TrimSpace(target)
	if len(target) < 4 || !strings.EqualFold(target[:4], "url=") {
		return ""
	}
	return strings.Trim(target[4:], ` '"`)
}

// readLink reads a <link> to a translation of the page or to a feed of its own.
func (p *reading) readLink(e *htmlElement) {
	h := p.rendered
	language, address := e.attribute("hreflang"), e.attribute("href")
	switch {
	case !slices.Contains(strings.Fields(strings.ToLower(e.attribute("rel"))), "alternate"):
	case language != "":
		h.offerAlternate(p.site, language, h.address, address)
	case strings.EqualFold(e.attribute("type"), "application/rss+xml"):
		// Hugo writes a feed beside each list; the feed of the site is that of its front page.
		feed := p.site.addressOfLink(h.address, address)
		if _, below := p.site.LanguageOf(p.file.Path); path.Base(feed) == "index.xml" && path.Dir(feed) == h.address && below != "index" {
			h.hasFeed = true
		}
	}
}

// offerAlternate takes a link on the page from, with its hreflang, if no translation in
// an earlier language was offered.
func (h *renderedHead) offerAlternate(s *Site, language, from, link string) {
	known := s.languageLike(language)
	rank := slices.Index(s.Languages, known)
	if known != "" && h.alternateRank >= 0 && h.alternateRank <= rank {
		return
	}
	address := s.addressOfLink(from, link)
	if known == "" {
		rank = slices.Index(s.Languages, s.folderOf(address))
	}
	if rank >= 0 && address != "" && (h.alternateRank < 0 || rank < h.alternateRank) {
		h.alternate, h.alternateRank = address, rank
	}
}

// findTopic sets the topic of a page with translations at other addresses: that of the
// page itself, or of the translation in an earlier one of the site's languages.
func (p *reading) findTopic() {
	h := p.rendered
	if h == nil {
		return
	}
	if folder, below := p.site.LanguageOf(p.file.Path); folder != p.doc.Page.Language && below != cmp.Or(h.address, "index") {
		p.path, p.doc.Page.Topic = h.address, h.address // a page in the folder of another language
	}
	if p.own[ownTopic] != nil {
		return
	}
	if h.alternateRank < 0 && p.Sitemap != nil {
		entry := p.Sitemap(p.file.Path)
		h.alternate, h.alternateRank = entry.Alternate, entry.Rank-1
	}
	if own := slices.Index(p.site.Languages, p.doc.Page.Language); own >= 0 && h.alternateRank >= 0 && h.alternateRank < own {
		_, p.doc.Page.Topic = p.site.LanguageOf(h.alternate)
	}
}

// readJSONLD finds the dates in JSON for search engines.
func (h *renderedHead) readJSONLD(data any, depth int) {
	const maxDepth = 4
	switch data := data.(type) {
	case []any:
		for _, item := range data {
			if depth < maxDepth {
				h.readJSONLD(item, depth+1)
			}
		}
	case map[string]any:
		for i, key := range []string{"datePublished", "dateModified"} {
			if date, ok := data[key].(string); ok && h.jsonLD[i] == "" {
				h.jsonLD[i] = date
			}
		}
		if graph, ok := data["@graph"]; ok && depth < maxDepth {
			h.readJSONLD(graph, depth+1)
		}
	}
}

// readTimes finds the dates in <time> between the beginning of the article that the body
// belongs to and its first section: further ones may be those of other pages.
func (h *renderedHead) readTimes(t *htmlTree, body *htmlElement) {
	within := body.outer
	for n := body.Parent; n != nil; n = n.Parent {
		if n.DataAtom == atom.Article || n.DataAtom == atom.Main {
			i := slices.IndexFunc(t.elements, func(e htmlElement) bool { return e.Node == n })
			within = t.elements[i].outer
		}
	}
	for i := range t.elements {
		e := &t.elements[i]
		if e.outer.Start < within.Start {
			continue
		}
		if e.outer.Start >= within.End || e.DataAtom == atom.H2 || e.DataAtom == atom.H3 {
			return
		}
		if date := e.attribute("datetime"); e.DataAtom == atom.Time && date != "" {
			k := 0
			if kind := e.attribute("itemprop") + " " + e.attribute("class"); strings.Contains(kind, "odified") || strings.Contains(kind, "updated") {
				k = 1
			}
			h.times[k] = cmp.Or(h.times[k], date)
		}
	}
}

// The sources of a rendered page's dates, as "dates" of "rendered" names them.
var renderedDates = []string{"meta", "json-ld", "time", "lastmod"}

// datesOfRendered offers the dates of a rendered page. What is no date is passed over:
// nobody can mend it in the page.
func (p *reading) datesOfRendered(created, modified *found) {
	h := p.rendered
	if h == nil {
		return
	}
	sources := p.site.Rendered.Dates
	if len(sources) == 0 {
		sources = renderedDates
	}
	for _, source := range sources {
		var texts [2]string
		switch source {
		case "meta":
			texts[0] = h.meta("article:published_time", "datepublished", "date", "dc.date", "dcterms.date").value
			texts[1] = h.meta("article:modified_time", "og:updated_time", "datemodified", "last-modified").value
		case "json-ld":
			texts = h.jsonLD
		case "time":
			texts = h.times
		case "lastmod":
			if p.Sitemap != nil {
				texts[1] = p.Sitemap(p.file.Path).Modified
			}
		}
		for i, date := range []*found{created, modified} {
			// Hugo writes the year 1 where it knows no date.
			if t, ok := parseDate(strings.TrimSpace(texts[i]), p.site.Timezone); ok && t.Std().Year() > 1 {
				date.offer(t, source+" of the rendered page", nil)
			}
		}
	}
	if modified.origin != "" && created.origin != "" && modified.time < created.time && modified.field == nil {
		modified.time = created.time // of two sources that disagree
	}
}

// addressOf returns the address of a rendered page: the path of its file in NFC, without
// ending and without "index" at its end.
func addressOf(file string) string {
	name := norm.NFC.String(strings.Trim(file, "/"))
	if ending := path.Ext(name); slices.Contains(htmlFormat.Endings, strings.ToLower(ending)) {
		name = strings.TrimSuffix(name, ending)
	}
	if path.Base(name) == "index" {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "index"), "/")
	}
	return name
}

// SiteAddress returns the address of a file on a rendered site as [page.Record.Aliases] are
// written.
func (s *Site) SiteAddress(file string) string { return s.metaURL("/" + addressOf(file)) }

// placeOf returns the language that an address of a rendered site begins with, else that
// of addresses without one, and the rest of it, which for a front page is "index".
func (s *Site) placeOf(address string) (language, below string) {
	if language = s.folderOf(address); language != "" {
		_, rest, _ := strings.Cut(address, "/")
		return language, cmp.Or(rest, "index")
	}
	return s.RootLanguage, cmp.Or(address, "index")
}

// folderOf returns the language that an address begins with, or "".
func (s *Site) folderOf(address string) string {
	first, _, _ := strings.Cut(address, "/")
	return s.language(first)
}

// The rules of rendered sites.
var (
	ruleNoBody  = warningRule("no-body", "a rendered page has an element that \"body\" of \"rendered\" in site.yaml selects; others are left out")
	ruleSitemap = warningRule("sitemap", "the sitemaps of a rendered site can be read")
	ruleIDs     = contractRule("ids-file", "ids.yaml gives addresses of pages an id each, none of them twice")
)
