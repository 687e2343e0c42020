package source

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/uuid"
	"golang.org/x/text/language"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// siteKey is a key of site.yaml. Read takes its value, which is not null.
type siteKey struct {
	name string
	read func(*field)
}

// keys returns all keys of site.yaml, each after those that it depends on. A new key is
// a line here and a field of [Site].
func (r *siteReader) keys() []siteKey {
	s := r.site
	dates := []string{DatesFields, DatesGit, DatesMtime}
	return append([]siteKey{
		{"base_url", func(f *field) { s.BaseURL = r.address(f) }},
		{"namespace", func(f *field) { s.Namespace, _ = uuid.Parse(r.text(f, checkNamespace)) }},
		{"languages", func(f *field) {
			r.replace(&s.Languages, f, "name the site's languages, the reference language first", languageCheck())
		}},
		{"default_language", func(f *field) { s.DefaultLanguage = s.language(r.text(f, s.checkLanguage)) }},
		{"dates", func(f *field) {
			r.replace(&s.Dates, f, "name at least one of "+diag.JoinQuoted(dates, "and"), oneOf(dates...))
		}},
		{"timezone", r.timezone},
		{"fields", r.fields},
		{"title_from", func(f *field) { s.TitleFrom = r.textOrList(f) }},
		{"ignore", func(f *field) { s.Ignore = r.texts(f) }},
		{"skip_if", func(f *field) { s.SkipIf = r.texts(f, checkCondition) }},
		{"exclude", func(f *field) {
			for _, pattern := range r.texts(f, checkPattern) {
				s.Exclude = append(s.Exclude, cleanPattern(pattern))
			}
		}},
		{"unprefixed", func(f *field) { s.Unprefixed = r.texts(f, checkPath) }},
		{"kinds", r.kinds},
		{"links", func(f *field) { s.Links = r.text(f, oneOf("query", "file", "file+query")) }},
		{"html", func(f *field) {
			s.TrustHTML = r.text(f, oneOf("strict", "trusted")) == "trusted"
		}},
		{"assets", func(f *field) {
			// The slash at its end makes relative addresses resolve to something below it.
			if address := r.address(f); !address.IsZero() {
				s.Assets = address.String() + "/"
			}
		}},
		{"rules", r.rules},
	}, r.generatorKeys()...)
}

// address reads a base address.
func (r *siteReader) address(f *field) (address baseurl.URL) {
	r.text(f, func(name, text string) (message, hint string) {
		var err error
		address, err = baseurl.Parse(text)
		if wrong, ok := errors.AsType[*baseurl.Error](err); ok {
			return name + " " + err.Error(), wrong.Hint
		}
		return "", ""
	})
	return address
}

func checkNamespace(_, text string) (message, hint string) {
	hint = "write \"namespace: " + uuid.NewString() + "\", and keep it for good: ids are derived from it"
	// The library also takes braces, urn:uuid: and digits without hyphens.
	switch id, err := uuid.Parse(text); {
	case err != nil || len(text) != 36:
		return "namespace " + diag.Quote(text) + " is not a UUID in 8-4-4-4-12 form", hint
	case id == uuid.Nil:
		return "namespace is the nil UUID, which is nobody's own", hint
	}
	return "", ""
}

// languageCheck returns a check for the items of one list of languages.
func languageCheck() check {
	spelling := make(map[string]string) // by the tag in lower case
	return func(_, tag string) (message, hint string) {
		if !isLanguageTag(tag) {
			return diag.Quote(tag) + " is not a language tag of BCP 47", "write it as in \"fi\", \"pt-BR\" or \"zh-Hans\""
		}
		lower := strings.ToLower(tag)
		if first := spelling[lower]; first != "" {
			return diag.Quote(first) + " and " + diag.Quote(tag) + " are the same language tag", "keep one of the two"
		}
		spelling[lower] = tag
		return "", ""
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

func (s *Site) checkLanguage(name, text string) (message, hint string) {
	if s.language(text) != "" {
		return "", ""
	}
	return name + " " + diag.Quote(text) + " is not one of the site's languages",
		"name it under \"languages\", or choose one of " + diag.JoinQuoted(s.Languages, "and")
}

func (r *siteReader) timezone(f *field) {
	r.text(f, func(_, text string) (message, hint string) {
		zone, err := time.LoadLocation(text)
		// Local would make the same pages another snapshot on another machine.
		if err != nil || text == "Local" {
			return "timezone " + diag.Quote(text) + " is not known", "write a name of the IANA database, as in \"Europe/Helsinki\""
		}
		r.site.Timezone = zone
		return "", ""
	})
}

// cleanPattern returns a pattern without "./" before it and "/" after it.
func cleanPattern(pattern string) string {
	return strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
}

func checkPattern(_, text string) (message, hint string) {
	clean := cleanPattern(text)
	switch {
	case !doublestar.ValidatePattern(clean):
		return diag.Quote(text) + " is not a pattern", "write paths with *, **, ?, [abc] and {a,b}; each bracket and brace is closed"
	case clean == "" || strings.HasPrefix(clean, "/") || slices.Contains(strings.Split(clean, "/"), ".."):
		return diag.Quote(text) + " does not lie below the content folder", "write the path as seen from the content folder, as in \"drafts/**\""
	}
	return "", ""
}

func checkPath(_, text string) (message, hint string) {
	if problem := urlProblem(text); problem != "" {
		return "the path " + diag.Quote(text) + " " + problem, "write a path of the site, as in \"palaute\""
	}
	return "", ""
}

func (r *siteReader) fields(f *field) {
	known := slices.Concat(ownNames[ownID:], commonKeys)
	r.site.Fields = make(map[string]string)
	values := make(map[string]*field)
	for value := range r.entries(f.name, f, "field", known) {
		if value.shape == null {
			r.site.Fields[value.name] = ""
		} else if theirs := r.textOf(diag.Quote(value.name), value); theirs != "" {
			r.site.Fields[value.name], values[value.name] = theirs, value
		}
	}
	// A field of the pages cannot have two meanings.
	meaning := make(map[string]string)
	for _, name := range known {
		if _, ok := r.site.Fields[name]; !ok {
			meaning[name] = name
		}
	}
	for _, name := range known {
		theirs := r.site.Fields[name]
		if other, ok := meaning[theirs]; ok {
			r.report(r.problem(values[name], "the field %s would be both %s and %s", diag.Quote(theirs), diag.Quote(other), diag.Quote(name)).
				WithHint("give %s another name under \"fields\", or ~ for none", diag.Quote(other)))
		} else if theirs != "" {
			meaning[theirs] = name
		}
	}
}

func (r *siteReader) kinds(f *field) {
	r.site.Require = make(map[string][]string)
	for kind := range r.entries(f.name, f, "kind", page.KindNames()) {
		if kind.shape == null {
			continue
		}
		for value := range r.entries("the kind "+diag.Quote(kind.name), kind, "key", []string{"require"}) {
			if value.shape != null {
				r.site.Require[kind.name] = r.texts(value)
			}
		}
	}
}

func (r *siteReader) rules(f *field) {
	rules := make(map[string]*diag.Rule)
	var names []string
	for _, rule := range r.known {
		rules[rule.Name], names = rule, append(names, rule.Name)
	}
	r.site.Rules = make(map[string]diag.Severity)
	for value := range r.entries(f.name, f, "rule", names) {
		rule := rules[value.name]
		severity, ok := diag.ParseSeverity(r.textOf("the rule "+diag.Quote(value.name), value, oneOf("error", "warning", "off")))
		switch {
		case !ok:
		case rule.Contract && severity < rule.Severity:
			r.report(r.problem(value, "the rule %s cannot be lowered to %s", diag.Quote(value.name), severity).WithHint("the contract rests on it: %s", rule.Doc))
		default:
			r.site.Rules[value.name] = severity
		}
	}
}
