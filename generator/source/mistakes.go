package source

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// warnComment warns of an unquoted text that a comment of YAML cuts, as in "title: Form
// #5". A "#" with a blank after it begins a comment that someone wrote as one, and a key
// that sivu does not know need not be prose unless it has several words.
func (p *reading) warnComment(key string, f *field) {
	c, _ := utf8.DecodeRuneInString(strings.TrimPrefix(f.comment, "#"))
	if !unicode.IsLetter(c) && !unicode.IsDigit(c) ||
		!strings.Contains(f.value, " ") && !slices.Contains(p.known(nameOn{kind: p.doc.Page.Kind}), key) {
		return
	}
	p.problem(ruleCutValue.At(p.at(f), "the value of %s ends before %s, which YAML takes for a comment", diag.Quote(f.name), diag.Quote(f.comment)).
		WithHint("put the whole text in quotes: %s: %s", diag.Clean(f.name), diag.Quote(strings.TrimPrefix(f.value+" "+f.comment, " "))))
}

// nameOn is the name of a meta key on a page of some kind.
type nameOn struct {
	kind     *page.Kind
	document bool
	name     string
}

// letterCaseHint returns a hint where meta keys are missing fields in other letter
// case, else "". These keys then need no warning.
func (p *reading) letterCaseHint(names ...string) string {
	var hints []string
	for _, e := range p.doc.Page.Meta {
		i := slices.IndexFunc(names, func(name string) bool { return name != e.Key && strings.EqualFold(name, e.Key) })
		if i >= 0 {
			hints = append(hints, shouldBe(e.Key, names[i]))
			p.hinted = append(p.hinted, e.Key)
		}
	}
	return strings.Join(hints, ", ")
}

func shouldBe(key, name string) string { return diag.Quote(key) + " should be " + diag.Quote(name) }

// warnUnknown warns of meta keys that look like misspelt fields, where the page lacks
// the field itself, and of those that only a field of sivu's would be called.
func (p *reading) warnUnknown() {
	for i := range p.doc.Page.Meta {
		e := &p.doc.Page.Meta[i]
		if e.Line == 0 || slices.Contains(p.hinted, e.Key) {
			continue
		}
		near, hint := p.misspelt(nameOn{p.doc.Page.Kind, p.head.document && !e.Beside, e.Key}), ""
		switch {
		case p.head.document && !e.Beside && hasPrefixFold(e.Key, "sivu."):
			names := slices.Sorted(maps.Keys(ownMetas))
			hint = diag.DidYouMean(e.Key, names, "the fields are "+diag.JoinQuoted(names, "and"))
		case near == "" || p.isGiven(near):
			continue
		case strings.EqualFold(near, e.Key):
			hint = shouldBe(e.Key, near)
		default:
			hint = "did you mean " + diag.Quote(near) + "?"
		}
		d := ruleUnknownField.At(p.entry(e), "%s is not a field that sivu knows, and becomes a meta key", diag.Quote(e.Key))
		d.Hint = hint
		p.problem(d.AsShared()) // a key of many pages may be one that the site means to have
	}
}

// isGiven reports whether the page has a field of that name.
func (p *reading) isGiven(name string) bool {
	m, ok := p.naming.front[name]
	if p.head.document {
		m, ok = p.naming.document[name]
		if o := ownMetas[name]; o != notOwn {
			m, ok = meaning{own: o}, true
		}
	}
	switch {
	case ok && m.own == ownEmbeds:
		return len(p.embeds) > 0
	case ok && m.own != notOwn:
		return p.own[m.own] != nil
	case ok:
		name = m.key
	}
	return slices.ContainsFunc(p.doc.Page.Meta, func(e page.Entry) bool { return e.Key == name && e.Line > 0 })
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// misspelt returns the known field that a meta key looks like, or "": letter case differs,
// one letter was added, lost or mistaken, or two changed places. A plural is a name of its
// own, and so are capitals in an HTML document, where they are in common use.
func (r *Reader) misspelt(n nameOn) (near string) {
	const shortest, kept = 5, 1000
	name := strings.ToLower(n.name)
	if len(name) < shortest && name == n.name {
		return ""
	}
	if near, ok := r.near[n]; ok {
		return near
	}
	known := r.known(n)
	near = diag.Closest(name, known)
	distance := diag.Distance(name, strings.ToLower(near))
	isSwapped := distance == 2 && string(sorted(name)) == string(sorted(near))
	switch {
	case slices.Contains(known, n.name), distance == 0 && n.document && name != n.name:
		near = ""
	case distance == 0:
	case len(name) < shortest, len(near) < shortest, distance > 1 && !isSwapped, name+"s" == near, near+"s" == name:
		near = ""
	}
	if r.near == nil || len(r.near) >= kept {
		r.near = make(map[nameOn]string)
	}
	n.name = strings.Clone(n.name)
	r.near[n] = near
	return near
}

func sorted(text string) []byte {
	b := []byte(text)
	slices.Sort(b)
	return b
}

// known returns the names of the fields that sivu knows on pages like one.
func (r *Reader) known(n nameOn) []string {
	names := slices.Collect(maps.Keys(r.naming.front))
	if n.document {
		names = slices.AppendSeq(slices.Collect(maps.Keys(r.naming.document)), maps.Keys(ownMetas))
	}
	slices.Sort(names)
	names = append(names, commonKeys...)
	if n.kind != nil {
		names = slices.Concat(names, keysOf(n.kind), r.site.Require[n.kind.Name])
	}
	return names
}
