package markup

import (
	"bytes"
	"cmp"
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
	el := allowed[string(name)]
	if el == nil && c.opts.Trusted {
		el = cmp.Or(trusted[string(name)], drawing[string(name)], c.others[string(name)])
	}
	if el != nil || !c.opts.Trusted || removed[string(name)] || rawText[string(name)] || structural[string(name)] || !isName(name) {
		return el
	}
	if c.others == nil || len(c.others) >= maxOthers {
		c.others = elements{}
	}
	el = &element{name: string(name)}
	c.others[el.name] = el
	return el
}

// lookup returns the element of a start tag, or nil where it may not stand.
// What may stand inside a select or a drawing is a matter of trusted HTML.
func (c *cleaner) lookup(name []byte) *element {
	el := c.known(name)
	if c.opts.Trusted && el != nil && (c.inDrawing() != (drawing[el.name] == el) || c.inSelect() != (el == elementOption)) {
		return nil
	}
	return el
}

func (c *cleaner) inSelect() bool { return c.find(elementSelect, 0) >= 0 }

// inDrawing reports whether the innermost element is part of a drawing.
func (c *cleaner) inDrawing() bool {
	return len(c.stack) > 0 && isDrawing(c.top())
}

func isDrawing(el *element) bool { return el == elementSVG || drawing[el.name] == el }

// refuse handles a start tag that is not allowed.
func (c *cleaner) refuse() {
	name := string(c.tag.name)
	switch {
	case name == "iframe":
		c.embed()
	case name == "input" && c.checkbox():
	case blocks[name] != nil && !c.tag.isHidden() && !c.inTable() && !c.inDrawing() && !c.inSelect():
		c.writeBlock(name) // between the parts of a table there is no text to keep apart
	case c.opts.Trusted && trustedRaw[name] && !c.inDrawing() && !c.inSelect():
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
	address := c.tag.attribute(shownAddress[name])
	if address != "" && !c.tag.isHidden() && (name != "input" || strings.EqualFold(c.tag.attribute("type"), "image")) {
		what += fmt.Sprintf(", the address %v is lost", quoted(address))
		hint = "write a link or an image instead"
	}
	c.warn(ruleRemoved, c.at, hint, "element %v %s", quoted(name), what)
}

// skip goes to the end tag of the element of that name whose start tag is the
// token. The element's content is text or HTML; its readable text is added to the
// fallback, where there is one. It reports whether there is an end tag.
func (c *cleaner) skip(name string, isText bool, text *fallbackText) bool {
	if c.tag.slash && (name == "svg" || name == "math") {
		return true
	}
	if c.z == nil {
		c.tokenize(c.at)
		c.z.Next()
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
	if c.inTable() && c.top() == elementColgroup {
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
	if !strings.EqualFold(c.tag.attribute("type"), "checkbox") || c.tag.isHidden() {
		return false
	}
	box := "☐"
	if c.tag.find("checked") != nil {
		box = "☑"
	}
	if !c.inTable() || c.openCell() {
		c.out = append(c.out, box...)
	}
	return true
}

// embed takes an iframe out of the content.
func (c *cleaner) embed() {
	src := c.tag.attribute("src")
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
