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

	"go.yaml.in/yaml/v4"

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
	root, ok := parseYAML(text, func(line, column int, message, hint string) {
		d := ruleSite.At(diag.Position{File: name, Line: line, Column: column}, "%s", message)
		d.Hint = hint
		report(d)
	})
	switch {
	case root == nil && !ok:
		return nil
	case root == nil:
	case root.Kind == yaml.MappingNode:
		r.readKeys(root)
	case shapeOf(root) != null:
		r.report(r.problem(root, "the file holds %s; it is a map of keys and values", shapeOf(root)).WithHint("write each key in a line of its own, as in \"base_url: https://api.example.fi\""))
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
func (r *siteReader) readKeys(root *yaml.Node) {
	table := r.keys()
	names := make([]string, len(table))
	for i, key := range table {
		names[i] = key.name
	}
	values := make(map[string]*yaml.Node)
	for key, value := range r.entries(root, "the file", "key", names) {
		values[key.Value] = value
	}
	for _, key := range table {
		if value := values[key.name]; value != nil && shapeOf(value) != null {
			key.read(value, key.name)
		}
	}
}

func (r *siteReader) problem(at *yaml.Node, format string, args ...any) diag.Diagnostic {
	return ruleSite.At(diag.Position{File: r.site.Name, Line: at.Line, Column: at.Column}, format, args...)
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
func (r *siteReader) text(n *yaml.Node, name string, checks ...check) string {
	switch {
	case n.Kind == yaml.AliasNode: // reported with the syntax
		return ""
	case shapeOf(n) != scalar:
		r.report(r.problem(n, "%s is %s; it is a string", name, shapeOf(n)))
		return ""
	case n.Value == "":
		r.report(r.problem(n, "%s is empty", name))
		return ""
	}
	if i := strings.IndexFunc(n.Value, unicode.IsControl); i >= 0 {
		c, _ := utf8.DecodeRuneInString(n.Value[i:])
		r.report(r.problem(n, "%s holds the control character %U", name, c))
		return ""
	}
	for _, check := range checks {
		if message, hint := check(name, n.Value); message != "" {
			r.report(r.problem(n, "%s", message).WithHint("%s", hint))
			return ""
		}
	}
	return n.Value
}

// texts returns the texts of a list that pass the checks, each once. Other items are
// reported and left out.
func (r *siteReader) texts(n *yaml.Node, list string, checks ...check) (values []string) {
	if n.Kind != yaml.SequenceNode {
		if n.Kind != yaml.AliasNode {
			r.report(r.problem(n, "%s is %s; it is a list", list, shapeOf(n)).WithHint("write it as \"[a, b]\", or as lines that begin with \"- \""))
		}
		return nil
	}
	name := "an item of " + list
	var items []*yaml.Node
	seen := make(map[string]bool, len(n.Content))
	for _, item := range n.Content {
		value := r.text(item, name)
		if seen[value] {
			r.report(r.problem(item, "%s is listed twice in %s", diag.Quote(value), list).WithHint("keep one of the two"))
		} else if value != "" {
			seen[value] = true
			items = append(items, item)
		}
	}
	for _, item := range items {
		if value := r.text(item, name, checks...); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// replace replaces the default of a list that has at least one item.
func (r *siteReader) replace(list *[]string, n *yaml.Node, name, hint string, checks ...check) {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		r.report(r.problem(n, "%s is empty", name).WithHint("%s", hint))
	} else if values := r.texts(n, name, checks...); len(values) > 0 {
		*list = values
	}
}

// entries yields the keys of a map that are known, with their values. Other keys, and
// other values than a map, are reported.
func (r *siteReader) entries(n *yaml.Node, name, kind string, known []string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode && n.Kind != yaml.AliasNode {
			r.report(r.problem(n, "%s is %s; it is a map", name, shapeOf(n)))
			return
		}
		for key, value := range pairs(n) {
			if !slices.Contains(known, key.Value) {
				r.report(r.problem(key, "unknown %s %s", kind, diag.Quote(key.Value)).
					WithHint("%s", diag.DidYouMean(key.Value, known, "known are "+diag.JoinQuoted(known, "and"))))
			} else if !yield(key, value) {
				return
			}
		}
	}
}
