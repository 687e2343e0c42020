package source

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"example.org/sivu/generator/diag"
)

// readTOML reads the fields of TOML front matter whose first line is the
// file's line firstLine. An ordinary decode checks TOML's rules; the parser keeps
// the order of fields and the text of numbers and dates.
func (p *reading) readTOML(text []byte, firstLine int) {
	var decoded map[string]any
	err := toml.Unmarshal(text, &decoded)
	top := field{items: p.head.fields, shape: table}
	if err == nil {
		r := tomlReader{diag.NewLocator(text), firstLine - 1}
		err = r.read(text, &top)
	}
	if err != nil {
		line, column := tomlPosition(text, err)
		p.broken(line+firstLine-1, column, "TOML: "+tomlMessage(err), "")
		return
	}
	p.head.fields = top.items
}

// tomlMessage returns the message of an error without the name of the library. It
// is cut, as it may hold long keys.
func tomlMessage(err error) string {
	const most = 200 // bytes
	message := strings.TrimPrefix(err.Error(), "toml: ")
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	return diag.Clean(message)
}

// tomlPosition returns the line and column of an error, in characters. The library
// counts columns in bytes.
func tomlPosition(text []byte, err error) (line, column int) {
	decoding, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return 1, 1
	}
	line, column = decoding.Position()
	start := 0
	for range line - 1 {
		_, start = lineAt(text, start)
	}
	end := min(start+max(column-1, 0), len(text))
	return line, utf8.RuneCount(text[start:end]) + 1
}

// tomlReader makes fields of TOML expressions, each at the position where it is first
// named. Arrays of tables have no items.
type tomlReader struct {
	*diag.Locator
	before int // lines that stand before the text in the file
}

// read adds the fields of a text to a table.
func (r *tomlReader) read(text []byte, top *field) error {
	var parser unstable.Parser
	parser.Reset(text)
	current := top
	for parser.NextExpression() {
		switch e := parser.Expression(); e.Kind {
		case unstable.Table:
			current, _ = r.find(top, e.Key(), table)
		case unstable.ArrayTable:
			r.find(top, e.Key(), list)
			current = &field{shape: list}
		case unstable.KeyValue:
			r.set(current, e)
		}
	}
	return parser.Error()
}

// find returns the field with a key below a table, and where the last part of the key
// stands. Tables on the way there that are missing are made, and the field with its
// shape. A key below anything but a table is that of an array of tables, and leads to
// a field that is not kept.
func (r *tomlReader) find(in *field, key unstable.Iterator, s shape) (f *field, offset int) {
	for key.Next() {
		n := key.Node()
		offset = int(n.Raw.Offset)
		if in.shape != table {
			in = &field{shape: list}
			continue
		}
		name := string(n.Data)
		if f := fieldNamed(in.items, name); f != nil {
			in = f
			continue
		}
		f := field{name: name, shape: table}
		if key.IsLast() {
			f.shape = s
		}
		r.place(&f, offset)
		in.items = append(in.items, f)
		in = &in.items[len(in.items)-1]
	}
	return in, offset
}

// set adds the field of a key and its value to a table.
func (r *tomlReader) set(in *field, pair *unstable.Node) {
	f, offset := r.find(in, pair.Key(), scalar)
	r.value(f, pair.Value(), offset)
}

func (r *tomlReader) place(f *field, offset int) {
	f.line, f.column = r.LineColumn(offset)
	f.line += r.before
}

// value sets the value of a field: a string without its quotes, anything else as it is
// written. Items without a position of their own get that of the offset.
func (r *tomlReader) value(f *field, n *unstable.Node, offset int) {
	switch n.Kind {
	case unstable.Array:
		f.shape = list
		for children := n.Children(); children.Next(); {
			var item field
			at := offset
			if child := children.Node(); child.Raw.Length > 0 {
				at = int(child.Raw.Offset)
			}
			r.value(&item, children.Node(), at)
			r.place(&item, at)
			f.items = append(f.items, item)
		}
	case unstable.InlineTable:
		f.shape = table
		for children := n.Children(); children.Next(); {
			r.set(f, children.Node())
		}
	default:
		f.value = string(n.Data)
	}
}
