package adopt

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// proposal is a site.yaml in the making.
type proposal struct {
	*survey
	found        *languages
	used         map[string]*usage // by name; in lower case on Hugo sites
	languages    []string
	settings     []setting
	fields       []item
	taken        map[string]bool // names of fields that are sivu's own
	dated        map[string]bool // of these, those with dates of a page
	dates        []string
	noDate       int  // pages without a date but the file's
	checkedDates bool // the dates of the last check had the file's time
	exclude      []item
	failed       []string // why pages are excluded that cannot be read
	excluded     map[string]bool
	markers      []Marker // that settings decide about
	markerPages  int
	loose        bool     // looseRule is turned off
	unprefixed   []string // addresses without a language

	joined []string // names of fields whose lists become texts
	lost   []string // fields that are ignored, with their counts
	decide []string // what people should look at
}

// propose makes settings of what was found.
func propose(s *survey, namespace uuid.UUID) *proposal {
	p := &proposal{survey: s, used: s.usages(), taken: map[string]bool{}, dated: map[string]bool{}, excluded: map[string]bool{}, exclude: s.exclude}
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
	p.addItems("fields", "what the pages call the fields that sivu knows; ~ gives a name back to the pages", p.fields)
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
	p.languages = l.codes
	if l.isGuess {
		p.decide = append(p.decide, fmt.Sprintf("is %s the reference language? %s", l.codes[0], l.why))
	}
	reference := l.codes[0]
	isLost := len(l.bare) > 0 && l.pages[reference] > 0 && !p.rendered && 10*len(l.bare) <= len(p.pages)
	if !isLost && !p.rendered {
		l.pages[reference] += len(l.bare)
	}
	var counts []string
	for _, code := range l.codes {
		counts = append(counts, fmt.Sprintf("%s %d", code, l.pages[code]))
	}
	p.add("languages", flow(l.codes), "the reference language is the first: "+l.why+"; pages by language: "+strings.Join(counts, ", "))
	if p.rendered && len(l.bare) > 0 {
		p.add("default_language", quoted(reference), "of pages that do not name their language in <html lang>")
	} else if isLost {
		p.leaveOutBare()
	} else if len(l.bare) > 0 {
		p.add("default_language", quoted(reference), "pages outside of a language's folder have it: "+count(len(l.bare), "page"))
	}
	var aliases []item
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		if code := l.names[name]; !strings.EqualFold(name, code) && slices.Contains(l.codes, code) {
			aliases = append(aliases, item{key: quoted(name), value: quoted(code), why: "what the site calls " + code})
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
	for _, pattern := range slices.Sorted(maps.Keys(pages)) {
		p.exclude = append(p.exclude, item{value: pattern, why: count(pages[pattern], "page") + " in no language's folder"})
	}
	p.decide = append(p.decide, some(slices.Sorted(maps.Keys(pages)), 3)+": in no language's folder, and excluded")
}

// addSite proposes how the site itself serves its pages.
func (p *proposal) addSite() {
	k, many := &p.known, len(p.languages) > 1
	if p.generator != nil {
		p.add("generator", p.generator.name, "the pages were written for it: "+p.sign+"; its template markers are looked for")
	}
	if p.addWeb("says " + p.config.file); k.web == "" && p.generator != nil {
		p.decide = append(p.decide, "site, where the site itself is served")
	}
	if p.generator != nil && (k.pretty || p.config.file == "") && p.generator.name != page.MkDocs && p.generator.name != page.VitePress {
		p.add("addresses", "page", "on the site a page's address ends with a slash, and its relative links start there")
	}
	if isServedAtRoot := p.isHugo() || p.generator != nil && p.generator.name == page.MkDocs; len(p.found.bare) > 0 || isServedAtRoot && !k.prefixed {
		p.add("root_language", quoted(p.languages[0]), "the site serves this language without a prefix; only for reading links")
	}
	if many {
		p.add("fallback", "reference", "a link to a page that is not translated leads to the page in "+p.languages[0])
	}
	var patterns []item
	for _, folder := range slices.Sorted(maps.Keys(k.permalinks)) {
		if _, err := os.Stat(filepath.Join(p.content, folder)); err == nil || len(p.found.bare) == 0 {
			patterns = append(patterns, item{key: quoted(folder), value: quoted(k.permalinks[folder]), why: "as " + p.config.file + " has it"})
		}
	}
	p.addItems("permalinks", "the addresses of the pages in a folder, below the language", patterns)
	if _, err := time.LoadLocation(k.timezone); err == nil && k.timezone != "" {
		p.add("timezone", quoted(k.timezone), "of dates without a zone, says "+p.config.file)
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
		isDated := false
		for name := range p.dated {
			f := p.pages[i].field(name, p.isHugo())
			isDated = isDated || f != nil && f.IsText()
		}
		if !isDated {
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

// dateSetting returns the setting of dates, which the check can change.
func (p *proposal) dateSetting() setting {
	why := "in this order"
	switch {
	case slices.Contains(p.dates, source.DatesMtime):
		why += fmt.Sprintf("; mtime, the time of the file, is for the %s without any: a copy or a checkout changes it, and with it the records", count(p.noDate, "page"))
	case slices.Contains(p.dates, source.DatesGit):
		why += fmt.Sprintf("; git has those of %s without one", count(p.noDate, "page"))
	default:
		why = "all pages say their dates"
	}
	return setting{key: "dates", value: flow(p.dates), why: why}
}

// inRepository reports whether a folder lies in a git repository.
func inRepository(folder string) bool {
	full, err := filepath.Abs(folder)
	for ; err == nil; full = filepath.Dir(full) {
		if _, err := os.Stat(filepath.Join(full, ".git")); err == nil {
			return true
		}
		if full == filepath.Dir(full) {
			return false
		}
	}
	return false
}
