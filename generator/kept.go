package generator

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/page"
)

// keptPage is an earlier version of a page: the last one without errors, or where
// there never was one, the last that could be shown.
type keptPage struct {
	page       page.Record
	head, tail head
	good       bool // it had no errors
}

// keep returns the earlier versions that stand in for pages whose sources have
// errors now, by path. What it keeps is set aside with the rest of run r.
func (l *Live) keep(r *run, broken []int32) (map[string]keptPage, error) {
	if l.view == nil || r.diagnostics.Errors() == 0 {
		return nil, nil
	}
	kept := make(map[string]keptPage)
	sources := r.countSources(broken)
	for _, place := range broken {
		name := r.collection.pages[place].Path
		earlier, ok := l.earlier(name)
		if id := r.collection.pages[place].ID; !ok || earlier.page.ID != id && sources[id] == 1 {
			if there, moved := l.moved(r, place); moved {
				earlier, ok = there, true
			}
		}
		if ok && (earlier.good || !r.isWhole(place)) {
			kept[name] = earlier
		}
	}
	if len(r.trace.walked) > 0 {
		for place := range l.view.pages.pages {
			l.keepUnlisted(r, l.view.pages.pages[place].Path, kept)
		}
	}
	return kept, l.move(kept, r.heads)
}

// keepUnlisted keeps a page of the view that an error keeps from being listed.
func (l *Live) keepUnlisted(r *run, name string, kept map[string]keptPage) {
	_, listed := r.collection.find(name)
	_, skipped := slices.BinarySearch(r.collection.skipped, name)
	if listed || skipped || !r.isUnlistable(name) {
		return
	}
	if earlier, ok := l.earlier(name); ok {
		kept[name] = earlier
	}
}

// broken returns the places of the pages that have errors: in their sources, or an
// id that others have too. Which of them has it by mistake cannot be told.
func (r *run) broken() []int32 {
	if r.diagnostics.Errors() == 0 {
		return nil
	}
	c := &r.collection
	shared := make(map[uuid.UUID]bool)
	for i := range c.pages {
		if r.isWhole(int32(i)) {
			_, again := shared[c.pages[i].ID]
			shared[c.pages[i].ID] = again
		}
	}
	var places []int32
	for i := range c.pages {
		if shared[c.pages[i].ID] || r.diagnostics.Failed(r.shown(c.pages[i].Path)) {
			places = append(places, int32(i))
		}
	}
	return places
}

// isUnlistable reports whether a page that is not listed may still be there: an
// error keeps it, or a folder that it lies in, from being read.
func (r *run) isUnlistable(name string) bool {
	if r.diagnostics.Failed(r.shown(name)) {
		return true
	}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		if r.diagnostics.Failed(r.shown(folder)) {
			_, err := fs.Stat(r.fsys, name)
			return !errors.Is(err, fs.ErrNotExist)
		}
		if folder == "." {
			return false
		}
	}
}

// isWhole reports whether a page can be shown as it is.
func (r *run) isWhole(place int32) bool {
	return r.collection.records[place].head != (head{}) && r.trace.tails[place] != (head{})
}

// earlier returns the version of a page that the view has, if it has one.
func (l *Live) earlier(name string) (keptPage, bool) {
	if earlier, ok := l.kept[name]; ok {
		return earlier, true
	}
	v := l.view
	place, ok := v.findSource(name)
	if !ok || !v.isWhole(int32(place)) {
		return keptPage{}, false
	}
	return keptPage{v.pages.pages[place], v.pages.records[place].head, v.tails[place], v.broken[int32(place)] == ""}, true
}

// countSources returns how many sources have the id of each of some pages.
func (r *run) countSources(places []int32) map[uuid.UUID]int {
	count := make(map[uuid.UUID]int, len(places))
	for _, place := range places {
		count[r.collection.pages[place].ID] = 0
	}
	for i := range r.collection.pages {
		id := r.collection.pages[i].ID
		if n, ok := count[id]; ok {
			count[id] = n + 1
		}
	}
	return count
}

// moved returns the version that the view has of a page whose source was moved: one
// with the id that the source gives, where no source gives that id, or may, in the
// place of that version.
func (l *Live) moved(r *run, place int32) (keptPage, bool) {
	now := r.collection.pages[place]
	shown, ok := l.view.find(now.ID)
	if !ok || now.IDPlace == (page.Place{}) {
		return keptPage{}, false
	}
	name := l.view.pages.pages[shown].Path
	if i, listed := r.collection.find(name); listed {
		if there := &r.collection.pages[i]; there.ID == now.ID || there.IDPlace == (page.Place{}) {
			return keptPage{}, false
		}
	} else if r.isUnlistable(name) {
		return keptPage{}, false
	}
	earlier, ok := l.earlier(name)
	earlier.page.Path = now.Path
	return earlier, ok
}

// move sets pages aside anew, where that is another place than that of the view.
func (l *Live) move(kept map[string]keptPage, aside *heads) error {
	if aside == l.view.aside {
		return nil
	}
	w := headWriter{heads: aside}
	var buffer []byte
	move := func(h head) (head, error) {
		var err error
		if buffer, err = l.view.aside.append(buffer[:0], h); err != nil {
			return head{}, err
		}
		return w.keep(buffer)
	}
	for name, k := range kept {
		var err error
		if k.head, err = move(k.head); err != nil {
			return err
		}
		if k.tail, err = move(k.tail); err != nil {
			return err
		}
		kept[name] = k
	}
	return w.flush()
}
