package source

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

var htmlFormat = &Format{
	Name:    "html",
	Doc:     "an HTML document with its metadata in its head, or an HTML fragment with front matter",
	Endings: []string{".html", ".htm"},
	Syntax:  page.HTML,
	read:    readHTML,
	heading: htmlHeading,
}

// readHTML reads a source that begins with front matter as an HTML fragment,
// and any other as an HTML document.
func readHTML(p *reading) {
	if _, ok := findFrontMatter(p.text); ok {
		p.readFrontMatter()
		return
	}
	p.head.document = true
	s := newHeadScanner(p.text, p.head.fields)
	s.scan()
	p.head.fields, p.head.language = s.fields, s.language
	end, outside := bodyEnd(p.text, s.body)
	for _, offset := range []int{s.stray(), outside} {
		if offset >= 0 {
			line, column := s.LineColumn(offset)
			p.problem(ruleOutside.At(diag.Position{File: p.file.Path, Line: line, Column: column},
				"text outside the body is left out").
				WithHint("move it between <body> and </body>"))
		}
	}
	p.head.bodyStart, p.head.bodyEnd = trimHTML(p.text, s.body, end)
}

// ownMetas are the names of metas that are sivu's own. Their letter case does
// not matter, as that of HTML's own names does not.
var ownMetas = map[string]own{
	"dcterms.identifier": ownID,
	"dcterms.created":    ownCreated,
	"dcterms.modified":   ownModified,
	"sivu.kind":          ownKind,
	"sivu.topic":         ownTopic,
	"sivu.slug":          ownSlug,
	"sivu.draft":         ownDraft,
	"sivu.embed":         ownEmbeds,
}

// scanner goes over HTML token by token and knows where each stands.
type scanner struct {
	*html.Tokenizer
	start, end int // of the token in the text
}

func newScanner(text []byte, from int) scanner {
	return scanner{Tokenizer: html.NewTokenizer(bytes.NewReader(text[from:])), end: from}
}

// next moves on to the next token.
func (s *scanner) next() html.TokenType {
	token := s.Tokenizer.Next()
	// The length must be taken before attributes are, which are unescaped in
	// place.
	s.start, s.end = s.end, s.end+len(s.Raw())
	return token
}

// headScanner reads an HTML document up to its body.
type headScanner struct {
	scanner
	*diag.Locator
	text     []byte
	fields   []field
	language field
	depth    int // of open templates, whose content is none of the document
	body     int // where the body begins

	// Without a <body> tag the body begins with the first thing that cannot
	// stand in a head (HTML, 13.2.6.4.4), or after </head>. Fields from there
	// on are not of the head.
	implied int // -1 where there is no such thing
	cut     int // how many fields stand before it

	// Where an id could be written: the first of each before the body.
	doctype, htmlTag, headTag, titleTag Span
}

func (s *headScanner) keep(at *Span, start, end int) {
	if at.End == 0 && s.implied < 0 {
		*at = Span{start, end}
	}
}

func newHeadScanner(text []byte, fields []field) *headScanner {
	return &headScanner{scanner: newScanner(text, 0), Locator: diag.NewLocator(text), text: text, fields: fields, implied: -1}
}

// scan reads up to <body>. In a document without that tag the body is all that
// does not belong to a head, so that no text is lost.
func (s *headScanner) scan() {
	for {
		switch s.next() {
		case html.ErrorToken:
			s.body = len(s.text)
			if s.implied >= 0 {
				s.body, s.fields = s.implied, s.fields[:s.cut]
				s.implied = -1
			}
			return
		case html.TextToken:
			if offset := inked(s.text, s.start, s.end); offset >= 0 && s.depth == 0 {
				s.leave(offset)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if s.startTag() {
				return
			}
		case html.EndTagToken:
			if name, _ := s.TagName(); string(name) == "template" {
				s.depth = max(s.depth-1, 0)
			}
		case html.DoctypeToken:
			s.keep(&s.doctype, s.start, s.end)
		}
	}
}

// stray returns where text stands before <body>, or -1.
func (s *headScanner) stray() int { return s.implied }

// leave takes note that the head cannot go on at an offset.
func (s *headScanner) leave(offset int) {
	if s.implied < 0 {
		s.implied, s.cut = offset, len(s.fields)
	}
}

// startTag takes in a start tag, and reports whether it is the body's.
func (s *headScanner) startTag() (done bool) {
	name, more := s.TagName()
	switch tag := string(name); tag {
	case "template":
		s.depth++
	case "html", "meta", "title", "body":
		if s.depth > 0 {
			return false
		}
		switch tag {
		case "html":
			s.keep(&s.htmlTag, s.start, s.end)
			s.readLanguage(more)
		case "meta":
			s.readMeta(more)
		case "title":
			s.readTitle()
		case "body":
			s.body = s.end
			return true
		}
	case "head":
		s.keep(&s.headTag, s.start, s.end)
	case "noscript", "noframes", "script", "style":
		s.rawText()
	case "base", "basefont", "bgsound", "link":
	default:
		if s.depth == 0 {
			s.leave(s.start)
		}
	}
	return false
}

// rawText returns the text up to the end tag of an element that holds nothing
// but text.
func (s *headScanner) rawText() string {
	var text string
	for {
		switch s.next() {
		case html.TextToken:
			text = string(s.Text())
		default:
			return text
		}
	}
}

// attribute returns the next attribute, as strings of their own.
func (s *scanner) attribute() (name, value string, more bool) {
	n, v, more := s.TagAttr()
	return string(n), string(v), more
}

func (s *headScanner) readLanguage(more bool) {
	at := s.start
	for more {
		var name, value string
		name, value, more = s.attribute()
		if name == "lang" && s.language.line == 0 && value != "" {
			s.language = field{name: "lang", value: value}
			s.language.line, s.language.column = s.LineColumn(at)
		}
	}
}

// readTitle takes in <title>. An empty one is as good as none.
func (s *headScanner) readTitle() {
	f := field{name: "title", title: true}
	f.line, f.column = s.LineColumn(s.start)
	start := s.start
	f.value = collapse(s.rawText())
	s.keep(&s.titleTag, start, s.end)
	if f.value != "" {
		s.fields = append(s.fields, f)
	}
}

// readMeta takes in a meta that has a name. Of attributes of one name the
// first counts.
func (s *headScanner) readMeta(more bool) {
	f := field{shape: null}
	f.line, f.column = s.LineColumn(s.start)
	named, valued := false, false
	for more {
		var name, value string
		name, value, more = s.attribute()
		switch {
		case name == "name" && !named:
			f.name, named = value, true
		case name == "content" && !valued:
			f.value, f.shape, valued = value, scalar, true
		}
	}
	lower := strings.ToLower(f.name)
	if !named || lower == "viewport" {
		return
	}
	f.own = ownMetas[lower]
	s.fields = append(s.fields, f)
}
