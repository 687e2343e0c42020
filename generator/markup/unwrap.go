package markup

import (
	"bytes"
	"regexp"
)

var (
	modifiedComment = regexp.MustCompile(`^[ \t\n\r\f]*<!--[ \t\n\r\f]*modified:(?s:.*?)-->`)
	wrapperStartTag = regexp.MustCompile(`^[ \t\n\r\f]*(?i:<div)[ \t\n\r\f]+(?i:class)[ \t\n\r\f]*=[ \t\n\r\f]*("xmldoc"|'xmldoc'|xmldoc)[ \t\n\r\f]*>`)
	wrapperEndTag   = regexp.MustCompile(`^(?i:</div)[ \t\n\r\f]*>[ \t\n\r\f]*$`)
)

// unwrap returns what lies between the tags of a body that looks like one
// div.xmldoc, with or without the comment before it, and the offset of that. A
// div with another attribute or class is more than a wrapper, and stays.
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
