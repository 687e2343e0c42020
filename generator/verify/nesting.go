package verify

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// role is what the HTML standard's parser (section 13.2) makes of an element.
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
)

var roles = rolesOf(map[role]string{
	voidElement: "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
	impliedEnd:  "dd dt li optgroup option p rb rp rt rtc",
	special: `address applet area article aside base basefont bgsound blockquote body br button caption center col
		colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
		head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes
		noscript object ol p param plaintext pre script search section select source style summary table tbody td
		template textarea tfoot th thead title tr track ul wbr xmp`,
	scopeEnd:   "applet caption html marquee object select table td template th",
	marker:     "applet caption marquee object td template th",
	formatting: "a b big code em font i nobr s small strike strong tt u",
	blockEnd: `address applet article aside blockquote button center details dialog dir div dl fieldset figcaption
		figure footer form header hgroup listing main marquee menu nav object ol pre search section select summary ul`,
	closesP: `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
		form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary
		table ul xmp`,
	heading:   "h1 h2 h3 h4 h5 h6",
	inRuby:    "rb rp rt rtc",
	never:     "a button form nobr",
	tablePart: "caption col colgroup tbody td tfoot th thead tr",
	section:   "tbody tfoot thead",
	cell:      "caption td th",
	columns:   "colgroup",
	template:  "template",
	refused:   "body frame frameset head html",
	inSelect:  "b br button div em hr i img legend optgroup option small span strong sub sup",
	rawText:   "iframe noembed noframes noscript plaintext script style textarea title xmp",
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

// mostNested is how many elements may be open at once. Browsers nest no deeper.
const mostNested = 512

// space is the namespace of an element.
type space uint8

const (
	inHTML space = iota
	inSVG
	inMathML
)

// node is an open element.
type node struct {
	name  string // in lower case
	roles role
	space space

	// holds says of an element of SVG or MathML that HTML may stand in it: it is
	// an HTML integration point, or a MathML text integration point.
	holds bool
}

// is reports whether a node is an element of HTML with this role.
func (n node) is(r role) bool { return n.space == inHTML && n.roles&r != 0 }

// endsScope reports whether an end tag in here ends nothing around it, as "has an
// element in scope" says. Within SVG and MathML every element does.
func (n node) endsScope() bool { return n.space != inHTML || n.roles&scopeEnd != 0 }

// nesting is the stack of open elements that the HTML standard's parser has
// (section 13.2.6), in HTML that is balanced: every element has its end tag, in
// order, but for those whose end tags may be left out, and what the parser opens
// itself is open. HTML that is not is not followed any further: each method
// returns what is wrong with a tag, or "".
type nesting struct{ open []node }

func (n *nesting) top() node { return n.open[len(n.open)-1] }

func (n *nesting) pop() { n.open = n.open[:len(n.open)-1] }

// current reports whether the innermost element is an element of HTML with one of
// these roles.
func (n *nesting) current(r role) bool { return len(n.open) > 0 && n.top().is(r) }

// find returns the place of the innermost element of HTML of that name, or -1. It
// does not look beyond an element that stop holds for.
func (n *nesting) find(name string, stop func(node) bool) int {
	for i := len(n.open) - 1; i >= 0; i-- {
		if o := n.open[i]; o.space == inHTML && o.name == name {
			return i
		} else if stop(o) {
			return -1
		}
	}
	return -1
}

func (n *nesting) push(o node) string {
	if len(n.open) >= mostNested {
		return fmt.Sprintf("elements lie in each other more than %d deep", mostNested)
	}
	n.open = append(n.open, o)
	return ""
}

// closeTo closes the elements from place i on, as the start tag of name does. All
// above it must be such whose end tags may be left out.
func (n *nesting) closeTo(i int, name string) string {
	for _, o := range n.open[i+1:] {
		if !o.is(impliedEnd) {
			return fmt.Sprintf("<%s> ends <%s>, while <%s> in it is open", showKey(name), n.open[i].name, showKey(o.name))
		}
	}
	n.open = n.open[:i]
	return ""
}

// foreign reports whether a start tag is one of SVG or MathML where it stands.
func (n *nesting) foreign(name string) bool {
	if len(n.open) == 0 || n.top().space == inHTML {
		return false
	}
	switch top := n.top(); {
	case top.name == "annotation-xml" && name == "svg":
		return false
	case top.space == inMathML && top.name != "annotation-xml" && (name == "mglyph" || name == "malignmark"):
		return true
	default:
		return !top.holds
	}
}

// start opens the element of a start tag. empty says that it ends with a slash.
func (n *nesting) start(z *html.Tokenizer, name string, empty bool) string {
	// To a client with scripts the first </noscript> ends the outer one, whatever
	// is open in it. The standard has no noscript in a noscript (section 4.12.2).
	if name == "noscript" && n.find(name, func(node) bool { return false }) >= 0 {
		return "<noscript> in <noscript>"
	}
	if n.foreign(name) {
		return n.startForeign(z, name, n.top().space, empty)
	}
	switch name {
	case "svg":
		return n.startRoot(z, name, inSVG, empty)
	case "math":
		return n.startRoot(z, name, inMathML, empty)
	}
	r := roles[name]
	if problem := n.prepare(name, r); problem != "" {
		return problem
	}
	if r&voidElement != 0 {
		return ""
	}
	return n.push(node{name: name, roles: r})
}

// startRoot opens an svg or math in HTML.
func (n *nesting) startRoot(z *html.Tokenizer, name string, s space, empty bool) string {
	if problem := n.prepare(name, 0); problem != "" {
		return problem
	}
	return n.startForeign(z, name, s, empty)
}

func (n *nesting) startForeign(z *html.Tokenizer, name string, s space, empty bool) string {
	z.NextIsNotRawText()
	o := node{name: name, space: s}
	switch {
	case slices.Contains(breakingOut, name), name == "font" && hasAttribute(z, isFontAttribute):
		return fmt.Sprintf("<%s> ends <%s>", name, showKey(n.top().name))
	case s == inSVG:
		o.holds = name == "foreignobject" || name == "desc" || name == "title"
	case name == "annotation-xml":
		o.holds = hasAttribute(z, isEncodedHTML)
	default:
		o.holds = slices.Contains(mathText, name)
	}
	if empty {
		return ""
	}
	return n.push(o)
}

func isFontAttribute(key, _ string) bool { return key == "color" || key == "face" || key == "size" }

func isEncodedHTML(key, value string) bool {
	return key == "encoding" && (strings.EqualFold(value, "text/html") || strings.EqualFold(value, "application/xhtml+xml"))
}

// prepare closes and opens what the start tag of an element of HTML closes and
// opens (section 13.2.6.4).
func (n *nesting) prepare(name string, r role) string {
	if n.current(columns) && name != "col" && name != "template" {
		n.pop()
	}
	switch {
	case r&refused != 0:
		return fmt.Sprintf("<%s> cannot stand in a div", name)
	case r&inSelect == 0 && n.find("select", endsTemplate) >= 0:
		return fmt.Sprintf("<%s> cannot stand in <select>", showKey(name))
	case r&tablePart != 0:
		return n.prepareTablePart(name)
	case r&never != 0 && n.find(name, endsFormatting) >= 0, name == "form" && n.find(name, endsTemplate) >= 0:
		return fmt.Sprintf("<%s> in <%s>", name, name)
	case name == "table" && n.inTable():
		return "<table> in a table, but in none of its cells"
	case r&inRuby != 0 && n.find("ruby", node.endsScope) >= 0:
		n.closeRuby(name)
	case name == "option", name == "optgroup":
		n.closeOption(name)
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

func endsTemplate(o node) bool { return o.is(template) }

// endsFormatting stops at what hides formatting elements around it.
func endsFormatting(o node) bool { return o.is(marker) }

func endsButton(o node) bool { return o.endsScope() || o.name == "button" }

// closeRuby closes what ends without an end tag before a part of a ruby.
func (n *nesting) closeRuby(name string) {
	for n.current(impliedEnd) && !(n.top().name == "rtc" && (name == "rp" || name == "rt")) {
		n.pop()
	}
}

// closeOption closes the option, and the group of a select, that another ends.
func (n *nesting) closeOption(name string) {
	for n.current(impliedEnd) && (n.top().name == "option" ||
		n.top().name == "optgroup" && name == "optgroup" && n.find("select", endsTemplate) >= 0) {
		n.pop()
	}
}

// closeItem closes the item of a list that a new one ends.
func (n *nesting) closeItem(name string) string {
	if name != "li" && name != "dd" && name != "dt" {
		return ""
	}
	for i := len(n.open) - 1; i >= 0; i-- {
		switch o := n.open[i]; {
		case o.space != inHTML:
			return ""
		case o.name == name, name != "li" && (o.name == "dd" || o.name == "dt"):
			return n.closeTo(i, name)
		case o.is(special) && o.name != "address" && o.name != "div" && o.name != "p":
			return ""
		}
	}
	return ""
}

// inTable reports whether what comes next stands in a table, but in none of its
// cells.
func (n *nesting) inTable() bool {
	for i := len(n.open) - 1; i >= 0; i-- {
		switch o := n.open[i]; {
		case o.is(cell | template):
			return false
		case o.space == inHTML && o.name == "table":
			return true
		}
	}
	return false
}

// prepareTablePart closes what a part of a table ends, and opens what the parser
// opens around it: a tbody around a tr, a tr around a cell, a colgroup around a col.
func (n *nesting) prepareTablePart(name string) string {
	i := len(n.open) - 1
	for n.open[i].is(impliedEnd|tablePart) && !mayHold(n.open[i].name, name) {
		i--
	}
	switch o := n.open[i]; {
	case o.is(template):
		return "" // whatever stands there, it stays in there
	case o.is(tablePart), o.space == inHTML && o.name == "table":
		n.open = n.open[:i+1]
		n.implyParents(name)
		return ""
	case n.find("table", endsTemplate) < 0:
		return fmt.Sprintf("<%s> outside a table", name)
	default:
		return fmt.Sprintf("<%s> where <%s> is open", name, showKey(o.name))
	}
}

// mayHold reports whether one part of a table may stand in another, maybe with a
// row between them that has no start tag.
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
	n.open = append(n.open, node{name: around[0], roles: roles[around[0]]})
}

// end closes the element of an end tag.
func (n *nesting) end(name string) string {
	if top := n.top(); top.space != inHTML {
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
		o := n.open[i]
		if o.space == inHTML && o.name == name {
			n.open = n.open[:i]
			return ""
		}
		if !o.passable(name, r) {
			break
		}
	}
	if name == "br" || name == "p" && n.find(name, endsButton) < 0 {
		return "" // the parser makes an element of the end tag alone
	}
	return n.endsNothing(name)
}

// passable reports whether an open element is one that the end tag of an element
// around it ends.
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

func (n *nesting) endsNothing(name string) string {
	return fmt.Sprintf("</%s> ends nothing, while <%s> is open", showKey(name), showKey(n.top().name))
}
