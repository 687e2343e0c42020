package source

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// metaURL returns the meta.url of an address on the site itself, such as "/old/page/":
// with the language's prefix, which the site's root language lacks there.
func (s *Site) metaURL(address string) string {
	address = strings.Trim(strings.TrimPrefix(address, s.Web), "/")
	first, rest, deeper := strings.Cut(address, "/")
	language := s.language(first)
	switch {
	case language != "" && deeper:
		return language + "/" + rest
	case language != "":
		return language
	case s.RootLanguage != "":
		return strings.TrimSuffix(s.RootLanguage+"/"+address, "/")
	}
	return address
}

// hugoURL returns the meta.url for the field "url" as Hugo reads it: an address on the
// site, or without a slash before it one below the language.
func (p *reading) hugoURL(url string) string {
	trimmed := strings.Trim(url, "/")
	first, _, _ := strings.Cut(trimmed, "/")
	if p.doc.Page.Language == "" || p.site.language(first) != "" || slices.Contains(p.site.Unprefixed, trimmed) {
		return p.site.metaURL(url)
	}
	return strings.TrimSuffix(p.doc.Page.Language+"/"+trimmed, "/")
}

// findAliases adds the addresses of the field "aliases", as Hugo reads them: with a
// slash before it, an alias is an address on the site, else it lies beside the page's.
func (p *reading) findAliases() {
	if f := p.own[ownAliases]; f != nil {
		p.eachAddress(f, p.addAlias)
		slices.Sort(p.doc.Page.Aliases)
		p.doc.Page.Aliases = slices.Compact(p.doc.Page.Aliases)
	}
}

func (p *reading) addAlias(f *field) {
	own := p.doc.Page.URL
	alias := p.site.metaURL(f.value)
	if isBelow := p.site.Web != "" && strings.HasPrefix(f.value, p.site.Web); !isBelow && !strings.HasPrefix(f.value, "/") {
		alias = strings.TrimSuffix(path.Join(path.Dir(own), f.value), "/")
	}
	problem := urlProblem(alias)
	switch {
	case f.shape != scalar:
		problem = "is " + f.shape.String()
	case strings.Contains(f.value, "://") && strings.Contains(alias, ":"):
		problem = "is an address of another site"
	}
	switch {
	case problem != "":
		p.problem(ruleAlias.At(p.at(f), "the alias %s %s, and is left out", diag.Quote(f.value), problem).
			WithHint("write a path of the site, as in \"/old/page\""))
	case alias != own:
		p.doc.Page.Aliases = append(p.doc.Page.Aliases, strings.Clone(alias))
	}
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

// isAddress reports whether a text is an absolute address with one of some schemes.
func isAddress(text string, schemes ...string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Hostname() != "" && !strings.ContainsAny(text, " \t\n")
}
