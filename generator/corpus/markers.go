package corpus

import (
	"cmp"
	"fmt"
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

	images int // that are lost
	last   *Page
}

// Markers returns the template markers of the site by name, and the number of pages with
// some that nobody decided about.
func (c *Corpus) Markers() (markers []Marker, undecided int) {
	markers = c.tally(func(m *bodyMarker) markup.Marker {
		return markup.Marker{Name: m.Name, Syntax: m.Syntax, Treatment: m.Treatment}
	})
	for i := range markers {
		at := &markers[i].Example
		at.File = c.settings.Shown(at.File)
	}
	for i := range c.Pages {
		if slices.ContainsFunc(c.Pages[i].body.markers, func(m bodyMarker) bool { return !m.Decided }) {
			undecided++
		}
	}
	return markers, undecided
}

// tally returns the markers of the site that have the same key each, in the order of the
// keys. Those without a name as key are left out.
func (c *Corpus) tally(key func(*bodyMarker) markup.Marker) (markers []Marker) {
	index := make(map[markup.Marker]int)
	for i := range c.Pages {
		p := &c.Pages[i]
		for k := range p.body.markers {
			found := &p.body.markers[k]
			is := key(found)
			if is.Name == "" {
				continue
			}
			n, ok := index[is]
			if !ok {
				n = len(markers)
				index[is] = n
				markers = append(markers, Marker{Name: is.Name, Syntax: is.Syntax, Treatment: is.Treatment, Example: p.at(found.position), Text: found.Text})
			}
			m := &markers[n]
			if m.last != p {
				m.Pages++
			}
			m.last = p
			m.Uses += found.Uses
			m.images += found.Images
			if found.Treatment == markup.MarkerUnwrap {
				m.Treatment = found.Treatment
			}
		}
	}
	slices.SortFunc(markers, func(a, b Marker) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Syntax, b.Syntax), strings.Compare(a.Treatment, b.Treatment))
	})
	return markers
}

// reportMarkers warns once about each name of markers that nobody decided about. Numbers
// are written such that messages that say the same form one group.
func (c *Corpus) reportMarkers() {
	for _, m := range c.tally(func(m *bodyMarker) markup.Marker {
		if m.Decided {
			return markup.Marker{}
		}
		return markup.Marker{Name: m.Name}
	}) {
		what := "what it stands for is lost"
		switch {
		case m.images > 0:
			what = fmt.Sprintf("images are lost: %d", m.images)
		case m.Treatment == markup.MarkerUnwrap:
			what = "its text is kept"
		}
		c.Add(markup.TemplateMarker.At(m.Example, "the marker %s is dropped, and %s (pages: %d, uses: %d)", diag.Quote(m.Name), what, m.Pages, m.Uses).
			WithHint("\"markers\" in site.yaml decides what becomes of each; sivu check --markers lists them"))
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
