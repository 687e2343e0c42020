package adopt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
)

// maxFacts is how many things of one kind a row names.
const maxFacts = 4

// table returns the rows that people see: what there is, what is kept and lost, and what
// they should decide.
func (p *proposal) table(c Checked) (rows []Row) {
	row := func(label string, facts ...string) {
		if facts = slices.DeleteFunc(facts, func(fact string) bool { return fact == "" }); len(facts) > 0 {
			rows = append(rows, Row{label, []string{strings.Join(facts, "; ")}})
		}
	}
	from, left, beside := "pages", "", ""
	if p.rendered {
		from = "pages of a rendered site"
	} else if p.generator != nil {
		from = "pages for " + p.generator.name
	}
	if c.Skipped > 0 && p.rendered {
		left = fmt.Sprint(c.Skipped) + " left out: redirects, lists, tags and searches"
	} else if c.Skipped > 0 {
		left = fmt.Sprint(c.Skipped) + " left out by their fields"
	}
	if n := len(p.exclude) - len(p.failed); n > 0 {
		beside = diag.Plural(n, "pattern") + " of what is no page"
	}
	row("found", diag.Plural(len(p.pages), "file"), from, diag.Plural(len(p.found.codes), "language")+": "+some(p.found.codes, 12))
	row("records", fmt.Sprint(c.Records), left)
	row("excluded", append([]string{beside}, p.unread()...)...)
	row("kept", p.kept()...)
	row("lost", p.losses(c)...)
	row("other door", p.otherDoor())
	return append(rows, Row{"decide", p.decisions()})
}

var anyQuoted = regexp.MustCompile(`"[^"]*"…?|\d+`)

// unread returns the most frequent reasons for which pages are excluded. What a page says
// makes no reason another one.
func (p *proposal) unread() (facts []string) {
	pages := make(map[string]int)
	for _, reason := range p.failed {
		pages[anyQuoted.ReplaceAllString(reason, "…")]++
	}
	reasons := ranked(pages)
	for _, reason := range reasons[:min(len(reasons), 3)] {
		facts = append(facts, fmt.Sprint(pages[reason])+": "+reason)
	}
	return facts
}

// kept returns what becomes part of records.
func (p *proposal) kept() []string {
	if p.rendered {
		return []string{"texts", "titles", "links and images as the site serves them", "dates and descriptions of the HTML files"}
	}
	facts := []string{"texts", "dates from " + strings.Join(p.dates, ", then ")}
	pages := make(map[string]int)
	for _, u := range p.used {
		if u.deep == 0 && !p.taken[u.name] {
			pages[u.name] = u.pages
		}
	}
	if len(pages) > 0 {
		facts = append(facts, "fields "+some(ranked(pages), 10))
	}
	return facts
}

// losses returns what does not become part of records, by kind and count.
func (p *proposal) losses(c Checked) (facts []string) {
	var dropped []string
	for _, m := range p.markers {
		if m.Treatment != markup.MarkerUnwrap {
			dropped = append(dropped, fmt.Sprintf("%s %d", m.Name, m.Uses))
		}
	}
	if len(dropped) > 0 {
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

// otherDoor returns why and how the site as its generator renders it is the better one to
// read, or "".
func (p *proposal) otherDoor() string {
	if p.generator == nil {
		return ""
	}
	mdx, why := 0, ""
	for i := range p.pages {
		if strings.HasSuffix(strings.ToLower(p.pages[i].path), ".mdx") {
			mdx++
		}
	}
	switch {
	case mdx > 0:
		why = diag.Plural(mdx, "page") + " in MDX"
	case 10*p.markerPages > len(p.pages):
		why = "template markers on " + diag.Plural(p.markerPages, "page")
	default:
		return ""
	}
	return why + ": better read the site as it renders it: " + p.generator.render + ", then sivu init " + p.generator.output
}

// decisions returns what people should look at.
func (p *proposal) decisions() []string {
	facts := []string{"base_url, where the API will be served"}
	if slices.Contains(p.dates, source.DatesMtime) {
		facts = append(facts, "dates: "+diag.Plural(p.noDate, "page")+" with only the time of the file")
	}
	const maxDecisions = 6 // the table fits a screen
	if facts = append(facts, p.decide...); len(facts) > maxDecisions {
		facts = append(facts[:maxDecisions-1], fmt.Sprintf("and %d more: read site.yaml", len(facts)-maxDecisions+1))
	}
	return facts
}
