package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxFacts is how many things of one kind a row names.
const maxFacts = 4

// table returns the rows that people see: what there is, what is kept and lost, and what
// they should decide.
func (p *proposal) table(c Checked) (rows []Row) {
	row := func(label string, facts ...string) {
		facts = slices.DeleteFunc(facts, func(fact string) bool { return fact == "" })
		if len(facts) > 0 {
			rows = append(rows, Row{label, []string{strings.Join(facts, "; ")}})
		}
	}
	from := "pages"
	if p.rendered {
		from = "pages of a rendered site"
	} else if p.generator != nil {
		from = "pages for " + p.generator.name
	}
	row("found", count(len(p.pages), "file"), from, count(len(p.languages), "language")+": "+some(p.languages, 12))
	left, beside := "", ""
	if n := len(p.exclude) - len(p.failed); n > 0 {
		beside = count(n, "pattern") + " of what is no page"
	}
	switch {
	case c.Skipped > 0 && p.rendered:
		left = fmt.Sprint(c.Skipped) + " left out: redirects, lists, tags and searches"
	case c.Skipped > 0:
		left = fmt.Sprint(c.Skipped) + " left out by their fields"
	}
	row("records", fmt.Sprint(c.Records), left)
	row("excluded", append([]string{beside}, p.unread()...)...)
	row("kept", p.kept()...)
	row("lost", p.losses(c)...)
	row("other door", p.otherDoor())
	return append(rows, Row{"decide", p.decisions()})
}

// unread returns the most frequent reasons for which pages are excluded. What a page says
// makes no reason another one.
func (p *proposal) unread() (facts []string) {
	pages := make(map[string]int)
	for _, reason := range p.failed {
		pages[anyQuoted.ReplaceAllString(reason, "…")]++
	}
	reasons := slices.SortedFunc(maps.Keys(pages), func(a, b string) int {
		return cmp.Or(cmp.Compare(pages[b], pages[a]), strings.Compare(a, b))
	})
	for _, reason := range reasons[:min(len(reasons), 3)] {
		facts = append(facts, fmt.Sprint(pages[reason])+": "+reason)
	}
	return facts
}

var anyQuoted = regexp.MustCompile(`"[^"]*"…?|\d+`)

// kept returns what becomes part of records.
func (p *proposal) kept() []string {
	if p.rendered {
		return []string{"texts", "titles", "links and images as the site serves them", "dates and descriptions of the HTML files"}
	}
	facts := []string{"texts", "dates from " + strings.Join(p.dates, ", then ")}
	var names []string
	for _, u := range p.byUse() {
		if u.deep == 0 && !p.taken[u.name] {
			names = append(names, u.name)
		}
	}
	if len(names) > 0 {
		facts = append(facts, "fields "+some(names, 10))
	}
	return facts
}

// byUse returns the fields, the most frequent first.
func (p *proposal) byUse() []*usage {
	return slices.SortedFunc(maps.Values(p.used), func(a, b *usage) int {
		return cmp.Or(cmp.Compare(b.pages, a.pages), strings.Compare(a.name, b.name))
	})
}

// losses returns what does not become part of records, by kind and count.
func (p *proposal) losses(c Checked) (facts []string) {
	if dropped := p.markerFacts(); len(dropped) > 0 {
		facts = append(facts, "template markers: "+some(dropped, maxFacts))
	}
	if len(p.lost) > 0 {
		facts = append(facts, "fields with maps: "+some(p.lost, maxFacts))
	}
	for _, l := range []struct{ rule, what string }{
		{"broken-link", "links that lead nowhere"},
		{"html-removed", "elements and attributes that no text has"},
		{"no-body", "pages without a body"},
	} {
		if n := c.Warnings[l.rule]; n > 0 {
			facts = append(facts, l.what+": "+fmt.Sprint(n))
		}
	}
	return facts
}

// decisions returns what people should look at.
func (p *proposal) decisions() []string {
	facts := []string{"base_url, where the API will be served"}
	if slices.Contains(p.dates, "mtime") {
		facts = append(facts, "dates: "+count(p.noDate, "page")+" with only the time of the file")
	}
	const most = 6 // the table fits a screen
	if facts = append(facts, p.decide...); len(facts) > most {
		facts = append(facts[:most-1], fmt.Sprintf("and %d more: read site.yaml", len(facts)-most+1))
	}
	return facts
}

// some returns the first few of a list.
func some(list []string, most int) string {
	if len(list) <= most+1 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
}
