package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// own is one of sivu's own fields, which are not meta keys.
type own uint8

// sivu's own fields. The zero value notOwn is that of a meta key.
const (
	notOwn own = iota
	ownID
	ownLanguage
	ownKind
	ownCreated
	ownModified
	ownTopic
	ownSlug
	ownDraft
	ownEmbeds
	ownMeta
	ownExpires
	ownPublish
	ownAliases
	ownCount
)

// ownNames are the names of sivu's own fields in front matter, unless
// site.yaml renames them.
var ownNames = [ownCount]string{"", "id", "language", "kind", "created", "modified", "topic", "slug", "draft", "embeds", "meta", "expires", "publish", "aliases"}

// shape is the form of a field's value.
type shape uint8

const (
	scalar shape = iota
	null
	list
	table
)

func (s shape) String() string {
	return [...]string{scalar: "a string", null: "null", list: "a list", table: "a map"}[s]
}

// field is one field of a head or of site.yaml, as the file spells it.
type field struct {
	name    string
	own     own // given where the format itself says that the field is sivu's
	title   bool
	shape   shape
	beside  bool    // it stands in the file beside the page
	isAlias bool    // of YAML, with the alias as its value: reported as broken syntax
	value   string  // of a scalar
	comment string  // of YAML, after an unquoted text in its line
	items   []field // of a list or a table

	line, column           int // of the name; of the value where there is no name
	valueLine, valueColumn int // of the value, in YAML
}

// fieldNamed returns the first of some fields with that name, or nil.
func fieldNamed(fields []field, name string) *field {
	for i := range fields {
		if f := &fields[i]; f.name == name {
			return f
		}
	}
	return nil
}

// head is the text before a body: its fields in source order, as they are written,
// and the range of the body.
type head struct {
	fields    []field
	document  bool  // the head of an HTML document
	language  field // <html lang>; line is 0 where there is none
	broken    bool  // fields could not all be read
	bodyStart int
	bodyEnd   int
}

// assign makes every field of the head one of sivu's own or a meta key, unless the
// site ignores it.
func (p *reading) assign() {
	if p.index == nil || len(p.index) > 1000 { // a large map is slow to clear for every page after it
		p.index = make(map[string]int)
	}
	clear(p.index)
	for i := range p.head.fields {
		f := &p.head.fields[i]
		name, names := p.naming.name(f.name), p.naming.front
		if p.head.document && !f.beside {
			names = p.naming.document
		}
		if f.own == notOwn && p.naming.skips(name, f) {
			p.doc.Skip = true
		}
		if f.title && p.givesTitle(names) {
			continue
		}
		if f.own == notOwn && !f.title && p.naming.ignored[name] {
			continue
		}
		o, key := f.own, f.name
		if m, ok := names[name]; ok && o == notOwn && !f.title {
			o, key = m.own, m.key
		}
		if separator, ok := p.naming.joined[name]; ok && f.shape == list && o == notOwn {
			f.join(separator)
		}
		switch {
		case o == ownMeta:
			p.addTable(f)
		case o != notOwn:
			p.setOwn(o, f)
		default:
			p.addMeta(key, f, false)
		}
	}
}

// givesTitle reports whether a field other than <title> gives the title.
func (p *reading) givesTitle(names map[string]meaning) bool {
	return slices.ContainsFunc(p.head.fields, func(f field) bool {
		name := p.naming.name(f.name)
		if m, ok := names[name]; ok {
			return m.key == "title" && !f.title
		}
		return name == "title" && !f.title && !p.naming.ignored[name]
	})
}

// join makes one text of a list of texts.
func (f *field) join(separator string) {
	var texts []string
	for i := range f.items {
		switch item := &f.items[i]; item.shape {
		case scalar:
			texts = append(texts, item.value)
		case list, table:
			return // and so a problem
		}
	}
	f.shape, f.value = scalar, strings.Join(texts, separator)
}

// setOwn adds one of sivu's own fields. Null is as good as not given.
func (p *reading) setOwn(o own, f *field) {
	if o == ownEmbeds {
		p.embeds = append(p.embeds, f)
		return
	}
	if p.own[o] != nil {
		p.problem(ruleSyntax.At(p.at(f), "%s is given twice, first in line %d", diag.Quote(f.name), p.own[o].line).
			WithHint(repeatHint))
		return
	}
	p.own[o] = f
	if f.shape > null && o != ownAliases {
		p.problem(ruleFieldType.At(p.at(f), "%s is %s; it has one value", diag.Quote(f.name), f.shape))
		return
	}
	p.checkText("value of", f.name, f.value, f)
}

// addTable adds the keys of the map "meta".
func (p *reading) addTable(f *field) {
	if f.shape == null {
		return
	}
	if f.shape != table {
		p.problem(ruleFieldType.At(p.at(f), "%s is %s; it holds a map of meta keys", diag.Quote(f.name), f.shape).
			WithHint("write each key in a line of its own below it, with the same indentation"))
		return
	}
	for i := range f.items {
		p.addMeta(f.items[i].name, &f.items[i], true)
	}
}

// addMeta adds a meta key. Inside says that it stands in the map "meta", where
// site.yaml cannot ignore it.
func (p *reading) addMeta(key string, f *field, inside bool) {
	if key == "" {
		p.problem(ruleMetaType.At(p.at(f), "a key is empty"))
		return
	}
	p.checkText("name", key, key, f)
	if first, known := p.index[key]; known {
		p.problem(ruleSyntax.At(p.at(f), "%s is given twice, first in line %d", diag.Quote(key), p.doc.Page.Meta[first].Line).
			WithHint(repeatHint))
		return
	}
	if f.shape == list || f.shape == table {
		p.mistyped = append(p.mistyped, key)
		d := ruleMetaType.At(p.at(f), "%s is %s; a meta value is a string or null", diag.Quote(f.name), f.shape)
		if inside {
			p.problem(d.WithHint("write it as one string, or leave it out"))
		} else {
			p.problem(d.WithHint("name it under \"ignore\" in site.yaml"))
		}
	} else {
		p.checkText("value of", key, f.value, f)
		p.warnComment(key, f)
	}
	p.keep(page.Entry{Key: key, Value: f.value, Null: f.shape == null, Line: f.line, Column: f.column, Beside: f.beside})
}

func (p *reading) keep(e page.Entry) {
	p.index[e.Key] = len(p.doc.Page.Meta)
	p.doc.Page.Meta = append(p.doc.Page.Meta, e)
}

// checkText reports control characters, which no name and no value may hold.
func (p *reading) checkText(what, name, text string, f *field) {
	if r, found := controlCharacter(text); found {
		p.problem(ruleControl.At(p.at(f), "the %s %s holds the control character %U", what, diag.Quote(name), r).
			WithHint("only tabs and line feeds may stand in a text"))
	}
}

// controlCharacter returns the first control character of a text that is
// neither a tab nor a line feed: C0, U+007F or C1.
func controlCharacter(text string) (rune, bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\t' || c == '\n' {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i:]); c < utf8.RuneSelf || c == 0xc2 && unicode.IsControl(r) {
			return r, true
		}
	}
	return 0, false
}

// isTrue reports whether a field that leaves a page out says so.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "1", "yes", "on":
		return true
	}
	return false
}
