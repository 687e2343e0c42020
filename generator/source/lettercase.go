package source

import (
	"maps"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// noteLetterCase remembers a meta key that could be the name of a field with
// other letter case.
func (p *reading) noteLetterCase(f *field) {
	if strings.ToLower(f.name) != f.name {
		p.capitals = append(p.capitals, f)
	}
}

// letterCaseHint returns what to write in place of keys that have the names of
// missing fields but for letter case, or "". The warning of these keys is then
// not needed.
func (p *reading) letterCaseHint(names ...string) string {
	var hints []string
	p.capitals = slices.DeleteFunc(p.capitals, func(f *field) bool {
		for _, name := range names {
			if name != f.name && strings.EqualFold(name, f.name) {
				hints = append(hints, diag.Quote(f.name)+" should be "+diag.Quote(name))
				return true
			}
		}
		return false
	})
	return strings.Join(hints, ", ")
}

// warnLetterCase warns of meta keys that would be known fields but for letter
// case. In an HTML document such names are in common use.
func (p *reading) warnLetterCase() {
	if len(p.capitals) == 0 || p.head.document {
		return
	}
	known := slices.Concat(slices.Sorted(maps.Keys(p.naming.front)), []string{"title", "url", "description", "windowtitle"})
	if kind := p.doc.Page.Kind; kind != nil {
		for _, key := range slices.Concat(kind.Required, kind.Together, kind.Optional) {
			known = append(known, key.Name)
		}
	}
	for _, f := range p.capitals {
		i := slices.IndexFunc(known, func(name string) bool { return strings.EqualFold(name, f.name) })
		if i >= 0 && known[i] != f.name && !p.isGiven(known[i]) {
			p.problem(ruleUnknownField.At(p.at(f), "%s is not a field that sivu knows, and becomes a meta key", diag.Quote(f.name)).
				WithHint("%s should be %s", diag.Quote(f.name), diag.Quote(known[i])))
		}
	}
}

// isGiven reports whether front matter has a field of that name.
func (p *reading) isGiven(name string) bool {
	switch m, ok := p.naming.front[name]; {
	case ok && m.own == ownEmbeds:
		return len(p.embeds) > 0
	case ok && m.own != notOwn:
		return p.own[m.own] != nil
	case ok:
		name = m.key
	}
	return slices.ContainsFunc(p.doc.Page.Meta, func(e page.Entry) bool { return e.Key == name && e.Line > 0 })
}
