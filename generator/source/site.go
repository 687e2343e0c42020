package source

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	// Time zones are read the same where the machine has no database of its
	// own, as on Windows and in small containers.
	_ "time/tzdata"

	"example.org/sivu/generator/diag"
)

// SiteFile is the name of the file that describes a site, in the content folder.
const SiteFile = "site.yaml"

// maxSiteSize is how many bytes a site.yaml may have.
const maxSiteSize = 1 << 20

// DefaultSite returns the settings of a site without a site.yaml: the languages
// of contract.md 2.1, dates from fields and then from git, in UTC.
func DefaultSite() *Site {
	return &Site{
		Languages: []string{"fi", "en", "sv", "ru", "et", "so", "es", "tr", "zh", "fa", "ar", "fr"},
		Dates:     []string{DatesFields, DatesGit},
		Timezone:  time.UTC,
	}
}

// The sources of a page's dates, as "dates" in site.yaml names them.
const (
	DatesFields = "fields" // the fields of the page
	DatesGit    = "git"    // the history of the file
	DatesMtime  = "mtime"  // the time that the file system has
)

// What "title_from" in site.yaml names beside fields.
const (
	TitleHeading = "heading" // the first level-1 heading of the body
	TitlePath    = "path"    // the last segment of the path
)

// ReadSite reads the loaded text of a site.yaml. A key that the file lacks, or
// whose value is wrong, has the value of [DefaultSite]; where the text is not a
// YAML map, the result is nil. Name is the file as messages show it, and known
// are all rules that "rules" may name. All problems go to report.
func ReadSite(text []byte, name string, known []*diag.Rule, report func(diag.Diagnostic)) *Site {
	r := &siteReader{site: DefaultSite(), known: known, report: report}
	r.site.Name = name
	if len(text) > maxSiteSize {
		report(ruleSite.At(diag.Position{File: name}, "the file has %d bytes; at most %d are read", len(text), maxSiteSize))
		return nil
	}
	root, ok := parseYAML(text, leniency{}, func(line, column int, message, hint string) {
		d := ruleSite.At(diag.Position{File: name, Line: line, Column: column}, "%s", message)
		d.Hint = hint
		report(d)
	})
	switch {
	case root == nil && !ok:
		return nil
	case root == nil:
	case root.shape == table:
		r.readKeys(root)
	case root.shape != null:
		r.report(r.problem(root, "the file holds %s; it is a map of keys and values", root.shape).WithHint("write each key in a line of its own, as in \"base_url: https://api.example.fi\""))
		return nil
	}
	return r.site
}

// siteReader is the state of one call of [ReadSite].
type siteReader struct {
	site   *Site
	known  []*diag.Rule
	report func(diag.Diagnostic)
}

// readKeys reads the pairs of the file, in the order of the table of all keys. A key
// without a value is as good as not given.
func (r *siteReader) readKeys(root *field) {
	table := r.keys()
	names := make([]string, len(table))
	for i, key := range table {
		names[i] = key.name
	}
	values := make(map[string]*field)
	for value := range r.entries("the file", root, "key", names) {
		values[value.name] = value
	}
	for _, key := range table {
		if value := values[key.name]; value != nil && value.shape != null {
			key.read(value)
		}
	}
	r.checkTogether(values)
}

// problem returns a problem of a value.
func (r *siteReader) problem(f *field, format string, args ...any) diag.Diagnostic {
	return ruleSite.At(diag.Position{File: r.site.Name, Line: f.valueLine, Column: f.valueColumn}, format, args...)
}

// A check returns the message and the hint for a text that a key cannot have as its
// value, or "". Name is that of the value in messages.
type check func(name, text string) (message, hint string)

// oneOf returns a check for known texts.
func oneOf(known ...string) check {
	return func(name, text string) (message, hint string) {
		if slices.Contains(known, text) {
			return "", ""
		}
		return name + " is " + diag.Quote(text), diag.DidYouMean(text, known, "it can be "+diag.JoinQuoted(known, "or"))
	}
}

// text returns the text of a scalar that passes the checks. Anything else is a
// problem, and the result is "".
func (r *siteReader) text(f *field, checks ...check) string { return r.textOf(f.name, f, checks...) }

// textOf is text with another name of the value in messages.
func (r *siteReader) textOf(name string, f *field, checks ...check) string {
	switch {
	case f.isAlias: // reported with the syntax
		return ""
	case f.shape != scalar:
		r.report(r.problem(f, "%s is %s; it is a string", name, f.shape))
		return ""
	case f.value == "":
		r.report(r.problem(f, "%s is empty", name))
		return ""
	}
	if i := strings.IndexFunc(f.value, unicode.IsControl); i >= 0 {
		c, _ := utf8.DecodeRuneInString(f.value[i:])
		r.report(r.problem(f, "%s holds the control character %U", name, c))
		return ""
	}
	for _, check := range checks {
		if message, hint := check(name, f.value); message != "" {
			r.report(r.problem(f, "%s", message).WithHint("%s", hint))
			return ""
		}
	}
	return f.value
}

// texts returns the texts of a list that pass the checks, each once. Other items are
// reported and left out.
func (r *siteReader) texts(f *field, checks ...check) (values []string) {
	if f.shape != list {
		if !f.isAlias {
			r.report(r.problem(f, "%s is %s; it is a list", f.name, f.shape).WithHint("write it as \"[a, b]\", or as lines that begin with \"- \""))
		}
		return nil
	}
	name := "an item of " + f.name
	seen := make(map[string]bool, len(f.items))
	for i := range f.items {
		item := &f.items[i]
		if item.value != "" && seen[item.value] {
			r.report(r.problem(item, "%s is listed twice in %s", diag.Quote(item.value), f.name).WithHint(repeatHint))
			continue
		}
		seen[item.value] = true
		if value := r.textOf(name, item, checks...); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// replace replaces the default of a list that has at least one item.
func (r *siteReader) replace(values *[]string, f *field, hint string, checks ...check) {
	if f.shape == list && len(f.items) == 0 {
		r.report(r.problem(f, "%s is empty", f.name).WithHint("%s", hint))
	} else if texts := r.texts(f, checks...); len(texts) > 0 {
		*values = texts
	}
}

// entries yields the fields of a map with known names, or with any where none are
// given. Others, and another value than a map, are reported.
func (r *siteReader) entries(name string, f *field, kind string, known []string) iter.Seq[*field] {
	return func(yield func(*field) bool) {
		if f.shape != table {
			if !f.isAlias {
				r.report(r.problem(f, "%s is %s; it is a map", name, f.shape))
			}
			return
		}
		for i := range f.items {
			item := &f.items[i]
			if known != nil && !slices.Contains(known, item.name) {
				r.report(ruleSite.At(diag.Position{File: r.site.Name, Line: item.line, Column: item.column}, "unknown %s %s", kind, diag.Quote(item.name)).
					WithHint("%s", diag.DidYouMean(item.name, known, "known are "+diag.JoinQuoted(known, "and"))))
			} else if !yield(item) {
				return
			}
		}
	}
}

// SiteKeys returns the names of all keys of a site.yaml.
func SiteKeys() []string {
	var names []string
	for _, key := range (&siteReader{site: DefaultSite()}).keys() {
		names = append(names, key.name)
	}
	return names
}
