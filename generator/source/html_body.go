package source

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// bodyEnd returns where the body that begins at start ends: at the last
// </body>, else at the last </html>, else with the text. Outside is where text
// stands after it, or -1.
func bodyEnd(text []byte, start int) (end, outside int) {
	if end, ok := lastEndTag(text, start); ok {
		return end, -1
	}
	end, outside = len(text), -1
	tag := ""
	s := newScanner(text, start)
	for token := s.next(); token != html.ErrorToken; token = s.next() {
		if token == html.EndTagToken {
			name, _ := s.TagName()
			if name := string(name); name == "body" || name == "html" && tag != "body" {
				tag, end, outside = name, s.start, -1
				continue
			}
			if string(name) == "html" {
				continue
			}
		}
		at := s.start
		if token == html.TextToken {
			at = inked(text, s.start, s.end)
		}
		if tag != "" && outside < 0 && token != html.CommentToken && token != html.DoctypeToken {
			outside = at
		}
	}
	return end, outside
}

// lastEndTag finds </body> where nothing but </html> and white space stands
// after it, as in most documents, without a look at the rest. Such a tag ends
// the body even where a comment before it was never closed.
func lastEndTag(text []byte, start int) (end int, ok bool) {
	const body, root = "</body>", "</html>"
	rest := bytes.TrimRight(text[start:], htmlSpace)
	if n := len(rest) - len(root); n >= 0 && strings.EqualFold(string(rest[n:]), root) {
		rest = bytes.TrimRight(rest[:n], htmlSpace)
	}
	n := len(rest) - len(body)
	return start + n, n >= 0 && strings.EqualFold(string(rest[n:]), body)
}

// inked returns where the first character of a part of a text stands that is
// not white space, or -1.
func inked(text []byte, start, end int) int {
	rest := bytes.TrimLeft(text[start:end], htmlSpace)
	if len(rest) == 0 {
		return -1
	}
	return end - len(rest)
}

// htmlSpace is white space as HTML has it.
const htmlSpace = " \t\n\f\r"

// trimHTML returns the part of a text without white space at both ends.
func trimHTML(text []byte, start, end int) (int, int) {
	end = max(start, end)
	part := bytes.TrimLeft(text[start:end], htmlSpace)
	start = end - len(part)
	return start, start + len(bytes.TrimRight(part, htmlSpace))
}

// collapse returns a text with its white space as HTML shows it.
func collapse(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(htmlSpace, r) })
	return strings.Join(words, " ")
}

// htmlHeading returns the text of the first <h1> of an HTML body.
func htmlHeading(body []byte) string {
	s := newScanner(body, 0)
	var b strings.Builder
	inside, hidden := false, 0
	for {
		switch s.next() {
		case html.ErrorToken:
			return collapse(b.String())
		case html.StartTagToken:
			name, _ := s.TagName()
			switch string(name) {
			case "h1":
				inside = true
			case "script", "style", "template":
				hidden++
			case "br":
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			name, _ := s.TagName()
			switch string(name) {
			case "h1":
				if text := collapse(b.String()); text != "" {
					return text
				}
				b.Reset()
				inside = false
			case "script", "style", "template":
				hidden = max(hidden-1, 0)
			}
		case html.TextToken:
			if inside && hidden == 0 {
				b.Write(s.Text())
			}
		}
	}
}
