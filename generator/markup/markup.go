package markup

import (
	"fmt"
	"hash/fnv"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// Options are a site's settings for its bodies. The zero value is the strict
// default.
type Options struct {
	Trusted bool   // html: trusted: nothing is held against the allow-list; all else stays in force
	Assets  string // absolute address that other relative addresses are resolved against; "" leaves them site-relative

	Generator string            // of page.Generators: its template markers are looked for; "" for none
	Markers   map[string]string // names of markers, or AnyMarker, to MarkerDrop, MarkerUnwrap or MarkerKeep
}

// The rules of this package. Those that the contract rests on are errors.
var (
	ruleRemoved       = newRule("html-removed", diag.Warning, "a body holds only the elements, attributes and addresses of the allow-list")
	ruleEmbed         = newRule("embed-address", diag.Warning, "an embedded item is an absolute https address")
	ruleBrokenLink    = newRule("broken-link", diag.Warning, "a link leads to a page and an anchor that are there")
	ruleAddress       = newRule("link-address", diag.Warning, "a link has an address, and one to another site or of e-mail has its scheme")
	ruleAlt           = newRule("image-alt", diag.Warning, "an image has a text in alt, or an empty alt")
	ruleDepth         = newRule("html-depth", diag.Error, "elements are nested at most 256 levels deep")
	ruleMarkdownDepth = newRule("markdown-depth", diag.Error, "Markdown is nested, and its marks are crowded, only as far as a page needs")
	ruleSyntax        = newRule("body-syntax", diag.Error, "a body is written in a syntax that sivu renders")

	// TemplateMarker is the rule that [Result.Markers] are reported under, once for a name.
	TemplateMarker = newRule("template-marker", diag.Warning, "what a generator puts in the place of a marker is not in the snapshot")

	// AssetAddress is the rule that [Result.Assets] is reported under, once for a site.
	AssetAddress = newRule("asset-address", diag.Warning, "relative addresses of files are made absolute with assets in site.yaml")

	// Cosmetic is the rule that [Result.Cosmetic] is reported under, once for a site.
	Cosmetic = newRule("html-cosmetic", diag.Warning, "attributes for looks, loading or scripts alone are removed, and only counted")

	// EmptyBody is the rule for a page whose content would be empty: see [Result.IsEmpty].
	EmptyBody = newRule("empty-body", diag.Warning, "a page has a body, unless it is of a kind whose texts are in its fields")
)

func newRule(name string, severity diag.Severity, doc string) *diag.Rule {
	return &diag.Rule{Name: name, Doc: doc, Severity: severity, Contract: severity == diag.Error}
}

// Rules are all rules of this package.
var Rules = []*diag.Rule{
	ruleRemoved, ruleEmbed, ruleBrokenLink, ruleAddress, ruleAlt, ruleDepth, ruleMarkdownDepth, ruleSyntax, TemplateMarker, AssetAddress,
	Cosmetic, EmptyBody,
}

// Problem is one problem in a body.
type Problem struct {
	Offset  int // bytes into the body given to Render
	Rule    *diag.Rule
	Message string
	Hint    string // "" where there is none
	Missing string // the path in a link, decoded, where the problem is that no page has it: see [Suggest]
}

// Link is a link to an anchor of another page, which can only be judged when
// that page has been rendered.
type Link struct {
	Offset int    // bytes into the body given to Render
	Target int    // page number in the Index
	Anchor uint64 // HashAnchor of the anchor
	Text   string // the address as it was written
}

// File is a relative address of a file beside the pages.
type File struct {
	Offset int    // bytes into the body given to Render
	Path   string // from the root of the site, with escapes, and without "." and ".." segments
}

// Broken returns the problem of a link whose anchor is not on its page, whose
// source is at the path target.
func (l Link) Broken(target string) Problem {
	return Problem{
		Offset: l.Offset, Rule: ruleBrokenLink,
		Message: fmt.Sprintf("the link %v leads to an anchor that %v does not have", quoted(l.Text), quoted(target)),
	}
}

// Result is a rendered body. It is valid until the next call of Render.
type Result struct {
	Content  []byte       // one div.xmldoc, nothing before or after it (contract.md 2.2)
	Embeds   []page.Embed // the iframes of the body in order, each once
	Anchors  []uint64     // hashes of the ids in Content, ascending, each once
	Links    []Link       // to be judged when all pages are rendered
	Problems []Problem    // in no particular order
	Files    []File       // relative addresses that lead to no page
	Assets   int          // relative addresses that stay site-relative because Options.Assets is empty
	Markers  []Marker     // template markers, in the order of their first uses
	Cosmetic int          // removed attributes that no reader misses
	Deps     []Dependency // the look-ups of the links in the Index: see Changes
}

// IsEmpty reports whether the content holds nothing.
func (r *Result) IsEmpty() bool {
	return len(r.Content) == len(wrapperStart)+len(wrapperEnd) && len(r.Embeds) == 0
}

// HashAnchor returns the hash of an anchor, the same on every machine
// (64-bit FNV-1a).
func HashAnchor(anchor string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(anchor))
	return h.Sum64()
}

// AppendContent appends the content of a record: the comment with the time of
// its last change, then at once the div (contract.md 2.2).
func AppendContent(dst []byte, modified page.Time, div []byte) []byte {
	dst = append(dst, "<!-- modified: "...)
	dst = modified.AppendSeconds(dst)
	dst = append(dst, " -->"...)
	return append(dst, div...)
}

// Renderer turns bodies into content. It reuses its buffers, so each worker
// has its own.
type Renderer struct {
	cleaner  cleaner
	markdown buffer
	markers  markers
}

// NewRenderer returns a renderer of the pages in index.
func NewRenderer(opts Options, index *Index) *Renderer {
	return &Renderer{cleaner: cleaner{opts: opts, index: index}}
}

// Render returns the content of a body of the page that is number from in the
// index.
func (r *Renderer) Render(from int, syntax *page.Syntax, body []byte) *Result {
	c := &r.cleaner
	c.from, c.parsed = from, c.parsed[:0]
	text, isExpanded := r.markers.expand(&c.opts, syntax, body)
	r.render(syntax, text)
	if isExpanded {
		r.markers.restore(&c.res)
	}
	return &c.res
}

func (r *Renderer) render(syntax *page.Syntax, body []byte) {
	c := &r.cleaner
	switch {
	case syntax == page.Markdown:
		r.renderMarkdown(markdown(), body)
	case syntax == page.MDX:
		r.renderMarkdown(mdxMarkdown(), body)
	case syntax == page.HTML:
		c.clean(body, nil)
	case syntax != nil && syntax.ToHTML != nil:
		c.clean(syntax.ToHTML(body))
	default:
		c.parsed = append(c.parsed, Problem{Rule: ruleSyntax, Message: "sivu does not render bodies of this format"})
		c.clean(nil, nil)
	}
}

const (
	wrapperStart = `<div class="xmldoc">`
	wrapperEnd   = `</div>`
)

const whitespace = " \t\n\r\f"
