package source

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
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
	var root *field
	var ok bool
	switch {
	case len(text) > maxSiteSize:
		p.problem(ruleFileSize.At(diag.Position{File: name}, "the file has %d bytes; at most %d are read", len(text), maxSiteSize))
	case strings.HasSuffix(name, ".json"):
		root, ok = parseJSON(text, report)
	default:
		root, ok = parseYAML(text, p.lenient(name), report)
	}
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

// parseJSON is parseYAML for JSON. YAML cannot read all of it: it has other escapes.
func parseJSON(text []byte, report yamlReport) (root *field, ok bool) {
	r := jsonReader{Locator: diag.NewLocator(text), text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber() // as it is written
	root = new(field)
	err := r.value(root, 0)
	if err == nil {
		if _, err = r.decoder.Token(); err == io.EOF {
			return root, true
		} else if err == nil {
			err = errors.New("text stands after the value")
		}
	}
	offset := int(r.decoder.InputOffset())
	if syntax, isSyntax := errors.AsType[*json.SyntaxError](err); isSyntax && int(syntax.Offset) > offset {
		offset = int(syntax.Offset) - 1 // inside a value
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = len(text), errors.New("the file ends too early")
	}
	line, column := r.LineColumn(min(max(offset, 0), len(text)))
	report(line, column, "JSON: "+diag.Clean(err.Error()), "")
	return nil, false
}

// jsonReader makes fields of JSON.
type jsonReader struct {
	*diag.Locator
	text    []byte
	decoder *json.Decoder
}

// token returns the next token, and the position where it begins.
func (r *jsonReader) token() (token json.Token, line, column int, err error) {
	at := int(r.decoder.InputOffset())
	at += len(r.text[at:]) - len(bytes.TrimLeft(r.text[at:], " \t\r\n,:"))
	line, column = r.LineColumn(at)
	token, err = r.decoder.Token()
	return token, line, column, err
}

// value reads a value into a field.
func (r *jsonReader) value(f *field, depth int) (err error) {
	if depth > maxYAMLDepth {
		return errors.New(depthMessage)
	}
	var token json.Token
	if token, f.valueLine, f.valueColumn, err = r.token(); err != nil {
		return err
	}
	f.line, f.column = f.valueLine, f.valueColumn
	switch t := token.(type) {
	case nil:
		f.shape = null
	case json.Delim:
		f.shape = list
		if t == '{' {
			f.shape = table
		}
		for r.decoder.More() {
			var item field
			var key json.Token
			line, column := 0, 0
			if f.shape == table {
				if key, line, column, err = r.token(); err != nil {
					return err
				}
				item.name, _ = key.(string)
			}
			if err := r.value(&item, depth+1); err != nil {
				return err
			}
			if f.shape == table {
				item.line, item.column = line, column
			}
			f.items = append(f.items, item)
		}
		_, err = r.decoder.Token()
		return err
	default:
		f.value = fmt.Sprint(t)
	}
	return nil
}
