package markup

import (
	"cmp"
	"strings"
)

// A trait says how the HTML standard's parser treats an element.
type trait uint16

const (
	void        trait = 1 << iota // has no content and no end tag
	special                       // "special" in the standard: an inline end tag does not reach through it
	closesP                       // its start tag ends an open p
	formatting                    // would be opened again by the parser if it were not closed in order
	optionalEnd                   // its end tag may be left out
	heading                       // h1 to h6
	scope                         // end tags inside do not reach through it
	marker                        // formatting elements outside are not seen from inside
	tablePart                     // may stand only in a table
	rowContext                    // holds table parts, never text
	list                          // ends the search for an li
	playable                      // a reader starts it by its controls

	block = special | closesP
	cell  = special | optionalEnd | scope | marker | tablePart
	rows  = special | optionalEnd | tablePart | rowContext
)

// An element is a name, how it is parsed, and its own attributes.
type element struct {
	name   string
	traits trait
	attrs  []string // allowed beside the global ones
}

func (e *element) is(t trait) bool { return e.traits&t != 0 }

func newElement(name string, traits trait, attrs string) *element {
	return &element{name, traits, strings.Fields(attrs)}
}

// The elements that the rules of balance name.
var (
	elementA        = newElement("a", formatting, "href hreflang rel download name")
	elementP        = newElement("p", block|optionalEnd, "")
	elementLi       = newElement("li", block|optionalEnd, "value")
	elementDd       = newElement("dd", block|optionalEnd, "")
	elementDt       = newElement("dt", block|optionalEnd, "")
	elementDiv      = newElement("div", block, "")
	elementAddress  = newElement("address", block, "")
	elementRuby     = newElement("ruby", 0, "")
	elementRt       = newElement("rt", 0, "")
	elementRp       = newElement("rp", 0, "")
	elementBr       = newElement("br", void|special, "")
	elementImg      = newElement("img", special|void, imageAttrs+" src alt loading")
	elementTable    = newElement("table", block|scope|rowContext, "")
	elementCaption  = newElement("caption", special|scope|marker|tablePart, "")
	elementColgroup = newElement("colgroup", rows, "span")
	elementCol      = newElement("col", special|void|tablePart, "span")
	elementTbody    = newElement("tbody", rows, "")
	elementTr       = newElement("tr", rows, "")
	elementTd       = newElement("td", cell, cellAttrs)
	elementTh       = newElement("th", cell, cellAttrs+" abbr")
)

const (
	cellAttrs  = "colspan rowspan headers scope align"
	imageAttrs = "srcset sizes width height"
	mediaAttrs = "src controls loop muted preload crossorigin"
)

// allowed are the elements that a body may hold.
var allowed = tableOf(
	elementA, elementP, elementLi, elementDd, elementDt, elementDiv, elementAddress, elementRuby, elementRt, elementRp,
	elementBr, elementImg, elementTable, elementCaption, elementColgroup, elementCol, elementTbody, elementTr, elementTd, elementTh,
).with("thead tfoot", rows, "").
	with("article aside dl figcaption figure footer header hgroup main menu nav pre section summary", block, "").
	with("h1 h2 h3 h4 h5 h6", block|heading, "").
	with("blockquote", block, "cite").
	with("details", block, "open name").
	with("dialog", closesP, "open"). // not special, says the standard
	with("hr", block|void, "").
	with("ol", block|list, "start reversed type").
	with("ul", block|list, "").
	with("b code em i s small strong u", formatting, "").
	with("abbr acronym bdi bdo cite dfn kbd mark picture samp span sub sup var", 0, "").
	with("data", 0, "value").
	with("del ins", 0, "cite datetime").
	with("meter", 0, "value min max low high optimum").
	with("progress", 0, "value max").
	with("q", 0, "cite").
	with("time", 0, "datetime").
	with("wbr", special|void, "").
	with("audio", playable, mediaAttrs).
	with("video", playable, mediaAttrs+" poster playsinline width height").
	with("source", special|void, imageAttrs+" src media type").
	with("track", special|void, "src kind srclang label default")

// globalAttributes are allowed on every element. Of WAI-ARIA 1.3, attributes are
// left out that belong to widgets of a script or a form, and those that reach
// beyond the body: aria-owns, aria-flowto, aria-modal and aria-activedescendant.
var globalAttributes = setOf(`id lang dir class title role hidden translate
	aria-label aria-labelledby aria-describedby aria-description aria-details aria-hidden aria-roledescription aria-level
	aria-braillelabel aria-brailleroledescription aria-current aria-expanded aria-controls aria-haspopup aria-selected
	aria-checked aria-pressed aria-disabled aria-live aria-atomic aria-relevant aria-busy aria-colcount aria-colindex
	aria-colindextext aria-colspan aria-rowcount aria-rowindex aria-rowindextext aria-rowspan aria-posinset aria-setsize
	aria-sort aria-orientation aria-valuemin aria-valuemax aria-valuenow aria-valuetext`)

var (
	// cosmetic are attributes whose removal is only counted, as is that of data-*: they
	// are about looks, loading or scripts, and no reader misses them.
	cosmetic = setOf(`target decoding loading fetchpriority sizes srcset importance referrerpolicy crossorigin tabindex style
		align valign width height border frame rules cellpadding cellspacing nowrap bgcolor background color face size hspace
		vspace clear noshade compact itemprop itemscope itemtype itemid`)

	// altNames are attributes that say what an image shows, or that it need not be said.
	altNames = setOf("alt role aria-label aria-labelledby aria-hidden")
)

// What becomes of elements that are not allowed, and lose more than their tags.
var (
	// rawText are removed, and to the parser their content is text up to the end
	// tag of the same name.
	rawText = setOf("iframe noembed noframes plaintext script style textarea title xmp")

	// removed go with all they contain, as do those of rawText: no reader reads it.
	removed = setOf("datalist math select svg template")

	// blocks are shown as blocks by browsers. A div replaces them, so that their text
	// does not run into the text beside them.
	blocks = divsFor("center dir fieldset form legend listing search")

	// shownAddress are the attributes whose addresses an element shows or links to.
	shownAddress = map[string]string{
		"area": "href", "embed": "src", "frame": "src", "image": "src", "img": "src", "input": "src", "object": "data",
	}
)

// The elements that the rules of balance name in trusted HTML.
var (
	elementForm   = newElement("form", block, "")
	elementButton = newElement("button", special|scope, "")
	elementSelect = newElement("select", special|scope, "")
	elementOption = newElement("option", 0, "")
	elementSVG    = newElement("svg", scope, "")
)

// trusted are the elements that "html: trusted" lets through beside the allowed
// ones and beside names that mean nothing to the parser. What is neither can
// not be held in one div for certain and is treated as everywhere.
var trusted = tableOf(elementForm, elementButton, elementSelect, elementOption, elementSVG).
	with("center fieldset search", block, "").
	with("object", special|scope|marker, "").
	with("big font strike tt", formatting, "").
	with("area embed input link meta", special|void, "")

// drawing are the elements that trusted HTML may hold inside an svg. They
// are drawings and text alone: nothing that leads back into HTML.
var drawing = tableOf().with(`circle clippath defs ellipse g line lineargradient marker mask path pattern polygon
	polyline radialgradient rect stop symbol text textpath tspan use`, 0, "")

var (
	// trustedRaw are elements that trusted HTML keeps with their content, which is
	// text up to the end tag.
	trustedRaw = setOf("script style textarea")

	// structural are names that mean something to the parser and are never written,
	// trusted or not: only their tags are removed.
	structural = setOf(`html head body frameset frame image keygen base basefont bgsound param applet marquee nobr
		listing dir optgroup rb rtc isindex selectedcontent`)

	structuralVoid = setOf("frame image keygen base basefont bgsound param")
)

// isVoid reports whether an element of that name has no content and no end tag.
func isVoid(name string) bool {
	if el := cmp.Or(allowed[name], trusted[name]); el != nil {
		return el.is(void)
	}
	return structuralVoid[name]
}

// elements are elements by name.
type elements map[string]*element

func tableOf(list ...*element) elements {
	table := elements{}
	for _, e := range list {
		table[e.name] = e
	}
	return table
}

// with adds an element for each of the names.
func (t elements) with(names string, traits trait, attrs string) elements {
	for _, name := range strings.Fields(names) {
		t[name] = newElement(name, traits, attrs)
	}
	return t
}

// divsFor returns for each of the names a div that only the end tag of that name
// ends.
func divsFor(names string) elements {
	table := elements{}
	for _, name := range strings.Fields(names) {
		table[name] = newElement("div", block, "")
	}
	return table
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
