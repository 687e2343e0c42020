package source

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// generatorKeys returns the keys of a site whose pages were written for a generator: how
// that names files and fields, and where it serves pages.
func (r *siteReader) generatorKeys() []siteKey {
	s := r.site
	return []siteKey{
		{"generator", func(f *field) { s.Generator = r.text(f, oneOf(page.Generators...)) }},
		{"layout", func(f *field) { s.Layout = r.textOrList(f, checkLayout) }},
		{"language_aliases", r.languageAliases},
		{"site", func(f *field) {
			if address := r.address(f); !address.IsZero() {
				s.Web = address.String() + "/"
				s.Assets = cmp.Or(s.Assets, s.Web)
			}
		}},
		{"addresses", func(f *field) { s.PageLinks = r.text(f, oneOf("page", "file")) == "page" }},
		{"root_language", func(f *field) { s.RootLanguage = s.language(r.text(f, s.checkLanguage)) }},
		{"fallback", func(f *field) { s.Fallback = r.text(f, oneOf("reference")) != "" }},
		{"join", func(f *field) { s.Join = r.textMap(f) }},
		{"sidecar", func(f *field) { s.Sidecar = r.text(f, checkSidecar) }},
		{"markers", func(f *field) { s.Markers = r.textMap(f, oneOf("drop", "unwrap", "keep")) }},
		{"permalinks", func(f *field) { s.Permalinks = r.textMap(f, checkPermalink) }},
		{"rendered", r.rendered},
	}
}

// textOrList returns a text, or the texts of a list that has at least one item.
func (r *siteReader) textOrList(f *field, checks ...check) (values []string) {
	if f.shape != scalar {
		r.replace(&values, f, "write one or more values, or leave "+diag.Quote(f.name)+" out", checks...)
	} else if value := r.text(f, checks...); value != "" {
		values = []string{value}
	}
	return values
}

// textMap returns a map of any names to texts that pass the checks. Others are reported
// and left out.
func (r *siteReader) textMap(f *field, checks ...check) map[string]string {
	values := make(map[string]string)
	for item := range r.entries(f.name, f, "", nil) {
		if value := r.textOf(f.name+" of "+diag.Quote(item.name), item, checks...); value != "" {
			values[item.name] = value
		}
	}
	return values
}

func (r *siteReader) languageAliases(f *field) {
	s := r.site
	s.Aliases = make(map[string]string)
	for item := range r.entries(f.name, f, "", nil) {
		if s.language(item.name) != "" || strings.Contains(item.name, "/") {
			r.report(r.problem(item, "the alias %s cannot be another name of a language", diag.Quote(item.name)).
				WithHint("an alias is the name of a folder or a suffix that is not itself among \"languages\", as in \"pt_BR: pt-BR\""))
		} else if language := s.language(r.textOf("the language of "+diag.Quote(item.name), item, s.checkLanguage)); language != "" {
			s.Aliases[strings.ToLower(item.name)] = language
		}
	}
}

func (r *siteReader) rendered(f *field) {
	rendered := new(Rendered)
	keys := map[string]func(*field){
		"body":         func(f *field) { rendered.Body = r.textOrList(f, checkSelector) },
		"remove":       func(f *field) { rendered.Remove = r.textOrList(f, checkSelector) },
		"title":        func(f *field) { rendered.Title = r.textOrList(f, checkSelector) },
		"pages":        func(f *field) { rendered.Pages = r.textOrList(f, checkPattern) },
		"dates":        func(f *field) { rendered.Dates = r.textOrList(f, oneOf(renderedDates...)) },
		"title_suffix": func(f *field) { rendered.TitleSuffix = r.textOrList(f) },
	}
	for value := range r.entries(f.name, f, "key", slices.Sorted(maps.Keys(keys))) {
		if value.shape != null {
			keys[value.name](value)
		}
	}
	if f.shape == table {
		r.site.Rendered = rendered
	}
}

// sourceKeys have no meaning for a rendered site, whose generator has done what they
// ask for.
var sourceKeys = []string{"generator", "layout", "title_from", "addresses", "join", "sidecar", "markers", "permalinks"}

// checkTogether reports keys that cannot stand in one file.
func (r *siteReader) checkTogether(values map[string]*field) {
	if r.site.Rendered == nil {
		return
	}
	// The generator has resolved all links, and an address without a language has one too.
	r.site.RootLanguage = cmp.Or(r.site.RootLanguage, r.site.DefaultLanguage, r.site.Languages[0])
	for _, name := range sourceKeys {
		if f := values[name]; f != nil && f.shape != null {
			d := ruleSite.At(diag.Position{File: r.site.Name, Line: f.line, Column: f.column}, "%q says how sources are read, and \"rendered\" that there are none", name)
			r.report(d.WithHint("leave %q out, or \"rendered\" and name the folder of the sources with --content", name))
		}
	}
}

// The layouts, beside that of Docusaurus: where the language stands in the path of a source.
// The path of a page is the rest, so that of the last begins with the section, which is one
// or more folders.
const (
	layoutFolder = "{language}/{path}"
	layoutSuffix = "{path}.{language}"
	layoutInner  = "{section}/{language}/{path}"
)

func checkLayout(_, text string) (message, hint string) {
	if message, hint = oneOf(layoutFolder, layoutSuffix, layoutInner, layoutDocusaurus)("an item of layout", text); message == "" {
		return "", ""
	}
	return "the layout " + diag.Quote(text) + " is not known", hint
}

// checkSidecar checks the pattern of the path of a file beside a page.
func checkSidecar(_, text string) (message, hint string) {
	hint = "write it as in \"{path}.json\": the page's path without its ending, and another ending"
	name, ok := strings.CutPrefix(text, "{path}")
	switch {
	case !ok || strings.ContainsAny(name, "{}/\\") || len(name) < 2:
		return "sidecar " + diag.Quote(text) + " does not name a file beside the page", hint
	case !hasSuffix(name, ".json", ".yaml", ".yml"):
		return "sidecar " + diag.Quote(text) + " is in a format that sivu does not read", "the files can be .json, .yaml and .yml"
	}
	return "", ""
}

func hasSuffix(name string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// checkCondition checks an item of "skip_if": a field that is true, or has a value.
func checkCondition(_, text string) (message, hint string) {
	c := parseCondition(text)
	if slices.Contains(c.path, "") || strings.Contains(text, "=") && c.value == "" {
		return "the condition " + diag.Quote(text) + " is not understood", "write it as in \"draft\" or \"build.render=never\""
	}
	return "", ""
}
