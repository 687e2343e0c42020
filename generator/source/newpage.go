package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"example.org/sivu/generator/page"
)

// newPage is what a format is told about a page that it is to write.
type newPage struct {
	site     *Site
	language string
	id       uuid.UUID
	kind     *page.Kind
	created  string // "" where the site's pages give no dates
	title    string
	keys     []newKey // beside the title
}

// newKey is a meta key of a new page.
type newKey struct {
	page.Entry
	off bool // known, but not asked for: it stands in a comment
}

// NewPage returns the text of a fresh source page that builds as it is: with
// an id, the kind's meta keys, a title and a heading. Keys that the kind asks
// for have a text to be replaced, or null; those that it merely knows stand in
// comments. The date is written where site.yaml takes dates from fields, in
// UTC and whole seconds. The file is to be kept as <language>/<path>.
//
// It returns an error where site.yaml leaves front matter without a field that
// the page needs.
func NewPage(format *Format, site *Site, language string, kind *page.Kind, title string, id uuid.UUID, now time.Time) ([]byte, error) {
	n := newPage{site: site, language: language, id: id, kind: kind, title: title, keys: newKeys(site, kind, title)}
	if slices.Contains(site.Dates, DatesFields) {
		n.created = now.UTC().Format(time.RFC3339)
	}
	return format.write(n)
}

// newKeys returns the meta keys of a new page of a kind: those that the kind
// or the site asks for, then those that the kind knows.
func newKeys(site *Site, kind *page.Kind, title string) []newKey {
	var keys []newKey
	add := func(key page.Key, off bool) {
		known := slices.ContainsFunc(keys, func(k newKey) bool { return k.Key == key.Name })
		if key.Name != "title" && key.Name != "url" && !known {
			keys = append(keys, newKey{placeholder(key, title), off})
		}
	}
	for _, key := range kind.Required {
		add(key, false)
	}
	asked := func(key page.Key) bool { return slices.Contains(site.Require[kind.Name], key.Name) }
	together := slices.ContainsFunc(kind.Together, asked)
	for _, key := range kind.Together {
		add(key, !together)
	}
	for _, key := range kind.Optional {
		add(key, !asked(key) && key.Value != page.TextOrNull)
	}
	for _, name := range site.Require[kind.Name] {
		add(page.Key{Name: name}, false)
	}
	return keys
}

// placeholder returns a key with a value that its kind allows: null where it
// may be null.
func placeholder(key page.Key, title string) page.Entry {
	e := page.Entry{Key: key.Name}
	switch {
	case key.Value == page.TextOrNull:
		e.Null = true
	case key.Value == page.Digits:
		e.Value = "0"
	case key.Value == page.AbsoluteAddress:
		e.Value = "https://www.example.org/"
	case key.Name == "windowtitle":
		e.Value = title
	default:
		e.Value = strings.ReplaceAll(key.Name, "-", " ")
	}
	return e
}

// writeMarkdown writes a page of Markdown with YAML front matter.
func writeMarkdown(n newPage) ([]byte, error) {
	var b, inner strings.Builder
	b.WriteString(yamlDelimiter + "\n")
	for _, f := range []struct {
		own   own
		value string
	}{{ownID, n.id.String()}, {ownKind, n.kindName()}, {ownCreated, n.created}} {
		name := n.site.fieldName(f.own)
		switch {
		case f.value == "":
		case name != "":
			fmt.Fprintf(&b, "%s: %s\n", yamlScalar(name), f.value)
		case f.own != ownID:
			return nil, fmt.Errorf("a new page needs a field for %q, whose name site.yaml gives back to meta", ownNames[f.own])
		}
	}
	names := newNaming(n.site.Fields).front
	keys := append([]newKey{{Entry: page.Entry{Key: "title", Value: n.title}}}, n.keys...)
	for _, k := range keys {
		name := k.Key
		if renamed := n.site.Fields[name]; renamed != "" {
			name = renamed
		}
		if n.otherwise(name, k.Key, names) {
			k.writeYAML(&inner, "  ", k.Key)
		} else {
			k.writeYAML(&b, "", name)
		}
	}
	if inner.Len() > 0 {
		name := n.site.fieldName(ownMeta)
		if name == "" {
			return nil, fmt.Errorf("a new page needs a field for %q, whose name site.yaml gives back to meta", ownNames[ownMeta])
		}
		fmt.Fprintf(&b, "%s:\n%s", yamlScalar(name), inner.String())
	}
	fmt.Fprintf(&b, "%s\n\n# %s\n", yamlDelimiter, escapeMarkdown(n.title))
	return []byte(b.String()), nil
}

// otherwise reports whether a field of that name is read as something else than
// the meta key.
func (n *newPage) otherwise(name, key string, names map[string]meaning) bool {
	m, ok := names[name]
	return ok && (m.own != notOwn || m.key != key) ||
		slices.Contains(n.site.Ignore, name) || slices.Contains(n.site.SkipIf, name)
}

// kindName returns the kind's name, or "" where a page need not give it.
func (n *newPage) kindName() string {
	if n.kind == page.Kinds[0] {
		return ""
	}
	return n.kind.Name
}

func (k *newKey) writeYAML(b *strings.Builder, indent, name string) {
	b.WriteString(indent)
	if k.off {
		b.WriteString("# ")
	}
	b.WriteString(yamlScalar(name) + ": ")
	if k.Null {
		b.WriteString("null\n")
		return
	}
	b.WriteString(yamlScalar(k.Value) + "\n")
}

var markdownPunctuation = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#!~&|]")

// escapeMarkdown returns a text that Markdown shows as it is.
func escapeMarkdown(text string) string {
	return markdownPunctuation.ReplaceAllString(text, `\$0`)
}

// writeHTML writes a page as an HTML document.
func writeHTML(n newPage) ([]byte, error) {
	var b strings.Builder
	title := html.EscapeString(n.title)
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n",
		html.EscapeString(n.language), title)
	for _, m := range [][2]string{
		{"dcterms.identifier", n.id.String()}, {"sivu.kind", n.kindName()}, {"dcterms.created", n.created},
	} {
		if m[1] != "" {
			fmt.Fprintf(&b, "<meta name=\"%s\" content=\"%s\">\n", m[0], html.EscapeString(m[1]))
		}
	}
	names := newNaming(n.site.Fields).document
	for _, k := range n.keys {
		if n.otherwise(k.Key, k.Key, names) && !k.off {
			return nil, fmt.Errorf("a new page needs the meta key %q, and site.yaml has another use for that name in HTML documents; make it a page of Markdown", k.Key)
		}
		line := fmt.Sprintf("<meta name=\"%s\" content=\"%s\">", html.EscapeString(k.Key), html.EscapeString(k.Value))
		if k.Null {
			line = fmt.Sprintf("<meta name=\"%s\">", html.EscapeString(k.Key))
		}
		if k.off {
			line = "<!-- " + line + " -->"
		}
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "</head>\n<body>\n<h1>%s</h1>\n</body>\n</html>\n", title)
	return []byte(b.String()), nil
}
