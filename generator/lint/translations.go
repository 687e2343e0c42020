package lint

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

var missingTranslation = &diag.Rule{
	Name:     "missing-translation",
	Doc:      "every topic is there in every language of the site",
	Severity: diag.Warning,
}

// gap is a topic that is not there in some languages.
type gap struct {
	first   *page.Record
	missing []string
}

// checkTranslations warns once per topic, at its page in the earliest language
// of the site that has one, and once of all languages that no page is in.
func checkTranslations(c *Collection, report func(diag.Diagnostic)) {
	var gaps []gap
	named := map[string][]gap{}
	used := map[string]bool{}
	for _, p := range c.Pages {
		if p.Topic != "" {
			used[p.Language] = true
		}
	}
	languages := slices.DeleteFunc(slices.Clone(c.Languages), func(l string) bool { return !used[l] })
	unused := slices.DeleteFunc(slices.Clone(c.Languages), func(l string) bool { return used[l] })
	if len(unused) > 0 && len(languages) > 0 {
		report(missingTranslation.At(diag.Position{}, "no page is in %s", diag.JoinQuoted(unused, "or")).
			WithHint(`list the languages that the site has under "languages" in site.yaml`))
	}
	eachTopic(c, func(pages []*page.Record) {
		missing := slices.DeleteFunc(slices.Clone(languages), func(language string) bool {
			return slices.ContainsFunc(pages, func(p *page.Record) bool { return p.Language == language })
		})
		if len(missing) > 0 {
			g := gap{pages[0], missing}
			gaps, named[g.name()] = append(gaps, g), append(named[g.name()], g)
		}
	})
	for _, g := range gaps {
		d := missingTranslation.At(at(g.first, page.Position{}), "not translated into %s", diag.JoinQuoted(g.missing, "and"))
		if from, to, ok := moved(languages, named[g.name()]); ok {
			d = d.WithHint("if %s was moved, move its translations, such as %s, as well, or give them \"topic: %s\"",
				diag.Quote(to.Path), diag.Quote(from.Path), diag.Clean(to.Topic))
		}
		report(d)
	}
}

// name returns the last segment of the topic; that of the folder for its index.
func (g gap) name() string {
	return path.Base(strings.TrimSuffix(strings.TrimSuffix(g.first.Topic, "/_index"), "/index"))
}

// moved reports whether the gaps of one name look like a topic whose page in the reference
// language was moved to, and whose other pages stayed where from is: they are two, and no
// language has both.
func moved(languages []string, gaps []gap) (from, to *page.Record, ok bool) {
	if len(gaps) != 2 {
		return nil, nil, false
	}
	to, from = gaps[0].first, gaps[1].first
	if to.Language != languages[0] {
		to, from = from, to
	}
	return from, to, to.Language == languages[0] && from.Language != languages[0] && !slices.ContainsFunc(languages, func(l string) bool {
		return !slices.Contains(gaps[0].missing, l) && !slices.Contains(gaps[1].missing, l)
	})
}

// eachTopic calls f with the pages of every topic, sorted by the order of the
// site's languages. The topics come in no order: numbers sort faster than texts.
func eachTopic(c *Collection, f func(pages []*page.Record)) {
	type hashed struct {
		topic       uint64
		index, rank int32 // rank of the language
	}
	list := make([]hashed, len(c.Pages))
	for i, p := range c.Pages {
		list[i] = hashed{xxhash.Sum64String(p.Topic), int32(i), int32(slices.Index(c.Languages, p.Language))}
	}
	slices.SortFunc(list, func(a, b hashed) int {
		if a.topic != b.topic {
			return cmp.Compare(a.topic, b.topic)
		}
		return cmp.Or(strings.Compare(c.Pages[a.index].Topic, c.Pages[b.index].Topic), int(a.rank-b.rank), int(a.index-b.index))
	})
	var pages []*page.Record
	for i, h := range list {
		p := c.Pages[h.index]
		pages = append(pages, p)
		if i+1 < len(list) && c.Pages[list[i+1].index].Topic == p.Topic {
			continue
		}
		if p.Topic != "" {
			f(pages)
		}
		pages = pages[:0]
	}
}

// Coverage is how far a site is translated.
type Coverage struct {
	Topics    int
	Languages []LanguageCoverage // in the order of the site
}

// LanguageCoverage is how many topics one language has.
type LanguageCoverage struct {
	Language     string
	Topics       int // there in this language
	Stubs        int // not there, but begun
	Untranslated int // there with the text of the reference language; not among Topics
	Outdated     int // modified before the page in the reference language
}

// Missing returns how many of the topics a language lacks.
func (l LanguageCoverage) Missing(c Coverage) int {
	return c.Topics - l.Topics - l.Stubs - l.Untranslated
}

// Cover counts the topics of each language.
func Cover(c *Collection) Coverage {
	coverage := Coverage{Languages: make([]LanguageCoverage, len(c.Languages))}
	for i, language := range c.Languages {
		coverage.Languages[i].Language = language
	}
	stubs := make(map[Stub]bool, len(c.Stubs))
	for _, stub := range c.Stubs {
		stubs[stub] = true
	}
	eachTopic(c, func(pages []*page.Record) {
		coverage.Topics++
		for i, language := range c.Languages {
			isStub := len(stubs) > 0 && stubs[Stub{pages[0].Topic, language}]
			if isStub && !slices.ContainsFunc(pages, func(p *page.Record) bool { return p.Language == language }) {
				coverage.Languages[i].Stubs++
			}
		}
		for _, p := range pages {
			i := slices.Index(c.Languages, p.Language)
			if i < 0 {
				continue
			}
			if isUntranslated(p, pages[0], c.Languages[0]) {
				coverage.Languages[i].Untranslated++
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

// isUntranslated reports whether a page has the text of the page in the reference
// language. That is no fault of a language that differs in its region alone.
func isUntranslated(p, reference *page.Record, language string) bool {
	if reference.Language != language || p.Text == 0 || p.Text != reference.Text {
		return false
	}
	mine, _, _ := strings.Cut(p.Language, "-")
	theirs, _, _ := strings.Cut(language, "-")
	return mine != theirs
}
