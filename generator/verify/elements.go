package verify

import "strings"

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
