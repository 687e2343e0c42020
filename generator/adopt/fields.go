package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// usage is how the pages use one field.
type usage struct {
	name   string // in its most frequent spelling
	pages  int
	texts  int // with a text that is not blank
	dates  int // with a date
	joined int // with a list of texts
	deep   int // with a map, or a list of anything else
	commas int // with a list of which an item has a comma
	ids    int
	kinds  int
	trues  int            // with the value of a switch that is on
	voids  int            // of these, pages without a body
	never  map[string]int // uses of conditions that take a page off the site
}

// usages returns how the pages use their fields.
func (s *survey) usages() map[string]*usage {
	all, spellings := make(map[string]*usage), make(map[string]map[string]int)
	for i := range s.pages {
		p := &s.pages[i]
		for j := range p.fields {
			f := &p.fields[j]
			key := f.Name
			if s.isHugo() {
				key = strings.ToLower(key)
			}
			if f.Own {
				continue // sivu's, by the format itself
			}
			if all[key] == nil {
				all[key], spellings[key] = &usage{never: map[string]int{}}, map[string]int{}
			}
			spellings[key][f.Name]++
			all[key].add(f, p.empty)
		}
	}
	for key, u := range all {
		most := slices.SortedFunc(maps.Keys(spellings[key]), func(a, b string) int {
			return cmp.Or(cmp.Compare(spellings[key][b], spellings[key][a]), strings.Compare(a, b))
		})
		u.name = most[0]
	}
	return all
}

// add counts one use of a field.
func (u *usage) add(f *source.HeadField, isVoid bool) {
	u.pages++
	isText := func(item source.HeadField) bool { return !item.IsMap() && !item.IsList() }
	switch {
	case f.IsList() && !slices.ContainsFunc(f.Items, func(item source.HeadField) bool { return !isText(item) }):
		u.joined++
		if slices.ContainsFunc(f.Items, func(item source.HeadField) bool { return strings.Contains(item.Value, ",") }) {
			u.commas++
		}
	case !isText(*f):
		u.deep++
		for _, item := range f.Items {
			if item.Name == "render" && (item.Value == "never" || item.Value == "link") { // of Hugo's "build"
				u.never[".render="+item.Value]++
			}
		}
	case f.IsText():
		u.texts++
		if source.IsDate(f.Value) {
			u.dates++
		}
		if _, err := uuid.Parse(f.Value); err == nil {
			u.ids++
		}
		if page.KindNamed(f.Value) != nil {
			u.kinds++
		}
		switch strings.ToLower(f.Value) {
		case "true", "1", "yes", "on":
			u.trues++
			if isVoid {
				u.voids++
			}
		case "false":
			u.never["=false"]++
		}
	}
}

// meanings are names that fields of other generators have, by sivu's name, the usual
// ones first.
var meanings = []struct {
	own   string
	why   string
	names []string
}{
	{"created", "when a page was first published", []string{
		"created", "date", "published", "publishedAt", "published_at", "publishDate", "pubDate", "publish_date", "pubdate", "datePublished", "date_published",
		"published_date", "publishedDate", "created_at", "createdAt", "createDate", "creation_date", "post_date",
	}},
	{"modified", "when a page was last changed", []string{
		"modified", "lastmod", "updated", "updatedDate", "updated_at", "updatedAt", "lastUpdated", "last_updated", "last_modified_at", "last_modified", "lastModified", "dateModified",
		"date_modified", "modified_at", "modifiedAt", "modified_date", "last_update", "update_date", "revision_date", "review_date",
	}},
	{"expires", "from then on a page is left out", []string{"expires", "expiryDate", "expiry_date", "unpublishdate", "unpublish_date", "expire_date"}},
	{"publish", "before then a page is left out", []string{"publish", "publishDate", "publish_on"}},
}

// mapFields finds what the pages call sivu's own fields.
func (p *proposal) mapFields() {
	use := func(own, name, why string) {
		p.taken[name] = true
		if own != name {
			p.fields = append(p.fields, item{key: own, value: cmp.Or(quoted(name), "~"), why: why})
		}
	}
	for _, m := range meanings {
		var best *usage
		for _, name := range m.names {
			u := p.usage(name)
			if u != nil && !p.taken[u.name] && u.dates > 0 && 10*u.dates >= 9*u.texts && u.deep == 0 && (best == nil || u.dates > best.dates) {
				best = u
			}
		}
		switch own := p.usage(m.own); {
		case best != nil:
			use(m.own, best.name, fmt.Sprintf("%s: a date on %s", m.why, count(best.dates, "page")))
			if m.own == "created" || m.own == "modified" {
				p.dated[best.name] = true
			}
		case own != nil:
			use(m.own, "", "this field of the pages holds no dates")
		}
	}
	if f := p.found.field; f != "" {
		use("language", f, "the language of a page")
	} else if u := p.usage("language"); u != nil {
		use("language", "", "this field of the pages does not name their language")
	}
	for _, plain := range []struct {
		own  string
		good func(*usage) int
		what string
	}{
		{"id", func(u *usage) int { return u.ids }, "no UUIDs: ids are derived from the namespace and the path"},
		{"kind", func(u *usage) int { return u.kinds }, "none of sivu's kinds"},
		{"embeds", func(u *usage) int { return u.joined }, "no lists of addresses"},
		{"meta", func(u *usage) int { return u.deep }, "no maps of meta keys"},
	} {
		if u := p.usage(plain.own); u != nil && !p.taken[u.name] && 2*plain.good(u) < u.pages {
			use(plain.own, "", "this field of the pages holds "+plain.what)
		}
	}
}

// usage returns how the pages use the field of that name, or nil.
func (p *proposal) usage(name string) *usage {
	if p.isHugo() {
		name = strings.ToLower(name)
	}
	return p.used[name]
}

// titleFields are the names of fields that can stand for a title.
var titleFields = []string{"title", "display_name", "displayName", "heading", "headline", "name", "linkTitle", "pageTitle", "page_title", "label", "sidebar_label", "subject"}

// findTitles proposes where titles come from.
func (p *proposal) findTitles() {
	missing := 0
	byField := make(map[string]int)
	for i := range p.pages {
		sp := &p.pages[i]
		if f := sp.field("title", p.isHugo()); f != nil && f.IsText() {
			continue
		}
		missing++
		for _, name := range titleFields {
			if f := sp.field(name, p.isHugo()); f != nil && f.IsText() {
				byField[f.Name]++
				break
			}
		}
	}
	if missing == 0 {
		return
	}
	from := []string{"title"}
	reasons := []string{count(missing, "page") + " without a title"}
	for _, name := range titleFields {
		if n := byField[name]; n > 0 && name != "title" {
			from = append(from, name)
			reasons = append(reasons, fmt.Sprintf("%s gives %d", name, n))
		}
	}
	p.add("title_from", flow(append(from, source.TitleHeading, source.TitlePath)), strings.Join(reasons, ", ")+"; then the first heading, then the file's name")
}

// sortLists proposes what becomes of fields that hold lists and maps.
func (p *proposal) sortLists() {
	var join, ignore []item
	for _, key := range slices.Sorted(maps.Keys(p.used)) {
		u := p.used[key]
		switch {
		case p.taken[u.name] || slices.Contains([]string{"embeds", "meta", "aliases"}, key) || u.deep+u.joined == 0:
		case u.deep > 0:
			ignore = append(ignore, item{value: quoted(u.name), why: fmt.Sprintf("holds maps or lists of maps on %s", count(u.deep, "page"))})
			p.lost = append(p.lost, fmt.Sprintf("%s %d", u.name, u.pages))
		default:
			separator := ", "
			if u.commas > 0 {
				separator = "; "
			}
			join = append(join, item{key: quoted(u.name), value: quoted(separator), why: fmt.Sprintf("a list on %s", count(u.joined, "page"))})
			p.joined = append(p.joined, u.name)
		}
	}
	p.addItems("join", "lists that become one text: a meta value is a text", join)
	p.addItems("ignore", "fields that no meta value can hold, or that only the site's layout needs", ignore)
}

// stubField matches names of switches of pages that are there to be translated.
var stubField = regexp.MustCompile(`(?i)untranslated|not_?translated|needs_?translation|stub|placeholder`)

// findSkipped proposes which pages are left out by their fields.
func (p *proposal) findSkipped() {
	var skip []item
	for _, key := range slices.Sorted(maps.Keys(p.used)) {
		u := p.used[key]
		for _, value := range slices.Sorted(maps.Keys(u.never)) {
			if condition := u.name + value; p.isHugo() && key == "build" && value != "=false" || slices.Contains([]string{"published=false", "publish=false", "permalink=false"}, condition) {
				skip = append(skip, item{value: quoted(condition), why: fmt.Sprintf("%s that the site does not serve", count(u.never[value], "page"))})
			}
		}
		if stubField.MatchString(key) && u.trues > 0 && 10*u.voids >= 9*u.trues {
			skip = append(skip, item{value: quoted(u.name), why: fmt.Sprintf("of %s with it %d have no text: stubs, which are no translations", count(u.trues, "page"), u.voids)})
			p.decide = append(p.decide, fmt.Sprintf("skip_if %s leaves out %s", u.name, count(u.trues, "stub")))
		}
	}
	p.addItems("skip_if", "pages with these fields are left out, as drafts are", skip)
}
