package markup

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"example.org/sivu/generator/page"
)

// treat returns what becomes of a marker, and the text in its place, and counts it. Pair is
// the opening one, or t. Here treatments are decided: first by site.yaml for its name, then
// by what is known of it, then by site.yaml for all.
func (m *markers) treat(t, pair *token) (treatment, insert string) {
	if t.syntax == "" {
		if t.name == "p" && pair.mate != none && pair.first && m.endsLine(pair.end) && m.tokens[pair.mate].first {
			return "", "" // it is around paragraphs, which are none of its own
		}
		return "", t.insert
	}
	isPaired, before := pair.mate != none, m.addressMark(t.start)
	rule, isDecided := m.opts.Markers[t.name]
	if !isDecided || before != "" { // without its address a link would be no link
		if treatment, insert = m.understand(t, pair); treatment == "" && !isDecided {
			rule, isDecided = m.opts.Markers[AnyMarker]
		}
		isDecided = isDecided || treatment != ""
	}
	if treatment == "" {
		treatment = cmp.Or(rule, MarkerUnwrap)
		if isPaired && treatment == MarkerUnwrap && t == pair {
			insert = m.title(t)
		} else if before != "" && !isPaired {
			if treatment = MarkerDrop; before == "](" || before == "]:" {
				insert = "<>" // a title may follow: it needs an address before it
			}
		} else if rule == "" && t.kind != closing && !isPaired {
			insert = m.texts(t)
		}
		if treatment == MarkerUnwrap && !isPaired && insert == "" && t.kind != closing {
			treatment = MarkerDrop
		}
	}
	if t == pair {
		m.count(t, treatment, isDecided)
	}
	return treatment, insert
}

// understand returns what becomes of a marker whose meaning is known, or "".
func (m *markers) understand(t, pair *token) (treatment, insert string) {
	isPaired := pair.mate != none
	isTag := t.syntax == liquidTag
	isTemplate := m.syntax != page.MDX && templates[m.opts.Generator] != nil
	src, first := t.arg("src"), t.arg("path", "")
	if isTemplate {
		switch {
		case t.name == "comment":
			return MarkerDrop, ""
		case t.name == "ref" || t.name == "relref" || t.name == "post_url" || isTag && t.name == "link":
			if language := t.arg("lang"); language != "" && strings.HasPrefix(first, "/") {
				first = "/" + language + first
			} else if isTag && t.name == "link" {
				first = "/" + first
			}
			if m.addressMark(t.start) == "" {
				return MarkerDrop, "" // its address would be the text
			}
			return markerLink, escapeAddress(refScheme + ":" + first)
		case t.name == "highlight" && isPaired && m.syntax == page.Markdown && m.beginsLine(pair.start) && m.beginsLine(m.tokens[pair.mate].start):
			return markerCode, "~~~~" + t.arg("lang", "")
		case t.name == "figure" && src != "":
			return markerImage, m.image(t, src)
		case players[t.name] != "" && t.arg("id", "") != "":
			return markerEmbed, `<iframe src="` + players[t.name] + escapeAddress(t.arg("id", "")) + `"></iframe>`
		case isPaired || t.kind == closing || m.addressMark(t.start) == "":
		case isWhole(t.arg("")):
			return markerLink, escapeAddress(t.arg(""))
		case path.Ext(t.arg("")) == ".md":
			return markerLink, escapeAddress(refScheme + ":" + t.arg(""))
		}
	}
	href, text := pair.arg("href", "to", "url", "link"), t.arg("title", "text", "label")
	switch {
	case isPaired && href != "" && (isWhole(href) || !isTemplate) && m.isInLine(pair):
		if t.kind == closing {
			return markerLink, "</a>"
		}
		return markerLink, `<a href="` + escapeAddress(href) + `">`
	case isPaired || t.kind == closing:
	case isWhole(src) && (imageEndings[strings.ToLower(path.Ext(src))] || t.arg("alt") != ""):
		return markerImage, m.image(t, src)
	case isWhole(href) && text != "":
		link := `<a href="` + escapeAddress(href) + `"><strong>` + inline(text) + "</strong></a> " + inline(t.arg("description"))
		return markerLink, m.paragraph(t, strings.TrimSpace(link))
	}
	return "", ""
}

// texts returns the texts of a single marker that readers see, as far as is known. Those of
// an image that is lost stand in its place.
func (m *markers) texts(t *token) string {
	texts := ""
	for _, name := range []string{"text", "alt", "caption"} {
		if text := inline(t.arg(name)); !strings.Contains(texts, text) {
			texts += " – " + text
		}
	}
	texts = strings.TrimPrefix(texts, " – ")
	before, _ := utf8.DecodeLastRune(m.data)
	after, _ := utf8.DecodeRune(m.src[t.end:])
	if texts != "" && isSpaced(before) {
		texts = " " + texts
	}
	if texts != "" && isSpaced(after) {
		texts += " "
	}
	return m.paragraph(t, texts)
}

// paragraph returns a text that stands in the place of a marker. Where that begins a line,
// it is a paragraph of its own.
func (m *markers) paragraph(t *token, text string) string {
	switch {
	case text == "" || !m.blank:
		return text
	case m.endsLine(t.end):
		return text + "\n"
	}
	return text + "\n\n" + string(m.data[m.line:])
}

// imageName matches names of markers that are images.
var imageName = regexp.MustCompile(`(?i)img|image|figure|picture`)

// players are the addresses before the ids of films.
var players = map[string]string{"youtube": "https://www.youtube.com/embed/", "vimeo": "https://player.vimeo.com/video/"}

var imageEndings = setOf(".avif .gif .jpeg .jpg .png .svg .webp")

// isWhole reports whether an address means the same wherever it stands.
func isWhole(address string) bool {
	return strings.HasPrefix(address, "/") || strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// addressMarks are what addresses of links stand after.
var addressMarks = []string{"](", "](<", "]:", `href="`, "href='", "href=", `cite="`}

// addressMark returns which of addressMarks stands before offset at, or "".
func (m *markers) addressMark(at int) string {
	before := strings.TrimRight(string(m.src[max(0, at-len(`href="`)):at]), " ")
	i := slices.IndexFunc(addressMarks, func(mark string) bool { return strings.HasSuffix(before, mark) })
	if i < 0 {
		return ""
	}
	return addressMarks[i]
}

func (m *markers) beginsLine(at int) bool { return at == 0 || m.src[at-1] == '\n' }

func (m *markers) endsLine(at int) bool {
	_, ends := m.blanksAfter(at)
	return ends
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
	isHugo := m.opts.Generator == page.Hugo
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
	return m.paragraph(t, title)
}

// inline returns a text for Markdown in which "<" begins no tag.
func inline(s string) string { return strings.ReplaceAll(oneLine(s), "<", "&lt;") }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// escapeAddress returns an address that ends neither a link in Markdown nor an attribute.
func escapeAddress(s string) string {
	return escape(s, func(i int) bool { return s[i] <= ' ' || isIn(s[i], "<>()\"'`\\") })
}
