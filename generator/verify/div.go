package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostTag is how many bytes of a tag, a comment or a script are read as one. The
// attributes of a tag can take twenty times its length in memory.
const mostTag = 2 << 20

// divProblem returns what keeps a text from being one div of class xmldoc in
// balanced HTML, or "". It is one pass over the tags of the text.
func divProblem(text string) string {
	r := &divReader{text: text}
	if problem := r.read(0, len(text)); problem != "" {
		return problem
	}
	switch {
	case text == "":
		return "nothing"
	case len(r.nesting.open) > 0:
		return "<" + clipKey(r.nesting.top().name) + "> is still open at the end"
	}
	return ""
}

// divReader reads the tags of a text that must be one div.
type divReader struct {
	text    string
	nesting nesting
}

// read follows the tags between two places of the text.
func (r *divReader) read(at, end int) string {
	z, last := r.tokenizer(at, end), html.ErrorToken
	for {
		z.AllowCDATA(len(r.nesting.open) > 0 && r.nesting.top().space != inHTML)
		kind := z.Next()
		from := at
		at += len(z.Raw())
		if kind != html.ErrorToken {
			if problem := r.token(z, kind, last, from, at); problem != "" {
				return problem
			}
			last = kind
			continue
		}
		switch long := errors.Is(z.Err(), html.ErrBufferExceeded); {
		case long && last == html.TextToken && !r.nesting.current(rawText):
			at = r.beforeTag(at)
			z, last = r.tokenizer(at, end), html.ErrorToken
		case long:
			return fmt.Sprintf("a tag, comment or script before byte %d is longer than %d bytes", at, mostTag)
		case z.Err() != io.EOF:
			return z.Err().Error()
		case from < end:
			return fmt.Sprintf("a tag or comment that begins at byte %d does not end", from)
		default:
			return ""
		}
	}
}

func (r *divReader) tokenizer(at, end int) *html.Tokenizer {
	z := html.NewTokenizer(strings.NewReader(r.text[at:end]))
	z.SetMaxBuf(mostTag)
	return z
}

// beforeTag returns where to go on after text that was cut at a place because of
// its length: before the "<" that a tag may begin with.
func (r *divReader) beforeTag(at int) int {
	if i := strings.LastIndexByte(r.text[at-2:at], '<'); i >= 0 {
		return at - 2 + i
	}
	return at
}

// token follows the token between two places of the text, which comes after one of
// another kind.
func (r *divReader) token(z *html.Tokenizer, kind, after html.TokenType, from, to int) string {
	n := &r.nesting
	if from == 0 && !isXMLDoc(z, kind) {
		return "it begins with " + show(start(r.text))
	}
	problem := ""
	switch {
	case from == 0:
		problem = n.push(node{name: "div", roles: roles["div"]})
	case len(n.open) == 0:
		return show(start(r.text[from:])) + " after the end of the div"
	case kind == html.TextToken && after != html.TextToken && after != html.ErrorToken && n.current(rawText) && n.top().name == "noscript":
		// Text or tags: that depends on the client. No noscript stands in another,
		// so there are never more than two tokenizers.
		return r.read(from, to)
	case kind == html.TextToken:
		n.text(z.Raw())
	case kind == html.StartTagToken, kind == html.SelfClosingTagToken:
		problem = n.start(z, tagName(z), kind == html.SelfClosingTagToken)
	case kind == html.EndTagToken:
		problem = n.end(tagName(z))
	}
	if problem != "" {
		return fmt.Sprintf("at byte %d %s", from, problem)
	}
	return ""
}

// tagName returns the name of a tag in lower case.
func tagName(z *html.Tokenizer) string {
	name, _ := z.TagName()
	if known := atom.Lookup(name); known != 0 {
		return known.String()
	}
	return string(name)
}

func isXMLDoc(z *html.Tokenizer, kind html.TokenType) bool {
	if kind != html.StartTagToken || tagName(z) != "div" {
		return false
	}
	for more := true; more; {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == "class" {
			return slices.ContainsFunc(bytes.Fields(value), func(class []byte) bool { return string(class) == "xmldoc" })
		}
	}
	return false
}
