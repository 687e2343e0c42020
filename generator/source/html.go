package source

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
	t := parseHTML(p.text, true)
	for e := range t.head() {
		switch {
		case e.DataAtom == atom.Html && e.attribute("lang") != "":
			p.head.language = t.at(e.outer.Start, field{name: "lang", value: e.attribute("lang")})
		case e.DataAtom == atom.Title:
			if title := titleText(p.text, e.inner); title != "" {
				p.head.fields = append(p.head.fields, t.at(e.outer.Start, field{name: "title", title: true, value: title}))
			}
		case e.DataAtom == atom.Meta:
			if f, ok := metaField(e.Attr); ok {
				p.head.fields = append(p.head.fields, t.at(e.outer.Start, f))
			}
		}
	}
	start, implied := t.bodyTag.End, t.implied
	switch {
	case start == 0 && implied >= 0:
		start, implied = implied, -1
	case start == 0:
		start = len(p.text)
	}
	end, outside := bodyEnd(p.text, start)
	for _, offset := range []int{implied, outside} {
		if offset >= 0 {
			line, column := t.LineColumn(offset)
			p.problem(ruleOutside.At(diag.Position{File: p.file.Path, Line: line, Column: column},
				"text outside the body is left out").
				WithHint("move it between <body> and </body>"))
		}
	}
	p.head.bodyStart, p.head.bodyEnd = trimHTML(p.text, start, end)
}

// titleText returns the text of <title>, which holds nothing but text.
func titleText(text []byte, inner Span) string {
	return collapse(html.UnescapeString(string(text[inner.Start:inner.End])))
}

// metaField returns the field of a meta that has a name. Of attributes of one name the
// first counts.
func metaField(attributes []html.Attribute) (f field, ok bool) {
	f.shape = null
	valued := false
	for _, a := range attributes {
		switch {
		case a.Key == "name" && !ok:
			f.name, ok = a.Val, true
		case a.Key == "content" && !valued:
			f.value, f.shape, valued = a.Val, scalar, true
		}
	}
	lower := strings.ToLower(f.name)
	f.own = ownMetas[lower]
	return f, ok && lower != "viewport"
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
