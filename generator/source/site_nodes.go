package source

import (
	"iter"
	"unicode"

	"go.yaml.in/yaml/v4"
)

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

func isNull(n *yaml.Node) bool {
	_, null, _ := scalarValue(n)
	return null
}

// nodeShape names what a node is.
func nodeShape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if isNull(n) {
			return "null"
		}
	}
	return "a string"
}

// controlIn returns the first control character of a text.
func controlIn(text string) (rune, bool) {
	for _, c := range text {
		if unicode.IsControl(c) {
			return c, true
		}
	}
	return 0, false
}
