package corpus

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/settings"
)

// reportedFiles returns the names of the files whose problems are reported, or nil for all.
func reportedFiles(s *settings.Settings) map[string]bool {
	if len(s.Only) == 0 {
		return nil
	}
	files := map[string]bool{s.SiteName: true, s.Shown(""): true}
	for _, name := range s.Only {
		files[s.Shown(name)] = true
	}
	return files
}

// only returns the pages of settings.Options.Only. A name that is none of a source is an
// error.
func (c *Corpus) only() (pages []int32, err error) {
	for _, name := range c.settings.Only {
		i, ok := slices.BinarySearchFunc(c.Sources, name, func(s Source, name string) int { return strings.Compare(s.Path, name) })
		switch {
		case ok && c.Sources[i].page != none:
			pages = append(pages, c.Sources[i].page)
		case !ok && c.IsWalked && !c.HasError(name) && c.settings.Shown(name) != c.settings.SiteName:
			return nil, fmt.Errorf("there is no source page %s; give the path of one, from here or from the content folder", diag.Quote(name))
		}
	}
	slices.Sort(pages)
	return slices.Compact(pages), nil
}

// anchorTargets returns the other pages to whose anchors links of some pages lead.
func (c *Corpus) anchorTargets(pages []int32) (targets []int32) {
	for _, i := range pages {
		for _, l := range c.Pages[i].body.links {
			if index, ok := Find(c.Pages, l.target); ok {
				targets = append(targets, int32(index))
			}
		}
	}
	slices.Sort(targets)
	return slices.DeleteFunc(slices.Compact(targets), func(i int32) bool {
		_, isKnown := slices.BinarySearch(pages, i)
		return isKnown
	})
}
