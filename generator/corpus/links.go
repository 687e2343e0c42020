package corpus

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
)

// anchorLink is a link to an anchor on another page.
type anchorLink struct {
	target   string // path of that page's source
	anchor   uint64 // as in markup.Link
	text     string
	position page.Position
}

// checkAnchors reports the links whose anchor is not defined, once all bodies are
// rendered. Of anchors, half of each hash is kept: that one of a page's few anchors
// passes for another by chance is one in a billion.
func (c *Corpus) checkAnchors() {
	for i := range c.Pages {
		p := &c.Pages[i]
		for _, l := range p.body.links {
			index, ok := Find(c.Pages, l.target)
			if !ok {
				continue // its page could not be rendered again, which was reported
			}
			target := &c.Pages[index]
			if !slices.Contains(target.anchors(), uint32(l.anchor)) && !target.isBodiless {
				c.Add(diagnostic(markup.Link{Text: l.text}.Broken(l.target), p.at(l.position)))
			}
		}
	}
}

// at returns a position in the source of a page.
func (p *Page) at(position page.Position) diag.Position {
	return diag.Position{File: p.Path, Line: int(position.Line), Column: int(position.Column)}
}

// diagnostic returns a problem of a body as one of its file.
func diagnostic(p markup.Problem, at diag.Position) diag.Diagnostic {
	d := p.Rule.At(at, "%s", p.Message)
	d.Hint, d.Missing = p.Hint, p.Missing
	return d
}

// reportCounts warns once about all addresses of assets that stay relative, and once
// about all removals that no reader notices.
func (c *Corpus) reportCounts() {
	assets, looks := 0, 0
	for i := range c.Pages {
		body := c.Pages[i].body
		assets, looks = assets+body.assets, looks+body.looks
	}
	if assets > 0 {
		what := "1 relative address of an image or another asset stays"
		if assets > 1 {
			what = fmt.Sprintf("%d relative addresses of images and other assets stay", assets)
		}
		c.Add(markup.AssetAddress.At(diag.Position{}, "%s relative; sivu publishes no assets", what).
			WithHint(`name the address where they are served under "assets" in site.yaml`))
	}
	if looks > 0 {
		what := "1 attribute is"
		if looks > 1 {
			what = fmt.Sprintf("%d attributes are", looks)
		}
		c.Add(markup.Cosmetic.At(diag.Position{}, "%s removed that only looks, loading or scripts need, as target, style or data-*", what))
	}
}

// maxSuggestions limits the broken links that get a "did you mean": each is compared with
// all pages of a folder.
const maxSuggestions = 50

// Report returns all problems found so far. Hints that depend on all pages are found
// here and not where a body is rendered, as its problems may be reused.
func (c *Corpus) Report() diag.Report {
	report := c.diagnostics.Report()
	report.Site = []string{c.settings.Shown(""), c.settings.SiteName}
	content := strings.TrimSuffix(c.settings.Shown("x"), "x")
	linkOf := func(d diag.Diagnostic) markup.MissingLink {
		return markup.MissingLink{Folder: path.Dir(strings.TrimPrefix(d.Pos.File, content)), Link: d.Missing}
	}
	var links []markup.MissingLink
	for _, d := range report.Diagnostics {
		if d.Missing != "" && len(links) < maxSuggestions && !slices.Contains(links, linkOf(d)) {
			links = append(links, linkOf(d))
		}
	}
	if len(links) == 0 {
		return report
	}
	near := markup.Suggest(c.Records(), isSource, links)
	for i, d := range report.Diagnostics {
		if d.Missing == "" {
			continue
		}
		if k := slices.Index(links, linkOf(d)); k >= 0 && near[k] != "" {
			report.Diagnostics[i].Hint = fmt.Sprintf("did you mean %s?", diag.Quote(near[k]))
		}
	}
	return report
}
