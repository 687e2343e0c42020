package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"example.org/sivu/generator/page"
)

// titleSources returns where titles come from, in order. Without "title_from", that is
// the title, else the first heading; a list that does not name the two has the title
// first, and the heading before the path.
func titleSources(site *Site) []string {
	sources := slices.Clone(site.TitleFrom)
	if !slices.Contains(sources, "title") {
		sources = slices.Insert(sources, 0, "title")
	}
	if slices.Contains(sources, TitleHeading) {
		return sources
	}
	if i := slices.Index(sources, TitlePath); i >= 0 {
		return slices.Insert(sources, i, TitleHeading)
	}
	return append(sources, TitleHeading)
}

// findTitle finds the title: the first text that a source of titles gives.
func (p *reading) findTitle() {
	if slices.Contains(p.mistyped, "title") {
		return
	}
	e, title := p.doc.Page.Meta.Get("title"), ""
	for _, from := range p.titles {
		title = strings.TrimFunc(p.titleFrom(from, e), isBlank)
		if title != "" || e != nil && p.site.TitleFrom == nil { // an empty title is a mistake, unless the site says what takes its place
			break
		}
	}
	switch {
	case title != "" && e != nil:
		e.Value, e.Null = title, false
	case title != "":
		p.keep(page.Entry{Key: "title", Value: title})
	case e == nil:
		p.problem(ruleTitle.At(p.top(), "the page has no title").
			WithHint("%s", cmp.Or(p.letterCaseHint(cmp.Or(p.site.Fields["title"], "title")), "give it a \"title\", or begin its body with a heading of level 1")))
	case e.Null:
		p.problem(ruleTitle.At(p.entry(e), "the title is null"))
	default:
		p.problem(ruleTitle.At(p.entry(e), "the title is empty"))
	}
}

// titleFrom returns the title that a source gives, or "". Given is that of the page.
func (p *reading) titleFrom(from string, given *page.Entry) (title string) {
	switch from {
	case "title":
		if given != nil {
			title = given.Value
		}
	case TitleHeading:
		if !p.head.broken {
			title = p.format.heading(p.text[p.head.bodyStart:p.head.bodyEnd])
		}
	case TitlePath:
		title = titleOfPath(p.path)
	default:
		if f := p.naming.find(p.head.fields, p.naming.name(from)); f != nil && f.shape == scalar {
			title = f.value
		}
	}
	if _, found := controlCharacter(title); found && from != "title" {
		return ""
	}
	return title
}

// titleOfPath returns the last segment of a page's path; that of the folder
// where the page is the folder's index.
func titleOfPath(name string) string {
	return path.Base(strings.TrimSuffix(strings.TrimSuffix(name, "/index"), "/_index"))
}

// isBlank reports whether a character at the edge of a title is there by chance: a space
// of any width, a tab or a line end.
func isBlank(c rune) bool { return unicode.Is(unicode.Zs, c) || strings.ContainsRune("\t\r\n", c) }
