package markup

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// headingIDs gives every heading of a document an id.
type headingIDs struct{}

// Transform is called by goldmark when a document is parsed. Ids that headings
// ask for go first, so that no made id takes one of them.
func (headingIDs) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	headings := readBlocks(doc, nil)
	if len(headings) == 0 {
		return
	}
	taken := make(map[string]int, len(headings))
	for _, h := range headings {
		if id, ok := h.Attribute(idName); ok {
			taken[string(id.([]byte))] = 0
		}
	}
	var buf []byte
	for _, h := range headings {
		if _, ok := h.Attribute(idName); ok {
			continue
		}
		buf = appendText(buf[:0], h, source)
		if id := makeID(buf, taken); id != nil {
			h.SetAttribute(idName, id)
		}
	}
}

// readBlocks appends the headings of a block and of the blocks in it, and ends what
// [attributeOptions] begins.
func readBlocks(block ast.Node, headings []*ast.Heading) []*ast.Heading {
	var next ast.Node
	for n := block.FirstChild(); n != nil; n = next {
		next = n.NextSibling()
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
		case *ast.TextBlock:
			if n.Attributes() != nil {
				giveAttributes(n)
			}
		case *ast.Paragraph:
			if class, ok := n.AttributeString("class"); ok && bytes.Equal(class.([]byte), alertTitle) {
				makeStrong(n)
			}
		default:
			if first := n.FirstChild(); first != nil && first.Type() == ast.TypeBlock {
				headings = readBlocks(n, headings)
			}
		}
	}
	return headings
}

var idName = []byte("id")

// isID reports whether text can be the id of a heading: letters, marks and
// digits of any script, "_", "-" and ".". Without a colon it can not be that
// of a footnote.
func isID(s []byte) bool {
	return len(s) > 0 && bytes.IndexFunc(s, func(r rune) bool { return !isIDRune(r) && r != '.' }) < 0
}

func isIDRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// makeID returns the id of a heading with that text as GitHub makes it, or nil
// where nothing of the text can be part of an id.
func makeID(content []byte, taken map[string]int) []byte {
	id := make([]byte, 0, len(content))
	for _, r := range string(content) {
		switch {
		case 'a' <= r && r <= 'z':
			id = append(id, byte(r))
		case unicode.IsSpace(r):
			id = append(id, '-')
		case isIDRune(r):
			id = utf8.AppendRune(id, unicode.ToLower(r))
		}
	}
	if len(id) == 0 {
		return nil
	}
	base := string(id)
	n, repeated := taken[base]
	for repeated {
		n++
		id = strconv.AppendInt(append(id[:len(base)], '-'), int64(n), 10)
		_, repeated = taken[string(id)]
	}
	taken[base] = n
	if len(id) > len(base) {
		taken[string(id)] = 0
	}
	return id
}

// appendText appends the text that a reader sees of a heading.
func appendText(dst []byte, n ast.Node, source []byte) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(source)
			if n.Kind() != ast.KindCodeSpan && bytes.IndexByte(value, '&') >= 0 {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(value))
			}
			dst = append(dst, value...)
			if c.SoftLineBreak() || c.HardLineBreak() {
				dst = append(dst, ' ')
			}
		case *ast.String:
			dst = append(dst, c.Value...)
		case *ast.AutoLink:
			dst = append(dst, c.Label(source)...)
		case *ast.RawHTML, *ast.Image:
		default:
			dst = appendText(dst, c, source)
		}
	}
	return dst
}
