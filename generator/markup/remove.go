package markup

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"example.org/sivu/generator/page"
)

// maxOthers bounds the names that a renderer of trusted HTML remembers.
const maxOthers = 1000

// known returns the element of that name, or nil where it is not let through.
func (c *cleaner) known(name []byte) *element {
	if el := allowed[string(name)]; el != nil || !c.opts.Trusted {
		return el
	}
	if el := trusted[string(name)]; el != nil {
		return el
	}
	if el := drawing[string(name)]; el != nil {
		return el
	}
	if removed[string(name)] || rawText[string(name)] || structural[string(name)] || !isName(name) {
		return nil
	}
	el := c.others[string(name)]
	if el == nil {
		if c.others == nil || len(c.others) >= maxOthers {
			c.others = map[string]*element{}
		}
		el = &element{name: string(name)}
		c.others[el.name] = el
	}
	return el
}

// lookup returns the element of a start tag, or nil where it may not stand.
// What may stand inside a select or a drawing is a matter of trusted HTML.
func (c *cleaner) lookup(name []byte) *element {
	el := c.known(name)
	if !c.opts.Trusted || el == nil {
		return el
	}
	switch inSelect := c.find(elementSelect, 0) >= 0; {
	case c.inDrawing() != (drawing[el.name] == el):
		return nil
	case inSelect != (el == elementOption):
		return nil
	}
	return el
}

// inDrawing reports whether the innermost element is part of a drawing.
func (c *cleaner) inDrawing() bool {
	return len(c.stack) > 0 && isDrawing(c.stack[len(c.stack)-1].el)
}

func isDrawing(el *element) bool { return el == elementSVG || drawing[el.name] == el }

// refuse removes a start tag that may not stand, and what goes with it.
func (c *cleaner) refuse() {
	name := string(c.tag.name)
	switch {
	case name == "iframe":
		c.embed()
	case name == "input" && c.checkbox():
	case c.replaces(name):
		c.writeBlock(name)
	case c.opts.Trusted && trustedRaw[name] && !c.inDrawing() && c.find(elementSelect, 0) < 0:
		c.keepText()
	case removed[name] || rawText[name]:
		c.remove(name, rawText[name])
	case c.tag.isHidden() && !isVoid(name) && name != "head": // what a head holds is not seen anyway
		c.remove(name, name == "noscript")
	case name == "noscript":
		c.noscript = true
		c.refuseTag()
		c.z.NextIsNotRawText()
	default:
		c.refuseTag()
	}
}

// replaces reports whether a div takes the place of the element of that name whose
// start tag is the token. Between the parts of a table there is no text to
// keep apart.
func (c *cleaner) replaces(name string) bool {
	return blocks[name] != nil && !c.tag.isHidden() && !c.inTable() && !c.inDrawing() && c.find(elementSelect, 0) < 0
}

// writeBlock writes a div in place of the block of that name, with the attributes
// that any element may have.
func (c *cleaner) writeBlock(name string) {
	c.warn(ruleRemoved, c.at, "", "element %v is not allowed: a div takes its place", quoted(name))
	if !c.prepare(elementDiv) {
		return
	}
	t := &c.tag
	t.name, t.plain = []byte(elementDiv.name), false
	t.attrs = slices.DeleteFunc(t.attrs, func(a attr) bool { return !globalAttributes[string(a.name)] })
	c.writeTag(elementDiv)
	c.push(blocks[name], false)
}

// remove removes the element whose start tag is the token, save the text in it
// that readers read.
func (c *cleaner) remove(name string, isText bool) {
	at, text := c.at, c.fallbackOf(name)
	switch {
	case !c.skip(name, isText, text):
		c.warn(ruleRemoved, at, "", "element %v has no end tag: all after it is removed", quoted(name))
	case c.writeFallback(text):
		c.warn(ruleRemoved, at, "", "element %v is removed, its text stays", quoted(name))
	default:
		c.warn(ruleRemoved, at, "", "element %v is removed with its content", quoted(name))
	}
}

// refuseTag removes a tag alone. What a reader would have read of a void element
// stands in its attributes.
func (c *cleaner) refuseTag() {
	name := string(c.tag.name)
	if el := allowed[name]; el != nil && el.is(tablePart) {
		c.warn(ruleRemoved, c.at, "", "element %v stands outside a table: its tag is removed", quoted(name))
		return
	}
	what, hint := "is not allowed: its tag is removed, its content stays", ""
	if isVoid(name) {
		what = "is removed"
		if c.writeFallback(c.voidText(name)) {
			what = "is removed, its text stays"
		}
	}
	address := c.lostAddress()
	if address != "" {
		hint = "write a link or an image instead"
	}
	c.warn(ruleRemoved, c.at, hint, "element %v %s%s", quoted(name), what, address)
}

// lostAddress returns the part of a warning that says which address a reader
// would have opened or seen, and goes with the tag of the token.
func (c *cleaner) lostAddress() string {
	name := string(c.tag.name)
	address, _ := c.tag.attribute(shownAddress[name])
	kind, _ := c.tag.attribute("type")
	if address == "" || c.tag.isHidden() || name == "input" && !strings.EqualFold(kind, "image") {
		return ""
	}
	return fmt.Sprintf(", the address %v is lost", quoted(address))
}

// skip goes to the end tag of the element of that name whose start tag is the
// token. The element's content is text or HTML; what is read of it is added to
// the fallback, where there is one. It reports whether there is an end tag.
func (c *cleaner) skip(name string, isText bool, text *fallbackText) bool {
	if c.tag.slash && (name == "svg" || name == "math") {
		return true
	}
	for depth := 1; c.next(); {
		switch c.token {
		case html.StartTagToken:
			if !isText && c.isNamed(name) {
				depth++
			}
		case html.EndTagToken:
			if c.isNamed(name) {
				if depth--; depth == 0 {
					return true
				}
			}
		}
		if text != nil {
			c.collect(text)
		}
	}
	c.cut = true
	return false
}

// isNamed reports whether the tag of the token has a name, in lower case.
func (c *cleaner) isNamed(name string) bool {
	raw := bytes.TrimLeft(c.raw(), "</")
	return len(raw) > len(name) && bytes.EqualFold(raw[:len(name)], []byte(name)) &&
		(isSpace(raw[len(name)]) || raw[len(name)] == '/' || raw[len(name)] == '>')
}

// keepText copies an element whose content is text, up to its end tag.
func (c *cleaner) keepText() {
	name, at, plain := string(c.tag.name), c.at, c.tag.plain
	if c.inTable() && (name == "textarea" && !c.openCell()) {
		c.skip(name, true, nil)
		return
	}
	if c.inTable() && c.stack[len(c.stack)-1].el == elementColgroup {
		c.closeFrom(len(c.stack)-1, true)
	}
	start := len(c.out)
	c.writeTag(&element{name: name})
	begin := c.end
	if !plain || !c.skip(name, true, nil) {
		c.out = c.out[:start]
		c.warn(ruleRemoved, at, "", "element %v has no end tag, or attributes that cannot be read: it is removed", quoted(name))
		if !plain {
			c.skip(name, true, nil)
		}
		return
	}
	c.out = append(append(c.out, c.src[begin:c.at]...), "</"+name+">"...)
}

// checkbox writes a box as a character. It reports whether the token is one that
// is seen.
func (c *cleaner) checkbox() bool {
	kind, _ := c.tag.attribute("type")
	if !strings.EqualFold(kind, "checkbox") || c.tag.isHidden() {
		return false
	}
	box := "☐"
	if _, checked := c.tag.attribute("checked"); checked {
		box = "☑"
	}
	if !c.inTable() || c.openCell() {
		c.out = append(c.out, box...)
	}
	return true
}

// embed takes an iframe out of the content.
func (c *cleaner) embed() {
	src, _ := c.tag.attribute("src")
	at := c.at
	if c.noscript {
		c.warn(ruleEmbed, at, "", "an iframe in a noscript is removed: it is no embed")
	} else if uri, ok := embedAddress(src); !ok {
		c.warn(ruleEmbed, at, "an embedded item is an absolute https address",
			"an iframe with the address %v is removed", quoted(src))
	} else if !c.embedded[uri] {
		if c.embedded == nil {
			c.embedded = map[string]bool{}
		}
		c.embedded[uri] = true
		c.res.Embeds = append(c.res.Embeds, page.Embed{URI: uri})
	}
	if !c.skip("iframe", true, nil) {
		c.warn(ruleEmbed, at, "", "an iframe has no end tag: all after it is removed")
	}
}

// embedAddress returns the address of an embedded item, absolute and https.
func embedAddress(src string) (string, bool) {
	uri := fixEscapes(trimAddress(src))
	if strings.HasPrefix(uri, "//") {
		uri = "https:" + uri
	}
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	return uri, true
}
