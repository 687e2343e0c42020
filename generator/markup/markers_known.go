package markup

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"example.org/sivu/generator/page"
)

// treat returns what becomes of a marker, and the text in its place, and counts it. Pair is
// the opening one, or t.
func (m *markers) treat(t, pair *token) (treatment, insert string) {
	if t.syntax == "" {
		return "", m.element(t, pair)
	}
	rule, decided := m.opts.Markers[t.name]
	if !decided {
		if treatment, insert = m.understand(t, pair); treatment != "" {
			if t == pair {
				m.count(t, treatment, true)
			}
			return treatment, insert
		}
		rule, decided = m.opts.Markers[AnyMarker]
	}
	isPaired := pair.mate != none
	treatment = cmp.Or(rule, MarkerUnwrap)
	if treatment == MarkerUnwrap && !isPaired && t.kind != closing {
		treatment = MarkerDrop
	}
	if isPaired && t.kind == closing {
		return treatment, ""
	}
	if text := t.arg("text"); rule == "" && treatment == MarkerDrop && text != "" {
		treatment, insert = MarkerUnwrap, inline(text)
	}
	m.count(t, treatment, decided)
	if isPaired && treatment == MarkerUnwrap {
		insert = m.title(t)
	}
	return treatment, insert
}

// understand returns what becomes of a marker whose meaning is known, or "".
func (m *markers) understand(t, pair *token) (treatment, insert string) {
	src, href := t.arg("src"), t.arg("href", "url", "link")
	text := t.arg("title", "text", "label")
	isTemplate := t.syntax != component && t.syntax != directive && t.syntax != admonition
	switch {
	case !isTemplate:
	case t.name == "comment":
		return MarkerDrop, ""
	case t.name == "ref" || t.name == "relref" || t.name == "link" && t.syntax == liquidTag || t.name == "post_url":
		target := t.arg("path", "")
		if language := t.arg("lang"); language != "" && strings.HasPrefix(target, "/") {
			target = "/" + language + target
		} else if t.syntax == liquidTag && t.name == "link" {
			target = "/" + target
		}
		return markerLink, escapeAddress(refScheme + ":" + target)
	case t.name == "highlight" && pair.mate != none && m.syntax == page.Markdown && m.onOwnLines(pair):
		if t.kind == closing {
			return markerCode, "~~~~"
		}
		return markerCode, "~~~~" + t.arg("lang", "")
	case t.name == "figure" && src != "":
		return markerImage, m.image(t, src)
	case players[t.name] != "" && t.arg("id", "") != "":
		return markerEmbed, `<iframe src="` + players[t.name] + escapeAddress(t.arg("id", "")) + `"></iframe>`
	case pair.mate == none && t.kind != closing && isWhole(t.arg("")) && m.inAddress(t.start):
		return markerLink, escapeAddress(t.arg(""))
	}
	if href := pair.arg("href", "to", "url", "link"); href != "" && (isWhole(href) || !isTemplate) && m.isInLine(pair) {
		if t.kind == closing {
			return markerLink, "</a>"
		}
		return markerLink, `<a href="` + escapeAddress(href) + `">`
	}
	if pair.mate != none || t.kind == closing || t.name == "figure" {
		return "", ""
	}
	switch isImage := imageEndings[strings.ToLower(path.Ext(src))]; {
	case isWhole(src) && (isImage || t.arg("alt") != ""):
		return markerImage, m.image(t, src)
	case isWhole(href) && text != "":
		insert = `<a href="` + escapeAddress(href) + `"><strong>` + inline(text) + "</strong></a>"
		if more := t.arg("description"); more != "" {
			insert += " " + inline(more)
		}
		if m.blank {
			insert += "\n"
		}
		return markerLink, insert
	}
	return "", ""
}

// players are the addresses before the ids of films.
var players = map[string]string{"youtube": "https://www.youtube.com/embed/", "vimeo": "https://player.vimeo.com/video/"}

var imageEndings = setOf(".avif .gif .jpeg .jpg .png .svg .webp")

// isWhole reports whether an address means the same wherever it stands.
func isWhole(address string) bool {
	return strings.HasPrefix(address, "/") || strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// inAddress reports whether what stands at offset at is the address of a link.
func (m *markers) inAddress(at int) bool {
	before := string(m.src[max(0, at-len(`href="`)):at])
	return strings.HasSuffix(before, "](") || strings.HasSuffix(before, "href=\"") || strings.HasSuffix(before, "href='") || strings.HasSuffix(before, "href=")
}

// onOwnLines reports whether the marks of a pair begin their lines.
func (m *markers) onOwnLines(open *token) bool {
	begins := func(at int) bool { return at == 0 || m.src[at-1] == '\n' }
	return begins(open.start) && begins(m.tokens[open.mate].start)
}

// isInLine reports whether a pair stands in one line.
func (m *markers) isInLine(open *token) bool {
	const longest = 4096 // so that nested ones are not looked through again and again
	if open.mate == none || m.tokens[open.mate].start > open.end+longest {
		return false
	}
	return !strings.Contains(string(m.src[open.end:m.tokens[open.mate].start]), "\n")
}

// image returns the HTML of a figure.
func (m *markers) image(t *token, src string) string {
	caption := strings.Join(slices.DeleteFunc([]string{t.arg("title"), t.arg("caption"), t.arg("attr")}, func(s string) bool { return s == "" }), " ")
	img := `<img src="` + escapeAddress(src) + `" alt="` + html.EscapeString(oneLine(cmp.Or(t.arg("alt"), caption))) + `">`
	if link := t.arg("link"); link != "" {
		img = `<a href="` + escapeAddress(link) + `">` + img + "</a>"
	}
	switch {
	case caption == "":
		return img + "<!-- -->" // so that it does not begin a block of HTML in Markdown
	case m.blank && m.endsLine(t.end):
		return "<figure>" + img + "<figcaption>" + html.EscapeString(oneLine(caption)) + "</figcaption></figure>\n"
	}
	return img + " " + inline(caption)
}

// titleArgs are the arguments that hold a title which readers see, the most likely first.
var titleArgs = []string{"title", "heading", "header", "summary", "label", "caption"}

// title returns the title of what a pair of markers holds, as a strong paragraph.
func (m *markers) title(t *token) string {
	title := t.arg(titleArgs...)
	isHugo := t.syntax == hugoAngle || t.syntax == hugoPercent
	if title == "" && isHugo && t.name == "tab" {
		title = t.arg("")
	} else if title == "" && isHugo {
		title = t.arg("name")
	}
	if title == "" {
		return ""
	}
	title = "<strong>" + inline(title) + "</strong>"
	if !m.blank {
		return " " + title + " "
	}
	return title + "\n\n" + string(m.data[m.line:])
}

// inline returns a text for Markdown in which "<" begins no tag.
func inline(s string) string { return strings.ReplaceAll(oneLine(s), "<", "&lt;") }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// escapeAddress returns an address that ends neither a link in Markdown nor an attribute.
func escapeAddress(s string) string {
	return escape(s, func(i int) bool { return s[i] <= ' ' || isIn(s[i], "<>()\"'`\\") })
}

// arg returns the first argument of those names that is not empty. "" names the first
// positional one.
func (t *token) arg(names ...string) string {
	for _, name := range names {
		for _, a := range t.args {
			if a.name == name && a.value != "" {
				return a.value
			}
		}
	}
	return ""
}
