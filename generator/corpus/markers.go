package corpus

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// bodyMarker is a template marker of one body.
type bodyMarker struct {
	markup.Marker
	position page.Position
}

// Marker is a template marker of the site: all uses of a name that are treated alike.
type Marker struct {
	Name      string
	Syntax    string // how such a marker looks
	Treatment string // see markup.Marker
	Pages     int
	Uses      int
	Example   diag.Position // of the first
	Text      string        // of the first
}

// Markers returns the template markers of the site by name, and the number of pages with
// some that nobody decided about.
func (c *Corpus) Markers() (markers []Marker, undecided int) {
	index := make(map[markup.Marker]int)
	c.eachMarker(func(p *Page, m *bodyMarker) {
		key := markup.Marker{Name: m.Name, Syntax: m.Syntax, Treatment: m.Treatment}
		k, ok := index[key]
		if !ok {
			k = len(markers)
			index[key] = k
			at := p.at(m.position)
			at.File = c.settings.Shown(at.File)
			markers = append(markers, Marker{Name: m.Name, Syntax: m.Syntax, Treatment: m.Treatment, Example: at, Text: m.Text})
		}
		markers[k].Pages++
		markers[k].Uses += m.Uses
	})
	for i := range c.Pages {
		if slices.ContainsFunc(c.Pages[i].body.markers, func(m bodyMarker) bool { return !m.Decided }) {
			undecided++
		}
	}
	slices.SortFunc(markers, func(a, b Marker) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Syntax, b.Syntax), strings.Compare(a.Treatment, b.Treatment))
	})
	return markers, undecided
}

// eachMarker calls f for the markers of all pages, page by page.
func (c *Corpus) eachMarker(f func(p *Page, m *bodyMarker)) {
	for i := range c.Pages {
		p := &c.Pages[i]
		for k := range p.body.markers {
			f(p, &p.body.markers[k])
		}
	}
}

// reportMarkers warns once about each name of markers that nobody decided about.
func (c *Corpus) reportMarkers() {
	type use struct {
		pages, uses int
		last        *Page
		at          diag.Position
		isUnwrapped bool
	}
	uses := make(map[string]*use)
	c.eachMarker(func(p *Page, m *bodyMarker) {
		if m.Decided {
			return
		}
		u := uses[m.Name]
		if u == nil {
			u = &use{at: p.at(m.position)}
			uses[m.Name] = u
		}
		if u.last != p {
			u.pages++
		}
		u.last = p
		u.uses += m.Uses
		u.isUnwrapped = u.isUnwrapped || m.Treatment == markup.MarkerUnwrap
	})
	for name, u := range uses {
		what := "it is dropped, and what it stands for is lost"
		if u.isUnwrapped {
			what = "its text is kept, the marker itself is dropped"
		}
		c.Add(markup.TemplateMarker.At(u.at, "the marker %s stands on %s (%s): %s", diag.Quote(name), diag.Plural(u.pages, "page"), diag.Plural(u.uses, "time"), what).
			WithHint("say under \"markers\" in site.yaml to drop, unwrap or keep it, or read the site as its generator renders it: sivu init RENDERED-FOLDER"))
	}
}

// markers codes the markers of a body.
func (c *codec) markers(markers *[]bodyMarker) {
	const least = 8
	list(c, markers, least, func(m *bodyMarker) {
		c.texts(&m.Name, &m.Syntax, &m.Treatment, &m.Text)
		c.flags(&m.Decided)
		number(c, &m.Uses, math.MaxInt32)
		c.position(&m.position)
	})
}
