package source

import (
	"cmp"
	"net/url"
	"path"
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

// isAddress reports whether a text is an absolute address with one of some schemes.
func isAddress(text string, schemes ...string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Hostname() != "" && !strings.ContainsAny(text, " \t\n")
}

// titleSources returns where titles come from, in order. Without "title_from", that is
// the title, else the first heading; a list that does not name the two has the title
// first, and the heading before the path.
func titleSources(site *Site) []string {
	sources := slices.Clone(site.TitleFrom)
	if !slices.Contains(sources, "title") {
		sources = slices.Insert(sources, 0, "title")
	}
	if slices.Contains(sources, TitleHeading) {
		return sources
	}
	if i := slices.Index(sources, TitlePath); i >= 0 {
		return slices.Insert(sources, i, TitleHeading)
	}
	return append(sources, TitleHeading)
}

// findTitle finds the title: the first text that a source of titles gives.
func (p *reading) findTitle() {
	if slices.Contains(p.mistyped, "title") {
		return
	}
	e, title := p.doc.Page.Meta.Get("title"), ""
	for _, from := range p.titles {
		title = strings.TrimSpace(p.titleFrom(from, e))
		if title != "" || e != nil && p.site.TitleFrom == nil { // an empty title is a mistake, unless the site says what takes its place
			break
		}
	}
	switch {
	case title != "" && e != nil:
		e.Value, e.Null = title, false
	case title != "":
		p.keep(page.Entry{Key: "title", Value: title})
	case e == nil:
		p.problem(ruleTitle.At(p.top(), "the page has no title").
			WithHint("%s", cmp.Or(p.letterCaseHint(cmp.Or(p.site.Fields["title"], "title")), "give it a \"title\", or begin its body with a heading of level 1")))
	case e.Null:
		p.problem(ruleTitle.At(p.entry(e), "the title is null"))
	default:
		p.problem(ruleTitle.At(p.entry(e), "the title is empty"))
	}
}

// titleFrom returns the title that a source gives, or "". Given is that of the page.
func (p *reading) titleFrom(from string, given *page.Entry) (title string) {
	switch from {
	case "title":
		if given != nil {
			title = given.Value
		}
	case TitleHeading:
		if !p.head.broken {
			title = p.format.heading(p.text[p.head.bodyStart:p.head.bodyEnd])
		}
	case TitlePath:
		title = titleOfPath(p.path)
	default:
		name := p.naming.name(from)
		i := slices.IndexFunc(p.head.fields, func(f field) bool { return f.shape == scalar && p.naming.name(f.name) == name })
		if i >= 0 {
			title = p.head.fields[i].value
		}
	}
	if _, found := controlCharacter(title); found && from != "title" {
		return ""
	}
	return title
}

// titleOfPath returns the last segment of a page's path; that of the folder
// where the page is the folder's index.
func titleOfPath(name string) string {
	return path.Base(strings.TrimSuffix(strings.TrimSuffix(name, "/index"), "/_index"))
}

// findEmbeds adds the addresses of the field "embeds".
func (p *reading) findEmbeds() {
	for _, f := range p.embeds {
		p.eachAddress(f, p.addEmbed)
	}
}

// eachAddress calls add with a text, or with each item of a list.
func (p *reading) eachAddress(f *field, add func(*field)) {
	switch f.shape {
	case scalar:
		add(f)
	case list:
		for i := range f.items {
			add(&f.items[i])
		}
	case table:
		p.problem(ruleFieldType.At(p.at(f), "%s is a map; it is a list of addresses", diag.Quote(f.name)))
	}
}

func (p *reading) addEmbed(f *field) {
	if f.shape != scalar {
		p.problem(ruleFieldType.At(p.at(f), "an embed is %s; it is an address", f.shape))
		return
	}
	address, ok := embedAddress(f.value)
	if !ok {
		p.problem(ruleEmbed.At(p.at(f), "the embed %s is not an absolute https address, and is left out", diag.Quote(f.value)).
			WithHint("write it as \"https://…\""))
		return
	}
	if p.embedded == nil {
		p.embedded = make(map[string]bool)
	}
	if !p.embedded[address] {
		p.embedded[address] = true
		p.doc.Page.Embeds = append(p.doc.Page.Embeds, page.Embed{URI: address})
	}
}

// embedAddress returns an absolute https address, reading "//host" as https.
func embedAddress(address string) (string, bool) {
	if strings.HasPrefix(address, "//") {
		address = "https:" + address
	}
	_, found := controlCharacter(address)
	return address, !found && isAddress(address, "https")
}
