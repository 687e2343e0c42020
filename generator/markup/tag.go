package markup

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A tag is a start tag taken apart.
type tag struct {
	name     []byte // in lower case
	attrs    []attr
	plain    bool // written so that it can be read in one way only
	entities bool // a plain tag has entities other than "&amp;"
	slash    bool // ends with "/>"
}

// An attr is an attribute of a tag.
type attr struct {
	name       []byte // in lower case
	value      []byte // without entities
	start, end int    // where it lies in a plain tag
}

// scan takes the start tag of the token apart. Where it is not plain, and for
// entities, the tokenizer does that, which leaves out repeated attributes.
func (c *cleaner) scan() {
	t := &c.tag
	t.slash = c.token == html.SelfClosingTagToken
	if c.z == nil {
		t.plain = true // plainToken has taken it apart
		return
	}
	if t.plain = t.scanPlain(c.raw()); t.plain && !t.entities {
		return
	}
	name, more := c.z.TagName()
	t.name = name
	if !t.plain {
		t.attrs = t.attrs[:0]
	}
	for i := 0; more; i++ {
		if !t.plain {
			t.attrs = append(t.attrs, attr{})
		}
		a := &t.attrs[i]
		var key []byte
		if key, a.value, more = c.z.TagAttr(); !t.plain {
			a.name = key
		}
	}
}

// scanPlain takes a tag apart whose attributes are all written name="value",
// name='value', name=value or name, with white space before each and nothing
// in them that could be taken for something else. It reports whether it could.
func (t *tag) scanPlain(raw []byte) bool {
	t.name, t.attrs, t.entities = tagName(raw[1:]), t.attrs[:0], false
	for i := 1 + len(t.name); ; {
		before := i
		for isSpace(raw[i]) {
			i++
		}
		if raw[i] == '/' && i == len(raw)-2 {
			i++
		}
		if raw[i] == '>' {
			return i == len(raw)-1
		}
		if i == before || !t.scanAttr(raw, i) {
			return false
		}
		i = t.attrs[len(t.attrs)-1].end
	}
}

// maxPlain is how many attributes a plain tag has at most.
const maxPlain = 16

// scanAttr takes in the attribute at offset i of a tag.
func (t *tag) scanAttr(raw []byte, i int) bool {
	a := attr{start: i}
	for isNameByte(raw[i]) {
		i++
	}
	a.name = lower(raw[a.start:i])
	if raw[i] == '=' {
		start := i + 1
		if quote := raw[start]; quote == '"' || quote == '\'' {
			start++
			n := bytes.IndexByte(raw[start:], quote)
			if n < 0 {
				return false
			}
			a.value, i = raw[start:start+n], start+n+1
		} else {
			for i = start; isUnquoted(raw[i]); i++ {
			}
			if a.value = raw[start:i]; len(a.value) == 0 || raw[i-1] == '/' {
				return false
			}
		}
	}
	if len(a.name) == 0 || len(t.attrs) == maxPlain || t.find(string(a.name)) != nil || bytes.IndexByte(a.value, '<') >= 0 {
		return false
	}
	if bytes.IndexByte(a.value, '&') >= 0 {
		t.entities = t.entities || bytes.Count(a.value, []byte("&")) != bytes.Count(a.value, []byte("&amp;"))
		a.value = bytes.ReplaceAll(a.value, []byte("&amp;"), []byte("&"))
	}
	a.end = i
	t.attrs = append(t.attrs, a)
	return true
}

// tagName returns the name that text begins with, in lower case.
func tagName(text []byte) []byte {
	n := 0
	for n < len(text) && isAlphanumeric(text[n]) {
		n++
	}
	return lower(text[:n])
}

func lower(name []byte) []byte {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			return bytes.ToLower(name)
		}
	}
	return name
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isNameByte(c byte) bool { return isAlphanumeric(c) || isIn(c, "-_:.@") }

func isUnquoted(c byte) bool { return c > ' ' && !isIn(c, "\"'`<>=") }

func (t *tag) find(name string) *attr {
	for i := range t.attrs {
		if string(t.attrs[i].name) == name {
			return &t.attrs[i]
		}
	}
	return nil
}

// attribute returns the value of an attribute of the tag, or "".
func (t *tag) attribute(name string) string {
	if a := t.find(name); a != nil {
		return string(a.value)
	}
	return ""
}

// isHidden reports whether the element of the tag is hidden from all readers.
func (t *tag) isHidden() bool {
	return slices.ContainsFunc(t.attrs, func(a attr) bool { return string(a.name) == "hidden" || t.hides(&a) })
}

// lacksAlt reports whether the image of the tag says nothing in its place, not even that
// it is there for its looks alone.
func (t *tag) lacksAlt() bool {
	return !slices.ContainsFunc(t.attrs, func(a attr) bool { return altNames[string(a.name)] })
}

// hides reports whether an attribute that is not let through hides the element
// of the tag, as "hidden" does. A popover is hidden until it is opened, save a
// dialog that is open.
func (t *tag) hides(a *attr) bool {
	switch string(a.name) {
	case "popover":
		return t.find("open") == nil || string(t.name) != "dialog"
	case "style":
		return styleHides(string(a.value))
	}
	return false
}

// styleHides reports whether the declarations of a style attribute hide an
// element. The last one of a property counts.
func styleHides(style string) bool {
	last := map[string]string{}
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		last[strings.Trim(property, whitespace)] = strings.Trim(value, whitespace)
	}
	return last["display"] == "none" || last["visibility"] == "hidden"
}

// startTag writes a start tag that may stand.
func (c *cleaner) startTag() {
	c.scan()
	el := c.lookup(c.tag.name)
	if el == nil {
		c.refuse()
		return
	}
	if c.noscript && el == elementImg && strings.Trim(c.tag.attribute("alt"), whitespace) == "" {
		c.warn(ruleRemoved, c.at, "give the image a text in alt", "an image without a text in a noscript is removed: it is there to count visits")
		return
	}
	if !c.prepare(el) {
		return
	}
	if el == elementImg && c.tag.lacksAlt() {
		if c.noAlt++; c.noAlt == 1 {
			c.noAltAt = c.where(c.at)
		}
	}
	c.writeTag(el)
	if !el.is(void) && !(c.tag.slash && c.opts.Trusted && isDrawing(el)) {
		c.push(el, false)
	}
}

// writeTag writes the start tag of el with the attributes that are allowed; where
// all are, its bytes. An element that loses an attribute that hides it gets
// "hidden". Audio and video get controls, as nothing plays by itself.
func (c *cleaner) writeTag(el *element) {
	t, raw := &c.tag, c.raw()
	start := len(c.out)
	slash := t.slash && (el.is(void) || c.opts.Trusted && isDrawing(el))
	same := t.plain && slash == t.slash
	if c.out = append(c.out, '<'); t.plain {
		c.out = append(c.out, raw[1:1+len(t.name)]...)
	} else {
		c.out = append(c.out, t.name...)
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
	if t.find("hidden") == nil && !c.opts.Trusted && t.isHidden() {
		c.out = append(c.out, " hidden"...)
	}
	if el.is(playable) && !c.opts.Trusted && t.find("controls") == nil {
		same = false
		c.out = append(c.out, " controls"...)
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
// is written at all, and whether the value has changed.
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
	default:
		instead := ""
		if c.tag.hides(a) {
			instead = ", hidden takes its place"
		} else if cosmetic[name] || strings.HasPrefix(name, "data-") {
			c.res.Cosmetic++
			return "", false, true
		}
		c.warn(ruleRemoved, c.at, "", "attribute %v of element %v is removed%s", quoted(a.name), quoted(el.name), instead)
		return "", false, true
	}
	if !c.tag.plain {
		value = string(a.value)
	}
	return value, true, false
}

// isName reports whether the name of an attribute can be written again.
func isName(name []byte) bool {
	return !slices.ContainsFunc(name, func(c byte) bool { return !isNameByte(c) })
}
