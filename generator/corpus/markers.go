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
	markers = c.countMarkers(func(m *bodyMarker) string { return m.Name + "\n" + m.Syntax + "\n" + m.Treatment })
	for i := range markers {
		markers[i].Example.File = c.settings.Shown(markers[i].Example.File)
	}
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

// countMarkers counts the markers of all bodies that have the same key, but for those
// without one. They are unwrapped if one of them is.
func (c *Corpus) countMarkers(key func(m *bodyMarker) string) (counted []Marker) {
	index := make(map[string]int)
	var last []*Page // that has each of them
	for i := range c.Pages {
		p := &c.Pages[i]
		for k := range p.body.markers {
			m := &p.body.markers[k]
			key := key(m)
			if key == "" {
				continue
			}
			at, ok := index[key]
			if !ok {
				at = len(counted)
				index[key], last = at, append(last, nil)
				counted = append(counted, Marker{Name: m.Name, Syntax: m.Syntax, Treatment: m.Treatment, Example: p.at(m.position), Text: m.Text})
			}
			n := &counted[at]
			if last[at] != p {
				n.Pages, last[at] = n.Pages+1, p
			}
			n.Uses += m.Uses
			if m.Treatment == markup.MarkerUnwrap {
				n.Treatment = m.Treatment
			}
		}
	}
	return counted
}

// reportMarkers warns once about each name of markers that nobody decided about.
func (c *Corpus) reportMarkers() {
	undecided := c.countMarkers(func(m *bodyMarker) string {
		if m.Decided {
			return ""
		}
		return m.Name + "\n"
	})
	for _, m := range undecided {
		what := "it is dropped, and what it stands for is lost"
		if m.Treatment == markup.MarkerUnwrap {
			what = "its text is kept, the marker itself is dropped"
		}
		c.Add(markup.TemplateMarker.At(m.Example, "the marker %s stands on %s (%s): %s",
			diag.Quote(m.Name), diag.Plural(m.Pages, "page"), diag.Plural(m.Uses, "time"), what).
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
