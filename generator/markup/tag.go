package markup

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A tag is a start tag taken apart.
type tag struct {
	name  []byte // in lower case
	attrs []attr
	plain bool // written so that it can be read in one way only
	slash bool // ends with "/>"
}

// An attr is an attribute of a tag.
type attr struct {
	name       []byte // in lower case
	value      []byte // without entities where tag.decoded
	start, end int    // where it lies in a plain tag
	hasValue   bool
}

// scan takes the start tag of the token apart.
func (c *cleaner) scan() {
	raw := c.raw()
	t := &c.tag
	t.attrs = t.attrs[:0]
	t.slash = c.token == html.SelfClosingTagToken
	c.names = c.names[:0]
	t.plain = c.scanPlain(raw)
	if t.plain && bytes.IndexByte(raw, '&') < 0 {
		return
	}
	c.decode()
}

// scanPlain takes a tag apart whose attributes are all written name="value",
// name='value', name=value or name, with white space before each and nothing
// in them that could be taken for something else. It reports whether it could.
func (c *cleaner) scanPlain(raw []byte) bool {
	t := &c.tag
	i := 1
	for i < len(raw) && isAlphanumeric(raw[i]) {
		i++
	}
	t.name = c.lower(raw[1:i])
	for {
		before := i
		for i < len(raw) && isSpace(raw[i]) {
			i++
		}
		if raw[i] == '/' && i == len(raw)-2 {
			i++
		}
		if raw[i] == '>' {
			return i == len(raw)-1
		}
		if i == before || !c.scanAttr(raw, &i) {
			return false
		}
	}
}

// maxPlain is how many attributes a plain tag has at most.
const maxPlain = 16

func (c *cleaner) scanAttr(raw []byte, at *int) bool {
	i := *at
	a := attr{start: i}
	for isNameByte(raw[i]) {
		i++
	}
	if i == a.start || len(c.tag.attrs) == maxPlain {
		return false
	}
	a.name = c.lower(raw[a.start:i])
	if raw[i] == '=' {
		a.hasValue = true
		i++
		switch quote := raw[i]; quote {
		case '"', '\'':
			n := bytes.IndexByte(raw[i+1:], quote)
			if n < 0 {
				return false
			}
			a.value = raw[i+1 : i+1+n]
			i += n + 2
		default:
			start := i
			for isUnquoted(raw[i]) {
				i++
			}
			if a.value = raw[start:i]; len(a.value) == 0 || raw[i-1] == '/' {
				return false
			}
		}
		if bytes.IndexByte(a.value, '<') >= 0 {
			return false
		}
	}
	for j := range c.tag.attrs {
		if bytes.Equal(c.tag.attrs[j].name, a.name) {
			return false
		}
	}
	a.end, *at = i, i
	c.tag.attrs = append(c.tag.attrs, a)
	return true
}

// decode takes the attributes from the tokenizer, which leaves out repeated
// ones and decodes entities. In a plain tag they are the same, in the same order.
func (c *cleaner) decode() {
	t := &c.tag
	name, more := c.z.TagName()
	t.name = name
	if !t.plain {
		t.attrs = t.attrs[:0]
	}
	for i := 0; more; i++ {
		var key, value []byte
		key, value, more = c.z.TagAttr()
		if t.plain {
			t.attrs[i].value = value
		} else {
			t.attrs = append(t.attrs, attr{name: key, value: value, hasValue: true})
		}
	}
}

// lower returns a name in lower case.
func (c *cleaner) lower(name []byte) []byte {
	for i, b := range name {
		if 'A' <= b && b <= 'Z' {
			start := len(c.names)
			c.names = append(c.names, name...)
			lowered := c.names[start:]
			for ; i < len(lowered); i++ {
				if b := lowered[i]; 'A' <= b && b <= 'Z' {
					lowered[i] = b | 0x20
				}
			}
			return lowered
		}
	}
	return name
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isNameByte(c byte) bool {
	return isAlphanumeric(c) || c == '-' || c == '_' || c == ':' || c == '.' || c == '@'
}

func isUnquoted(c byte) bool { return c > ' ' && strings.IndexByte("\"'`<>=", c) < 0 }

// attribute returns the value of an attribute of the tag.
func (t *tag) attribute(name string) (string, bool) {
	for _, a := range t.attrs {
		if string(a.name) == name {
			return string(a.value), true
		}
	}
	return "", false
}

// isHidden reports whether the element of the tag is hidden from all readers.
func (t *tag) isHidden() bool {
	for i := range t.attrs {
		if string(t.attrs[i].name) == "hidden" || t.hides(&t.attrs[i]) {
			return true
		}
	}
	return false
}

// hides reports whether an attribute that is not let through hides the element
// of the tag, as "hidden" does. A popover is hidden until it is opened, save a
// dialog that is open.
func (t *tag) hides(a *attr) bool {
	switch string(a.name) {
	case "popover":
		_, open := t.attribute("open")
		return !open || string(t.name) != "dialog"
	case "style":
		return styleHides(string(a.value))
	}
	return false
}

// styleHides reports whether the declarations of a style attribute hide an
// element. The last one of a property counts.
func styleHides(style string) bool {
	var display, visibility string
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		switch value = strings.Trim(value, whitespace); strings.Trim(property, whitespace) {
		case "display":
			display = value
		case "visibility":
			visibility = value
		}
	}
	return display == "none" || visibility == "hidden"
}

// writeTag writes the start tag of el: as it is where all of it may stay, else
// with what may stay of it. What loses an attribute that hides it gets "hidden".
// As nothing plays by itself, what can be played gets the controls to do so.
func (c *cleaner) writeTag(el *element) {
	t, raw := &c.tag, c.raw()
	start := len(c.out)
	slash := t.slash && (el.is(void) || c.opts.Trusted && isDrawing(el))
	same := t.plain && slash == t.slash
	if n := 1 + len(t.name); t.plain {
		c.out = append(c.out, raw[:n]...)
	} else {
		c.out = append(append(c.out, '<'), t.name...)
	}
	for i := range t.attrs {
		a := &t.attrs[i]
		value, keep, changed := c.filter(el, a)
		same = same && keep && !changed
		switch {
		case !keep:
		case t.plain && !changed:
			c.out = append(append(c.out, ' '), raw[a.start:a.end]...)
		default:
			c.out = append(append(append(c.out, ' '), a.name...), `="`...)
			c.out = append(append(c.out, attributeEscaper.Replace(value)...), '"')
		}
	}
	if _, ok := t.attribute("hidden"); !ok && !c.opts.Trusted && t.isHidden() {
		c.out = append(c.out, " hidden"...)
	}
	if el.is(playable) && !c.opts.Trusted {
		if _, ok := t.attribute("controls"); !ok {
			same = false
			c.out = append(c.out, " controls"...)
		}
	}
	if same {
		c.out = append(c.out[:start], raw...)
		return
	}
	if slash {
		c.out = append(c.out, " /"...)
	}
	c.out = append(c.out, '>')
}

// filter returns the value that an attribute of el is written with, whether it
// is written at all, and whether the value is not what it was.
func (c *cleaner) filter(el *element, a *attr) (value string, keep, changed bool) {
	name := string(a.name)
	own := c.opts.Trusted || slices.Contains(el.attrs, name)
	switch loaded := name == "src" || name == "poster"; {
	case own && (loaded || name == "href" || name == "cite"):
		value, keep = c.address(string(a.value), loaded, c.at)
		return value, keep, value != string(a.value)
	case own && name == "srcset":
		value, keep = c.srcset(string(a.value))
		return value, keep, value != string(a.value)
	case name == "id" || name == "name" && el == elementA:
		c.res.Anchors = append(c.res.Anchors, HashAnchor(string(a.value)))
	case globalAttributes[name] || own && isName(a.name):
	case c.tag.hides(a):
		c.warn(ruleRemoved, c.at, "", "attribute %v of element %v is removed, hidden takes its place", quoted(a.name), quoted(el.name))
		return "", false, true
	default:
		c.warn(ruleRemoved, c.at, "", "attribute %v of element %v is removed", quoted(a.name), quoted(el.name))
		return "", false, true
	}
	if !c.tag.plain {
		value = string(a.value)
	}
	return value, true, false
}

// hasText reports whether the image of the tag has a text to read.
func (t *tag) hasText() bool {
	alt, _ := t.attribute("alt")
	return strings.Trim(alt, whitespace) != ""
}

// isName reports whether the name of an attribute can be written again.
func isName(name []byte) bool {
	for _, b := range name {
		if !isNameByte(b) {
			return false
		}
	}
	return true
}

// startTag writes a start tag that may stand.
func (c *cleaner) startTag() {
	c.scan()
	el := c.lookup(c.tag.name)
	if el == nil {
		c.refuse()
		return
	}
	if c.noscript && el == elementImg && !c.tag.hasText() {
		c.warn(ruleRemoved, c.at, "give the image a text in alt", "an image without a text in a noscript is removed: it is there to count visits")
		return
	}
	if !c.prepare(el) {
		return
	}
	c.writeTag(el)
	if el.is(void) {
		return
	}
	if !(c.tag.slash && c.opts.Trusted && isDrawing(el)) {
		c.push(el, false)
	}
}
