package source

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// SidecarOf returns the name of the file beside a source that may have further fields of
// its page, or "" where the site has no such files.
func (s *Site) SidecarOf(file string) string {
	ending, ok := strings.CutPrefix(s.Sidecar, "{path}")
	name := strings.TrimSuffix(file, path.Ext(file)) + ending
	if !ok || name == SiteFile || matchesAny(s.Exclude, name) {
		return ""
	}
	return name
}

// addSidecar makes the size and the times of a file tell of changes in its sidecar, too.
func (f *File) addSidecar(sidecar *File) {
	var b [24]byte
	for i, n := range []int64{sidecar.Size, sidecar.ModTime, sidecar.ChangeTime} {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(n))
	}
	f.ModTime = max(f.ModTime, sidecar.ModTime)
	f.ChangeTime ^= int64(Hash(b[:]))
}

// readSidecar adds the fields of the file beside the page, but for those that the page
// has itself.
func (p *reading) readSidecar() {
	name := p.site.SidecarOf(p.file.Path)
	if name == "" || p.Sidecar == nil {
		return
	}
	text := p.Sidecar(name, p.problem)
	if text == nil {
		return
	}
	p.sidecar = name
	report := func(line, column int, message, hint string) {
		d := ruleSyntax.At(diag.Position{File: name, Line: line, Column: column}, "%s", message)
		d.Hint = hint
		p.problem(d)
	}
	if len(text) > maxSiteSize {
		p.problem(ruleFileSize.At(diag.Position{File: name}, "the file has %d bytes; at most %d are read", len(text), maxSiteSize))
		p.head.broken = true
		return
	}
	if strings.HasSuffix(name, ".json") {
		if err, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text, new(json.RawMessage))); ok {
			line, column := diag.LineColumn(text, max(int(err.Offset)-1, 0))
			report(line, column, "JSON: "+diag.Clean(err.Error()), "")
			p.head.broken = true
			return
		}
		text = yamlOfJSON(text)
	}
	root, ok := parseYAML(text, p.lenient(name), report)
	switch {
	case root == nil:
		p.head.broken = p.head.broken || !ok
		return
	case root.shape != table && root.shape != null:
		report(root.line, root.column, "the file holds "+root.shape.String()+"; it is a map of fields", "")
		p.head.broken = true
		return
	}
	markBeside(root.items)
	own := make(map[string]bool)
	for i := range p.head.fields {
		own[p.naming.name(p.head.fields[i].name)] = true
	}
	for _, f := range root.items {
		if !own[p.naming.name(f.name)] {
			p.head.fields = append(p.head.fields, f)
		}
	}
}

func markBeside(fields []field) {
	for i := range fields {
		fields[i].beside = true
		markBeside(fields[i].items)
	}
}

// jsonEscape matches an escape of JSON; two for a character beyond U+FFFF as one.
var jsonEscape = regexp.MustCompile(`(?s)\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|.)`)

// yamlOfJSON returns JSON as YAML. All JSON is YAML but for characters that JSON writes as
// two escapes, where YAML has a longer one.
func yamlOfJSON(text []byte) []byte {
	return jsonEscape.ReplaceAllFunc(text, func(escape []byte) []byte {
		var character string
		if len(escape) == 2 || json.Unmarshal(slices.Concat([]byte{'"'}, escape, []byte{'"'}), &character) != nil {
			return escape
		}
		return fmt.Appendf(nil, `\U%08X`, []rune(character)[0])
	})
}
