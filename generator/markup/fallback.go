package markup

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A fallback says which text of an element that is removed a reader would have
// read. That text is written in its place.
type fallback struct {
	label   string   // attribute that, where it is there, is read instead of the text
	only    []string // elements whose text is read; nil where all text is
	unread  []string // elements whose text is not
	items   []string // elements that a new item, and line, begins with, with a label of its own
	foreign bool     // its content follows the rules of foreign content
}

// fallbacks are the removed elements whose text stays.
var fallbacks = map[string]*fallback{
	"math": {label: "alttext", unread: []string{"annotation", "annotation-xml", "mphantom"}, foreign: true},
	"svg": {
		label: "aria-label", only: []string{"title", "desc", "text", "foreignobject"},
		unread: []string{"defs", "symbol", "metadata", "script", "style"}, foreign: true,
	},
	"select":   {label: "label", items: []string{"option", "optgroup"}},
	"textarea": {},
}

// unreadInputs are the types of an input whose value is not read as text.
var unreadInputs = []string{"hidden", "password", "checkbox", "radio", "color", "range", "file"}

// voidText returns the readable text of the void element whose start tag is the token:
// the text on a button or in a field, or the one that stands for an image.
func (c *cleaner) voidText(name string) *fallbackText {
	if c.tag.isHidden() || c.inDrawing() || c.inSelect() {
		return nil
	}
	label := "alt"
	if name == "input" {
		if kind := strings.ToLower(c.tag.attribute("type")); slices.Contains(unreadInputs, kind) {
			return nil
		} else if kind != "image" {
			label = "value"
		}
	}
	t := &fallbackText{fallback: &fallback{label: label}}
	t.addLabel(&c.tag)
	return t
}

// A fallbackText is the text of one element, as far as it has been read.
type fallbackText struct {
	*fallback

	text    []byte // as it stands in HTML
	read    int    // how many of "only" are open
	skipped int    // how many of "unread" are open
	silent  bool   // the text of this item is not read
	newItem bool

	hidden string // the element that hides the text in it
	depth  int    // how many elements of that name are open in it, itself included
	within int    // how many of "only" were open where it began
}

// fallbackOf returns the readable text of the element whose start tag is the token,
// so far its label, or nil where it has none.
func (c *cleaner) fallbackOf(name string) *fallbackText {
	f := fallbacks[name]
	if f == nil || f.isUnread(&c.tag) || c.tag.attribute("aria-hidden") == "true" || c.inDrawing() || c.inSelect() {
		return nil
	}
	t := &fallbackText{fallback: f, silent: f.items != nil}
	if f.items == nil {
		t.addLabel(&c.tag)
	}
	return t
}

// collect adds the readable text of the token.
func (c *cleaner) collect(t *fallbackText) {
	switch c.token {
	case html.TextToken:
		if !t.silent && t.skipped == 0 && t.hidden == "" && (t.only == nil || t.read > 0) {
			t.add(bytes.ReplaceAll(c.raw(), []byte("<"), []byte("&lt;")))
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		c.scan()
		if t.foreign && t.read == 0 {
			c.z.NextIsNotRawText()
		}
		name := string(c.tag.name)
		t.hide(name, &c.tag)
		if slices.Contains(t.items, name) {
			t.newItem, t.silent = true, t.hidden != ""
			t.addLabel(&c.tag)
		} else if !c.tag.slash {
			t.count(name, 1)
		}
	case html.EndTagToken:
		name, _ := c.z.TagName()
		t.count(string(name), -1)
		t.endHidden(string(name))
	}
}

// isUnread reports whether the text in the element of a tag is hidden. In a
// drawing there are attributes of their own for that.
func (f *fallback) isUnread(tag *tag) bool {
	return tag.isHidden() || f.foreign && (tag.attribute("display") == "none" || tag.attribute("visibility") == "hidden")
}

// hide notes an element that is opened if it hides its text, or is one in such
// an element.
func (t *fallbackText) hide(name string, tag *tag) {
	if name == "optgroup" || name == t.hidden && (name == "option" || name == "p") {
		t.hidden = "" // the tag ends it
	}
	switch isEmpty := isVoid(name) || tag.slash && allowed[name] == nil; {
	case isEmpty:
	case t.hidden == name:
		t.depth++
	case t.hidden == "" && t.isUnread(tag):
		t.hidden, t.depth, t.within = name, 1, t.read
	}
}

// endHidden notes an element that is closed.
func (t *fallbackText) endHidden(name string) {
	if t.hidden == name {
		t.depth--
	}
	if t.depth == 0 || t.read < t.within || name == "optgroup" {
		t.hidden = ""
	}
}

// count notes that an element is opened or closed.
func (t *fallbackText) count(name string, change int) {
	if slices.Contains(t.only, name) {
		t.read = max(t.read+change, 0)
	} else if slices.Contains(t.unread, name) {
		t.skipped = max(t.skipped+change, 0)
	}
}

// addLabel adds the label of an element, which stands for its text.
func (t *fallbackText) addLabel(tag *tag) {
	if label := tag.attribute(t.label); strings.Trim(label, whitespace) != "" && !t.silent {
		t.add([]byte(attributeEscaper.Replace(label)))
		t.silent = true
	}
}

func (t *fallbackText) add(text []byte) {
	if text = bytes.Trim(text, whitespace); len(text) == 0 {
		return
	}
	if len(t.text) > 0 && t.newItem {
		t.text = append(t.text, "<br>"...)
	} else if len(t.text) > 0 {
		t.text = append(t.text, ' ')
	}
	t.text, t.newItem = append(t.text, text...), false
}

// writeFallback writes the text in place of its element, and reports whether
// there is any.
func (c *cleaner) writeFallback(t *fallbackText) bool {
	if t == nil || len(t.text) == 0 || c.inTable() && !c.openCell() {
		return false
	}
	c.out = append(c.out, t.text...)
	return true
}
