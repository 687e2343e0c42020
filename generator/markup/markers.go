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
	Images    int    // uses that are images, which are lost
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

// A tokenKind is what becomes of the part of a body that a token is.
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
	key        string // what opening and closing have in common; "" for the name
	syntax     string // how such markers look; "" for what is not counted
	args       []markerArg
	insert     string
	mate       int  // index of the other of a pair, or none
	block      bool // alone on its line it leaves an empty line
	first      bool // of its line, where that is known
}

const none = -1 // stands for no index

// markers are those of one body, and the text that Markdown or HTML is read from.
type markers struct {
	opts   *Options
	syntax *page.Syntax
	src    []byte
	tokens []token
	nested []nesting
	stack  []int          // open tokens
	open   map[string]int // how many of a key are open
	absent []string       // texts that do not follow
	uses   map[Marker]*Marker
	over   int // where the tokens are too many; 0 where they are not

	buffer     // the text, with marks that lead back to the body
	line   int // where the last line of the text begins
	blank  bool
}

// expand finds the markers of a body and returns the text without them, or the body where
// it has none. Then m.origin leads from the text to the body.
func (m *markers) expand(opts *Options, syntax *page.Syntax, body []byte) ([]byte, bool) {
	if syntax != page.MDX && (opts.Generator == "" || syntax != page.Markdown && syntax != page.HTML) {
		return body, false
	}
	*m = markers{opts: opts, syntax: syntax, src: body, tokens: m.tokens[:0], nested: m.nested[:0], stack: m.stack[:0], absent: m.absent[:0], buffer: m.buffer, blank: true}
	if forms := templates[opts.Generator]; forms != nil && syntax != page.MDX {
		m.findTemplates(forms)
	} else if syntax != page.HTML {
		m.findLines()
	}
	if len(m.tokens) == 0 {
		return body, false
	}
	m.reset()
	m.write()
	return m.data, true
}

// add adds a token, in the order of the body, and finds the mate of a closing one.
func (m *markers) add(t token) {
	if len(m.tokens) == maxTokens {
		m.over = cmp.Or(m.over, t.start)
		return
	}
	t.key, t.mate = cmp.Or(t.key, t.name), none
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
			last := m.stack[len(m.stack)-1]
			m.stack = m.stack[:len(m.stack)-1]
			m.open[m.tokens[last].key]--
			if m.tokens[last].key == t.key {
				m.tokens[last].mate, t.mate = i, last
			}
		}
	}
	m.tokens = append(m.tokens, t)
}

// write writes the text without the tokens.
func (m *markers) write() {
	at, depth := 0, 0
	for i := 0; i < len(m.tokens); i++ {
		t := &m.tokens[i]
		if t.start < at {
			continue // in one that was dropped
		}
		m.append(at, m.src[at:t.start])
		at = t.start
		if t.kind == indent {
			m.mark(at, false)
			m.append(none, []byte(t.insert))
			at = t.end
			continue
		}
		pair := t
		if t.kind == closing && t.mate != none {
			pair = &m.tokens[t.mate]
		}
		if pair.mate != none && t.kind == closing {
			depth--
		} else if pair.mate != none {
			if depth++; depth > 1 && !t.block && m.blank && len(m.data)-m.line >= codeIndent {
				m.cut(m.line) // what is in markers is indented for people, and is no code
			}
		}
		treatment, insert := m.treat(t, pair)
		if treatment == MarkerKeep {
			continue
		}
		at = t.end
		if treatment == MarkerDrop && t.kind == opening && t.mate != none {
			i, depth = t.mate, depth-1
			at = m.tokens[i].end
		}
		m.mark(t.start, false)
		if insert != "" {
			m.append(none, []byte(insert))
		} else if t.start < at { // else it only ends the indent of lines
			at = m.leaveOut(t, at, t.mate == none || i > 0 && m.tokens[i-1].end == t.start)
		}
	}
	m.append(at, m.src[at:])
}

// append appends to the text what stands at offset from of the body, or elsewhere for none.
func (m *markers) append(from int, s []byte) {
	if len(s) == 0 {
		return
	}
	m.mark(from, true)
	if i := bytes.LastIndexByte(s, '\n') + 1; i > 0 {
		m.line, m.blank = len(m.data)+i, isBlank(s[i:])
	} else {
		m.blank = m.blank && isBlank(s)
	}
	m.data = append(m.data, s...)
}

// cut cuts the text off at a length.
func (m *markers) cut(length int) {
	m.data = m.data[:length]
	for i := len(m.marks) - 1; i >= 0 && m.marks[i].out > length; i-- {
		m.marks[i].out = length
	}
}

// leaveOut joins the text before a token, which leaves nothing, with what follows at offset
// at, and returns where the body goes on. A token that stands alone on its lines takes its
// line along. A space is put between words that nothing else sets apart; one mark of a pair
// may stand in a word.
func (m *markers) leaveOut(t *token, at int, isApart bool) int {
	blanks, ends := m.blanksAfter(at)
	n := len(m.data)
	switch {
	case m.blank && ends:
		m.cut(m.line)
		if t.block {
			m.append(none, []byte("\n"))
		}
		return min(at+blanks+1, len(m.src))
	case ends:
		m.cut(len(bytes.TrimRight(m.data, " \t"))) // blanks would be a line break
		return at + blanks
	case n == m.line || isIn(m.data[n-1], " \t"):
		return at + blanks // they would be indented code, or a line break
	}
	before, _ := utf8.DecodeLastRune(m.data)
	after, _ := utf8.DecodeRune(m.src[at:])
	if isApart && isSpaced(before) && isSpaced(after) {
		m.append(none, []byte(" "))
	}
	return at
}

// isSpaced reports whether a character is part of a word in a script that sets words apart.
func isSpaced(r rune) bool {
	const firstEastAsian = 0x2e80
	return r < firstEastAsian && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// blanksAfter returns how many blanks follow offset at, and whether a line ends there.
func (m *markers) blanksAfter(at int) (blanks int, ends bool) {
	rest := m.src[at:]
	blanks = len(rest) - len(bytes.TrimLeft(rest, " \t"))
	return blanks, blanks == len(rest) || rest[blanks] == '\n'
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
	if treatment != markerImage && (t.arg("alt") != "" || t.arg("src", "") != "" && imageName.MatchString(t.name)) {
		u.Images++
	}
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
