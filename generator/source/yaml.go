package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
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

// yamlOptions stop the library's parser at [maxYAMLDepth], before it recurses.
// Aliases are never expanded.
var yamlOptions = yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxYAMLDepth), loaderlimits.AliasNone()))

// parseYAML reads the one YAML document that text holds and returns its root:
// a map, a list or a scalar, nil where there is nothing but comments. It reports
// broken syntax, and features that sources may not use: aliases, anchors,
// merge keys, tags other than !!str, keys that are not plain text, duplicate
// keys, a second document, nesting beyond [maxYAMLDepth]. Pairs with such a key
// are taken out of the tree. It returns false where anything was reported; the
// tree is then good for finding further problems, and nil after broken syntax.
func parseYAML(text []byte, report yamlReport) (root *yaml.Node, ok bool) {
	c := newYAMLCheck(text, report)
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
		line, column := c.place(second.Line, second.Column)
		c.problem(line, column, "a second document begins here", "keep one document, without a line \"---\" or \"...\" inside")
	case !errors.Is(err, io.EOF):
		c.syntax(text, err)
	}
	if len(first.Content) == 0 {
		return nil, c.ok
	}
	root = first.Content[0]
	c.node(root)
	return root, c.ok
}

// shapeOf returns the form of a node's value. A scalar has the text of
// [yaml.Node.Value], after quotes, escapes and folding and with no change of
// type: no, 0012 and 1e3 stay as they are written. An unquoted null, ~ or
// nothing is null (YAML 1.2, core schema).
func shapeOf(n *yaml.Node) shape {
	const typed = yaml.TaggedStyle | yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case n.Kind == yaml.SequenceNode:
		return list
	case n.Kind == yaml.MappingNode:
		return table
	case n.Kind == yaml.ScalarNode && n.Style&typed == 0 && n.Tag != "!" && isNull(n.Value):
		return null
	}
	return scalar
}

func isNull(value string) bool {
	return slices.Contains([]string{"", "~", "null", "Null", "NULL"}, value)
}

// pairs yields the keys and values of a map.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(*yaml.Node, *yaml.Node) bool) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// yamlCheck checks a tree for problems that the library does not report.
type yamlCheck struct {
	*diag.Locator
	report yamlReport
	ends   [][]int // of the library's lines; nil where they are the file's
	ok     bool
}

// yamlLineEnd matches what ends a line for the library. The files of sivu know
// only U+000A.
var yamlLineEnd = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

func newYAMLCheck(text []byte, report yamlReport) *yamlCheck {
	c := &yamlCheck{Locator: diag.NewLocator(text), report: report, ok: true}
	if bytes.ContainsAny(text, "\r\u0085\u2028\u2029") {
		c.ends = yamlLineEnd.FindAllIndex(text, -1)
	}
	return c
}

// place turns the library's line and column into the file's.
func (c *yamlCheck) place(line, column int) (int, int) {
	line, column = max(line, 1), max(column, 1)
	if line == 1 || c.ends == nil {
		return line, column
	}
	line, first := c.LineColumn(c.ends[min(line-2, len(c.ends)-1)][1])
	return line, first + column - 1
}

func (c *yamlCheck) problem(line, column int, message, hint string) {
	c.ok = false
	c.report(line, column, message, hint)
}

// node checks a node and those in it, and sets their places in the file.
func (c *yamlCheck) node(n *yaml.Node) {
	n.Line, n.Column = c.place(n.Line, n.Column)
	if n.Anchor != "" {
		c.problem(n.Line, n.Column, fmt.Sprintf("anchor %s: anchors are not understood", diag.Quote("&"+n.Anchor)), aliasHint)
	}
	if n.Style&yaml.TaggedStyle != 0 && (n.Tag != "!!str" || n.Kind != yaml.ScalarNode) || n.Tag == "!" {
		c.problem(n.Line, n.Column, fmt.Sprintf("tag %s: tags are not understood", diag.Quote(n.Tag)),
			"leave the tag out: a value is taken as it is written; put text that begins with \"!\" in quotes")
	}
	switch n.Kind {
	case yaml.AliasNode:
		c.problem(n.Line, n.Column, fmt.Sprintf("alias %s: aliases are not understood", diag.Quote("*"+n.Value)), aliasHint)
	case yaml.MappingNode:
		c.mapping(n)
	case yaml.SequenceNode:
		for _, child := range n.Content {
			c.node(child)
		}
	}
}

const aliasHint = "write the value out at each place; put text that begins with \"*\" or \"&\" in quotes"

// mapping checks a map, and takes pairs with a bad key out of it.
func (c *yamlCheck) mapping(n *yaml.Node) {
	first := make(map[string]int, len(n.Content)/2) // lines of keys
	kept := n.Content[:0]
	for key, value := range pairs(n) {
		c.node(key)
		good := c.key(key)
		if line, repeated := first[key.Value]; good && repeated {
			c.problem(key.Line, key.Column, fmt.Sprintf("%s is given twice, first in line %d", diag.Quote(key.Value), line), "keep one of the two")
			good = false
		}
		c.node(value)
		if good {
			kept = append(kept, key, value)
			first[key.Value] = key.Line
		}
	}
	clear(n.Content[len(kept):])
	n.Content = kept
}

// key reports a key that cannot name anything.
func (c *yamlCheck) key(key *yaml.Node) bool {
	switch {
	case key.Kind == yaml.AliasNode:
		return false
	case key.Kind != yaml.ScalarNode:
		c.problem(key.Line, key.Column, "a key is a list or a map", "a key is plain text; put text that begins with \"[\", \"{\" or \"?\" in quotes")
	case key.Tag == "!!merge":
		c.problem(key.Line, key.Column, "merge key \"<<\": merge keys are not understood", "write the keys out")
	case key.Value == "":
		c.problem(key.Line, key.Column, "a key is empty", "write a name before the \":\"")
	default:
		return true
	}
	return false
}
