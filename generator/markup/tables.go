package markup

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
)

// An attribute is a set of attribute names that the cleaner knows.
type attribute uint64

const (
	global attribute = 1 << iota // allowed on every element
	hrefAttr
	srcAttr
	citeAttr
	posterAttr
	srcsetAttr
	sizesAttr
	mediaAttr
	hreflangAttr
	relAttr
	downloadAttr
	nameAttr
	altAttr
	widthAttr
	heightAttr
	loadingAttr
	startAttr
	reversedAttr
	typeAttr
	valueAttr
	minAttr
	maxAttr
	lowAttr
	highAttr
	optimumAttr
	colspanAttr
	rowspanAttr
	headersAttr
	scopeAttr
	abbrAttr
	alignAttr
	datetimeAttr
	openAttr
	spanAttr
	controlsAttr
	loopAttr
	mutedAttr
	preloadAttr
	playsinlineAttr
	crossoriginAttr
	kindAttr
	srclangAttr
	labelAttr
	defaultAttr
	idAttr // global, and an anchor
)

const (
	addresses = hrefAttr | srcAttr | citeAttr | posterAttr
	files     = srcAttr | posterAttr | srcsetAttr // addresses of what a page loads by itself: never another page
	everyone  = global | idAttr
)

// attributes are the names of all allowed attributes. Of WAI-ARIA 1.3, attributes
// are left out that belong to widgets of a script or a form, and those that reach
// beyond the body: aria-owns, aria-flowto, aria-modal and aria-activedescendant.
var attributes = map[string]attribute{
	"lang": global, "dir": global, "class": global, "title": global, "role": global,
	"hidden": global, "translate": global,
	"aria-label": global, "aria-labelledby": global, "aria-describedby": global, "aria-description": global,
	"aria-details": global, "aria-hidden": global, "aria-roledescription": global, "aria-level": global,
	"aria-braillelabel": global, "aria-brailleroledescription": global,
	"aria-current": global, "aria-expanded": global, "aria-controls": global, "aria-haspopup": global,
	"aria-selected": global, "aria-checked": global, "aria-pressed": global, "aria-disabled": global,
	"aria-live": global, "aria-atomic": global, "aria-relevant": global, "aria-busy": global,
	"aria-colcount": global, "aria-colindex": global, "aria-colindextext": global, "aria-colspan": global,
	"aria-rowcount": global, "aria-rowindex": global, "aria-rowindextext": global, "aria-rowspan": global,
	"aria-posinset": global, "aria-setsize": global, "aria-sort": global, "aria-orientation": global,
	"aria-valuemin": global, "aria-valuemax": global, "aria-valuenow": global, "aria-valuetext": global,
	"id":   idAttr,
	"href": hrefAttr, "src": srcAttr, "cite": citeAttr, "poster": posterAttr,
	"srcset": srcsetAttr, "sizes": sizesAttr, "media": mediaAttr,
	"hreflang": hreflangAttr, "rel": relAttr, "download": downloadAttr, "name": nameAttr,
	"alt": altAttr, "width": widthAttr, "height": heightAttr, "loading": loadingAttr,
	"start": startAttr, "reversed": reversedAttr, "type": typeAttr, "value": valueAttr,
	"min": minAttr, "max": maxAttr, "low": lowAttr, "high": highAttr, "optimum": optimumAttr,
	"colspan": colspanAttr, "rowspan": rowspanAttr, "headers": headersAttr, "scope": scopeAttr, "abbr": abbrAttr,
	"align": alignAttr, "datetime": datetimeAttr, "open": openAttr, "span": spanAttr,
	"controls": controlsAttr, "loop": loopAttr, "muted": mutedAttr, "preload": preloadAttr,
	"playsinline": playsinlineAttr, "crossorigin": crossoriginAttr,
	"kind": kindAttr, "srclang": srclangAttr, "label": labelAttr, "default": defaultAttr,
}

// An element is one name with what the cleaner has to know of it.
type element struct {
	name   string
	traits trait
	attrs  attribute // allowed beside the global ones
}

func (e *element) is(t trait) bool { return e.traits&t != 0 }

const (
	blockTraits = special | closesP
	cellTraits  = special | optionalEnd | scope | marker | tablePart
	cellAttrs   = colspanAttr | rowspanAttr | headersAttr | scopeAttr | alignAttr

	imageAttrs = srcsetAttr | sizesAttr | widthAttr | heightAttr
	mediaAttrs = srcAttr | controlsAttr | loopAttr | mutedAttr | preloadAttr | crossoriginAttr
)

// The elements that the rules of balance name.
var (
	elementA        = &element{"a", formatting, hrefAttr | hreflangAttr | relAttr | downloadAttr | nameAttr}
	elementP        = &element{"p", blockTraits | optionalEnd, 0}
	elementLi       = &element{"li", blockTraits | optionalEnd, valueAttr}
	elementDd       = &element{"dd", blockTraits | optionalEnd, 0}
	elementDt       = &element{"dt", blockTraits | optionalEnd, 0}
	elementDiv      = &element{"div", blockTraits, 0}
	elementAddress  = &element{"address", blockTraits, 0}
	elementRuby     = &element{"ruby", 0, 0}
	elementRt       = &element{"rt", 0, 0}
	elementRp       = &element{"rp", 0, 0}
	elementBr       = &element{"br", void | special, 0}
	elementTable    = &element{"table", blockTraits | scope | rowContext, 0}
	elementCaption  = &element{"caption", special | scope | marker | tablePart, 0}
	elementColgroup = &element{"colgroup", special | optionalEnd | tablePart | rowContext, spanAttr}
	elementCol      = &element{"col", special | void | tablePart, spanAttr}
	elementTbody    = &element{"tbody", special | optionalEnd | tablePart | rowContext, 0}
	elementThead    = &element{"thead", special | optionalEnd | tablePart | rowContext, 0}
	elementTfoot    = &element{"tfoot", special | optionalEnd | tablePart | rowContext, 0}
	elementTr       = &element{"tr", special | optionalEnd | tablePart | rowContext, 0}
	elementTd       = &element{"td", cellTraits, cellAttrs}
	elementTh       = &element{"th", cellTraits, cellAttrs | abbrAttr}
	elementImg      = &element{"img", special | void, imageAttrs | srcAttr | altAttr | loadingAttr}
)

// allowed are the elements that a body may hold, by name.
var allowed = tableOf(
	elementA, elementP, elementLi, elementDd, elementDt, elementDiv, elementAddress,
	elementRuby, elementRt, elementRp, elementBr,
	elementTable, elementCaption, elementColgroup, elementCol,
	elementTbody, elementThead, elementTfoot, elementTr, elementTd, elementTh,

	&element{"article", blockTraits, 0}, &element{"aside", blockTraits, 0},
	&element{"blockquote", blockTraits, citeAttr}, &element{"details", blockTraits, openAttr | nameAttr},
	&element{"dialog", closesP, openAttr}, // not special, says the standard
	&element{"dl", blockTraits, 0}, &element{"figcaption", blockTraits, 0},
	&element{"figure", blockTraits, 0}, &element{"footer", blockTraits, 0},
	&element{"h1", blockTraits | heading, 0}, &element{"h2", blockTraits | heading, 0},
	&element{"h3", blockTraits | heading, 0}, &element{"h4", blockTraits | heading, 0},
	&element{"h5", blockTraits | heading, 0}, &element{"h6", blockTraits | heading, 0},
	&element{"header", blockTraits, 0}, &element{"hgroup", blockTraits, 0},
	&element{"hr", blockTraits | void, 0}, &element{"main", blockTraits, 0}, &element{"menu", blockTraits, 0},
	&element{"nav", blockTraits, 0}, &element{"ol", blockTraits | list, startAttr | reversedAttr | typeAttr},
	&element{"pre", blockTraits, 0}, &element{"section", blockTraits, 0},
	&element{"summary", blockTraits, 0}, &element{"ul", blockTraits | list, 0},

	&element{"b", formatting, 0}, &element{"code", formatting, 0}, &element{"em", formatting, 0},
	&element{"i", formatting, 0}, &element{"s", formatting, 0}, &element{"small", formatting, 0},
	&element{"strong", formatting, 0}, &element{"u", formatting, 0},

	&element{"abbr", 0, 0}, &element{"acronym", 0, 0}, &element{"bdi", 0, 0}, &element{"bdo", 0, 0}, &element{"cite", 0, 0},
	&element{"data", 0, valueAttr}, &element{"del", 0, citeAttr | datetimeAttr}, &element{"dfn", 0, 0},
	&element{"ins", 0, citeAttr | datetimeAttr}, &element{"kbd", 0, 0}, &element{"mark", 0, 0},
	&element{"meter", 0, valueAttr | minAttr | maxAttr | lowAttr | highAttr | optimumAttr},
	&element{"progress", 0, valueAttr | maxAttr}, &element{"q", 0, citeAttr}, &element{"samp", 0, 0}, &element{"span", 0, 0}, &element{"sub", 0, 0},
	&element{"sup", 0, 0}, &element{"time", 0, datetimeAttr}, &element{"var", 0, 0},

	&element{"wbr", special | void, 0},

	elementImg, &element{"picture", 0, 0},
	&element{"audio", playable, mediaAttrs},
	&element{"video", playable, mediaAttrs | posterAttr | playsinlineAttr | widthAttr | heightAttr},
	&element{"source", special | void, imageAttrs | srcAttr | mediaAttr | typeAttr},
	&element{"track", special | void, srcAttr | kindAttr | srclangAttr | labelAttr | defaultAttr},
)

// removed are the elements that go with all they contain, as no reader reads it
// or as it is the program of a page. The content of those that are true is text
// to the parser, up to the end tag of the same name.
var removed = map[string]bool{
	"iframe": true, "noembed": true, "noframes": true, "plaintext": true, "script": true,
	"style": true, "textarea": true, "title": true, "xmp": true,
	"datalist": false, "math": false, "select": false, "svg": false, "template": false,
}

// blocks are elements that are not let through and that browsers show as blocks:
// a div takes their place, so that what stands in them and beside them is not one
// word.
var blocks = map[string]bool{
	"center": true, "dir": true, "fieldset": true, "form": true, "legend": true, "listing": true, "search": true,
}

// shownAddress are the attributes whose addresses an element shows or links to,
// of those that lose their tag.
var shownAddress = map[string]string{
	"area": "href", "embed": "src", "frame": "src", "image": "src", "img": "src", "input": "src", "object": "data",
}

// trusted are the elements that "html: trusted" lets through beside the allowed
// ones and beside names that mean nothing to the parser. What is neither can
// not be held in one div for certain and is treated as everywhere.
var trusted = tableOf(
	&element{"center", blockTraits, 0}, &element{"fieldset", blockTraits, 0},
	&element{"search", blockTraits, 0}, elementForm,
	elementButton, elementSelect, elementOption,
	&element{"object", special | scope | marker, 0},
	&element{"big", formatting, 0}, &element{"font", formatting, 0}, &element{"strike", formatting, 0},
	&element{"tt", formatting, 0},
	&element{"area", special | void, 0}, &element{"embed", special | void, 0}, &element{"input", special | void, 0},
	&element{"link", special | void, 0}, &element{"meta", special | void, 0},
	elementSVG,
)

// The elements that the rules of balance name in trusted HTML.
var (
	elementForm   = &element{"form", blockTraits, 0}
	elementButton = &element{"button", special | scope, 0}
	elementSelect = &element{"select", special | scope, 0}
	elementOption = &element{"option", 0, 0}
	elementSVG    = &element{"svg", scope, 0}
)

// trustedRaw are elements that trusted HTML keeps with their content, which is
// text up to the end tag.
var trustedRaw = map[string]bool{"script": true, "style": true, "textarea": true}

// structural are names that mean something to the parser and are never written,
// trusted or not: only their tags are removed. Those that are true are void.
var structural = map[string]bool{
	"html": false, "head": false, "body": false, "frameset": false, "frame": true, "image": true, "keygen": true,
	"base": true, "basefont": true, "bgsound": true, "param": true, "applet": false, "marquee": false, "nobr": false,
	"listing": false, "dir": false, "optgroup": false, "rb": false, "rtc": false, "isindex": false, "selectedcontent": false,
}

// isVoid reports whether an element of that name has no content and no end tag.
func isVoid(name string) bool {
	for _, table := range []map[string]*element{allowed, trusted} {
		if el := table[name]; el != nil {
			return el.is(void)
		}
	}
	return structural[name]
}

// drawing are the elements that trusted HTML may hold inside an svg. They
// are drawings and text alone: nothing that leads back into HTML.
var drawing = tableOf(
	&element{name: "circle"}, &element{name: "clippath"}, &element{name: "defs"}, &element{name: "ellipse"},
	&element{name: "g"}, &element{name: "line"}, &element{name: "lineargradient"}, &element{name: "marker"},
	&element{name: "mask"}, &element{name: "path"}, &element{name: "pattern"}, &element{name: "polygon"},
	&element{name: "polyline"}, &element{name: "radialgradient"}, &element{name: "rect"}, &element{name: "stop"},
	&element{name: "symbol"}, &element{name: "text"}, &element{name: "textpath"}, &element{name: "tspan"},
	&element{name: "use"},
)

func tableOf(list ...*element) map[string]*element {
	table := make(map[string]*element, len(list))
	for _, e := range list {
		table[e.name] = e
	}
	return table
}
