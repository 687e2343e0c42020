package source

import (
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
		r.keys(root)
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

// keys reads the pairs of the file, each after those that stand above it in the
// table of all keys. A key without a value is as good as not given.
func (r *siteReader) keys(root *yaml.Node) {
	s := r.site
	table := []struct {
		name string
		read func(value *yaml.Node, name string)
	}{
		{"base_url", func(n *yaml.Node, key string) { s.BaseURL = r.address(n, key) }},
		{"namespace", r.namespace},
		{"languages", r.languages},
		{"default_language", r.defaultLanguage},
		{"dates", r.dates},
		{"timezone", r.timezone},
		{"fields", r.fields},
		{"title_from", func(n *yaml.Node, key string) { s.TitleFromPath = r.choice(n, key, "path") != "" }},
		{"ignore", func(n *yaml.Node, key string) { s.Ignore = r.texts(n, key) }},
		{"skip_if", func(n *yaml.Node, key string) { s.SkipIf = r.texts(n, key) }},
		{"exclude", r.exclude},
		{"unprefixed", r.unprefixed},
		{"kinds", r.kinds},
		{"links", func(n *yaml.Node, key string) { s.Links = r.choice(n, key, "query", "file", "file+query") }},
		{"html", func(n *yaml.Node, key string) { s.TrustHTML = r.choice(n, key, "strict", "trusted") == "trusted" }},
		{"assets", r.assets},
		{"rules", r.rules},
	}
	names := make([]string, len(table))
	for i, key := range table {
		names[i] = key.name
	}
	values := make(map[string]*yaml.Node)
	for key, value := range pairs(root) {
		if !slices.Contains(names, key.Value) {
			r.unknown(key, "key", names)
		} else if shapeOf(value) != null {
			values[key.Value] = value
		}
	}
	for _, key := range table {
		if value := values[key.name]; value != nil {
			key.read(value, key.name)
		}
	}
}

func (r *siteReader) problem(at *yaml.Node, format string, args ...any) diag.Diagnostic {
	return ruleSite.At(diag.Position{File: r.site.Name, Line: at.Line, Column: at.Column}, format, args...)
}

// unknown reports an unknown name.
func (r *siteReader) unknown(at *yaml.Node, what string, names []string) {
	r.report(r.problem(at, "unknown %s %s", what, diag.Quote(at.Value)).
		WithHint("%s", diag.DidYouMean(at.Value, names, "known are "+diag.JoinQuoted(names, "and"))))
}

// text returns the text of a scalar. Anything else is a problem.
func (r *siteReader) text(n *yaml.Node, what string) (string, bool) {
	value := n.Value
	switch {
	case n.Kind == yaml.AliasNode: // reported with the syntax
		return "", false
	case shapeOf(n) != scalar:
		r.report(r.problem(n, "%s is %s; it is a string", what, shapeOf(n)))
		return "", false
	case value == "":
		r.report(r.problem(n, "%s is empty", what))
		return "", false
	}
	if i := strings.IndexFunc(value, unicode.IsControl); i >= 0 {
		c, _ := utf8.DecodeRuneInString(value[i:])
		r.report(r.problem(n, "%s holds the control character %U", what, c))
		return "", false
	}
	return value, true
}

// texts returns the texts of a list, each once. Items that are wrong are reported
// and left out.
func (r *siteReader) texts(n *yaml.Node, what string) (values []string) {
	for _, item := range r.items(n, what) {
		values = append(values, item.Value)
	}
	return values
}

// items is texts with positions.
func (r *siteReader) items(n *yaml.Node, what string) (items []*yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		if n.Kind != yaml.AliasNode {
			r.report(r.problem(n, "%s is %s; it is a list", what, shapeOf(n)).WithHint("write it as \"[a, b]\", or as lines that begin with \"- \""))
		}
		return nil
	}
	seen := make(map[string]bool, len(n.Content))
	for _, item := range n.Content {
		value, ok := r.text(item, "an item of "+what)
		switch {
		case !ok:
		case seen[value]:
			r.report(r.problem(item, "%s is listed twice in %s", diag.Quote(value), what).WithHint("keep one of the two"))
		default:
			seen[value] = true
			items = append(items, item)
		}
	}
	return items
}

// isMap reports whether n is a map, and adds a problem where it is not.
func (r *siteReader) isMap(n *yaml.Node, what string) bool {
	if n.Kind != yaml.MappingNode && n.Kind != yaml.AliasNode {
		r.report(r.problem(n, "%s is %s; it is a map", what, shapeOf(n)))
	}
	return n.Kind == yaml.MappingNode
}
