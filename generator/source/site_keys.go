package source

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/uuid"
	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

func (r *siteReader) namespace(n *yaml.Node) {
	s, ok := r.text(n, "namespace")
	if !ok {
		return
	}
	// The library also takes braces, urn:uuid: and digits without hyphens.
	id, err := uuid.Parse(s)
	switch {
	case err != nil || len(s) != 36:
		r.problem(n, "namespace %s is not a UUID in 8-4-4-4-12 form", diag.Quote(s)).hint("write \"namespace: %s\", and keep it for good: ids are derived from it", uuid.New())
	case id == uuid.Nil:
		r.problem(n, "namespace is the nil UUID, which is nobody's own").hint("write \"namespace: %s\", and keep it for good: ids are derived from it", uuid.New())
	default:
		r.site.Namespace = id
	}
}

func (r *siteReader) languages(n *yaml.Node) {
	values, nodes := r.texts(n, "languages")
	var languages []string
	spelling := make(map[string]string, len(values)) // by the tag in lower case
	for i, value := range values {
		if !isLanguageTag(value) {
			r.problem(nodes[i], "%s is not a language tag of BCP 47", diag.Quote(value)).hint("write it as in \"fi\", \"pt-BR\" or \"zh-Hans\"")
			continue
		}
		if first := spelling[strings.ToLower(value)]; first != "" {
			r.problem(nodes[i], "%s and %s are the same language tag", diag.Quote(first), diag.Quote(value)).hint("keep one of the two")
			continue
		}
		spelling[strings.ToLower(value)] = value
		languages = append(languages, value)
	}
	switch {
	case len(languages) > 0:
		r.site.Languages = languages
	case n.Kind == yaml.SequenceNode && len(n.Content) == 0:
		r.problem(n, "languages is empty").hint("name the site's languages, the reference language first")
	}
}

// isLanguageTag reports whether a tag is well-formed, known or not.
func isLanguageTag(tag string) bool {
	_, err := language.Parse(tag)
	var unknown language.ValueError
	return (err == nil || errors.As(err, &unknown)) && !strings.Contains(tag, "_")
}

// isKnownLanguage reports whether a name is a tag that stands for a language.
func isKnownLanguage(name string) bool {
	_, err := language.Parse(name)
	return err == nil && !strings.Contains(name, "_")
}

// siteSpelling returns the tag among languages that equals a tag but for
// letter case, or "".
func siteSpelling(languages []string, tag string) string {
	i := slices.IndexFunc(languages, func(l string) bool { return strings.EqualFold(l, tag) })
	if i < 0 {
		return ""
	}
	return languages[i]
}

func (r *siteReader) defaultLanguage(n *yaml.Node) {
	value, ok := r.text(n, "default_language")
	if !ok {
		return
	}
	if r.site.DefaultLanguage = siteSpelling(r.site.Languages, value); r.site.DefaultLanguage == "" {
		r.problem(n, "default_language %s is not one of the site's languages", diag.Quote(value)).hint("name it under \"languages\", or choose one of %s", diag.JoinQuoted(r.site.Languages, "and"))
	}
}

func (r *siteReader) dates(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		r.problem(n, "dates is empty").hint("name at least one of %s", diag.JoinQuoted([]string{DatesFields, DatesGit, DatesMtime}, "and"))
		return
	}
	if dates := r.choices(n, "dates", DatesFields, DatesGit, DatesMtime); len(dates) > 0 {
		r.site.Dates = dates
	}
}

// choices returns the texts of a list that are among the known ones.
func (r *siteReader) choices(n *yaml.Node, what string, known ...string) []string {
	var chosen []string
	values, nodes := r.texts(n, what)
	for i, value := range values {
		if r.isChoice(nodes[i], "an item of "+what, value, known) {
			chosen = append(chosen, value)
		}
	}
	return chosen
}

// choice returns the text of a scalar where it is one of the known ones.
func (r *siteReader) choice(n *yaml.Node, what string, known ...string) string {
	value, ok := r.text(n, what)
	if !ok || !r.isChoice(n, what, value, known) {
		return ""
	}
	return value
}

func (r *siteReader) isChoice(n *yaml.Node, what, value string, known []string) bool {
	if slices.Contains(known, value) {
		return true
	}
	r.problem(n, "%s is %s", what, diag.Quote(value)).
		hint("%s", diag.DidYouMean(value, known, "it can be "+diag.JoinQuoted(known, "or")))
	return false
}

func (r *siteReader) timezone(n *yaml.Node) {
	name, ok := r.text(n, "timezone")
	if !ok {
		return
	}
	zone, err := time.LoadLocation(name)
	// Local would make the same pages another snapshot on another machine.
	if err != nil || name == "Local" {
		r.problem(n, "timezone %s is not known", diag.Quote(name)).hint("write a name of the IANA database, as in \"Europe/Helsinki\"")
		return
	}
	r.site.Timezone = zone
}

// fieldNames are the fields that site.yaml can rename: sivu's own, and the
// meta keys of any page (contract.md 2.3).
func fieldNames() []string {
	return append(slices.Clone(ownNames[ownID:]), "title", "url", "description", "windowtitle")
}

func (r *siteReader) fields(n *yaml.Node) {
	if !r.table(n, "fields") {
		return
	}
	names := fieldNames()
	renamed := make(map[string]string)
	keys := make(map[string]*yaml.Node)
	for key, value := range pairs(n) {
		if !slices.Contains(names, key.Value) {
			r.unknown(key, "field", names)
			continue
		}
		if shapeOf(value) == null {
			renamed[key.Value] = ""
		} else if theirs, ok := r.text(value, diag.Quote(key.Value)); ok {
			renamed[key.Value], keys[key.Value] = theirs, value
		}
	}
	r.site.Fields = renamed
	r.checkFields(names, keys)
}

// checkFields reports a field of the pages that would have two meanings.
func (r *siteReader) checkFields(names []string, renamed map[string]*yaml.Node) {
	meaning := make(map[string]string)
	for _, name := range names {
		if _, ok := r.site.Fields[name]; !ok {
			meaning[name] = name
		}
	}
	for _, name := range names {
		theirs := r.site.Fields[name]
		if theirs == "" {
			continue
		}
		if other, ok := meaning[theirs]; ok {
			r.problem(renamed[name], "the field %s would be both %s and %s", diag.Quote(theirs), diag.Quote(other), diag.Quote(name)).
				hint("give %s another name under \"fields\", or ~ for none", diag.Quote(other))
			continue
		}
		meaning[theirs] = name
	}
}

func (r *siteReader) titleFrom(n *yaml.Node) {
	r.site.TitleFromPath = r.choice(n, "title_from", "path") != ""
}

func (r *siteReader) ignore(n *yaml.Node) { r.site.Ignore, _ = r.texts(n, "ignore") }

func (r *siteReader) skipIf(n *yaml.Node) { r.site.SkipIf, _ = r.texts(n, "skip_if") }

func (r *siteReader) exclude(n *yaml.Node) {
	patterns, nodes := r.texts(n, "exclude")
	for i, pattern := range patterns {
		clean := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
		switch {
		case !doublestar.ValidatePattern(clean):
			r.problem(nodes[i], "%s is not a pattern", diag.Quote(pattern)).hint("write paths with *, **, ?, [abc] and {a,b}; each bracket and brace is closed")
		case clean == "" || strings.HasPrefix(clean, "/") || slices.Contains(strings.Split(clean, "/"), ".."):
			r.problem(nodes[i], "%s does not lie below the content folder", diag.Quote(pattern)).hint("write the path as seen from the content folder, as in \"drafts/**\"")
		default:
			r.site.Exclude = append(r.site.Exclude, clean)
		}
	}
}

func (r *siteReader) unprefixed(n *yaml.Node) {
	values, nodes := r.texts(n, "unprefixed")
	for i, value := range values {
		if problem := urlProblem(value); problem != "" {
			r.problem(nodes[i], "the path %s %s", diag.Quote(value), problem).hint("write a path of the site, as in \"palaute\"")
			continue
		}
		r.site.Unprefixed = append(r.site.Unprefixed, value)
	}
}

func (r *siteReader) kinds(n *yaml.Node) {
	if !r.table(n, "kinds") {
		return
	}
	names := page.KindNames()
	require := make(map[string][]string)
	for key, value := range pairs(n) {
		if !slices.Contains(names, key.Value) {
			r.unknown(key, "kind", names)
			continue
		}
		if shapeOf(value) == null || !r.table(value, "the kind "+diag.Quote(key.Value)) {
			continue
		}
		for key2, value := range pairs(value) {
			if key2.Value != "require" {
				r.unknown(key2, "key", []string{"require"})
			} else if shapeOf(value) != null {
				require[key.Value], _ = r.texts(value, "require")
			}
		}
	}
	r.site.Require = require
}

func (r *siteReader) links(n *yaml.Node) {
	r.site.Links = r.choice(n, "links", "query", "file", "file+query")
}

func (r *siteReader) html(n *yaml.Node) {
	r.site.TrustHTML = r.choice(n, "html", "strict", "trusted") == "trusted"
}

func (r *siteReader) rules(n *yaml.Node) {
	if !r.table(n, "rules") {
		return
	}
	names := make([]string, len(r.known))
	for i, rule := range r.known {
		names[i] = rule.Name
	}
	severities := make(map[string]diag.Severity)
	for key, value := range pairs(n) {
		i := slices.Index(names, key.Value)
		if i < 0 {
			r.unknown(key, "rule", names)
			continue
		}
		severity, ok := diag.ParseSeverity(r.choice(value, "the rule "+diag.Quote(key.Value), "error", "warning", "off"))
		switch {
		case !ok:
		case r.known[i].Contract && severity < r.known[i].Severity:
			r.problem(value, "the rule %s cannot be lowered to %s", diag.Quote(key.Value), severity).hint("the contract rests on it: %s", r.known[i].Doc)
		default:
			severities[key.Value] = severity
		}
	}
	r.site.Rules = severities
}
