package markup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// What becomes of every element of the HTML standard, with those that it calls
// obsolete. Each of these but the first gives a warning that names the element.
const (
	elementsKept = `a abbr acronym address article aside audio b bdi bdo blockquote br caption cite code col colgroup
		data dd del details dfn dialog div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img
		ins kbd li main mark menu meter nav ol p picture pre progress q rp rt ruby s samp section small source span
		strong sub summary sup table tbody td tfoot th thead time tr track u ul var video wbr`
	// Their content stays without their tags.
	elementsUnwrapped = `applet big blink body button canvas font frameset head html label map marquee menuitem multicol nextid nobr noscript object optgroup option output rb rtc selectedcontent
		slot spacer strike tt`
	// A div takes their place.
	elementsBlock = `center dir fieldset form legend listing search`
	// They have no content.
	elementsVoid = `area base basefont bgsound embed frame image input keygen link meta param`
	// Their text stays.
	elementsText = `math select svg textarea`
	// Nobody reads what is in them.
	elementsRemoved = `datalist noembed noframes plaintext script style template title xmp`
	// It becomes an embed.
	elementsEmbed = `iframe`
)

// inContext returns an element with the text "b" as it may stand in a body.
func inContext(name string) string {
	element := fmt.Sprintf("<%s>b</%[1]s>", name)
	switch name {
	case "caption", "tbody", "thead", "tfoot", "tr":
		element = fmt.Sprintf("<table><%s>b</%[1]s></table>", name)
	case "colgroup":
		element = "<table><colgroup></colgroup>b</table>"
	case "col":
		element = "<table><col>b</table>"
	case "td", "th":
		element = fmt.Sprintf("<table><tr><%s>b</%[1]s></table>", name)
	case "select":
		element = "<select><option>b</select>"
	case "svg":
		element = "<svg><title>b</title></svg>"
	}
	if slices.Contains(strings.Fields(elementsVoid+" br hr img source track wbr"), name) {
		element = "<" + name + ">b"
	}
	return element
}

func TestEveryElement(t *testing.T) {
	t.Parallel()
	for want, names := range map[string]string{
		"kept": elementsKept, "unwrapped": elementsUnwrapped, "block": elementsBlock, "void": elementsVoid, "text": elementsText,
		"removed": elementsRemoved, "embed": elementsEmbed,
	} {
		for _, name := range strings.Fields(names) {
			res := markup.NewRenderer(markup.Options{}, testIndex()).Render(0, page.HTML, []byte("a"+inContext(name)+"c"))
			content := inner(t, res.Content)
			checkContent(t, markup.Options{}, string(res.Content))
			hasTag, hasText := strings.Contains(content, "<"+name), strings.Contains(content, "b")
			var due []string
			switch want {
			case "kept":
				if !hasTag || strings.Count(content, "b") < 1+strings.Count(name, "b") {
					t.Errorf("%s is not kept: %s", name, content)
				}
			case "unwrapped":
				due = []string{tagRemoved(1, name)}
			case "block":
				if due = []string{divInstead(1, name)}; content != "a<div>b</div>c" {
					t.Errorf("%s became %s", name, content)
				}
			case "void":
				due = []string{voidRemoved(1, name)}
			case "text":
				due = []string{textStays(1, name)}
			case "removed":
				if due = []string{allRemoved(1, name)}; name == "plaintext" {
					due = []string{`1 html-removed: element "plaintext" has no end tag: all after it is removed`}
				}
			case "embed":
				due = []string{`1 embed-address: an iframe with the address "" is removed`}
			}
			if want != "kept" && (hasTag || hasText != slices.Contains([]string{"unwrapped", "block", "void", "text"}, want)) {
				t.Errorf("%s is not %s: %s", name, want, content)
			}
			if got := withoutAlt(problems(res)); !slices.Equal(got, due) {
				t.Errorf("%s: problems %q, want %q", name, got, due)
			}
		}
	}
}

// Attributes of WAI-ARIA 1.3.
const (
	ariaKept = `aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-checked aria-colcount aria-colindex
		aria-colindextext aria-colspan aria-controls aria-current aria-describedby aria-description aria-details aria-disabled
		aria-expanded aria-haspopup aria-hidden aria-label aria-labelledby aria-level aria-live aria-orientation aria-posinset
		aria-pressed aria-relevant aria-roledescription aria-rowcount aria-rowindex aria-rowindextext aria-rowspan aria-selected
		aria-setsize aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext`
	ariaRemoved = `aria-activedescendant aria-autocomplete aria-dropeffect aria-errormessage aria-flowto aria-grabbed
		aria-invalid aria-keyshortcuts aria-modal aria-multiline aria-multiselectable aria-owns aria-placeholder aria-readonly
		aria-required`
)

// attributesKept are the attributes that stay, and the elements that they stay
// on; "*" is all.
var attributesKept = map[string]string{
	"class": "*", "dir": "*", "hidden": "*", "id": "*", "lang": "*", "role": "*", "title": "*", "translate": "*",
	"abbr": "th", "align": "td th", "alt": "img", "cite": "blockquote del ins q", "colspan": "td th", "controls": "audio video",
	"crossorigin": "audio video", "datetime": "del ins time", "default": "track", "download": "a", "headers": "td th",
	"height": "img source video", "high": "meter", "href": "a", "hreflang": "a", "kind": "track", "label": "track",
	"loading": "img", "loop": "audio video", "low": "meter", "max": "meter progress", "media": "source", "min": "meter",
	"muted": "audio video", "name": "a details", "open": "details dialog", "optimum": "meter", "playsinline": "video",
	"poster": "video", "preload": "audio video", "rel": "a", "reversed": "ol", "rowspan": "td th", "scope": "td th",
	"sizes": "img source", "span": "col colgroup", "src": "audio img source track video", "srclang": "track",
	"srcset": "img source", "start": "ol", "type": "ol source", "value": "data li meter progress", "width": "img source video",
}

// attributesRemoved are the other attributes of the HTML standard and of its
// obsolete features. No reader reads them, or they do what a body may not do:
// run, load, send, take the focus, style.
const attributesRemoved = `abbr accept accept-charset accesskey action align alink allow allowfullscreen alpha archive as async
	autocapitalize autocomplete autocorrect autofocus autoplay axis background bgcolor blocking border bordercolor cellpadding
	cellspacing char charoff charset checked classid clear closedby code codebase codetype color cols colspan command
	commandfor compact content contenteditable coords data datafld datasrc declare decoding defer dirname disabled draggable
	enctype enterkeyhint event exportparts face fetchpriority for form formaction formenctype formmethod formnovalidate
	formtarget frame frameborder headingoffset headingreset hspace http-equiv imagesizes imagesrcset inert inputmode integrity
	is ismap itemid itemprop itemref itemscope itemtype lang-x language link list longdesc lowsrc marginheight marginwidth
	maxlength method methods minlength multiple nohref nomodule nonce noshade novalidate nowrap onclick onerror onload ontoggle
	part pattern ping placeholder popover popovertarget popovertargetaction profile prompt readonly referrerpolicy required rev
	rows rules sandbox scheme scrolling selected shadowrootmode shape size slot spellcheck srcdoc standby step style summary
	tabindex target text urn usemap valign valuetype version vlink vspace wrap writingsuggestions xml:lang xmlns data-x`

// withoutAlt returns problems without those of images that have no alt.
func withoutAlt(problems []string) []string {
	return slices.DeleteFunc(problems, func(p string) bool { return strings.Contains(p, " image-alt: ") })
}

// attributesCounted are those of attributesRemoved that no reader misses.
const attributesCounted = `align background bgcolor border cellpadding cellspacing clear color compact crossorigin data-x decoding
	face fetchpriority frame height hspace itemid itemprop itemscope itemtype loading noshade nowrap referrerpolicy rules size
	sizes srcset style tabindex target valign vspace width`

func TestEveryAttribute(t *testing.T) {
	t.Parallel()
	names := strings.Fields(attributesRemoved + " " + ariaRemoved)
	kept := map[string]string{}
	for name, elements := range attributesKept {
		names, kept[name] = append(names, name), elements
	}
	for _, name := range strings.Fields(ariaKept) {
		names, kept[name] = append(names, name), "*"
	}
	r := markup.NewRenderer(markup.Options{}, testIndex())
	for _, name := range names {
		for _, element := range strings.Fields(elementsKept) {
			body := strings.Replace(inContext(element), "<"+element+">", "<"+element+" "+name+"=/fi>", 1)
			res := r.Render(0, page.HTML, []byte(body))
			stays := kept[name] == "*" || slices.Contains(strings.Fields(kept[name]), element)
			var due []string
			if isCounted := !stays && slices.Contains(strings.Fields(attributesCounted), name); isCounted != (res.Cosmetic == 1) {
				t.Errorf("%s: %d removals are counted, want %v", body, res.Cosmetic, isCounted)
			} else if !stays && !isCounted {
				removed := attributeRemoved
				if name == "popover" {
					removed = hiddenInstead
				}
				due = []string{removed(strings.Index(body, "<"+element+" "), name, element)}
			}
			if got := withoutAlt(problems(res)); !slices.Equal(got, due) {
				t.Errorf("%s: problems %q, want %q", body, got, due)
			}
			if got := strings.Contains(string(res.Content), " "+name+"="); got != stays {
				t.Errorf("%s became %s", body, res.Content)
			}
		}
	}
}
