package corpus

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
)

// CheckOnly returns an error where a path of settings.Options.Only is that of no source.
func (c *Corpus) CheckOnly() error {
	for _, name := range c.settings.Only {
		if _, ok := c.find(name); !ok && c.IsWalked && !c.HasError(name) && c.settings.Shown(name) != c.settings.SiteName {
			return fmt.Errorf("%s is no source page of the content folder, or it is excluded in site.yaml; leave it out", diag.Quote(c.settings.Shown(name)))
		}
	}
	return nil
}

// find returns the source of a path.
func (c *Corpus) find(path string) (*Source, bool) {
	i, ok := slices.BinarySearchFunc(c.Sources, path, func(s Source, path string) int { return strings.Compare(s.Path, path) })
	if !ok {
		return nil, false
	}
	return &c.Sources[i], true
}

// only returns the pages of settings.Options.Only.
func (c *Corpus) only() (pages []int32) {
	for _, name := range c.settings.Only {
		if s, ok := c.find(name); ok && s.page != none && !slices.Contains(pages, s.page) {
			pages = append(pages, s.page)
		}
	}
	return pages
}

// anchorTargets returns the pages to whose anchors links of some pages lead, without those
// pages.
func (c *Corpus) anchorTargets(pages []int32) (targets []int32) {
	known := map[int32]bool{}
	for _, i := range pages {
		known[i] = true
	}
	for _, i := range pages {
		r := c.Sources[c.Pages[i].source].rare
		if r == nil {
			continue
		}
		for _, l := range r.links {
			if index, ok := Find(c.Pages, l.target); ok && !known[int32(index)] {
				known[int32(index)] = true
				targets = append(targets, int32(index))
			}
		}
	}
	return targets
}

// reportOnly returns the problems of settings.Options.Only and of the site.
func (c *Corpus) reportOnly(report diag.Report) diag.Report {
	files := map[string]bool{}
	for _, name := range c.settings.Only {
		files[c.settings.Shown(name)] = true
	}
	return report.Only(func(d diag.Diagnostic) bool {
		return d.Shared || files[d.Pos.File] || slices.Contains(report.Site, d.Pos.File)
	})
}
