package view

import (
	"errors"
	"io/fs"
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

// owners counts the pages that have an id.
type owners struct {
	all, whole int
	isUsed     bool // by a page without errors
}

// findBroken returns the indexes of the pages that have errors, and the owners of all
// ids. Pages with one id all have an error: none of them is known to be the right one.
func findBroken(c *corpus.Corpus) (broken []int32, ids map[uuid.UUID]owners) {
	if c.Errors() == 0 {
		return nil, nil
	}
	ids = make(map[uuid.UUID]owners)
	for i := range c.Pages {
		p := &c.Pages[i]
		o := ids[p.ID]
		o.all++
		if p.IsWhole() {
			o.whole++
		}
		ids[p.ID] = o
	}
	for i := range c.Pages {
		p := &c.Pages[i]
		if o := ids[p.ID]; o.whole > 1 || c.HasError(p.Path) {
			broken = append(broken, int32(i))
		} else {
			o.isUsed = true
			ids[p.ID] = o
		}
	}
	return broken, ids
}

// keep returns the versions in the view that stand in for pages which have errors in
// the corpus, by path.
func (v *View) keep(s *settings.Settings, c *corpus.Corpus, broken []int32, ids map[uuid.UUID]owners) map[string]keptVersion {
	kept := make(map[string]keptVersion)
	for _, i := range broken {
		p := &c.Pages[i]
		var earlier keptVersion
		shown, ok := v.findSource(p.Path)
		if ok {
			earlier, ok = v.version(shown)
		}
		if !ok && !ids[p.ID].isUsed || ok && earlier.page.ID != p.ID && ids[p.ID].all == 1 {
			if there, moved := v.moved(s, c, p); moved {
				earlier, ok = there, true
			}
		}
		if ok && (earlier.isGood || !p.IsWhole()) {
			kept[p.Path] = earlier
		}
	}
	if !c.WalkFailed() {
		return kept
	}
	for i := range v.pages {
		name := v.pages[i].Path
		_, listed := corpus.Find(c.Pages, name)
		_, leftOut := slices.BinarySearch(c.LeftOut, name)
		if listed || leftOut || !isUnlistable(s, c, name) {
			continue
		}
		if earlier, ok := v.version(i); ok {
			kept[name] = earlier
		}
	}
	return kept
}

// version returns the version of a page that the view has, if it has one.
func (v *View) version(i int) (keptVersion, bool) {
	b, isBroken := v.broken[int32(i)]
	return keptVersion{v.pages[i], !isBroken || b.isGood}, v.pages[i].IsWhole()
}

// moved returns the version that the view has of a page whose source was moved: one
// with the id that the source gives, where no source gives that id, or may, at the
// path of that version.
func (v *View) moved(s *settings.Settings, c *corpus.Corpus, now *corpus.Page) (keptVersion, bool) {
	shown, ok := v.find(now.ID)
	if !ok || now.IDPosition == (page.Position{}) {
		return keptVersion{}, false
	}
	name := v.pages[shown].Path
	if i, listed := corpus.Find(c.Pages, name); listed {
		if there := &c.Pages[i]; there.ID == now.ID || there.IDPosition == (page.Position{}) {
			return keptVersion{}, false
		}
	} else if isUnlistable(s, c, name) {
		return keptVersion{}, false
	}
	earlier, ok := v.version(int(shown))
	earlier.page.Path = now.Path
	return earlier, ok
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

// move copies kept versions from the spool of the view to another one.
func (v *View) move(kept map[string]keptVersion, spool *corpus.Spool) error {
	if spool == v.spool {
		return nil
	}
	w := corpus.Spooler{Spool: spool}
	for name, k := range kept {
		for _, ref := range []*corpus.Ref{&k.page.Item, &k.page.Suffix} {
			part, err := v.spool.Append(nil, *ref)
			if err == nil {
				*ref, err = w.Write(part)
			}
			if err != nil {
				return err
			}
		}
		kept[name] = k
	}
	return w.Flush()
}
