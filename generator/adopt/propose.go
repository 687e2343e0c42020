package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
)

// proposal is a site.yaml in the making.
type proposal struct {
	*survey
	found    *languages
	used     map[string]*usage // by survey.key
	settings []setting
	taken    map[string]bool // names of fields that are sivu's own

	dated      []string // of these, those with dates of a page
	dates      []string
	noDate     int // pages without a date, but that of the last of dates
	excluded   map[string]bool
	failed     []string // why pages are excluded that cannot be read
	loose      bool     // looseRule is turned off
	unprefixed []string // addresses without a language

	markers     []Marker // that nobody decided about, by name
	markerPages int
	lost        []string // fields that are ignored, with their counts
	decide      []string // what people should look at
}

// propose makes settings of what was found.
func propose(s *survey, namespace uuid.UUID) *proposal {
	p := &proposal{survey: s, used: s.countFields(), taken: map[string]bool{}, excluded: map[string]bool{}}
	p.add("base_url", baseurl.Placeholder, "where the API will be served; build and publish refuse this placeholder unless --base-url is given")
	p.add("namespace", namespace.String(), "ids of pages are derived from it, so keep it for good")
	p.found = s.findLanguages()
	p.addLanguages()
	if s.rendered {
		p.addWeb("as its pages say")
		p.addRendered()
		p.dates = []string{source.DatesFields}
		return p
	}
	p.addSite()
	p.mapFields()
	p.findTitles()
	p.sortLists()
	p.findSkipped()
	if s.sidecar != "" {
		p.add("sidecar", quoted("{path}"+s.sidecar), "each page has its metadata in such a file beside it")
	}
	p.findDates()
	return p
}

// addLanguages proposes the languages and where they lie.
func (p *proposal) addLanguages() {
	l := p.found
	reference := l.codes[0]
	if l.isGuess {
		p.decide = append(p.decide, fmt.Sprintf("is %s the reference language? %s", reference, l.why))
	}
	isLost := !p.rendered && len(l.bare) > 0 && l.pages[reference] > 0 && 10*len(l.bare) <= len(p.pages)
	if !isLost && !p.rendered {
		l.pages[reference] += len(l.bare)
	}
	var counts []string
	for _, code := range l.codes {
		counts = append(counts, fmt.Sprintf("%s %d", code, l.pages[code]))
	}
	p.add("languages", flow(l.codes), "the reference language is the first: "+l.why+"; pages by language: "+strings.Join(counts, ", "))
	switch {
	case len(l.bare) == 0:
	case p.rendered:
		p.add("default_language", quoted(reference), "of pages that do not name their language in <html lang>")
	case isLost:
		p.leaveOutBare()
	default:
		p.add("default_language", quoted(reference), "pages outside of a language's folder have it: "+diag.Plural(len(l.bare), "page"))
	}
	var aliases []item
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		if code := l.names[name]; !strings.EqualFold(name, code) && slices.Contains(l.codes, code) {
			aliases = append(aliases, item{quoted(name), quoted(code), "what the site calls " + code})
		}
	}
	p.addItems("language_aliases", "names in paths and fields, and the language tags that ids and addresses have", aliases)
	if slices.Contains(l.layouts, bySection) || slices.Contains(l.layouts, byPlugin) {
		p.add("layout", flow(l.layouts), "where paths have the language, tried in order; not only their first folder has it here")
	}
}

// leaveOutBare excludes what lies beside the folders of all languages.
func (p *proposal) leaveOutBare() {
	pages := make(map[string]int)
	for _, name := range p.found.bare {
		top, _, isFolder := strings.Cut(name, "/")
		if top = escapePattern(top); isFolder {
			top += "/**"
		}
		pages[top]++
	}
	patterns := slices.Sorted(maps.Keys(pages))
	for _, pattern := range patterns {
		p.exclude = append(p.exclude, item{"", quoted(pattern), diag.Plural(pages[pattern], "page") + " in no language's folder"})
	}
	p.decide = append(p.decide, some(patterns, 3)+": in no language's folder, and excluded")
}

// addSite proposes how the site itself serves its pages.
func (p *proposal) addSite() {
	k, reference := p.known, p.found.codes[0]
	if p.generator != nil {
		p.add("generator", p.generator.name, "the pages were written for it: "+p.sign+"; its template markers are looked for")
	}
	addresses, says := p.addresses(), "says "+p.config
	if k.web == "" {
		k.web, says = p.findHost(addresses)
	}
	if p.addWeb(says); k.web == "" && p.generator != nil {
		p.decide = append(p.decide, "site, where the site itself is served")
	}
	const slash = "on the site a page's address ends with a slash, and its relative links start there"
	if p.generator != nil && !k.atFiles {
		p.add("addresses", "page", slash)
	} else if fromPages, why := p.linksFromPages(addresses); p.generator == nil && fromPages {
		p.add("addresses", "page", slash+": "+why)
	}
	if len(p.found.bare) > 0 || k.atRoot {
		p.add("root_language", quoted(reference), "the site serves this language without a prefix; only for reading links")
	}
	if len(p.found.codes) > 1 {
		p.add("fallback", "reference", "a link to a page that is not translated leads to the page in "+reference)
	}
	var patterns []item
	for _, folder := range slices.Sorted(maps.Keys(k.permalinks)) {
		if _, err := os.Stat(filepath.Join(p.content, folder)); err == nil || len(p.found.bare) == 0 {
			patterns = append(patterns, item{quoted(folder), quoted(k.permalinks[folder]), "as " + p.config + " has it"})
		}
	}
	p.addItems("permalinks", "the addresses of the pages in a folder, below the language", patterns)
	if _, err := time.LoadLocation(k.timezone); err == nil && k.timezone != "" {
		p.add("timezone", quoted(k.timezone), "of dates without a zone, says "+p.config)
	}
}

// addWeb proposes where the site itself is served.
func (p *proposal) addWeb(says string) {
	web := strings.TrimSuffix(p.known.web, "/")
	if _, err := baseurl.Parse(web); err == nil && !strings.Contains(web, "example.") {
		p.add("site", quoted(web), "where the site itself is served, "+says+": links to it are links between pages")
	}
}

// findDates proposes where dates come from.
func (p *proposal) findDates() {
	for i := range p.pages {
		if !slices.ContainsFunc(p.dated, func(name string) bool { return p.valueOf(&p.pages[i], name) != "" }) {
			p.noDate++
		}
	}
	if p.noDate < len(p.pages) {
		p.dates = append(p.dates, source.DatesFields)
	}
	if p.noDate > 0 && inRepository(p.content) {
		p.dates = append(p.dates, source.DatesGit)
	} else if len(p.dates) == 0 { // else the check finds whether the file's time is needed
		p.dates = append(p.dates, source.DatesMtime)
	}
}

// whyDates explains the dates, which the check can change.
func (p *proposal) whyDates() string {
	switch pages := diag.Plural(p.noDate, "page"); {
	case slices.Contains(p.dates, source.DatesMtime):
		return "in this order; mtime, the time of the file, is for the " + pages + " without any: a copy or a checkout changes it, and with it the records"
	case slices.Contains(p.dates, source.DatesGit):
		return "in this order; git has those of " + pages + " without one"
	}
	return "all pages say their dates"
}

// inRepository reports whether a folder lies in a git repository.
func inRepository(folder string) bool {
	full, err := filepath.Abs(folder)
	for above := ""; err == nil && full != above; full, above = filepath.Dir(full), full {
		if _, err := os.Stat(filepath.Join(full, ".git")); err == nil {
			return true
		}
	}
	return false
}

// gatherMarkers gathers the template markers that the check found, by name.
func (p *proposal) gatherMarkers(c Checked) {
	p.markerPages = c.MarkerPages
	for _, m := range c.Markers {
		i := slices.IndexFunc(p.markers, func(first Marker) bool { return first.Name == m.Name })
		if i < 0 {
			p.markers = append(p.markers, m)
			continue
		}
		first := &p.markers[i]
		first.Pages, first.Uses = max(first.Pages, m.Pages), first.Uses+m.Uses
		if m.Treatment == markup.MarkerUnwrap { // of its single uses nothing is left either way
			first.Treatment = m.Treatment
		}
	}
	slices.SortFunc(p.markers, func(a, b Marker) int { return cmp.Or(cmp.Compare(b.Uses, a.Uses), strings.Compare(a.Name, b.Name)) })
}
