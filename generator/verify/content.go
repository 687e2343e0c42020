package verify

import (
	"strings"
	"time"
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
