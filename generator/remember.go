package generator

import (
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/state"
)

// encodeFile returns what a run found of file i, as a value of the state.
func (r *run) encodeFile(dst []byte, i int) []byte {
	t := r.trace
	e := encoder{dst[:0]}
	file := &t.files[i]
	e.uint(uint64(t.outcomes[i]))
	e.uint(uint64(file.Size))
	e.int(file.ModTime)
	e.int(file.ChangeTime)
	e.fixed64(t.sums[i])
	var git gitDates
	if t.dates != nil {
		git = t.dates[i]
	}
	e.flags(git.asked, git.known)
	if git.known {
		e.int(int64(git.Created))
		e.int(int64(git.Modified))
	}
	e.problems(t.heads[int32(i)])
	if t.outcomes[i] == found {
		r.encodePage(&e, t.places[i])
	}
	return e.bytes
}

func (r *run) encodePage(e *encoder, place int32) {
	p, record := &r.collection.pages[place], &r.collection.records[place]
	e.flags(record.whole, record.derived, record.bodiless)
	e.bytes = append(e.bytes, p.ID[:]...)
	e.within(p.Path, p.Language)
	kind := ""
	if p.Kind != nil {
		kind = p.Kind.Name
	}
	e.text(kind)
	e.within(p.Path, p.Topic)
	e.within(p.Path, p.URL)
	e.int(int64(p.Created))
	e.int(int64(p.Modified))
	for _, place := range [...]page.Place{p.IDPlace, p.URLPlace} {
		e.uint(uint64(place.Line))
		e.uint(uint64(place.Column))
	}
	e.fixed64(record.headSum)
	e.uint(uint64(record.bodyStart))
	e.uint(uint64(record.bodyEnd))
	embeds := r.collection.embeds[p.Path]
	e.uint(uint64(len(embeds)))
	for _, embed := range embeds {
		e.text(embed.URI)
	}
	r.encodeBody(e, place)
}

func (r *run) encodeBody(e *encoder, place int32) {
	t := r.trace
	asked := t.asked[place]
	e.flags(asked != nil)
	e.uint(uint64(len(asked)))
	for _, question := range asked {
		e.fixed32(uint32(question))
	}
	e.uint(uint64(len(r.anchors.there[place])))
	for _, anchor := range r.anchors.there[place] {
		e.fixed32(anchor)
	}
	e.uint(uint64(t.assets[place]))
	e.problems(t.bodies[place])
	links := t.links[place]
	e.uint(uint64(len(links)))
	for _, l := range links {
		e.text(r.collection.pages[l.Target].Path)
		e.fixed64(l.Anchor)
		e.text(l.Text)
		e.uint(uint64(l.position.Line))
		e.uint(uint64(l.position.Column))
	}
}

// memory is a run in the making, out of what a state says of files.
type memory struct {
	*run

	decoder decoder
	paths   arena[byte]
	asked   arena[markup.Dependency]
	there   arena[uint32]
	targets []pendingLink // links whose target is known by its path only

	questions []markup.Dependency // of the body that is read
	hashes    []uint32            // of its anchors
}

type pendingLink struct {
	place int32 // of the page that links
	k     int   // among its links
	path  string
}

// leastFile is how many bytes the path and the value of a file take at least.
const leastFile = 16

// newMemory returns a run that knows nothing yet, and has room for so many files.
func newMemory(files int) *memory {
	m := &memory{run: new(run)}
	m.decoder.rules = make(map[string]*diag.Rule)
	for _, rule := range Rules() {
		m.decoder.rules[rule.Name] = rule
	}
	m.trace = newTrace(false)
	m.anchors = &anchors{there: make([][]uint32, 0, files)}
	m.trace.files, m.trace.outcomes = make([]source.File, 0, files), make([]outcome, 0, files)
	m.trace.sums, m.trace.places = make([]uint64, 0, files), make([]int32, 0, files)
	m.trace.asked = make([][]markup.Dependency, 0, files)
	m.collection.pages, m.collection.records = make([]page.Record, 0, files), make([]record, 0, files)
	return m
}

// addAll takes in a whole state. It reports whether that is one that saveState
// writes.
func (m *memory) addAll(c *state.Cursor) bool {
	for {
		key, value, ok := c.Next()
		if !ok {
			return c.Err() == nil && m.end()
		}
		m.decoder.rest = value
		if isKeyOfFile(key) {
			ok = m.addFile(key)
		} else if key == judgedKey {
			m.trace.judged = m.decoder.problems()
			ok = !m.decoder.failed
		}
		if !ok {
			return false
		}
	}
}

// addFile takes in a file, in the order of paths. It reports whether its value is
// one that encodeFile writes.
func (m *memory) addFile(key string) bool {
	d, t, i := &m.decoder, m.trace, int32(len(m.trace.files))
	path := keepText(&m.paths, key)
	result := d.int32()
	file := source.File{Path: path, Size: d.size(), ModTime: d.int(), ChangeTime: d.int()}
	sum := d.fixed64()
	var git gitDates
	d.flags(&git.asked, &git.known)
	if git.known {
		git.Created, git.Modified = d.time(), d.time()
	}
	if problems := d.problems(); len(problems) > 0 {
		t.heads[i] = problems
	}
	t.files = append(t.files, file)
	t.outcomes = append(t.outcomes, outcome(result))
	t.sums = append(t.sums, sum)
	if git.asked && t.dates == nil {
		t.dates = make([]gitDates, i, cap(t.files))
	}
	if t.dates != nil {
		t.dates = append(t.dates, git)
	}
	switch result {
	case int32(found):
		t.places = append(t.places, int32(len(m.collection.pages)))
		m.addPage(path, i)
	case int32(leftOut):
		t.places = append(t.places, nowhere)
		m.collection.skipped = append(m.collection.skipped, path)
	default:
		d.fail()
	}
	return !d.failed && len(d.rest) == 0
}

func (m *memory) addPage(path string, file int32) {
	d, c := &m.decoder, &m.collection
	p, record := page.Record{Path: path}, record{file: file, sum: m.trace.sums[file], earlier: nowhere}
	d.flags(&record.whole, &record.derived, &record.bodiless)
	copy(p.ID[:], d.take(len(p.ID)))
	p.Language = d.within(path)
	if kind := d.bytes(); len(kind) > 0 {
		if p.Kind = page.KindNamed(string(kind)); p.Kind == nil {
			d.fail()
		}
	}
	p.Topic, p.URL = d.within(path), d.within(path)
	p.Created, p.Modified = d.time(), d.time()
	for _, place := range [...]*page.Place{&p.IDPlace, &p.URLPlace} {
		place.Line, place.Column = d.int32(), d.int32()
	}
	record.headSum = d.fixed64()
	if record.bodyStart, record.bodyEnd = d.int32(), d.int32(); record.bodyStart > record.bodyEnd {
		d.fail()
	}
	if n := d.count(1); n > 0 {
		embeds := make([]page.Embed, n)
		for k := range embeds {
			embeds[k].URI = d.text()
		}
		c.keepEmbeds(path, embeds)
	}
	place := int32(len(c.pages))
	c.pages, c.records = append(c.pages, p), append(c.records, record)
	m.addBody(place)
}

func (m *memory) addBody(place int32) {
	d, t := &m.decoder, m.trace
	const size = 4
	isDone := false
	d.flags(&isDone)
	asked := m.questions[:0]
	for range d.count(size) {
		asked = append(asked, markup.Dependency(d.fixed32()))
	}
	m.questions = asked
	if isDone {
		t.asked = append(t.asked, m.asked.keep(asked))
	} else {
		t.asked = append(t.asked, nil)
	}
	there := m.hashes[:0]
	for range d.count(size) {
		there = append(there, d.fixed32())
	}
	m.hashes = there
	m.anchors.there = append(m.anchors.there, m.there.keep(there))
	if n := d.int32(); n > 0 {
		t.assets[place] = int(n)
	}
	if problems := d.problems(); len(problems) > 0 {
		t.bodies[place] = problems
	}
	m.addLinks(place)
}

func (m *memory) addLinks(place int32) {
	const least = 12
	d := &m.decoder
	n := d.count(least)
	if n == 0 {
		return
	}
	links := make([]anchorLink, n)
	for k := range links {
		m.targets = append(m.targets, pendingLink{place, k, d.text()})
		links[k].Anchor, links[k].Text = d.fixed64(), d.text()
		links[k].position = diag.Position{File: m.collection.pages[place].Path, Line: int(d.int32()), Column: int(d.int32())}
	}
	m.trace.links[place] = links
}

// end finds the targets of links, once all pages are known.
func (m *memory) end() bool {
	for _, l := range m.targets {
		place, ok := m.collection.find(l.path)
		if !ok {
			return false
		}
		m.trace.links[l.place][l.k].Target = place
	}
	m.targets = nil
	return true
}

// isKeyOfFile reports whether a key of the state is the path of a file: all others
// begin with a NUL, which no path can.
func isKeyOfFile(key string) bool { return !strings.HasPrefix(key, "\x00") }
