package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"example.org/sivu/generator/diag"
)

// maxYAMLDepth is how deeply lists and maps may nest.
const maxYAMLDepth = 64

// yamlReport takes a problem at a line and column of the YAML text, from 1.
type yamlReport func(line, column int, message, hint string)

// leniency says what parseYAML takes that it reports elsewhere. Its zero value is none.
type leniency struct {
	ignores  func(name string) bool // fields of the root of which only broken syntax is reported
	repeated yamlReport             // takes keys that are given twice: the last counts; nil where they are errors
}

// yamlOptions stop the library's parser at [maxYAMLDepth], before it recurses.
// Aliases are never expanded.
var yamlOptions = yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxYAMLDepth), loaderlimits.AliasNone()))

// parseYAML reads the one YAML document that text holds and returns its root: a map,
// a list or a scalar, nil where there is nothing but comments. It reports broken
// syntax, and features that sources may not use: aliases, anchors, merge keys, tags
// other than !!str, keys that are not plain text, duplicate keys, a second document,
// nesting beyond [maxYAMLDepth]. Pairs with such a key are left out. It returns false
// where anything was reported; the root is then good for finding further problems,
// and nil after broken syntax.
func parseYAML(text []byte, lenient leniency, report yamlReport) (root *field, ok bool) {
	c := newYAMLReader(text, report)
	defer func() {
		// The library panics where it meets a state it thinks impossible.
		if recover() != nil {
			c.problem(1, 1, "this cannot be read as YAML", "")
			root, ok = nil, false
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(text), yamlOptions)
	if err != nil {
		c.problem(1, 1, "this cannot be read as YAML", "")
		return nil, false
	}
	var first, second yaml.Node
	switch err := loader.Load(&first); {
	case errors.Is(err, io.EOF):
		return nil, true
	case err != nil:
		c.syntax(text, err)
		return nil, false
	}
	switch err := loader.Load(&second); {
	case err == nil:
		line, column := c.position(second.Line, second.Column)
		c.problem(line, column, "a second document begins here", "keep one document, without a line \"---\" or \"...\" inside")
	case !errors.Is(err, io.EOF):
		c.syntax(text, err)
	}
	if len(first.Content) == 0 {
		return nil, c.ok
	}
	c.leniency = lenient
	f := c.field(first.Content[0])
	return &f, c.ok
}

func isNull(value string) bool {
	return slices.Contains([]string{"", "~", "null", "Null", "NULL"}, value)
}

// yamlReader makes fields of the library's nodes, and reports problems that the
// library does not.
type yamlReader struct {
	*diag.Locator
	report yamlReport
	ends   [][]int // of the library's lines; nil where they are the file's
	ok     bool

	leniency      // ignores is nil below the root
	isQuiet  bool // what is read is ignored
}

// yamlLineEnd matches line ends of the library. The files of sivu know only U+000A.
var yamlLineEnd = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

func newYAMLReader(text []byte, report yamlReport) *yamlReader {
	c := &yamlReader{Locator: diag.NewLocator(text), report: report, ok: true}
	if bytes.ContainsAny(text, "\r\u0085\u2028\u2029") {
		c.ends = yamlLineEnd.FindAllIndex(text, -1)
	}
	return c
}

// position turns the library's line and column into the file's.
func (c *yamlReader) position(line, column int) (int, int) {
	line, column = max(line, 1), max(column, 1)
	if line == 1 || c.ends == nil {
		return line, column
	}
	line, first := c.LineColumn(c.ends[min(line-2, len(c.ends)-1)][1])
	return line, first + column - 1
}

func (c *yamlReader) problem(line, column int, message, hint string) {
	if c.isQuiet {
		return
	}
	c.ok = false
	c.report(line, column, message, hint)
}

const repeatHint = "keep one of the two"

const aliasHint = "write the value out at each place; put text that begins with \"*\" or \"&\" in quotes"

// field returns a node and those in it as a field without a name. The value of a scalar
// is its text after quotes, escapes and folding, and with no change of type: no, 0012
// and 1e3 stay as they are written. An unquoted null, ~ or nothing is null (YAML 1.2,
// core schema).
func (c *yamlReader) field(n *yaml.Node) field {
	line, column := c.position(n.Line, n.Column)
	f := field{value: n.Value, line: line, column: column, valueLine: line, valueColumn: column}
	if n.Anchor != "" {
		c.problem(line, column, fmt.Sprintf("anchor %s: anchors are not understood", diag.Quote("&"+n.Anchor)), aliasHint)
	}
	if n.Style&yaml.TaggedStyle != 0 && (n.Tag != "!!str" || n.Kind != yaml.ScalarNode) || n.Tag == "!" {
		c.problem(line, column, fmt.Sprintf("tag %s: tags are not understood", diag.Quote(n.Tag)),
			"leave the tag out: a value is taken as it is written; put text that begins with \"!\" in quotes")
	}
	switch n.Kind {
	case yaml.AliasNode:
		f.isAlias = true
		c.problem(line, column, fmt.Sprintf("alias %s: aliases are not understood", diag.Quote("*"+n.Value)), aliasHint)
	case yaml.MappingNode:
		f.shape, f.items = table, c.pairs(n.Content)
	case yaml.SequenceNode:
		f.shape = list
		for _, item := range n.Content {
			f.items = append(f.items, c.field(item))
		}
	case yaml.ScalarNode:
		const typed = yaml.TaggedStyle | yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
		if n.Style&typed == 0 && n.Tag != "!" && isNull(n.Value) {
			f.shape, f.value = null, ""
		}
	}
	return f
}

// pairs returns the fields of a map, without those that have a bad key.
func (c *yamlReader) pairs(content []*yaml.Node) (fields []field) {
	first := make(map[string]int, len(content)/2) // indexes of fields
	ignores := c.ignores
	c.ignores = nil // what is below is no field of the root
	for pair := range slices.Chunk(content, 2) {
		if ignores != nil {
			c.isQuiet = pair[0].Kind == yaml.ScalarNode && ignores(pair[0].Value)
		}
		key := c.field(pair[0])
		good := c.key(pair[0], &key)
		i, isRepeated := first[pair[0].Value]
		if good && isRepeated {
			good = c.repeat(&key, pair[0].Value, fields[i].line)
		}
		f := c.field(pair[1])
		// The library keeps the comment in the line of an empty value with the key.
		if comment := pair[1].LineComment + pair[0].LineComment; comment != "" && pair[1].Style == 0 && (f.shape == null || pair[1].Tag == "!!str") {
			f.comment = comment
		}
		if good {
			f.name, f.line, f.column = pair[0].Value, key.line, key.column
			if isRepeated {
				fields[i] = f
			} else {
				first[f.name] = len(fields)
				fields = append(fields, f)
			}
		}
		if ignores != nil {
			c.isQuiet = false
		}
	}
	return fields
}

// repeat reports a key that is given before, in the first line, and returns whether it
// takes the place of that one.
func (c *yamlReader) repeat(key *field, name string, first int) (replaces bool) {
	message := fmt.Sprintf("%s is given twice, first in line %d", diag.Quote(name), first)
	switch {
	case c.repeated == nil:
		c.problem(key.line, key.column, message, repeatHint)
	case !c.isQuiet:
		c.repeated(key.line, key.column, message, repeatHint)
	}
	return c.repeated != nil
}

// key reports a key that cannot name anything.
func (c *yamlReader) key(n *yaml.Node, at *field) bool {
	switch {
	case n.Kind == yaml.AliasNode:
		return false
	case n.Kind != yaml.ScalarNode:
		c.problem(at.line, at.column, "a key is a list or a map", "a key is plain text; put text that begins with \"[\", \"{\" or \"?\" in quotes")
	case n.Tag == "!!merge":
		c.problem(at.line, at.column, "merge key \"<<\": merge keys are not understood", "write the keys out")
	case n.Value == "":
		c.problem(at.line, at.column, "a key is empty", "write a name before the \":\"")
	default:
		return true
	}
	return false
}
