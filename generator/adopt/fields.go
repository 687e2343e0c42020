package adopt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// usage is how the pages use one field: each count is a number of pages.
type usage struct {
	name      string // in its most frequent spelling
	spellings map[string]int
	texts     map[string]int // with a text that is not blank, by what it is, as below

	pages  int
	lists  int            // with a list of texts
	commas int            // of these, with a comma in an item
	deep   int            // with a map, or a list of anything else
	voids  int            // without a body, and the field is a switch that is on
	values map[string]int // by what follows the name of a field in a condition, as "=false"
}

// Kinds of texts that [usage] counts.
const (
	anyText = "text"
	aDate   = "date"
	anID    = "id"
	aKind   = "kind"
	isOn    = "on"
)

// countFields counts how the pages use their fields, by name; in lower case on Hugo sites.
func (s *survey) countFields() map[string]*usage {
	all := make(map[string]*usage)
	for i := range s.pages {
		p := &s.pages[i]
		for j := range p.fields {
			f := &p.fields[j]
			if f.Own {
				continue // sivu's, by the format itself
			}
			key := s.key(f.Name)
			if all[key] == nil {
				all[key] = &usage{spellings: map[string]int{}, texts: map[string]int{}, values: map[string]int{}}
			}
			all[key].spellings[f.Name]++
			all[key].add(f.Value, p.empty)
		}
	}
	for _, u := range all {
		u.name = ranked(u.spellings)[0]
	}
	return all
}

// key returns the name under which a field is counted.
func (s *survey) key(name string) string {
	if s.isHugo() {
		return strings.ToLower(name)
	}
	return name
}

// add counts one use of a field.
func (u *usage) add(value any, isVoid bool) {
	u.pages++
	switch value := value.(type) {
	case []any:
		hasComma := false
		for _, item := range value {
			text, _ := item.(string)
			hasComma = hasComma || strings.Contains(text, ",")
			switch item.(type) {
			case []any, map[string]any:
				u.deep++
				return
			}
		}
		if u.lists++; hasComma {
			u.commas++
		}
	case map[string]any:
		u.deep++
		u.values[".render="+text(value, "render")]++ // of Hugo's "build"
	case string:
		u.addText(strings.TrimSpace(value), isVoid)
	}
}

func (u *usage) addText(text string, isVoid bool) {
	_, noID := uuid.Parse(text)
	for what, is := range map[string]bool{
		anyText: text != "", aDate: source.IsDate(text), anID: noID == nil, aKind: page.KindNamed(text) != nil,
		isOn: slices.Contains([]string{"true", "1", "yes", "on"}, strings.ToLower(text)),
	} {
		if is {
			u.texts[what]++
			if what == isOn && isVoid {
				u.voids++
			}
		}
	}
	if len(text) <= len("false") {
		u.values["="+strings.ToLower(text)]++
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

// mapFields finds what the pages call sivu's own fields, and gives back the names of
// these that mean something else here.
func (p *proposal) mapFields() {
	var fields []item
	use := func(own, name, why string) {
		p.taken[name] = true
		if own != name {
			fields = append(fields, item{own, quoted(name), why})
		}
	}
	giveBack := func(own, what string) {
		if u := p.usage(own); u.pages > 0 && !p.taken[u.name] {
			fields = append(fields, item{own, "~", "this field of the pages " + what})
		}
	}
	for _, m := range meanings {
		best := new(usage)
		for _, name := range m.names {
			if u := p.usage(name); !p.taken[u.name] && 10*u.texts[aDate] >= 9*u.texts[anyText] && u.deep == 0 && u.texts[aDate] > best.texts[aDate] {
				best = u
			}
		}
		if best.pages == 0 {
			giveBack(m.own, "holds no dates")
			continue
		}
		use(m.own, best.name, fmt.Sprintf("%s: a date on %s", m.why, diag.Plural(best.texts[aDate], "page")))
		if m.own == "created" || m.own == "modified" {
			p.dated = append(p.dated, best.name)
		}
	}
	if f := p.found.field; f != "" {
		use("language", f, "the language of a page")
	} else {
		giveBack("language", "does not name their language")
	}
	for _, plain := range []struct {
		own, what string
		good      func(*usage) int
	}{
		{"id", "holds no UUIDs: ids are derived from the namespace and the path", func(u *usage) int { return u.texts[anID] }},
		{"kind", "holds none of sivu's kinds", func(u *usage) int { return u.texts[aKind] }},
		{"embeds", "holds no lists of addresses", func(u *usage) int { return u.lists }},
		{"meta", "holds no maps of meta keys", func(u *usage) int { return u.deep }},
	} {
		if u := p.usage(plain.own); 2*plain.good(u) < u.pages {
			giveBack(plain.own, plain.what)
		}
	}
	p.addItems("fields", "what the pages call the fields that sivu knows; ~ gives a name back to the pages", fields)
}

// usage returns how the pages use the field of that name.
func (p *proposal) usage(name string) *usage {
	if u := p.used[p.key(name)]; u != nil {
		return u
	}
	return new(usage)
}

// titleFields are the names of fields that can stand for a title.
var titleFields = []string{"title", "display_name", "displayName", "heading", "headline", "name", "linkTitle", "pageTitle", "page_title", "label", "sidebar_label", "subject"}

// findTitles proposes where titles come from.
func (p *proposal) findTitles() {
	byField := make(map[string]int)
	for i := range p.pages {
		for _, name := range titleFields {
			if p.valueOf(&p.pages[i], name) != "" {
				byField[name]++
				break
			}
		}
	}
	missing := len(p.pages) - byField["title"]
	if missing == 0 {
		return
	}
	from, why := []string{"title"}, diag.Plural(missing, "page")+" without a title"
	for _, name := range titleFields[1:] {
		if n := byField[name]; n > 0 {
			from, why = append(from, p.usage(name).name), fmt.Sprintf("%s, %s gives %d", why, name, n)
		}
	}
	p.add("title_from", flow(append(from, source.TitleHeading, source.TitlePath)), why+"; then the first heading, then the file's name")
}

// sortLists proposes what becomes of fields that hold lists and maps.
func (p *proposal) sortLists() {
	var join, ignore []item
	for _, key := range slices.Sorted(maps.Keys(p.used)) {
		u := p.used[key]
		switch {
		case p.taken[u.name] || slices.Contains([]string{"embeds", "meta", "aliases"}, key) || u.deep+u.lists == 0:
		case u.deep > 0:
			ignore = append(ignore, item{"", quoted(u.name), "holds maps or lists of maps on " + diag.Plural(u.deep, "page")})
			p.lost = append(p.lost, fmt.Sprintf("%s %d", u.name, u.pages))
		case u.commas > 0:
			join = append(join, item{quoted(u.name), `"; "`, "a list on " + diag.Plural(u.lists, "page")})
		default:
			join = append(join, item{quoted(u.name), `", "`, "a list on " + diag.Plural(u.lists, "page")})
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
	for _, condition := range []string{"build.render=link", "build.render=never", "permalink=false", "publish=false", "published=false"} {
		at := strings.IndexAny(condition, ".=")
		if u := p.usage(condition[:at]); u.values[condition[at:]] > 0 && (condition[at] == '=' || p.isHugo()) {
			skip = append(skip, item{"", quoted(u.name + condition[at:]), diag.Plural(u.values[condition[at:]], "page") + " that the site does not serve"})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.used)) {
		u := p.used[key]
		if on := u.texts[isOn]; stubField.MatchString(key) && on > 0 && 10*u.voids >= 9*on {
			skip = append(skip, item{"", quoted(u.name), fmt.Sprintf("of %s with it %d have no text: stubs, which are no translations", diag.Plural(on, "page"), u.voids)})
			p.decide = append(p.decide, fmt.Sprintf("skip_if %s leaves out %s", u.name, diag.Plural(on, "stub")))
		}
	}
	p.addItems("skip_if", "pages with these fields are left out, as drafts are", skip)
}
