package source

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// InsertID returns the bytes of a source file with an id written into its head
// and nothing else changed: without the inserted bytes they are those given,
// with BOM, line ends and all. Text is the file as it lies on disk.
//
// It returns an error where the head cannot take the id so that a reading of
// the file finds that id, and all else as before.
func InsertID(text []byte, format *Format, site *Site, id uuid.UUID) ([]byte, error) {
	start := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	offset, insertion, err := format.place(text[start:], site, id.String())
	if err != nil {
		return nil, err
	}
	edited := slices.Concat(text[:start+offset], []byte(insertion), text[start+offset:])
	before, after := readHead(text[start:], format, site), readHead(edited[start:], format, site)
	if err := before.gained(after, id.String()); err != nil {
		return nil, fmt.Errorf("the id does not fit into the head as it is written: %w; write it there by hand: %s", err, id)
	}
	return edited, nil
}

// readHead reads the head of a file's own bytes.
func readHead(text []byte, format *Format, site *Site) *reading {
	p := &reading{
		Reader: NewReader(site, nil),
		file:   new(File),
		format: format,
		text:   bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")),
	}
	format.read(p)
	p.assign()
	return p
}

// gained reports whether after says what p says and has that id besides.
func (p *reading) gained(after *reading, id string) error {
	given, _ := after.given(ownID)
	entry := func(a, b *field) bool { return a.name == b.name && a.value == b.value && a.shape == b.shape }
	switch {
	case p.head.broken || firstError(p.problems) != "":
		return fmt.Errorf("the page has an error: %s", firstError(p.problems))
	case p.own[ownID] != nil:
		return fmt.Errorf("the page has the field %s already", diag.Quote(p.own[ownID].name))
	case firstError(after.problems) != "":
		return errors.New(firstError(after.problems))
	case given != id, len(p.head.fields)+1 != len(after.head.fields):
		return errors.New("the id would be read as something else")
	case !bytes.Equal(p.text[p.head.bodyStart:p.head.bodyEnd], after.text[after.head.bodyStart:after.head.bodyEnd]):
		return errors.New("the body would change")
	}
	i := slices.IndexFunc(after.head.fields, func(f field) bool { return f.value == id && f.name == after.own[ownID].name })
	rest := slices.Delete(slices.Clone(after.head.fields), i, i+1)
	if !slices.EqualFunc(p.head.fields, rest, func(a, b field) bool {
		return entry(&a, &b) && slices.EqualFunc(a.items, b.items, func(a, b field) bool { return entry(&a, &b) })
	}) {
		return errors.New("other fields would change")
	}
	return nil
}

// firstError returns what the first error says, or "".
func firstError(problems []diag.Diagnostic) string {
	for _, d := range problems {
		if d.Severity == diag.Error {
			return d.Message
		}
	}
	return ""
}

// lineEnd returns the line end of a file: that of its first line.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// placeInFrontMatter writes the id into the first line of front matter, or
// makes front matter where there is none.
func placeInFrontMatter(text []byte, site *Site, id string) (offset int, insertion string, err error) {
	name := site.fieldName(ownID)
	if name == "" {
		return 0, "", fmt.Errorf("site.yaml gives the name %q back to meta, so that front matter cannot give an id", ownNames[ownID])
	}
	end := lineEnd(text)
	b, ok := findBlock(text)
	switch {
	case !ok:
		return 0, yamlDelimiter + end + yamlScalar(name) + ": " + id + end + yamlDelimiter + end, nil
	case b.after == 0:
		return 0, "", errors.New("the front matter does not end")
	case b.delimiter == tomlDelimiter:
		return b.start, tomlKey(name) + " = \"" + id + "\"" + end, nil
	}
	indent, flow := yamlStyle(text[b.start:b.end])
	if flow > 0 {
		return b.start + flow, yamlScalar(name) + ": " + id + ", ", nil
	}
	return b.start, indent + yamlScalar(name) + ": " + id + end, nil
}

// yamlStyle returns how the top-level keys of YAML are indented; or, where they
// stand in braces, the offset behind the opening one.
func yamlStyle(text []byte) (indent string, flow int) {
	for at := 0; at < len(text); {
		line, next := lineAt(text, at)
		rest := bytes.TrimLeft(line, " ")
		if len(rest) > 0 && rest[0] != '#' {
			n := len(line) - len(rest)
			if rest[0] == '{' {
				return "", at + n + 1
			}
			return string(line[:n]), 0
		}
		at = next
	}
	return "", 0
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

// quoted returns a text in double quotes, with the escapes that YAML and TOML
// have in common.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// placeInHTML writes the id into a meta of its own: behind the title, else at
// the beginning of the head, else of the document. A file with front matter
// has it there.
func placeInHTML(text []byte, site *Site, id string) (offset int, insertion string, err error) {
	if _, ok := findBlock(text); ok {
		return placeInFrontMatter(text, site, id)
	}
	s := newHeadScanner(text, nil)
	s.scan()
	meta := `<meta name="dcterms.identifier" content="` + id + `">`
	end := lineEnd(text)
	switch {
	case s.titleTag.known():
		before := s.titleTag.start - len(lastLine(text[:s.titleTag.start]))
		if indent := text[before:s.titleTag.start]; len(bytes.Trim(indent, " \t")) == 0 {
			return s.titleTag.end, end + string(indent) + meta, nil
		}
		return s.titleTag.end, meta, nil
	case s.headTag.known():
		return insideAfter(text, s.headTag.end, meta, end)
	case s.htmlTag.known():
		return insideAfter(text, s.htmlTag.end, meta, end)
	case s.doctype.known():
		return insideAfter(text, s.doctype.end, meta, end)
	}
	return 0, meta + end, nil
}

// insideAfter writes a meta behind a tag: in a line of its own, indented like
// the one that follows, where the tag ends its line.
func insideAfter(text []byte, offset int, meta, end string) (int, string, error) {
	line, next := lineAt(text, offset)
	if len(line) > 0 || next == len(text) {
		return offset, meta, nil
	}
	follower, _ := lineAt(text, next)
	indent := follower[:len(follower)-len(bytes.TrimLeft(follower, " \t"))]
	return offset, end + string(indent) + meta, nil
}

// lastLine returns what stands behind the last line feed.
func lastLine(text []byte) []byte {
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
