package source

import (
	"bytes"
	"iter"
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
	for _, offset := range []int{s.implied, outside} {
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
	"sivu.publish":       ownPublish,
	"sivu.expires":       ownExpires,
}

// scanner is an HTML tokenizer with the offsets of the current token.
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
	depth    int // of open templates, whose content is not part of the document
	body     int // where the body begins

	// Without a <body> tag the body begins with the first thing that cannot
	// stand in a head (HTML, 13.2.6.4.4), or after </head>. Fields from there
	// on are not of the head.
	implied int // -1 where there is no such thing
	cut     int // how many fields stand before it

	// The first of each before the body.
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

// scan reads up to <body>. In a document without that tag the body begins where
// the head cannot go on, so that no text is lost.
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

// leave marks an offset as the end of the head, unless it ended before.
func (s *headScanner) leave(offset int) {
	if s.implied < 0 {
		s.implied, s.cut = offset, len(s.fields)
	}
}

// startTag handles a start tag, and reports whether it is the body's.
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

// rawText returns the text of an element that holds nothing but text, and moves on
// to its end tag.
func (s *headScanner) rawText() (text string) {
	for s.next() == html.TextToken {
		text = string(s.Text())
	}
	return text
}

// attributes yields the attributes of the tag whose name was read.
func (s *scanner) attributes(more bool) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for more {
			var name, value []byte
			name, value, more = s.TagAttr()
			if !yield(string(name), string(value)) {
				return
			}
		}
	}
}

// fieldAt returns a field at the beginning of the current tag.
func (s *headScanner) fieldAt(f field) field {
	f.line, f.column = s.LineColumn(s.start)
	return f
}

func (s *headScanner) readLanguage(more bool) {
	for name, value := range s.attributes(more) {
		if name == "lang" && s.language.line == 0 && value != "" {
			s.language = s.fieldAt(field{name: "lang", value: value})
		}
	}
}

// readTitle adds <title> unless it is empty.
func (s *headScanner) readTitle() {
	f := s.fieldAt(field{name: "title", title: true})
	start := s.start
	f.value = collapse(s.rawText())
	s.keep(&s.titleTag, start, s.end)
	if f.value != "" {
		s.fields = append(s.fields, f)
	}
}

// readMeta adds a meta that has a name. Of attributes of one name the first counts.
func (s *headScanner) readMeta(more bool) {
	f := s.fieldAt(field{shape: null})
	named, valued := false, false
	for name, value := range s.attributes(more) {
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

// bodyEnd returns where the body that begins at start ends: at the last
// </body>, else at the last </html>, else with the text. Outside is where text
// stands after it, or -1.
func bodyEnd(text []byte, start int) (end, outside int) {
	if end, ok := lastEndTag(text, start); ok {
		return end, -1
	}
	end, outside = len(text), -1
	last := "" // end tag of the two
	s := newScanner(text, start)
	for token := s.next(); token != html.ErrorToken; token = s.next() {
		tag := ""
		if token == html.EndTagToken {
			name, _ := s.TagName()
			tag = string(name)
		}
		switch {
		case tag == "body", tag == "html" && last != "body":
			last, end, outside = tag, s.start, -1
		case tag == "html", last == "", outside >= 0, token == html.CommentToken, token == html.DoctypeToken:
		case token == html.TextToken:
			outside = inked(text, s.start, s.end)
		default:
			outside = s.start
		}
	}
	return end, outside
}

// lastEndTag finds </body> with nothing but </html> and white space after it, as
// in most documents. Such a tag ends the body even where a comment before it was
// never closed.
func lastEndTag(text []byte, start int) (end int, ok bool) {
	const body, root = "</body>", "</html>"
	rest := bytes.TrimRight(text[start:], htmlSpace)
	if n := len(rest) - len(root); n >= 0 && strings.EqualFold(string(rest[n:]), root) {
		rest = bytes.TrimRight(rest[:n], htmlSpace)
	}
	n := len(rest) - len(body)
	return start + n, n >= 0 && strings.EqualFold(string(rest[n:]), body)
}

// inked returns the offset of the first character of a part of a text that is not
// white space, or -1.
func inked(text []byte, start, end int) int {
	rest := bytes.TrimLeft(text[start:end], htmlSpace)
	if len(rest) == 0 {
		return -1
	}
	return end - len(rest)
}

// htmlSpace is white space as HTML has it.
const htmlSpace = " \t\n\f\r"

// trimHTML returns the part of a text without white space at both ends.
func trimHTML(text []byte, start, end int) (int, int) {
	end = max(start, end)
	part := bytes.TrimLeft(text[start:end], htmlSpace)
	start = end - len(part)
	return start, start + len(bytes.TrimRight(part, htmlSpace))
}

// collapse returns a text with its white space as HTML shows it.
func collapse(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(htmlSpace, r) })
	return strings.Join(words, " ")
}

// htmlHeading returns the text of the first <h1> of an HTML body.
func htmlHeading(body []byte) string {
	s := newScanner(body, 0)
	var b strings.Builder
	inside, hidden := false, 0
	for token := s.next(); token != html.ErrorToken; token = s.next() {
		name, _ := s.TagName()
		tag, end := string(name), token == html.EndTagToken
		switch {
		case token == html.TextToken && inside && hidden == 0:
			b.Write(s.Text())
		case token != html.StartTagToken && !end:
		case tag == "h1" && end:
			if text := collapse(b.String()); text != "" {
				return text
			}
			b.Reset()
			inside = false
		case tag == "h1":
			inside = true
		case (tag == "script" || tag == "style" || tag == "template") && end:
			hidden = max(hidden-1, 0)
		case tag == "script" || tag == "style" || tag == "template":
			hidden++
		case tag == "br" && !end:
			b.WriteByte(' ')
		}
	}
	return collapse(b.String())
}
