package author

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// pageText is the input of a page writer.
type pageText struct {
	site     *source.Site
	language string
	id       uuid.UUID
	kind     string // "" for the first of page.Kinds, which a page need not give
	created  string // "" where the site's pages give no dates; modified is the same
	draft    string // "true", or ""
	title    string
	keys     []newKey // without the title
}

// newKey is a meta key of a new page.
type newKey struct {
	page.Entry
	off bool // optional: it stands in a comment
}

// PageText returns the text of a fresh source page that builds as it is: with
// an id, the kind's meta keys, a title and a heading. Keys that the kind asks
// for have a text to be replaced, or null; its other keys stand in comments. The
// dates are written where site.yaml takes dates from fields, in UTC and whole
// seconds. A draft is no page of the site yet. The file is to be kept as
// <language>/<path>.
//
// It returns an error where site.yaml leaves front matter without a field that
// the page needs.
func PageText(format *source.Format, site *source.Site, language string, kind *page.Kind, title string, id uuid.UUID, now time.Time, draft bool) ([]byte, error) {
	write := pageWriters[format.Name]
	if write == nil {
		return nil, fmt.Errorf("sivu does not write pages in the format %s", format.Name)
	}
	p := pageText{site: site, language: language, id: id, title: title, keys: newKeys(site, kind, title)}
	if kind != page.Kinds[0] {
		p.kind = kind.Name
	}
	if slices.Contains(site.Dates, source.DatesFields) {
		p.created = now.UTC().Format(time.RFC3339)
	}
	if draft {
		p.draft = "true"
	}
	return write(p)
}

// pageWriters write a page in the format of that name.
var pageWriters = map[string]func(pageText) ([]byte, error){
	"markdown": writeMarkdown,
	"mdx":      writeMarkdown,
	"html":     writeHTML,
}

// newKeys returns the meta keys of a new page of a kind: those that the kind
// or the site asks for, then those that the kind knows.
func newKeys(site *source.Site, kind *page.Kind, title string) []newKey {
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
func writeMarkdown(n pageText) ([]byte, error) {
	var b, inner strings.Builder
	b.WriteString("---\n")
	for _, f := range [][2]string{{"id", n.id.String()}, {"kind", n.kind}, {"created", n.created}, {"modified", n.created}, {"draft", n.draft}} {
		name := n.site.FieldName(f[0])
		switch {
		case f[1] == "":
		case name != "":
			fmt.Fprintf(&b, "%s: %s\n", yamlScalar(name), f[1])
		case f[0] != "id" && f[0] != "modified": // without them, sivu derives the id and takes created
			return nil, missingField(f[0])
		}
	}
	keys := append([]newKey{{Entry: page.Entry{Key: "title", Value: n.title}}}, n.keys...)
	for _, k := range keys {
		name := k.Key
		if renamed := n.site.Fields[name]; renamed != "" {
			name = renamed
		}
		if key, ok := n.site.MetaKey(name, false); ok && key == k.Key {
			k.writeYAML(&b, "", name)
		} else {
			k.writeYAML(&inner, "  ", k.Key)
		}
	}
	if inner.Len() > 0 {
		name := n.site.FieldName("meta")
		if name == "" {
			return nil, missingField("meta")
		}
		fmt.Fprintf(&b, "%s:\n%s", yamlScalar(name), inner.String())
	}
	fmt.Fprintf(&b, "---\n\n# %s\n", escapeMarkdown(n.title))
	return []byte(b.String()), nil
}

func missingField(name string) error {
	return fmt.Errorf("a new page needs a field for %q, whose name site.yaml gives back to meta", name)
}

func (k *newKey) writeYAML(b *strings.Builder, indent, name string) {
	value := "null"
	if !k.Null {
		value = yamlScalar(k.Value)
	}
	if k.off {
		indent += "# "
	}
	fmt.Fprintf(b, "%s%s: %s\n", indent, yamlScalar(name), value)
}

var markdownPunctuation = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#!~&|]")

// escapeMarkdown returns a text that Markdown shows as it is.
func escapeMarkdown(text string) string {
	return markdownPunctuation.ReplaceAllString(text, `\$0`)
}

// writeHTML writes a page as an HTML document.
func writeHTML(n pageText) ([]byte, error) {
	var b strings.Builder
	title := html.EscapeString(n.title)
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n",
		html.EscapeString(n.language), title)
	for _, m := range [][2]string{
		{"dcterms.identifier", n.id.String()}, {"sivu.kind", n.kind}, {"dcterms.created", n.created},
		{"dcterms.modified", n.created}, {"sivu.draft", n.draft},
	} {
		if m[1] != "" {
			fmt.Fprintf(&b, "<meta name=\"%s\" content=\"%s\">\n", m[0], html.EscapeString(m[1]))
		}
	}
	for _, k := range n.keys {
		if key, ok := n.site.MetaKey(k.Key, true); (!ok || key != k.Key) && !k.off {
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

var plainPattern = regexp.MustCompile(`^\p{L}[\p{L}\p{M}\p{N} _.,()/-]*$`)

// yamlScalar returns a text as a YAML scalar that any YAML tool reads as a
// string: without quotes where that is safe.
func yamlScalar(text string) string {
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return `"` + text + `"`
	}
	if plainPattern.MatchString(text) && !strings.HasSuffix(text, " ") {
		return text
	}
	return quoted(text)
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func tomlKey(name string) string {
	if bareKey.MatchString(name) {
		return name
	}
	return quoted(name)
}

// notJSON matches characters that YAML forbids, and JSON does not escape.
var notJSON = regexp.MustCompile(`[\x7f-\x{9f}\x{feff}]`)

// quoted returns a text in double quotes, with the escapes of JSON, which YAML and
// TOML have as well.
func quoted(text string) string {
	var b strings.Builder
	json := json.NewEncoder(&b)
	json.SetEscapeHTML(false)
	json.Encode(text)
	return notJSON.ReplaceAllStringFunc(strings.TrimSuffix(b.String(), "\n"), func(c string) string {
		return fmt.Sprintf(`\u%04x`, []rune(c)[0])
	})
}
