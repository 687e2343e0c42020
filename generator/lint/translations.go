package lint

import (
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

var missingTranslation = &diag.Rule{
	Name:     "missing-translation",
	Doc:      "every topic is there in every language of the site",
	Severity: diag.Warning,
}

// checkTranslations warns once per topic, at its page in the earliest language
// of the site that has one.
func checkTranslations(c *Collection, report func(diag.Diagnostic)) {
	eachTopic(c, func(pages []*page.Record) {
		if missing := missingLanguages(c.Languages, pages); len(missing) > 0 {
			report(missingTranslation.At(at(pages[0], page.Place{}), "not translated into %s", strings.Join(missing, ", ")))
		}
	})
}

// eachTopic calls f with the pages of every topic, sorted by the order of the
// site's languages.
func eachTopic(c *Collection, f func(pages []*page.Record)) {
	type ranked struct {
		page *page.Record
		rank int
	}
	order := c.sorted(byTopic)
	var group []ranked
	var pages []*page.Record
	for i, index := range order {
		p := c.Pages[index]
		group = append(group, ranked{p, slices.Index(c.Languages, p.Language)})
		if i+1 < len(order) && c.Pages[order[i+1]].Topic == p.Topic {
			continue
		}
		if p.Topic != "" {
			slices.SortStableFunc(group, func(a, b ranked) int { return a.rank - b.rank })
			for _, g := range group {
				pages = append(pages, g.page)
			}
			f(pages)
		}
		group, pages = group[:0], pages[:0]
	}
}

func missingLanguages(languages []string, pages []*page.Record) []string {
	return slices.DeleteFunc(slices.Clone(languages), func(language string) bool {
		return slices.ContainsFunc(pages, func(p *page.Record) bool { return p.Language == language })
	})
}

// Coverage is how far a site is translated.
type Coverage struct {
	Topics    int
	Languages []LanguageCoverage // in the order of the site
}

// LanguageCoverage is how many topics one language has.
type LanguageCoverage struct {
	Language string
	Topics   int // there in this language
	Outdated int // modified before the page in the reference language
}

// Cover counts the topics of each language.
func Cover(c *Collection) Coverage {
	coverage := Coverage{Languages: make([]LanguageCoverage, len(c.Languages))}
	for i, language := range c.Languages {
		coverage.Languages[i].Language = language
	}
	eachTopic(c, func(pages []*page.Record) {
		coverage.Topics++
		for _, p := range pages {
			i := slices.Index(c.Languages, p.Language)
			if i < 0 {
				continue
			}
			coverage.Languages[i].Topics++
			if pages[0].Language == c.Languages[0] && p.Modified < pages[0].Modified {
				coverage.Languages[i].Outdated++
			}
		}
	})
	return coverage
}
