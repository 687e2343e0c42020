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

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// address reads a base address.
func (r *siteReader) address(n *yaml.Node, key string) baseurl.URL {
	text, ok := r.text(n, key)
	if !ok {
		return baseurl.URL{}
	}
	address, err := baseurl.Parse(text)
	if wrong, ok := errors.AsType[*baseurl.Error](err); ok {
		r.report(r.problem(n, "%s %v", key, err).WithHint("%s", wrong.Hint))
	}
	return address
}

// assets reads an address like a base address. The slash at its end makes
// relative addresses resolve to something below it.
func (r *siteReader) assets(n *yaml.Node, key string) {
	if address := r.address(n, key); !address.IsZero() {
		r.site.Assets = address.String() + "/"
	}
}

func (r *siteReader) namespace(n *yaml.Node, key string) {
	s, ok := r.text(n, key)
	if !ok {
		return
	}
	// The library also takes braces, urn:uuid: and digits without hyphens.
	const hint = "write \"namespace: %s\", and keep it for good: ids are derived from it"
	id, err := uuid.Parse(s)
	switch {
	case err != nil || len(s) != 36:
		r.report(r.problem(n, "namespace %s is not a UUID in 8-4-4-4-12 form", diag.Quote(s)).WithHint(hint, uuid.New()))
	case id == uuid.Nil:
		r.report(r.problem(n, "namespace is the nil UUID, which is nobody's own").WithHint(hint, uuid.New()))
	default:
		r.site.Namespace = id
	}
}

func (r *siteReader) languages(n *yaml.Node, key string) {
	var languages []string
	spelling := make(map[string]string) // by the tag in lower case
	for _, item := range r.items(n, key) {
		value := item.Value
		if !isLanguageTag(value) {
			r.report(r.problem(item, "%s is not a language tag of BCP 47", diag.Quote(value)).WithHint("write it as in \"fi\", \"pt-BR\" or \"zh-Hans\""))
			continue
		}
		if first := spelling[strings.ToLower(value)]; first != "" {
			r.report(r.problem(item, "%s and %s are the same language tag", diag.Quote(first), diag.Quote(value)).WithHint("keep one of the two"))
			continue
		}
		spelling[strings.ToLower(value)] = value
		languages = append(languages, value)
	}
	switch {
	case len(languages) > 0:
		r.site.Languages = languages
	case n.Kind == yaml.SequenceNode && len(n.Content) == 0:
		r.report(r.problem(n, "languages is empty").WithHint("name the site's languages, the reference language first"))
	}
}

// isLanguageTag reports whether a tag is well-formed, registered or not.
func isLanguageTag(tag string) bool {
	_, err := language.Parse(tag)
	_, unknown := errors.AsType[language.ValueError](err)
	return (err == nil || unknown) && !strings.Contains(tag, "_")
}

// isKnownLanguage reports whether a name is the tag of a registered language.
func isKnownLanguage(name string) bool {
	_, err := language.Parse(name)
	return err == nil && !strings.Contains(name, "_")
}

func (r *siteReader) defaultLanguage(n *yaml.Node, key string) {
	value, ok := r.text(n, key)
	if !ok {
		return
	}
	if r.site.DefaultLanguage = r.site.language(value); r.site.DefaultLanguage == "" {
		r.report(r.problem(n, "default_language %s is not one of the site's languages", diag.Quote(value)).WithHint("name it under \"languages\", or choose one of %s", diag.JoinQuoted(r.site.Languages, "and")))
	}
}

func (r *siteReader) dates(n *yaml.Node, key string) {
	known := []string{DatesFields, DatesGit, DatesMtime}
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		r.report(r.problem(n, "dates is empty").WithHint("name at least one of %s", diag.JoinQuoted(known, "and")))
		return
	}
	var dates []string
	for _, item := range r.items(n, key) {
		if source := r.choice(item, "an item of dates", known...); source != "" {
			dates = append(dates, source)
		}
	}
	if len(dates) > 0 {
		r.site.Dates = dates
	}
}

// choice returns the text of a scalar where it is one of the known ones, else "".
func (r *siteReader) choice(n *yaml.Node, what string, known ...string) string {
	value, ok := r.text(n, what)
	if !ok || slices.Contains(known, value) {
		return value
	}
	r.report(r.problem(n, "%s is %s", what, diag.Quote(value)).
		WithHint("%s", diag.DidYouMean(value, known, "it can be "+diag.JoinQuoted(known, "or"))))
	return ""
}

func (r *siteReader) timezone(n *yaml.Node, key string) {
	name, ok := r.text(n, key)
	if !ok {
		return
	}
	zone, err := time.LoadLocation(name)
	// Local would make the same pages another snapshot on another machine.
	if err != nil || name == "Local" {
		r.report(r.problem(n, "timezone %s is not known", diag.Quote(name)).WithHint("write a name of the IANA database, as in \"Europe/Helsinki\""))
		return
	}
	r.site.Timezone = zone
}

func (r *siteReader) fields(n *yaml.Node, key string) {
	if !r.isMap(n, key) {
		return
	}
	// Sivu's own, and the meta keys of any page (contract.md 2.3).
	names := append(slices.Clone(ownNames[ownID:]), "title", "url", "description", "windowtitle")
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
			r.report(r.problem(renamed[name], "the field %s would be both %s and %s", diag.Quote(theirs), diag.Quote(other), diag.Quote(name)).
				WithHint("give %s another name under \"fields\", or ~ for none", diag.Quote(other)))
			continue
		}
		meaning[theirs] = name
	}
}

func (r *siteReader) exclude(n *yaml.Node, key string) {
	for _, item := range r.items(n, key) {
		clean := strings.TrimSuffix(strings.TrimPrefix(item.Value, "./"), "/")
		switch {
		case !doublestar.ValidatePattern(clean):
			r.report(r.problem(item, "%s is not a pattern", diag.Quote(item.Value)).WithHint("write paths with *, **, ?, [abc] and {a,b}; each bracket and brace is closed"))
		case clean == "" || strings.HasPrefix(clean, "/") || slices.Contains(strings.Split(clean, "/"), ".."):
			r.report(r.problem(item, "%s does not lie below the content folder", diag.Quote(item.Value)).WithHint("write the path as seen from the content folder, as in \"drafts/**\""))
		default:
			r.site.Exclude = append(r.site.Exclude, clean)
		}
	}
}

func (r *siteReader) unprefixed(n *yaml.Node, key string) {
	for _, item := range r.items(n, key) {
		if problem := urlProblem(item.Value); problem != "" {
			r.report(r.problem(item, "the path %s %s", diag.Quote(item.Value), problem).WithHint("write a path of the site, as in \"palaute\""))
			continue
		}
		r.site.Unprefixed = append(r.site.Unprefixed, item.Value)
	}
}

func (r *siteReader) kinds(n *yaml.Node, key string) {
	if !r.isMap(n, key) {
		return
	}
	names := page.KindNames()
	require := make(map[string][]string)
	for key, value := range pairs(n) {
		if !slices.Contains(names, key.Value) {
			r.unknown(key, "kind", names)
			continue
		}
		if shapeOf(value) == null || !r.isMap(value, "the kind "+diag.Quote(key.Value)) {
			continue
		}
		for key2, value := range pairs(value) {
			if key2.Value != "require" {
				r.unknown(key2, "key", []string{"require"})
			} else if shapeOf(value) != null {
				require[key.Value] = r.texts(value, "require")
			}
		}
	}
	r.site.Require = require
}

func (r *siteReader) rules(n *yaml.Node, key string) {
	if !r.isMap(n, key) {
		return
	}
	var names []string
	for _, rule := range r.known {
		names = append(names, rule.Name)
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
			r.report(r.problem(value, "the rule %s cannot be lowered to %s", diag.Quote(key.Value), severity).WithHint("the contract rests on it: %s", r.known[i].Doc))
		default:
			severities[key.Value] = severity
		}
	}
	r.site.Rules = severities
}
