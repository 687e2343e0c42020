package verify

import (
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
)

// checkContent checks the body of a record that was modified then; known says
// whether that could be read (contract.md 2.2).
func (c *checker) checkContent(address, content string, modified time.Time, known bool) {
	due := "<!-- modified: " + modified.Format(commentForm) + " -->"
	text, rest, ok := cutComment(content)
	if !ok {
		c.find(ruleContentComment, address, "", "content begins with "+due, show(start(content)))
		rest = content
	} else {
		ok = c.checkComment(address, text, due, modified, known)
	}
	if strings.HasPrefix(rest, "<!--") {
		return // nothing ends the comment
	}
	if problem := divProblem(strings.Trim(rest, whiteSpace)); problem != "" {
		c.find(ruleContentDiv, address, "", "one div of class xmldoc that ends at the end of content", problem)
		return
	}
	came := ""
	switch {
	case !ok:
		return
	case !strings.HasPrefix(content, "<!-- modified: ") || !strings.HasPrefix(rest, divTag):
		came = "content begins with " + show(start(content))
	case !strings.HasSuffix(rest, "</div>"):
		came = "content ends with " + show(rest[max(0, len(rest)-len("</div>")-10):])
	}
	if came != "" {
		c.find(ruleContentBytes, address, "", due+divTag+"…</div>", came)
	}
}

// cutComment cuts content after the comment at its beginning.
func cutComment(content string) (text, rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(content, whiteSpace), "<!--")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "-->")
}

func start(content string) string {
	const most = 80
	if len(content) <= most {
		return content
	}
	return strings.ToValidUTF8(content[:most], "")
}

// checkComment reports whether the comment has the contract's form.
func (c *checker) checkComment(address, text, due string, modified time.Time, known bool) bool {
	stamp, ok := strings.CutPrefix(strings.Trim(text, whiteSpace), "modified:")
	stamp = strings.Trim(stamp, whiteSpace)
	t, err := time.Parse(commentForm, stamp)
	switch {
	case !ok || err != nil || len(stamp) != len(commentForm):
		c.find(ruleContentComment, address, "", due, show("<!--"+text+"-->"))
		return false
	case known && !t.Equal(modified.Truncate(time.Second)):
		c.find(ruleContentModified, address, "", due, show("<!--"+text+"-->"))
	case text != " modified: "+stamp+" ":
		c.find(ruleContentBytes, address, "", due, show("<!--"+text+"-->"))
		return false
	}
	return true
}

// optionalEnd are the elements whose end tags may be left out.
var optionalEnd = strings.Fields("p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rt rp")

// voidElements have no end tag.
var voidElements = strings.Fields("area base br col embed hr img input link meta param source track wbr")

// divProblem returns what keeps a text from being one div of class xmldoc, or
// "". It is one pass, with a stack of the elements that are open.
func divProblem(text string) string {
	z := html.NewTokenizer(strings.NewReader(text))
	var open []string
	foreign := 0 // how many of them are svg or math
	for at := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return endProblem(z.Err(), open, at, len(text))
		}
		from := at
		at += len(z.Raw())
		token := z.Token()
		isForeign := token.Data == "svg" || token.Data == "math"
		if from > 0 && len(open) == 0 {
			return fmt.Sprintf("%s after the end of the div", show(start(text[from:])))
		}
		if from == 0 && !isXMLDoc(token) {
			return "it begins with " + show(start(text))
		}
		switch {
		case kind == html.StartTagToken && (foreign > 0 || !slices.Contains(voidElements, token.Data)),
			kind == html.SelfClosingTagToken && foreign == 0 && !isForeign && !slices.Contains(voidElements, token.Data):
			open = append(open, token.Data)
			if isForeign {
				foreign++
			}
			if foreign > 0 {
				z.NextIsNotRawText()
			}
		case kind == html.EndTagToken:
			i := closing(open, token.Data)
			if i < 0 {
				return fmt.Sprintf("</%s> at byte %d ends nothing, while %s is open", clipKey(token.Data), from, opened(open))
			}
			open = open[:i]
			if isForeign {
				foreign--
			}
		}
	}
}

// endProblem is divProblem where the text ends. What the tokenizer could not
// read as a token, such as half a tag, it leaves out.
func endProblem(err error, open []string, at, size int) string {
	switch {
	case err != io.EOF:
		return err.Error()
	case at < size:
		return fmt.Sprintf("a tag or comment that begins at byte %d does not end", at)
	case at == 0:
		return "nothing"
	case len(open) > 0:
		return opened(open) + " is still open at the end"
	}
	return ""
}

// closing returns the place of the open element that an end tag ends, or -1.
func closing(open []string, name string) int {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == name {
			return i
		}
		if !slices.Contains(optionalEnd, open[i]) {
			return -1
		}
	}
	return -1
}

func opened(open []string) string { return "<" + clipKey(open[len(open)-1]) + ">" }

func isXMLDoc(t html.Token) bool {
	if t.Type != html.StartTagToken || t.Data != "div" {
		return false
	}
	for _, a := range t.Attr {
		if a.Key == "class" {
			return slices.Contains(strings.Fields(a.Val), "xmldoc")
		}
	}
	return false
}
