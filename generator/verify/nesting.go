package verify

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// role is a set of properties of an element in the HTML standard's parser (section 13.2).
type role uint32

const (
	voidElement role = 1 << iota // has no content and no end tag
	impliedEnd                   // ended by "generate implied end tags"
	special                      // a category of the standard: most end tags reach through none of it
	scopeEnd                     // where "has an element in scope" ends
	marker                       // hides formatting elements around it
	formatting                   // opened again where it was not closed in order
	blockEnd                     // its end tag ends the elements in it that have an implied end
	closesP                      // its start tag ends an open p
	heading                      // h1 to h6
	inRuby                       // a part of ruby
	never                        // does not stand in another of its name
	tablePart                    // stands in a table only
	section                      // tbody, thead and tfoot
	cell                         // td, th and caption
	columns                      // colgroup
	template                     // template
	refused                      // not an element of a body
	inSelect                     // stands in a select
	rawText                      // holds text alone, up to its end tag
	button                       // button

	// Of elements that are not HTML.
	inSVG
	inMathML
	holdsHTML // an HTML integration point, or a MathML text integration point

	foreign    = inSVG | inMathML
	endsScope  = scopeEnd | foreign // the end of "has an element in scope"
	endsButton = endsScope | button
)

const (
	headings   = "h1 h2 h3 h4 h5 h6 "
	tableParts = "caption col colgroup tbody td tfoot th thead tr "
	blocks     = `address article aside blockquote center details dir div dl fieldset figcaption figure footer form header
		hgroup listing main menu nav ol pre search section summary ul `
)

var roles = rolesOf(map[role]string{
	voidElement: "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
	impliedEnd:  "dd dt li optgroup option p rb rp rt rtc",
	special: blocks + headings + tableParts + `applet area base basefont bgsound body br button dd dt embed frame frameset
		head hr html iframe img input keygen li link marquee meta noembed noframes noscript object p param plaintext script
		select source style table template textarea title track wbr xmp`,
	scopeEnd:   "applet caption html marquee object select table td template th",
	marker:     "applet caption marquee object td template th",
	formatting: "a b big code em font i nobr s small strike strong tt u",
	blockEnd:   blocks + "applet button dialog marquee object select",
	closesP:    blocks + headings + "dd dialog dt hr li p plaintext table xmp",
	heading:    headings,
	inRuby:     "rb rp rt rtc",
	never:      "a button form nobr",
	tablePart:  tableParts,
	section:    "tbody tfoot thead",
	cell:       "caption td th",
	columns:    "colgroup",
	template:   "template",
	refused:    "body frame frameset head html",
	inSelect:   "b br button div em hr i img legend optgroup option small span strong sub sup",
	button:     "button",
	rawText:    "iframe noembed noframes noscript plaintext script style textarea title xmp",
})

func rolesOf(lists map[role]string) map[string]role {
	table := map[string]role{}
	for r, names := range lists {
		for name := range strings.FieldsSeq(names) {
			table[name] |= r
		}
	}
	return table
}

// parents are the elements that a part of a table may stand in.
var parents = map[string][]string{
	"td": {"tr"}, "th": {"tr"}, "tr": {"tbody", "thead", "tfoot"}, "col": {"colgroup"},
	"caption": {"table"}, "colgroup": {"table"}, "tbody": {"table"}, "thead": {"table"}, "tfoot": {"table"},
}

// breakingOut are the start tags that end SVG and MathML around them.
var breakingOut = strings.Fields(`b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i
	img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`)

// mathText are the elements of MathML that HTML may stand in.
var mathText = strings.Fields("mi mo mn ms mtext")

// maxNested is how many elements may be open at once. Browsers nest no deeper.
const maxNested = 512

type node struct {
	name  string // in lower case
	roles role
}

func (n node) is(r role) bool { return n.roles&r != 0 }

// isHTML reports whether a node is the HTML element of that name.
func (n node) isHTML(name string) bool { return n.name == name && !n.is(foreign) }

// nesting is the stack of open elements of the HTML standard's parser (section 13.2.6),
// in HTML that is balanced: every element has its end tag, in order, but for those whose
// end tags may be left out, and what the parser opens itself is open. HTML that is not
// balanced is not followed: each method returns the problem of a tag, or "".
type nesting struct{ open []node }

func (n *nesting) top() node { return n.open[len(n.open)-1] }

func (n *nesting) pop() { n.open = n.open[:len(n.open)-1] }

// current reports whether the innermost element has one of these roles.
func (n *nesting) current(r role) bool { return len(n.open) > 0 && n.top().is(r) }

// find returns the index of the innermost HTML element of that name, or -1. It does not
// look beyond an element with one of the roles in stop.
func (n *nesting) find(name string, stop role) int {
	for i := len(n.open) - 1; i >= 0; i-- {
		if n.open[i].isHTML(name) {
			return i
		}
		if n.open[i].is(stop) {
			break
		}
	}
	return -1
}

func (n *nesting) push(o node) string {
	if len(n.open) >= maxNested {
		return fmt.Sprintf("elements lie in each other more than %d deep", maxNested)
	}
	n.open = append(n.open, o)
	return ""
}

// closeTo closes the elements from index i on, as the start tag of name does. All in
// element i must be such whose end tags may be left out.
func (n *nesting) closeTo(i int, name string) string {
	for _, o := range n.open[i+1:] {
		if !o.is(impliedEnd) {
			return fmt.Sprintf("<%s> ends <%s>, while <%s> in it is open", showKey(name), n.open[i].name, showKey(o.name))
		}
	}
	n.open = n.open[:i]
	return ""
}

// spaceOf returns whether a start tag is one of SVG or of MathML, or 0 for HTML.
func (n *nesting) spaceOf(name string) role {
	if !n.current(foreign) {
		return 0
	}
	top := n.top()
	isText := top.is(inMathML) && top.name != "annotation-xml" && (name == "mglyph" || name == "malignmark")
	if top.name == "annotation-xml" && name == "svg" || top.is(holdsHTML) && !isText {
		return 0
	}
	return top.roles & foreign
}

// start opens the element of a start tag. empty says that it ends with a slash.
func (n *nesting) start(z *html.Tokenizer, name string, empty bool) string {
	// To a client with scripts the first </noscript> ends the outer one, whatever
	// is open in it. The standard has no noscript in a noscript (section 4.12.2).
	if name == "noscript" && n.find(name, 0) >= 0 {
		return "<noscript> in <noscript>"
	}
	space, r := n.spaceOf(name), roles[name]
	if space == 0 {
		if problem := n.prepare(name, r); problem != "" {
			return problem
		}
		space = map[string]role{"svg": inSVG, "math": inMathML}[name]
	}
	switch {
	case space != 0:
		return n.startForeign(z, name, space, empty)
	case r&voidElement != 0:
		return ""
	}
	return n.push(node{name, r})
}

func (n *nesting) startForeign(z *html.Tokenizer, name string, space role, empty bool) string {
	z.NextIsNotRawText()
	holds := false
	switch {
	case slices.Contains(breakingOut, name), name == "font" && hasAttribute(z, isFontAttribute):
		return fmt.Sprintf("<%s> ends <%s>", name, showKey(n.top().name))
	case space == inSVG:
		holds = name == "foreignobject" || name == "desc" || name == "title"
	case name == "annotation-xml":
		holds = hasAttribute(z, isEncodedHTML)
	default:
		holds = slices.Contains(mathText, name)
	}
	if empty {
		return ""
	}
	if holds {
		space |= holdsHTML
	}
	return n.push(node{name, space})
}

func isFontAttribute(key, _ string) bool { return key == "color" || key == "face" || key == "size" }

func isEncodedHTML(key, value string) bool {
	return key == "encoding" && (strings.EqualFold(value, "text/html") || strings.EqualFold(value, "application/xhtml+xml"))
}

// prepare closes and opens the elements that the start tag of an HTML element implies
// (section 13.2.6.4).
func (n *nesting) prepare(name string, r role) string {
	if n.current(columns) && name != "col" && name != "template" {
		n.pop()
	}
	switch {
	case r&refused != 0:
		return fmt.Sprintf("<%s> cannot stand in a div", name)
	case r&inSelect == 0 && n.find("select", template) >= 0:
		return fmt.Sprintf("<%s> cannot stand in <select>", showKey(name))
	case r&tablePart != 0:
		return n.prepareTablePart(name)
	case r&never != 0 && n.find(name, marker) >= 0, name == "form" && n.find(name, template) >= 0:
		return fmt.Sprintf("<%s> in <%s>", name, name)
	case name == "table" && n.find(name, cell|template) >= 0:
		return "<table> in a table, but in none of its cells"
	case r&inRuby != 0 && n.find("ruby", endsScope) >= 0:
		for n.current(impliedEnd) && !(n.top().name == "rtc" && (name == "rp" || name == "rt")) {
			n.pop()
		}
	case name == "option", name == "optgroup":
		for n.current(impliedEnd) && (n.top().name == "option" ||
			n.top().name == "optgroup" && name == "optgroup" && n.find("select", template) >= 0) {
			n.pop()
		}
	}
	if problem := n.closeItem(name); problem != "" {
		return problem
	}
	if i := n.find("p", endsButton); i >= 0 && r&closesP != 0 {
		if problem := n.closeTo(i, name); problem != "" {
			return problem
		}
	}
	if r&heading != 0 && n.current(heading) {
		return fmt.Sprintf("<%s> in <%s>", name, n.top().name)
	}
	return ""
}

// closeItem closes the item of a list that a new one ends.
func (n *nesting) closeItem(name string) string {
	if name != "li" && name != "dd" && name != "dt" {
		return ""
	}
	for i := len(n.open) - 1; i >= 0; i-- {
		switch o := n.open[i]; {
		case o.is(foreign):
			return ""
		case o.name == name, name != "li" && (o.name == "dd" || o.name == "dt"):
			return n.closeTo(i, name)
		case o.is(special) && o.name != "address" && o.name != "div" && o.name != "p":
			return ""
		}
	}
	return ""
}

// prepareTablePart closes the elements that a part of a table ends, and opens those that
// the parser inserts around it: a tbody around a tr, a tr around a cell, a colgroup around a col.
func (n *nesting) prepareTablePart(name string) string {
	i := len(n.open) - 1
	for n.open[i].is(impliedEnd|tablePart) && !mayHold(n.open[i].name, name) {
		i--
	}
	switch o := n.open[i]; {
	case o.is(template):
		return "" // whatever stands there, it stays in there
	case o.is(tablePart), o.isHTML("table"):
		n.open = n.open[:i+1]
		n.implyParents(name)
		return ""
	case n.find("table", template) < 0:
		return fmt.Sprintf("<%s> outside a table", name)
	default:
		return fmt.Sprintf("<%s> where <%s> is open", name, showKey(o.name))
	}
}

// mayHold reports whether one part of a table may stand in another, or in a row there.
func mayHold(outer, inner string) bool {
	around := parents[inner]
	return slices.Contains(around, outer) || around[0] == "tr" && slices.Contains(parents["tr"], outer)
}

func (n *nesting) implyParents(name string) {
	around := parents[name]
	if around[0] == "table" || slices.Contains(around, n.top().name) {
		return
	}
	n.implyParents(around[0])
	n.open = append(n.open, node{around[0], roles[around[0]]})
}

func (n *nesting) end(name string) string {
	if top := n.top(); top.is(foreign) {
		if top.name != name || name == "p" || name == "br" {
			return n.endsNothing(name)
		}
		n.pop()
		return ""
	}
	if n.current(columns) && name != "colgroup" && name != "template" {
		n.pop()
	}
	r := roles[name]
	for i := len(n.open) - 1; i >= 0; i-- {
		if n.open[i].isHTML(name) {
			n.open = n.open[:i]
			return ""
		}
		if !n.open[i].passable(name, r) {
			break
		}
	}
	if name == "br" || name == "p" && n.find(name, endsButton) < 0 {
		return "" // the parser makes an element of the end tag alone
	}
	return n.endsNothing(name)
}

func (n *nesting) endsNothing(name string) string {
	return fmt.Sprintf("</%s> ends nothing, while <%s> is open", showKey(name), showKey(n.top().name))
}

// passable reports whether the end tag of an element around an open element ends it.
func (n node) passable(name string, r role) bool {
	switch {
	case r&formatting != 0:
		return false
	case name == "table", name == "template":
		return n.is(impliedEnd | tablePart)
	case name == "tr", r&section != 0:
		return n.is(impliedEnd) || n.is(tablePart) && !n.is(section|columns) && n.name != "caption"
	case r&(blockEnd|heading|cell) != 0, r&impliedEnd != 0 && r&special != 0:
		return n.is(impliedEnd)
	}
	return n.is(impliedEnd) && !n.is(special)
}
