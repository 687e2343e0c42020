package view

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
)

// keptVersion is an earlier version of a page: the last one without errors, or where
// there never was one, the last that could be shown.
type keptVersion struct {
	page   corpus.Page
	isGood bool // it had no errors
}

// keep returns the earlier versions that stand in for pages whose sources have errors
// now, by path. They are in the spool of the corpus.
func (l *Live) keep(s *settings.Settings, c *corpus.Corpus, broken []int32) (map[string]keptVersion, error) {
	if l.view == nil || c.Errors() == 0 {
		return nil, nil
	}
	kept := make(map[string]keptVersion)
	sources := countSources(c, broken)
	unbroken := maps.Clone(sources)
	for _, i := range broken {
		unbroken[c.Pages[i].ID]--
	}
	for _, i := range broken {
		p := &c.Pages[i]
		earlier, ok := l.earlier(p.Path)
		if !ok && unbroken[p.ID] == 0 || ok && earlier.page.ID != p.ID && sources[p.ID] == 1 {
			if there, moved := l.moved(s, c, p); moved {
				earlier, ok = there, true
			}
		}
		if ok && (earlier.isGood || !p.IsWhole()) {
			kept[p.Path] = earlier
		}
	}
	if c.WalkFailed() {
		for i := range l.view.pages {
			l.keepUnlisted(s, c, l.view.pages[i].Path, kept)
		}
	}
	return kept, l.move(kept)
}

// keepUnlisted keeps a page of the view that an error keeps from being listed.
func (l *Live) keepUnlisted(s *settings.Settings, c *corpus.Corpus, name string, kept map[string]keptVersion) {
	_, listed := corpus.Find(c.Pages, name)
	_, leftOut := slices.BinarySearch(c.LeftOut, name)
	if listed || leftOut || !isUnlistable(s, c, name) {
		return
	}
	if earlier, ok := l.earlier(name); ok {
		kept[name] = earlier
	}
}

// brokenPages returns the indexes of the pages that have errors: in their sources, or
// an id that others have too. Which of them has it by mistake cannot be told.
func brokenPages(c *corpus.Corpus) []int32 {
	if c.Errors() == 0 {
		return nil
	}
	shared := make(map[uuid.UUID]bool)
	for i := range c.Pages {
		if p := &c.Pages[i]; p.IsWhole() {
			_, again := shared[p.ID]
			shared[p.ID] = again
		}
	}
	var broken []int32
	for i := range c.Pages {
		if p := &c.Pages[i]; shared[p.ID] || c.HasError(p.Path) {
			broken = append(broken, int32(i))
		}
	}
	return broken
}

// isUnlistable reports whether a page that is not listed may still be there: an
// error keeps it, or a folder that it lies in, from being read.
func isUnlistable(s *settings.Settings, c *corpus.Corpus, name string) bool {
	if c.HasError(name) {
		return true
	}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		if c.HasError(folder) {
			_, err := fs.Stat(s.Files, name)
			return !errors.Is(err, fs.ErrNotExist)
		}
		if folder == "." {
			return false
		}
	}
}

// earlier returns the version of a page that the view has, if it has one.
func (l *Live) earlier(name string) (keptVersion, bool) {
	if earlier, ok := l.kept[name]; ok {
		return earlier, true
	}
	v := l.view
	i, ok := v.findSource(name)
	if !ok || !v.pages[i].IsWhole() {
		return keptVersion{}, false
	}
	return keptVersion{v.pages[i], v.broken[int32(i)] == ""}, true
}

// countSources returns how many sources have the id of each of some pages.
func countSources(c *corpus.Corpus, pages []int32) map[uuid.UUID]int {
	count := make(map[uuid.UUID]int, len(pages))
	for _, i := range pages {
		count[c.Pages[i].ID] = 0
	}
	for i := range c.Pages {
		id := c.Pages[i].ID
		if n, ok := count[id]; ok {
			count[id] = n + 1
		}
	}
	return count
}

// moved returns the version that the view has of a page whose source was moved: one
// with the id that the source gives, where no source gives that id, or may, at the
// path of that version.
func (l *Live) moved(s *settings.Settings, c *corpus.Corpus, now *corpus.Page) (keptVersion, bool) {
	shown, ok := l.view.find(now.ID)
	if !ok || now.IDPosition == (page.Position{}) {
		return keptVersion{}, false
	}
	name := l.view.pages[shown].Path
	if i, listed := corpus.Find(c.Pages, name); listed {
		if there := &c.Pages[i]; there.ID == now.ID || there.IDPosition == (page.Position{}) {
			return keptVersion{}, false
		}
	} else if isUnlistable(s, c, name) {
		return keptVersion{}, false
	}
	earlier, ok := l.earlier(name)
	earlier.page.Path = now.Path
	return earlier, ok
}

// move copies versions to the spool, where that is another one than that of the view.
func (l *Live) move(kept map[string]keptVersion) error {
	if l.spool == l.view.spool {
		return nil
	}
	w := corpus.Spooler{Spool: l.spool}
	var buffer []byte
	for name, k := range kept {
		for _, ref := range []*corpus.Ref{&k.page.Item, &k.page.Suffix} {
			var err error
			if buffer, err = l.view.spool.Append(buffer[:0], *ref); err != nil {
				return err
			}
			if *ref, err = w.Write(buffer); err != nil {
				return err
			}
		}
		kept[name] = k
	}
	return w.Flush()
}
