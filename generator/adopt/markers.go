package adopt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/markup"
)

// decideMarkers proposes what becomes of template markers, and reports whether there are
// any that were not decided about before.
func (p *proposal) decideMarkers(c Checked) bool {
	if len(c.Markers) == 0 || p.markers != nil {
		return false
	}
	treatment := make(map[string]*Marker)
	for i := range c.Markers {
		m := &c.Markers[i]
		if first := treatment[m.Name]; first == nil {
			treatment[m.Name] = m
		} else {
			first.Pages, first.Uses = max(first.Pages, m.Pages), first.Uses+m.Uses
			if m.Treatment == markup.MarkerUnwrap { // of its single uses nothing is left either way
				first.Treatment = m.Treatment
			}
		}
	}
	for _, m := range treatment {
		p.markers = append(p.markers, *m)
	}
	slices.SortFunc(p.markers, func(a, b Marker) int { return cmp.Or(cmp.Compare(b.Uses, a.Uses), strings.Compare(a.Name, b.Name)) })
	p.markerPages = c.MarkerPages
	var items []item
	for _, m := range p.markers {
		what := "what it stands for is lost"
		if m.Treatment == markup.MarkerUnwrap {
			what = "the text in it is kept"
		}
		items = append(items, item{key: quoted(m.Name), value: m.Treatment, why: fmt.Sprintf("%s on %s: %s", count(m.Uses, "use"), count(m.Pages, "page"), what)})
	}
	p.addItems("markers", "template markers, which sivu does not run: drop, unwrap (keep the text in it) or keep as text", items)
	return true
}

// markerFacts returns the markers that are dropped, with their uses.
func (p *proposal) markerFacts() (facts []string) {
	for _, m := range p.markers {
		if m.Treatment != markup.MarkerUnwrap {
			facts = append(facts, fmt.Sprintf("%s %d", m.Name, m.Uses))
		}
	}
	return facts
}

// otherDoor returns why and how the site as its generator renders it is the better one to
// read, or "".
func (p *proposal) otherDoor() string {
	mdx := 0
	for i := range p.pages {
		if strings.HasSuffix(strings.ToLower(p.pages[i].path), ".mdx") {
			mdx++
		}
	}
	if p.generator == nil || 10*p.markerPages <= len(p.pages) && mdx == 0 {
		return ""
	}
	why := count(mdx, "page") + " in MDX"
	if mdx == 0 {
		why = "template markers on " + count(p.markerPages, "page")
	}
	return why + ": better read the site as it renders it: " + p.generator.render + ", then sivu init " + p.generator.output
}
