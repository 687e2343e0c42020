package corpus

import (
	"path"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
)

// racyTime is how much older than the previous build a file must be for its size and
// time to prove that it is the same: times of files are coarse, and clocks differ.
const racyTime = 2 * time.Second

// reuseListing takes the sources of the previous corpus, if all that was touched were
// among them and still are files. It reports false where the content folder has to be
// walked.
func (c *Corpus) reuseListing() bool {
	if c.previous == nil {
		return false
	}
	old := c.previous
	sources := make([]Source, len(old.Sources))
	for i := range sources {
		sources[i].File = old.Sources[i].File
	}
	for name := range c.options.Touched {
		i, ok := slices.BinarySearchFunc(sources, name, func(s Source, name string) int { return strings.Compare(s.Path, name) })
		if !ok || !sources[i].Refresh(c.settings.Files) {
			return false
		}
	}
	c.Sources, c.Listing = sources, old.Listing
	c.walkResults, c.media = old.walkResults, old.media
	c.addAll(c.walkResults)
	return true
}

// reuseHeads reuses the heads of files that did not change, and returns the indexes of
// the sources that are left to be read.
func (c *Corpus) reuseHeads() []int32 {
	c.Pages = make([]Page, len(c.Sources))
	todo := make([]int32, 0, len(c.Sources))
	var before []Source
	if c.previous != nil {
		before = c.previous.Sources
	}
	old := 0
	skip := func(path string) { // sources of the previous corpus that are gone
		for ; old < len(before) && before[old].Path < path; old++ {
			c.removed = append(c.removed, before[old].Path)
		}
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		s.previous = none
		skip(s.Path)
		isOld := old < len(before) && before[old].Path == s.Path
		if isOld {
			s.previous = int32(old)
			s.Path = before[old].Path // one of two equal texts is enough
			old++
		}
		if !isOld || !c.isUntouched(&before[s.previous].File, &s.File) || !c.hasSameFacts(&before[s.previous]) {
			todo = append(todo, int32(i))
			continue
		}
		c.reuseHead(int32(i))
		s.isUnchanged = true
	}
	for _, s := range before[old:] {
		c.removed = append(c.removed, s.Path)
	}
	return todo
}

// isUntouched reports whether a file need not be looked at to know that it is the
// same as for the previous corpus.
func (c *Corpus) isUntouched(old, now *source.File) bool {
	if old.Size != now.Size || old.ModTime != now.ModTime || old.ChangeTime != now.ChangeTime {
		return false
	}
	if c.options.Touched == nil {
		// Times of files in one folder say nothing of another.
		return c.previous.content == c.content && now.ModTime < c.previous.started-racyTime.Microseconds()
	}
	if c.options.Touched[c.settings.Site.SidecarOf(now.Path)] {
		return false
	}
	for name := now.Path; name != "."; name = path.Dir(name) {
		if c.options.Touched[name] {
			return false
		}
	}
	return true
}

// holds reports whether no date of a source of the previous corpus that a head depends on
// was passed since then, in either direction.
func (c *Corpus) holds(old *Source) bool {
	if old.page != none {
		if p := &c.previous.Pages[old.page]; p.isAhead != source.IsAhead(&p.Record, c.now) {
			return false
		}
	}
	return old.head.period.Holds(c.now)
}

// canReuse reports whether the head of source i can be reused, as its text has that hash.
// Where times of files are dates of pages, the same text is not enough.
func (c *Corpus) canReuse(i int32, hash uint64) bool {
	s := &c.Sources[i]
	if c.previous == nil || s.previous == none {
		return false
	}
	old := &c.previous.Sources[s.previous]
	return old.hash == hash && !c.settings.UsesDates(source.DatesMtime) && c.hasSameFacts(old)
}

// reuseHead fills in source i, and its page, from the previous corpus.
func (c *Corpus) reuseHead(i int32) {
	s := &c.Sources[i]
	old := &c.previous.Sources[s.previous]
	s.hash, s.gitDates, s.sitemap, s.head, s.page = old.hash, old.gitDates, old.sitemap, old.head, none
	c.addAll(s.head.problems)
	if old.page == none {
		return
	}
	s.page = i
	c.Pages[i] = c.previous.Pages[old.page]
	c.Pages[i].previous = old.page
}

// reuseLint takes the lint results of the previous corpus, if the pages are the same
// in all that rules read.
func (c *Corpus) reuseLint() bool {
	if c.previous == nil {
		return false
	}
	languages := c.settings.Site.Languages
	now, before := &lint.Collection{Pages: c.Records(), Languages: languages}, &lint.Collection{Pages: c.previous.Records(), Languages: languages}
	if !lint.Same(now, before) {
		return false
	}
	c.lintResults = c.previous.lintResults
	c.addAll(c.lintResults)
	return true
}

// reuseIndex finds the dependencies that resolve differently than for the previous
// corpus. If there are none, its index is used, where it has one; where nothing is
// rendered, none is needed.
func (c *Corpus) reuseIndex() bool {
	old := c.previous
	if old == nil {
		return false
	}
	c.changes = markup.Changes(old.Records(), c.Records(), old.LeftOut, c.LeftOut, isSource)
	if len(c.changes) > 0 {
		return false
	}
	if old.index != nil {
		c.index = old.index.With(c.Records(), c.LeftOut)
	}
	return true
}

// reuseBodies keeps the results of bodies whose source did not change and whose links
// lead where they led, and returns the indexes of the pages that are left to be rendered.
func (c *Corpus) reuseBodies() []int32 {
	todo := make([]int32, 0, len(c.Pages))
	for i := range c.Pages {
		p := &c.Pages[i]
		if p.previous != none && p.isRendered && !c.leadsElsewhere(p) {
			c.addAll(p.body.problems)
			continue
		}
		todo = append(todo, int32(i))
		c.Sources[p.source].isUnchanged = false
	}
	return todo
}

// leadsElsewhere reports whether links of a page may lead elsewhere than they did. A
// link to an anchor of a page that is gone does; the dependencies say so too, but a
// build cache may be wrong.
func (c *Corpus) leadsElsewhere(p *Page) bool {
	if len(c.changes) > 0 {
		for _, dependency := range p.hashes[:p.dependencies] {
			if _, ok := c.changes[markup.Dependency(dependency)]; ok {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.body.links, func(l anchorLink) bool {
		_, ok := Find(c.Pages, l.target)
		return !ok
	})
}
