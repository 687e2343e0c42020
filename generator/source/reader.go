package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// Reader reads the heads of source pages, and finds their bodies. It reuses memory
// from page to page, and so serves one goroutine at a time.
type Reader struct {
	Now page.Time // for pages that are published, or expire, at an instant

	// Sidecar returns the text of the file with further fields of a page: see
	// [Site.SidecarOf]. It returns nil where that is not there, and where it cannot be
	// read, which it reports. Where Sidecar is nil, there are no such files.
	Sidecar func(name string, report func(diag.Diagnostic)) []byte

	// Sitemap returns what the sitemaps of a rendered site say about a page, by its path.
	// It may be nil.
	Sitemap func(path string) SitemapEntry

	site   *Site
	git    History
	naming naming
	titles []string          // where titles come from, in order
	near   map[nameOn]string // see misspelt
	now    reading

	selectors *selectors // of a rendered site
}

// History returns the dates of a file by its path below the content folder, as
// [GitDates] finds them, and whether there are any. The error is ErrNoRepository.
type History func(path string) (dates Dates, known bool, err error)

// NewReader returns a reader of a site's pages. Git is asked only for pages
// that lack a date, and may be nil.
func NewReader(site *Site, git History) *Reader {
	return &Reader{site: site, git: git, naming: newNaming(site), titles: titleSources(site), selectors: newSelectors(site.Rendered)}
}

// reading is the state of one call of [Reader.Read].
type reading struct {
	*Reader
	file     *File
	format   *Format // of file
	text     []byte
	doc      Document
	head     head
	path     string // below the language folder, in NFC, without ending and language suffix
	own      [ownCount]*field
	embeds   []*field
	index    map[string]int // of meta keys in doc.Page.Meta
	problems []diag.Diagnostic
	errors   int             // among the problems, and those that are not listed
	unlisted int             // problems beyond maxProblems
	heaviest diag.Diagnostic // of those
	embedded map[string]bool // the embeds, where they are many

	sidecar          string        // the name of the file beside the page, where there is one
	created          time.Time     // in the zone that the page gives; zero where it is not known
	languageReported bool          // a wrong language was reported
	datesReported    bool          // a wrong date was reported
	rendered         *renderedHead // nil unless the page is rendered
	mistyped         []string      // meta keys that are lists or maps
	hinted           []string      // meta keys that a hint names
}

// Read reads the loaded text of a source page. Problems go to report, with
// positions in the file. The document of a page with problems has the body's range,
// and language, topic and meta.url as far as they are known, so that a broken page
// does not break the links to it. It does not refer to the text, and its meta keys are
// valid until the next call.
//
// Of a page that is left out only broken syntax is reported, and of any page at
// most the first 1,000 problems.
func (r *Reader) Read(file *File, text []byte, report func(diag.Diagnostic)) Document {
	p := &r.now
	*p = reading{Reader: r, file: file, format: r.site.FormatOf(file.Path), text: text,
		head:     head{fields: p.head.fields[:0]},
		doc:      Document{Page: page.Page{Meta: p.doc.Page.Meta[:0]}},
		index:    p.index,
		embeds:   p.embeds[:0],
		problems: p.problems[:0],
	}
	p.format.read(p)
	p.readSidecar()
	syntax, syntaxErrors := len(p.problems), p.errors
	p.doc.BodyStart, p.doc.BodyEnd = p.head.bodyStart, p.head.bodyEnd
	p.doc.Page.Path = file.Path
	p.understand()
	if p.doc.Skip || p.head.broken {
		p.problems, p.errors = p.problems[:syntax], syntaxErrors
	}
	for _, d := range p.problems {
		report(d)
	}
	if p.unlisted > 0 && !p.doc.Skip && !p.head.broken {
		d := p.heaviest
		d.Pos, d.Hint, d.Message = p.top(), "", diag.Plural(p.unlisted, "more problem")+" of this page, not listed"
		report(d)
	}
	p.doc.Valid = p.errors == 0
	p.text = nil
	return p.doc
}

// understand makes a page of the head's fields.
func (p *reading) understand() {
	p.assign()
	p.checkDraft()
	p.doc.Stub = p.doc.Skip
	p.checkPeriod()
	p.findLanguage()
	p.findTopic()
	p.findKind()
	p.findID()
	if !p.doc.Skip {
		p.findDates()
		p.findTitle()
	}
	p.doc.Page.Text = hashOfText(p.text[p.head.bodyStart:p.head.bodyEnd])
	p.findURL()
	p.findEmbeds()
	p.checkKind()
	p.warnUnknown()
	if url := p.doc.Page.Meta.Get("url"); url != nil {
		p.doc.Page.URL = url.Value
		if !url.Beside {
			p.doc.Page.URLPosition = page.Position{Line: int32(url.Line), Column: int32(url.Column)}
		}
	}
	p.findAliases()
}

// maxProblems is how many problems of one page are listed; the rest is one more. A page
// of 16 MiB can have a million.
const maxProblems = 1000

func (p *reading) problem(d diag.Diagnostic) {
	if d.Rule.Contract { // site.yaml can lower other errors: then the page is good
		p.errors++
	}
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, d)
		return
	}
	if p.unlisted++; d.Severity > p.heaviest.Severity {
		p.heaviest = d
	}
}

func (p *reading) at(f *field) diag.Position {
	return diag.Position{File: p.fileOf(f.beside), Line: f.line, Column: f.column}
}

// fileOf returns the name of the page's file, or of that beside it.
func (p *reading) fileOf(beside bool) string {
	if beside {
		return p.sidecar
	}
	return p.file.Path
}

func (p *reading) entry(e *page.Entry) diag.Position {
	return diag.Position{File: p.fileOf(e.Beside), Line: e.Line, Column: e.Column}
}

// top is the position of a field that is missing: the beginning of the file.
func (p *reading) top() diag.Position {
	return diag.Position{File: p.file.Path, Line: 1, Column: 1}
}

// given returns the text of one of sivu's own fields, and false where it is missing
// or not a scalar.
func (p *reading) given(o own) (string, bool) {
	f := p.own[o]
	if f == nil || f.shape != scalar {
		return "", false
	}
	return f.value, true
}

// checkDraft leaves out a page whose field "draft" is true.
func (p *reading) checkDraft() {
	value, ok := p.given(ownDraft)
	switch lower := strings.ToLower(value); {
	case !ok, slices.Contains([]string{"", "false", "0", "no", "off"}, lower):
	case isTrue(value):
		p.doc.Skip = true
	default:
		p.problem(ruleFieldType.At(p.at(p.own[ownDraft]), "%s is %s; it is true or false",
			diag.Quote(p.own[ownDraft].name), diag.Quote(value)))
	}
}

// Head is the head of a source as it lies in its file, for programs that edit it.
type Head struct {
	FrontMatter FrontMatter // its delimiter is "" where there is none
	Document    bool        // the head of an HTML document, with tags in place of front matter

	// The doctype, the start tags of <html> and <head>, and the element <title>.
	// The End of a span is 0 where there is none before the body.
	Doctype, HTML, Head, Title Span

	ID      string // the id that the page gives
	IDField string // the name of its field; "" where there is none
	Fields  string // all other fields, in a form that can be compared
	Body    string // with LF line ends
	Problem string // the first error in the fields, or ""
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// ReadHead reads the head of a source. Text is a file's own, with its line ends,
// but without its byte order mark; offsets are into it.
func ReadHead(text []byte, format *Format, site *Site) Head {
	p := &reading{
		Reader: NewReader(site, nil),
		file:   new(File),
		format: format,
		text:   bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")),
	}
	format.read(p)
	p.assign()
	h := Head{Document: p.head.document, Body: string(p.text[p.head.bodyStart:p.head.bodyEnd])}
	h.FrontMatter, _ = findFrontMatter(text)
	if h.Document {
		t := parseHTML(text, true)
		h.Doctype = t.doctype
		for e := range t.head() {
			tag := Span{e.outer.Start, e.inner.Start}
			switch {
			case e.DataAtom == atom.Html:
				h.HTML = tag
			case e.DataAtom == atom.Head && h.Head.End == 0:
				h.Head = tag
			case e.DataAtom == atom.Title && h.Title.End == 0:
				h.Title = e.outer
			}
		}
	}
	if f := p.own[ownID]; f != nil {
		h.ID, h.IDField = f.value, f.name
	}
	var fields strings.Builder
	for i := range p.head.fields {
		if f := &p.head.fields[i]; f != p.own[ownID] {
			fmt.Fprintf(&fields, "%q %d %q:", f.name, f.shape, f.value)
			for _, item := range f.items {
				fmt.Fprintf(&fields, " %q %d %q", item.name, item.shape, item.value)
			}
			fields.WriteByte('\n')
		}
	}
	h.Fields = fields.String()
	for _, d := range p.problems {
		if d.Severity == diag.Error && h.Problem == "" {
			h.Problem = d.Message
		}
	}
	return h
}
