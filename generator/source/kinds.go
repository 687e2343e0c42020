package source

import (
	"cmp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// findKind sets the page's kind, by default the first.
func (p *reading) findKind() {
	p.doc.Page.Kind = page.Kinds[0]
	value, ok := p.given(ownKind)
	if !ok {
		return
	}
	if p.doc.Page.Kind = page.KindNamed(value); p.doc.Page.Kind != nil {
		return
	}
	names := page.KindNames()
	suggestion := diag.DidYouMean(value, names, "")
	if suggestion != "" {
		suggestion += " "
	}
	p.problem(ruleKind.At(p.at(p.own[ownKind]), "%s is not a kind of page", diag.Quote(value)).
		WithHint("%sthe kinds are %s", suggestion, diag.JoinQuoted(names, "and")))
}

// checkKind checks the meta keys against those of the page's kind, and adds the
// null keys of the kind (contract.md 2.3). Title and url have rules of their own.
func (p *reading) checkKind() {
	kind, meta := p.doc.Page.Kind, &p.doc.Page.Meta
	if kind == nil {
		return
	}
	var missing []string
	for _, key := range kind.Required {
		if key.Name != "title" && key.Name != "url" && meta.Get(key.Name) == nil {
			missing = append(missing, key.Name)
		}
	}
	for _, name := range p.site.Require[kind.Name] {
		if name != "title" && meta.Get(name) == nil && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		at := p.top()
		if f := p.own[ownKind]; f != nil {
			at = p.at(f)
		}
		p.problem(ruleKindKeys.At(at, "a page of kind %q must have %s", kind.Name, diag.JoinQuoted(missing, "and")).
			WithHint("%s", cmp.Or(p.letterCaseHint(missing...), "write each missing key into the page's head")))
	}
	for _, key := range kind.Required {
		p.checkValue(kind, key)
	}
	p.checkTogether(kind)
	for _, key := range kind.Optional {
		p.checkValue(kind, key)
	}
	for _, name := range kind.Without {
		if e := meta.Get(name); e != nil {
			p.problem(ruleKindKeys.At(p.entry(e), "a page of kind %q has no %s", kind.Name, diag.Quote(name)).
				WithHint("leave it out"))
		}
	}
	for _, name := range kind.Nulls {
		if e := meta.Get(name); e == nil {
			p.keep(page.Entry{Key: name, Null: true})
		} else if !e.Null && !slices.Contains(p.mistyped, name) {
			p.problem(ruleKindKeys.At(p.entry(e), "%s of a page of kind %q is null", diag.Quote(name), kind.Name).
				WithHint("leave it out, and sivu fills it in"))
		}
	}
}

// checkTogether checks keys of which a page has all or none. Keys of which all are null
// count as missing.
func (p *reading) checkTogether(kind *page.Kind) {
	var first *page.Entry
	var missing []string
	for _, key := range kind.Together {
		if e := p.doc.Page.Meta.Get(key.Name); e == nil {
			missing = append(missing, key.Name)
		} else if !e.Null && first == nil {
			first = e
		}
	}
	if first == nil {
		return
	}
	if len(missing) > 0 {
		p.problem(ruleKindKeys.At(p.entry(first), "%s needs %s beside it", diag.Quote(first.Key), diag.JoinQuoted(missing, "and")).
			WithHint("these keys come all together or not at all"))
	}
	for _, key := range kind.Together {
		p.checkValue(kind, key)
	}
}

// checkValue checks the form of the value of one of the kind's keys.
func (p *reading) checkValue(kind *page.Kind, key page.Key) {
	e := p.doc.Page.Meta.Get(key.Name)
	if e == nil || key.Name == "title" || key.Name == "url" || slices.Contains(p.mistyped, key.Name) {
		return
	}
	wanted := ""
	switch {
	case key.Value == page.Digits && (e.Value == "" || strings.Trim(e.Value, "0123456789") != ""):
		wanted = "a string of digits"
	case key.Value == page.AbsoluteAddress && !isAddress(e.Value, "http", "https"):
		wanted = "an absolute http or https address"
	case key.Value == page.Text && e.Null:
		wanted = "a string"
	default:
		return
	}
	got := "null"
	if !e.Null {
		got = diag.Quote(e.Value)
	}
	p.problem(ruleKindKeys.At(p.entry(e), "%s is %s; on a page of kind %q it is %s", diag.Quote(key.Name), got, kind.Name, wanted))
}
