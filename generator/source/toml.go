package source

import (
	"errors"
	"slices"
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
	t := tomlFields{Locator: diag.NewLocator(text), lines: firstLine - 1, fields: p.head.fields, index: make(map[string]int)}
	if err == nil {
		t.parser.Reset(text)
		for t.parser.NextExpression() {
			t.add(t.parser.Expression())
		}
		err = t.parser.Error()
	}
	if err != nil {
		p.head.broken = true
		line, column := tomlPosition(text, err)
		p.syntaxProblem(line+firstLine-1, column, "TOML: "+tomlMessage(err), "")
		return
	}
	p.head.fields = t.fields
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

// tomlFields gathers the fields of TOML expressions. Tables and dotted keys
// build up maps, each at the place where it is first named. What lies deeper
// than the keys of a top-level map is left out.
type tomlFields struct {
	*diag.Locator
	parser unstable.Parser
	lines  int // that stand before the text in the file
	fields []field
	index  map[string]int // name of a top-level field to its place

	table   []tomlName // the table that keys stand in; nil at the top
	inArray bool       // an array of tables: its keys are left out
}

// tomlName is one part of a key and where it stands.
type tomlName struct {
	name   string
	offset int
}

// add adds an expression: a table's header, or a key and its value.
func (t *tomlFields) add(e *unstable.Node) {
	var names []tomlName
	for keys := e.Key(); keys.Next(); {
		n := keys.Node()
		names = append(names, tomlName{string(n.Data), int(n.Raw.Offset)})
	}
	switch e.Kind {
	case unstable.Table:
		t.table, t.inArray = names, false
		t.put(names, field{shape: table})
	case unstable.ArrayTable:
		t.table, t.inArray = names, true
		t.put(names, field{shape: list})
	case unstable.KeyValue:
		if !t.inArray {
			path := slices.Concat(t.table, names)
			t.put(path, t.value(e.Value(), path[0].offset, len(path) == 1))
		}
	}
}

// put enters a value under its path of names.
func (t *tomlFields) put(path []tomlName, value field) {
	i, known := t.index[path[0].name]
	if !known {
		i = len(t.fields)
		t.index[path[0].name] = i
		top := field{shape: table}
		if len(path) == 1 {
			top = value
		}
		t.fields = append(t.fields, t.named(top, path[0]))
	}
	top := &t.fields[i]
	if len(path) == 1 || top.shape != table {
		return
	}
	if len(path) > 2 {
		value = field{shape: table}
	}
	if value.shape != scalar && fieldNamed(top.items, path[1].name) != nil {
		return // a table that was named before
	}
	top.items = append(top.items, t.named(value, path[1]))
}

func (t *tomlFields) named(f field, n tomlName) field {
	f.name = n.name
	return t.placed(f, n.offset)
}

func (t *tomlFields) placed(f field, offset int) field {
	f.line, f.column = t.LineColumn(offset)
	f.line += t.lines
	return f
}

// value returns a value as a field without a name: a string without its
// quotes, anything else as it is written. Deeper says whether to take in the
// items of arrays and inline tables; those of which the parser does not tell
// the place get that of the offset.
func (t *tomlFields) value(n *unstable.Node, offset int, deeper bool) field {
	var f field
	switch n.Kind {
	case unstable.Array:
		f.shape = list
	case unstable.InlineTable:
		f.shape = table
	default:
		f.value = string(n.Data)
	}
	if !deeper || f.shape == scalar {
		return f
	}
	for children := n.Children(); children.Next(); {
		item := t.item(children.Node(), offset)
		if k := len(f.items); k == 0 || item.name == "" || f.items[k-1].name != item.name {
			f.items = append(f.items, item)
		}
	}
	return f
}

// item returns an element of an array or of an inline table.
func (t *tomlFields) item(n *unstable.Node, offset int) field {
	if n.Kind != unstable.KeyValue {
		if n.Raw.Length > 0 {
			offset = int(n.Raw.Offset)
		}
		return t.placed(t.value(n, offset, false), offset)
	}
	keys := n.Key()
	keys.Next()
	key := keys.Node()
	f := t.value(n.Value(), offset, false)
	name := tomlName{string(key.Data), int(key.Raw.Offset)}
	if keys.Next() {
		f = field{shape: table}
	}
	return t.named(f, name)
}
