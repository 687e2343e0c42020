package markup

import (
	"bytes"
	"fmt"
	"regexp"

	"golang.org/x/net/html"

	"example.org/sivu/generator/diag"
)

const (
	maxDepth    = 256  // levels of open elements inside the div
	maxProblems = 1000 // that one body lists; the rest is one more
	longTag     = 4096 // bytes of a tag after which the tokenizer is made anew: it
	// clears a set of attribute names before every tag, at the cost of the largest yet
)

// A cleaner turns HTML into content in one pass over its tokens.
type cleaner struct {
	opts   Options
	index  *Index
	from   int                  // the page that the body is of
	parsed []Problem            // problems found on the way to the HTML
	origin func(offset int) int // where the HTML came from; nil where it is the body itself
	whole  bool                 // for tests: all goes through the tokenizer, and Markdown as a whole
	others elements             // names that only trusted HTML lets through

	// The token.
	reader bytes.Reader
	z      *html.Tokenizer
	src    []byte // the HTML, or a part of it
	base   int    // offset of src in the HTML
	at     int    // offset of the token in src
	end    int    // offset of its end
	token  html.TokenType
	tag    tag
	long   bool // a tag was long enough to be a burden to the tokenizer
	cut    bool // an element whose content is skipped has no end tag

	content
}

// content is what a cleaner has made of a body so far.
type content struct {
	res       Result
	out       []byte
	stack     []open
	fragments []fragment
	embedded  map[string]bool
	noscript  bool // the token is in a noscript, which is not written itself
	strayDiv  bool // an end tag would have ended the wrapper
	tooDeep   bool
	noAlt     int // images without alt
	noAltAt   int // offset of the first in the body
	unlisted  int // problems beyond maxProblems
}

// clean writes the content of a whole body to the result. By origin, offsets in
// markup lead to offsets in the body.
func (c *cleaner) clean(markup []byte, origin func(offset int) int) {
	inner, offset, wrapped := unwrap(markup)
	if wrapped {
		c.begin(origin)
		c.feed(inner, offset)
	}
	if !wrapped || c.strayDiv {
		c.begin(origin)
		c.feed(markup, 0)
	}
	c.finish()
}

var (
	modifiedComment = regexp.MustCompile(`^[ \t\n\r\f]*<!--[ \t\n\r\f]*modified:(?s:.*?)-->`)
	wrapperStartTag = regexp.MustCompile(`^[ \t\n\r\f]*(?i:<div)[ \t\n\r\f]+(?i:class)[ \t\n\r\f]*=[ \t\n\r\f]*("xmldoc"|'xmldoc'|xmldoc)[ \t\n\r\f]*>`)
	wrapperEndTag   = regexp.MustCompile(`^(?i:</div)[ \t\n\r\f]*>[ \t\n\r\f]*$`)
)

// unwrap returns the content of a body that looks like one div.xmldoc, with or without
// the comment before it, and its offset. A div with another attribute or class is more
// than a wrapper, and stays.
func unwrap(body []byte) (inner []byte, offset int, ok bool) {
	if comment := modifiedComment.FindIndex(body); comment != nil {
		offset = comment[1]
	}
	tag := wrapperStartTag.FindIndex(body[offset:])
	if tag == nil {
		return nil, 0, false
	}
	offset += tag[1]
	end := max(bytes.LastIndexByte(body, '<'), offset)
	return body[offset:end], offset, wrapperEndTag.Match(body[end:])
}

// begin begins the content of a body. It reuses the memory of the one before.
func (c *cleaner) begin(origin func(offset int) int) {
	r := c.res
	c.origin, c.base = origin, 0
	c.content = content{
		res: Result{
			Embeds: r.Embeds[:0], Anchors: r.Anchors[:0], Links: r.Links[:0], Files: r.Files[:0], Deps: r.Deps[:0],
			Problems: append(r.Problems[:0], c.parsed...),
		},
		out:   append(c.out[:0], wrapperStart...),
		stack: c.stack[:0], fragments: c.fragments[:0],
	}
}

// feed cleans src, which begins at offset base of the HTML. It reports whether
// nothing of it is left open: neither an element nor a token.
func (c *cleaner) feed(src []byte, base int) bool {
	c.src, c.base, c.at, c.end, c.z, c.cut = src, base, 0, 0, nil, false
	last := html.TextToken
	for c.next() {
		switch last = c.token; last {
		case html.TextToken:
			c.text()
		case html.StartTagToken, html.SelfClosingTagToken:
			c.startTag()
		case html.EndTagToken:
			c.endTag()
		case html.CommentToken:
			c.comment()
		}
	}
	if c.end < len(c.src) {
		c.at = c.end
		c.warn(ruleRemoved, c.at, `write &lt; for a "<" in text`, "a tag does not end: all after it is removed")
	}
	return last == html.TextToken && bytes.HasSuffix(src, []byte("\n")) && c.end == len(src) && len(c.stack) == 0 && !c.noscript && !c.cut
}

// finish ends the content.
func (c *cleaner) finish() {
	c.closeFrom(0, true)
	if c.out = bytes.TrimRight(c.out, whitespace); c.out[len(c.out)-1] == '<' {
		c.escapeLast()
	}
	c.out = append(c.out, wrapperEnd...)
	c.checkFragments()
	if c.noAlt > 0 {
		what := "an image has no alt"
		if c.noAlt > 1 {
			what = fmt.Sprintf("%d images have no alt, this one first", c.noAlt)
		}
		c.report(Problem{Offset: c.noAltAt, Rule: ruleAlt, Hint: `say in alt what the image shows; one that says nothing gets alt=""`}, "%s", what)
	}
	if c.unlisted > 0 {
		c.res.Problems = append(c.res.Problems, Problem{
			Offset: c.where(-c.base), Rule: ruleRemoved,
			Message: fmt.Sprintf("%d more problems of this body are not listed", c.unlisted),
		})
	}
	c.res.Content = c.out
	c.z = nil
	c.reader.Reset(nil)
}

// restore drops what was done since the content was before.
func (c *cleaner) restore(before content) {
	for _, embed := range c.res.Embeds[len(before.res.Embeds):] {
		delete(c.embedded, embed.URI)
	}
	c.content = before
}

// tokenize has a tokenizer begin at offset at of the source.
func (c *cleaner) tokenize(at int) {
	c.reader.Reset(c.src[at:])
	c.z, c.long = html.NewTokenizer(&c.reader), false
}

// next goes to the next token. Its bytes are src[at:end]. The tokenizer takes over
// at the first token that is not plain.
func (c *cleaner) next() bool {
	if c.z == nil && c.plainToken() {
		return true
	}
	if c.end == len(c.src) {
		return false
	}
	if c.z == nil || c.long && !c.textFollows() {
		c.tokenize(c.end)
	}
	if c.token = c.z.Next(); c.token == html.ErrorToken {
		return false
	}
	n := len(c.z.Raw())
	c.at, c.end = c.end, c.end+n
	c.long = c.long || n > longTag && c.token != html.TextToken
	return true
}

// plainToken goes to the next token if that is text, or a plain tag that no raw text
// follows.
func (c *cleaner) plainToken() bool {
	rest := c.src[c.end:]
	if c.whole || len(rest) == 0 {
		return false
	}
	n := 0
	for n < len(rest) && (rest[n] != '<' || n+1 == len(rest) || !beginsTag(rest[n+1])) {
		i := bytes.IndexByte(rest[n+1:], '<') + 1
		if i == 0 {
			i = len(rest) - n
		}
		n += i
	}
	if c.token = html.TextToken; n == 0 {
		n = bytes.IndexByte(rest, '>') + 1
		if c.token = c.plainTag(rest[:n]); c.token == html.ErrorToken {
			return false
		}
	}
	c.at, c.end = c.end, c.end+n
	return true
}

// beginsTag reports whether a "<" and c begin something else than text.
func beginsTag(c byte) bool { return isLetter(c) || isIn(c, "/!?") }

// plainTag returns the type of a tag, or html.ErrorToken where it is not plain.
func (c *cleaner) plainTag(raw []byte) html.TokenType {
	switch n := len(raw); {
	case n < 3 || isIn(raw[1], "!?"):
	case raw[1] == '/':
		if name := tagName(raw[2:]); isLetter(raw[2]) && len(bytes.Trim(raw[2+len(name):], whitespace)) == 1 {
			return html.EndTagToken
		}
	case !c.tag.scanPlain(raw) || c.tag.entities || rawText[string(c.tag.name)] || string(c.tag.name) == "noscript":
	case raw[n-2] == '/':
		return html.SelfClosingTagToken
	default:
		return html.StartTagToken
	}
	return html.ErrorToken
}

// textFollows reports whether the token is the start tag of an element whose
// content is text, which the tokenizer must see through.
func (c *cleaner) textFollows() bool {
	if c.token != html.StartTagToken && c.token != html.SelfClosingTagToken {
		return false
	}
	return rawText[string(tagName(c.raw()[1:]))]
}

func (c *cleaner) raw() []byte { return c.src[c.at:c.end] }

// text writes a text token. A "<" that something could follow to make a tag of
// it is written as an entity, so that nothing that is removed can join text into
// a tag.
func (c *cleaner) text() {
	raw := c.raw()
	if len(c.out) == len(wrapperStart) {
		raw = bytes.TrimLeft(raw, whitespace)
	}
	if c.inTable() && len(bytes.TrimLeft(raw, whitespace)) > 0 && !c.openCell() {
		return
	}
	for {
		i := bytes.IndexByte(raw, '<') + 1
		if i == 0 {
			break
		}
		c.out = append(c.out, raw[:i]...)
		raw = raw[i:]
		if len(raw) == 0 || beginsTag(raw[0]) {
			c.escapeLast()
		}
	}
	c.out = append(c.out, raw...)
}

// escapeLast writes the "<" that the output ends with as an entity.
func (c *cleaner) escapeLast() { c.out = append(c.out[:len(c.out)-1], "&lt;"...) }

// comment drops a comment, a doctype or a processing instruction.
func (c *cleaner) comment() {
	if raw := c.raw(); c.end == len(c.src) && raw[len(raw)-1] != '>' {
		c.warn(ruleRemoved, c.at, "", "a comment does not end: all after it is removed")
	}
}

// quoted is text of a page in a message. It is quoted when it is printed.
type quoted string

func (q quoted) String() string { return diag.Quote(string(q)) }

// warn reports a problem of the token at offset at of the source.
func (c *cleaner) warn(rule *diag.Rule, at int, hint, format string, args ...any) {
	c.report(Problem{Offset: c.where(at), Rule: rule, Hint: hint}, format, args...)
}

// report lists a problem with that message. Beyond maxProblems only errors are listed,
// which are few.
func (c *cleaner) report(p Problem, format string, args ...any) {
	if len(c.res.Problems) >= maxProblems && p.Rule.Severity != diag.Error {
		c.unlisted++
		return
	}
	p.Message = fmt.Sprintf(format, args...)
	c.res.Problems = append(c.res.Problems, p)
}

// where returns the offset in the body of an offset in the source.
func (c *cleaner) where(at int) int {
	if c.origin != nil {
		return c.origin(c.base + at)
	}
	return c.base + at
}
