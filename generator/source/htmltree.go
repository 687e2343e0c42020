package source

import (
	"fmt"
	"iter"
	"slices"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"example.org/sivu/generator/diag"
)

// htmlTree has the elements of an HTML document, in the order of their start tags: of a
// source those before its body, of a rendered page all.
//
// It is not the tree of html.Parse, whose elements do not know where they stand in the
// text, and which hostile pages can make very large: elements end where their tags say,
// and where the standard has the next tag end them (13.1.2.4, optional tags). What stands
// where a browser would move it stays where it is written. One pass makes it.
type htmlTree struct {
	*diag.Locator
	root     *html.Node
	elements []htmlElement
	open     []int // indexes of elements
	hasBody  bool
	foreign  int // open elements <svg> and <math>

	doctype Span
	bodyTag Span // of <body>; its End is 0 where there is none
	implied int  // where something stands that begins a body without a tag; -1 where there is none

	tooMany   string // what is wrong with a page of too many elements, of which the rest was not read
	tooManyAt int    // the offset of the first of them
}

// htmlElement is an element: its node without texts, and its places in the text.
type htmlElement struct {
	*html.Node
	outer Span // with its tags
	inner Span // its content
}

// The bounds of a tree: a page of 16 MiB could have five million elements, each of which
// takes a hundred times its tag. A body's own limit of depth is lower.
const (
	maxTreeDepth    = 512
	maxTreeElements = 500_000
)

// parseHTML makes the tree of a text, up to <body> where only the head is wanted.
func parseHTML(text []byte, headOnly bool) *htmlTree {
	t := &htmlTree{
		Locator: diag.NewLocator(text), root: &html.Node{Type: html.DocumentNode},
		elements: make([]htmlElement, 0, 32), open: make([]int, 0, 16), implied: -1,
	}
	s := newScanner(text, 0)
	for token := s.next(); token != html.ErrorToken && t.tooMany == "" && !(headOnly && t.bodyTag.End > 0); token = s.next() {
		switch token {
		case html.TextToken:
			if offset := inked(text, s.start, s.end); offset >= 0 && t.isOutside() {
				t.startBody(offset)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := s.Token()
			t.start(&html.Node{Type: html.ElementNode, Data: tag.Data, DataAtom: tag.DataAtom, Attr: tag.Attr}, Span{s.start, s.end}, token == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := s.TagName()
			t.end(string(name), Span{s.start, s.end})
		case html.DoctypeToken:
			if t.doctype.End == 0 && !t.hasBody {
				t.doctype = Span{s.start, s.end}
			}
		}
	}
	t.closeTo(0, Span{len(text), len(text)})
	return t
}

// at returns a field at an offset of the text.
func (t *htmlTree) at(offset int, f field) field {
	f.line, f.column = t.LineColumn(offset)
	return f
}

// start adds an element with its start tag.
func (t *htmlTree) start(n *html.Node, tag Span, closed bool) {
	switch a := n.DataAtom; {
	case t.foreign > 0:
	case a == atom.Html && len(t.elements) > 0, (a == atom.Body || a == atom.Head) && isWithin(t.top(), atom.Template):
		return // as browsers do
	case a == atom.Body:
		if t.bodyTag.End == 0 && tag.End > tag.Start {
			t.bodyTag = tag
		}
		if t.hasBody {
			return // the standard adds its attributes to those of the first
		}
		t.hasBody = true
		t.endOpen([]atom.Atom{atom.Head}, nil, tag.Start)
	case a != atom.Html && a != atom.Head && !headElements[a] && t.isOutside():
		t.startBody(tag.Start)
	default:
		t.endOptional(a, tag.Start)
	}
	switch {
	case len(t.open) >= maxTreeDepth:
		t.tooMany, t.tooManyAt = fmt.Sprintf("elements are nested more than %d levels deep", maxTreeDepth), tag.Start
		return
	case len(t.elements) >= maxTreeElements:
		t.tooMany, t.tooManyAt = fmt.Sprintf("the page has more than %d elements", maxTreeElements), tag.Start
		return
	}
	t.top().AppendChild(n)
	t.elements = append(t.elements, htmlElement{n, tag, Span{tag.End, tag.End}})
	isForeign := n.DataAtom == atom.Svg || n.DataAtom == atom.Math
	if voidElements[n.DataAtom] || closed && (isForeign || t.foreign > 0) {
		return
	}
	if isForeign {
		t.foreign++
	}
	t.open = append(t.open, len(t.elements)-1)
}

// isOutside reports whether the document has no body yet, nor anything else that may hold
// a text: what comes begins the body.
func (t *htmlTree) isOutside() bool {
	top := t.top()
	return !t.hasBody && (top == t.root || top.DataAtom == atom.Html || top.DataAtom == atom.Head)
}

// top returns the innermost open element, or the document.
func (t *htmlTree) top() *html.Node {
	if len(t.open) == 0 {
		return t.root
	}
	return t.elements[t.open[len(t.open)-1]].Node
}

// startBody begins a body that has no start tag.
func (t *htmlTree) startBody(offset int) {
	t.implied = offset
	t.start(&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}, Span{offset, offset}, false)
}

// end ends the innermost open element of that name, and those in it. Where there is
// none, or it holds the table or the block that the tag stands in, the tag is ignored.
func (t *htmlTree) end(name string, tag Span) {
	a := atom.Lookup([]byte(name))
	isFormatting, isPart := formatting[a], tableParts[a]
	reaches := blocks[a] || scopes[a] || isFormatting
	for i := len(t.open) - 1; i >= 0; i-- {
		e := &t.elements[t.open[i]]
		switch {
		case e.Data == name && isFormatting && i < len(t.open)-1:
			// As in <b><p></b></p>: the paragraph goes on.
			e.inner.End, e.outer.End = tag.Start, tag.End
			t.open = slices.Delete(t.open, i, i+1)
			return
		case e.Data == name:
			t.closeTo(i, tag)
			return
		case !reaches && blocks[e.DataAtom], scopes[e.DataAtom] && !(isPart && e.DataAtom != atom.Table):
			return
		}
	}
}

// endOptional ends the elements that the start tag of a ends, at that offset.
func (t *htmlTree) endOptional(a atom.Atom, offset int) {
	if blocks[a] {
		t.endOpen([]atom.Atom{atom.P}, blocks, offset)
	}
	if e, ok := endsBefore[a]; ok {
		t.endOpen(e.ends, e.within, offset)
	}
}

// endOpen ends the outermost open element of some names that is not outside of an
// element of stop or a scope.
func (t *htmlTree) endOpen(names []atom.Atom, stop map[atom.Atom]bool, offset int) {
	found := -1
	for i := len(t.open) - 1; i >= 0; i-- {
		a := t.elements[t.open[i]].DataAtom
		if slices.Contains(names, a) {
			found = i
		} else if stop[a] || scopes[a] && !tableParts[a] {
			break
		}
	}
	if found >= 0 {
		t.closeTo(found, Span{offset, offset})
	}
}

// closeTo ends the open elements from index i on, the outermost with that tag.
func (t *htmlTree) closeTo(i int, tag Span) {
	for k := len(t.open) - 1; k >= i; k-- {
		e := &t.elements[t.open[k]]
		e.inner.End, e.outer.End = tag.Start, tag.Start
		if k == i {
			e.outer.End = tag.End
		}
		if e.DataAtom == atom.Svg || e.DataAtom == atom.Math {
			t.foreign--
		}
	}
	t.open = t.open[:i]
}

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool, len(list))
	for _, a := range list {
		set[a] = true
	}
	return set
}

var (
	voidElements = atoms(atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr)

	// What may stand in a head.
	headElements = atoms(atom.Base, atom.Link, atom.Meta, atom.Noscript, atom.Script, atom.Style, atom.Template, atom.Title)

	// Elements that end a paragraph, and that an end tag of an inline element does not
	// reach over.
	blocks = atoms(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Li, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Ul)

	// Elements out of which no tag reaches, save that of a table.
	scopes = atoms(atom.Button, atom.Caption, atom.Object, atom.Table, atom.Td, atom.Template, atom.Th)

	tableParts = atoms(atom.Caption, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr)

	formatting = atoms(atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small,
		atom.Strike, atom.Strong, atom.Tt, atom.U)

	listsOnly, tableOnly = atoms(atom.Ul, atom.Ol, atom.Menu, atom.Dl), atoms(atom.Table)
	rowGroups            = []atom.Atom{atom.Caption, atom.Colgroup, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th}

	// endsBefore says which open elements a start tag ends, and what they must not be
	// outside of.
	endsBefore = map[atom.Atom]struct {
		ends   []atom.Atom
		within map[atom.Atom]bool
	}{
		atom.Li:       {[]atom.Atom{atom.Li}, listsOnly},
		atom.Dt:       {[]atom.Atom{atom.Dt, atom.Dd}, listsOnly},
		atom.Dd:       {[]atom.Atom{atom.Dt, atom.Dd}, listsOnly},
		atom.Td:       {[]atom.Atom{atom.Td, atom.Th}, tableOnly},
		atom.Th:       {[]atom.Atom{atom.Td, atom.Th}, tableOnly},
		atom.Tr:       {[]atom.Atom{atom.Tr, atom.Td, atom.Th}, tableOnly},
		atom.Thead:    {rowGroups, tableOnly},
		atom.Tbody:    {rowGroups, tableOnly},
		atom.Tfoot:    {rowGroups, tableOnly},
		atom.Option:   {[]atom.Atom{atom.Option}, atoms(atom.Select, atom.Datalist)},
		atom.Optgroup: {[]atom.Atom{atom.Option, atom.Optgroup}, atoms(atom.Select)},
		atom.Rt:       {[]atom.Atom{atom.Rt, atom.Rp}, atoms(atom.Ruby)},
		atom.Rp:       {[]atom.Atom{atom.Rt, atom.Rp}, atoms(atom.Ruby)},
	}
)

// head returns the elements before the body that are not in a template.
func (t *htmlTree) head() iter.Seq[htmlElement] {
	return func(yield func(htmlElement) bool) {
		for _, e := range t.elements {
			if t.bodyTag.End == 0 && t.implied >= 0 && e.outer.Start >= t.implied {
				return
			}
			if !isWithin(e.Node, atom.Template) && !yield(e) {
				return
			}
		}
	}
}

// isWithin reports whether a node is an element of that name, or stands in one.
func isWithin(n *html.Node, a atom.Atom) bool {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == a {
			return true
		}
	}
	return false
}

// first returns the first element of the document that the first of some selectors with
// any matches, or nil.
func (t *htmlTree) first(selectors []cascadia.SelectorGroup) *htmlElement {
	for _, selector := range selectors {
		for i := range t.elements {
			if selector.Match(t.elements[i].Node) {
				return &t.elements[i]
			}
		}
	}
	return nil
}

// matches reports whether an element is one that any of some selectors means.
func matches(selectors []cascadia.SelectorGroup, e *htmlElement) bool {
	return slices.ContainsFunc(selectors, func(s cascadia.SelectorGroup) bool { return s.Match(e.Node) })
}

// attribute returns the value of an attribute, or "".
func (e *htmlElement) attribute(name string) string {
	for _, a := range e.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// shownText returns the text in a part of an HTML document as a browser shows it.
func shownText(text []byte, part Span) string {
	return htmlHeading(slices.Concat([]byte("<h1>"), text[part.Start:part.End]))
}
