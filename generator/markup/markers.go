package markup

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/sivu/generator/page"
)

// A Marker is a template marker of a body: a place where the site's generator puts
// something else. All uses of a name that are treated alike are one Marker.
type Marker struct {
	Name      string
	Syntax    string // how such a marker looks, as in "{{< >}}"
	Treatment string
	Uses      int
	Offset    int    // of the first: bytes into the body given to Render
	Text      string // the first, or its beginning
	Decided   bool   // by Options.Markers, or it is understood: nothing is lost unknowingly
}

// The treatments of markers.
const (
	MarkerDrop   = "drop"   // it is left out, and if it is paired, what is in it, too
	MarkerUnwrap = "unwrap" // it is left out, and what is in it stays
	MarkerKeep   = "keep"   // it is shown as text

	// Those of markers that are understood.
	markerLink  = "link"
	markerImage = "image"
	markerEmbed = "embed"
	markerCode  = "code"
)

// AnyMarker is the name in Options.Markers that stands for all others.
const AnyMarker = "*"

// The bounds of the markers of one body.
const (
	maxTokens      = 200_000 // far more than a page needs; each takes several hundred bytes
	maxMarkerNames = 1000    // names that are counted each for itself
	maxMarkerText  = 80      // bytes of names, and of texts that are shown
)

// markerScans find the markers of bodies by the generator that these were written for.
// Markers of Hugo, Jekyll and Eleventy are read in code, too, as they do.
var markerScans = map[string]func(*markers){
	page.Hugo:       (*markers).hugo,
	page.Jekyll:     (*markers).liquid,
	page.Eleventy:   (*markers).liquid,
	page.Docusaurus: (*markers).lines,
	page.VitePress:  (*markers).lines,
	page.Astro:      (*markers).lines,
	page.MkDocs:     (*markers).lines,
}

// tokenKind is what one marker is.
type tokenKind uint8

const (
	single  tokenKind = iota
	opening           // as long as it has no mate, it is a single one
	closing
	literal // insert stands in its place; it is no marker to be counted
	indent  // blanks that a line begins with, in whose place insert stands
)

// A token is a marker, or another part of a body that does not stay as it is.
type token struct {
	start, end int
	kind       tokenKind
	name       string
	key        string // what opening and closing have in common
	syntax     string // how such markers look; "" for elements of HTML
	args       []markerArg
	insert     string
	mate       int  // index of the other of a pair, or none
	block      bool // alone on its line it leaves an empty line
	first      bool // of its line, where that is known
}

const none = -1 // stands for no index

// A markerArg is an argument of a marker.
type markerArg struct {
	name, value string // a name of "" is that of a positional one
}

// markers are those of one body, and the text that Markdown or HTML is read from.
type markers struct {
	opts   *Options
	syntax *page.Syntax
	src    []byte
	tokens []token
	stack  []int          // open tokens
	open   map[string]int // how many of a key are open
	steps  int            // bytes that may still be looked at in vain
	absent []string       // texts that do not follow
	uses   map[Marker]*Marker
	over   int // where the tokens are too many; 0 where they are not

	buffer     // the text, with marks that lead back to the body
	line   int // where the last line of the text begins
	blank  bool
	join   int // markers that left nothing since the text that was copied last
}

// expand finds the markers of a body and returns the text without them, or the body where
// it has none. Then m.origin leads from the text to the body.
func (m *markers) expand(opts *Options, syntax *page.Syntax, body []byte) ([]byte, bool) {
	scan := markerScans[opts.Generator]
	if syntax == page.MDX {
		scan = (*markers).lines
	} else if scan == nil || syntax != page.Markdown && syntax != page.HTML {
		return body, false
	}
	*m = markers{opts: opts, syntax: syntax, src: body, tokens: m.tokens[:0], stack: m.stack[:0], absent: m.absent[:0], buffer: m.buffer, blank: true}
	m.reset()
	const again = 8 // so many times the whole body may be looked through for the end of what has none
	m.steps = again*len(body) + 1<<16
	scan(m)
	if len(m.tokens) == 0 {
		return body, false
	}
	for len(m.stack) > 0 {
		m.pop()
	}
	m.write()
	return m.data, true
}

// add adds a token, in the order of the body, and finds the mate of a closing one.
func (m *markers) add(t token) {
	if len(m.tokens) == maxTokens {
		m.over = cmp.Or(m.over, t.start)
		return
	}
	t.mate = none
	i := len(m.tokens)
	switch {
	case t.kind == opening:
		if m.open == nil {
			m.open = make(map[string]int)
		}
		m.open[t.key]++
		m.stack = append(m.stack, i)
	case t.kind == closing && m.open[t.key] > 0:
		for t.mate == none {
			if last := m.pop(); m.tokens[last].key == t.key {
				m.tokens[last].mate, t.mate = i, last
			}
		}
	}
	m.tokens = append(m.tokens, t)
}

// pop closes the innermost open token, and returns its index.
func (m *markers) pop() int {
	last := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	m.open[m.tokens[last].key]--
	return last
}

// write writes the text without the tokens.
func (m *markers) write() {
	at, depth := 0, 0
	for i := 0; i < len(m.tokens); i++ {
		t := &m.tokens[i]
		if t.start < at {
			continue // in one that was dropped
		}
		m.copy(at, t.start)
		at = t.start
		if t.kind == indent {
			m.mark(at, false)
			m.append([]byte(t.insert))
			at = t.end
			continue
		}
		pair := t
		if t.kind == closing && t.mate != none {
			pair = &m.tokens[t.mate]
		}
		switch {
		case t.mate == none || t.block:
		case t.kind == closing:
			depth--
		default:
			if depth++; depth > 1 && m.blank && len(m.data)-m.line >= codeIndent {
				m.cut(m.line) // what is in markers is indented for people, and is no code
			}
		}
		treatment, insert := "", t.insert
		if t.kind != literal {
			treatment, insert = m.treat(t, pair)
		}
		if treatment != MarkerKeep {
			at = t.end
			if treatment == MarkerDrop && t.kind == opening && t.mate != none {
				i, depth = t.mate, depth-1
				at = m.tokens[i].end
			}
			at = m.replace(t, at, insert)
		}
	}
	m.copy(at, len(m.src))
}

// copy copies a part of the body to the text.
func (m *markers) copy(from, to int) {
	if from >= to {
		return
	}
	if m.join > 0 {
		m.separate(m.src[from:to])
		if n := len(m.data); n == m.line || isIn(m.data[n-1], " \t") {
			for from < to && isIn(m.src[from], " \t") { // neither indented code nor a line break
				from++
			}
		}
		m.join = 0
	}
	m.mark(from, true)
	m.append(m.src[from:to])
}

// append appends to the text.
func (m *markers) append(s []byte) {
	if i := bytes.LastIndexByte(s, '\n') + 1; i > 0 {
		m.line, m.blank = len(m.data)+i, isBlank(s[i:])
	} else {
		m.blank = m.blank && isBlank(s)
	}
	m.data = append(m.data, s...)
}

// separate adds a space where nothing else would stand between the words that a marker
// stood between. One mark of a pair may stand in a word.
func (m *markers) separate(next []byte) {
	before, _ := utf8.DecodeLastRune(m.data)
	after, _ := utf8.DecodeRune(next)
	if m.join > 1 && isSpaced(before) && isSpaced(after) {
		m.append([]byte(" "))
	}
}

// isSpaced reports whether a character is part of a word in a script that sets words apart.
func isSpaced(r rune) bool {
	const firstEastAsian = 0x2e80
	return r < firstEastAsian && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// cut cuts the text off at a length.
func (m *markers) cut(length int) {
	m.data = m.data[:length]
	for i := len(m.marks) - 1; i >= 0 && m.marks[i].out > length; i-- {
		m.marks[i].out = length
	}
}

// replace puts a text in the place of a token that ends at offset at, and returns where
// the body goes on. A token that stands alone on its lines and leaves nothing takes its
// line along.
func (m *markers) replace(t *token, at int, insert string) int {
	m.mark(t.start, false)
	blanks, ends := m.blanksAfter(at)
	switch {
	case insert != "":
		if m.join > 0 {
			m.separate([]byte(insert))
		}
		m.join = 0
		m.append([]byte(insert))
	case t.start == t.end: // it only ends the indent of lines
	case m.blank && ends:
		m.cut(m.line)
		at = min(at+blanks+1, len(m.src))
		m.join = 0
		if t.block {
			m.append([]byte("\n"))
		}
	case ends:
		m.cut(len(bytes.TrimRight(m.data, " \t"))) // blanks would be a line break
		at += blanks
		m.join = 0
	case t.kind == opening && t.mate != none, t.kind == closing && t.mate != none:
		m.join++
	default:
		m.join += 2
	}
	return at
}

// blanksAfter returns how many blanks follow offset at, and whether a line ends there.
func (m *markers) blanksAfter(at int) (blanks int, ends bool) {
	rest := m.src[at:]
	blanks = len(rest) - len(bytes.TrimLeft(rest, " \t"))
	return blanks, blanks == len(rest) || rest[blanks] == '\n'
}

func (m *markers) endsLine(at int) bool {
	_, ends := m.blanksAfter(at)
	return ends
}

func isBlank(s []byte) bool { return len(bytes.Trim(s, " \t")) == 0 }

// count counts a use of a marker.
func (m *markers) count(t *token, treatment string, decided bool) {
	key := Marker{Name: clip(t.name), Syntax: t.syntax, Treatment: treatment}
	if m.uses[key] == nil && len(m.uses) >= maxMarkerNames {
		key.Name = "…"
	}
	u := m.uses[key]
	if u == nil {
		if m.uses == nil {
			m.uses = make(map[Marker]*Marker)
		}
		key.Name = strings.Clone(key.Name) // not the whole marker with it
		first := key
		first.Offset, first.Text, first.Decided = t.start, clip(string(m.src[t.start:t.end])), decided
		u = &first
		m.uses[key] = u
	}
	u.Uses++
}

// clip returns the first line of a text, shortened.
func clip(s string) string {
	line, _, isCut := strings.Cut(s, "\n")
	if len(line) > maxMarkerText {
		line, isCut = strings.ToValidUTF8(line[:maxMarkerText], ""), true
	}
	if isCut {
		line += "…"
	}
	return line
}

// found returns the markers of the body, in the order of their first uses.
func (m *markers) found() []Marker {
	var list []Marker
	for u := range maps.Values(m.uses) {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b Marker) int { return cmp.Or(a.Offset-b.Offset, strings.Compare(a.Treatment, b.Treatment)) })
	return list
}

// restore makes offsets in the text offsets in the body, and adds the markers.
func (m *markers) restore(r *Result) {
	for i := range r.Problems {
		r.Problems[i].Offset = m.origin(r.Problems[i].Offset)
	}
	for i := range r.Links {
		r.Links[i].Offset = m.origin(r.Links[i].Offset)
	}
	for i := range r.Files {
		r.Files[i].Offset = m.origin(r.Files[i].Offset)
	}
	r.Markers = m.found()
	if m.over > 0 {
		r.Problems = append(r.Problems, Problem{
			Offset: m.over, Rule: ruleMarkdownDepth,
			Message: "before this place stand more template markers and indented lines than one page may hold",
			Hint:    "cut the page into several",
		})
	}
}
