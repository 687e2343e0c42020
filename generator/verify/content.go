package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
)

const (
	commentForm = "2006-01-02T15:04:05"
	divTag      = `<div class="xmldoc">`
	whiteSpace  = " \t\r\n\f"

	// maxTag limits a tag, a comment or a script: the attributes of a tag can take
	// twenty times its length in memory.
	maxTag = 2 << 20
)

// checkContent checks the content of a record (contract.md 2.2). modified is that of the
// record; known is false where it could not be read.
func (c *checker) checkContent(address, content string, modified time.Time, known bool) {
	due := "<!-- modified: " + modified.Format(commentForm) + " -->"
	text, rest, ok := cutComment(content)
	if !ok {
		c.find(ruleContentComment, address, "content begins with "+due, showStart(content))
		rest = content
	} else {
		ok = c.checkComment(address, text, due, modified, known)
	}
	if strings.HasPrefix(rest, "<!--") {
		return // the comment does not end
	}
	if problem := divProblem(strings.Trim(rest, whiteSpace)); problem != "" {
		c.find(ruleContentDiv, address, "one div of class xmldoc that ends at the end of content", problem)
		return
	}
	came := ""
	switch {
	case !ok:
	case !strings.HasPrefix(content, "<!-- modified: ") || !strings.HasPrefix(rest, divTag):
		came = "content begins with " + showStart(content)
	case !strings.HasSuffix(rest, "</div>"):
		came = "content ends with " + show(rest[max(0, len(rest)-len("</div>")-10):])
	}
	if came != "" {
		c.find(ruleContentBytes, address, due+divTag+"…</div>", came)
	}
}

func cutComment(content string) (text, rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(content, whiteSpace), "<!--")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "-->")
}

// checkComment reports whether the comment has the form of the contract.
func (c *checker) checkComment(address, text, due string, modified time.Time, known bool) bool {
	stamp, ok := strings.CutPrefix(strings.Trim(text, whiteSpace), "modified:")
	stamp = strings.Trim(stamp, whiteSpace)
	t, err := time.Parse(commentForm, stamp)
	rule := ruleContentComment
	switch {
	case !ok || err != nil || len(stamp) != len(commentForm):
	case known && !t.Equal(modified.Truncate(time.Second)):
		rule = ruleContentModified
	case text != " modified: "+stamp+" ":
		rule = ruleContentBytes
	default:
		return true
	}
	c.find(rule, address, due, show("<!--"+text+"-->"))
	return rule == ruleContentModified
}

// divProblem returns why a text is not one div of class xmldoc in balanced HTML, or "". It
// reads the tags of the text once.
func divProblem(text string) string {
	r := &divReader{text: text}
	if problem := r.read(0, len(text)); problem != "" {
		return problem
	}
	switch {
	case text == "":
		return "nothing"
	case len(r.nesting.open) > 0:
		return "<" + showKey(r.nesting.top().name) + "> is still open at the end"
	}
	return ""
}

type divReader struct {
	text    string
	nesting nesting
}

func (r *divReader) read(at, end int) string {
	z, last := r.tokenizer(at, end), html.ErrorToken
	for {
		z.AllowCDATA(r.nesting.current(foreign))
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
			// Long text was cut: go on before a "<" that a tag may begin with.
			if i := strings.LastIndexByte(r.text[at-2:at], '<'); i >= 0 {
				at += i - 2
			}
			z, last = r.tokenizer(at, end), html.ErrorToken
		case long:
			return fmt.Sprintf("a tag, comment or script before byte %d is longer than %d bytes", at, maxTag)
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
	z.SetMaxBuf(maxTag)
	return z
}

// token reads the token between two offsets. after is the kind of the one before it.
func (r *divReader) token(z *html.Tokenizer, kind, after html.TokenType, from, to int) string {
	n := &r.nesting
	if from == 0 && !isXMLDoc(z, kind) {
		return "it begins with " + showStart(r.text)
	}
	problem := ""
	switch {
	case from == 0:
		problem = n.push(node{"div", roles["div"]})
	case len(n.open) == 0:
		return showStart(r.text[from:]) + " after the end of the div"
	case kind == html.TextToken && after != html.TextToken && after != html.ErrorToken && n.current(rawText) && n.top().name == "noscript":
		// Text or tags: that depends on the client. A noscript cannot stand in another,
		// so there are never more than two tokenizers.
		return r.read(from, to)
	case kind == html.TextToken && n.current(columns) && len(bytes.Trim(z.Raw(), whiteSpace)) > 0:
		n.pop() // text ends a colgroup
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

func tagName(z *html.Tokenizer) string {
	name, _ := z.TagName()
	return string(name)
}

func isXMLDoc(z *html.Tokenizer, kind html.TokenType) bool {
	found := false
	return kind == html.StartTagToken && tagName(z) == "div" && hasAttribute(z, func(key, value string) bool {
		first := key == "class" && !found // a second class does not count
		found = found || first
		return first && slices.Contains(strings.Fields(value), "xmldoc")
	})
}

func hasAttribute(z *html.Tokenizer, is func(key, value string) bool) bool {
	for more := true; more; {
		var key, value []byte
		if key, value, more = z.TagAttr(); is(string(key), string(value)) {
			return true
		}
	}
	return false
}
