package generator

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/preview"
)

// View is the snapshot of a site at one moment. Its files are made when they are
// asked for, from what is set aside of each record. It does not change, and any
// number of goroutines may use it as long as its [Live] is open.
type View struct {
	languages []string                 // of the site, the reference language first
	shown     func(name string) string // a source as messages name it
	links     api.Links
	aside     *heads
	media     preview.Media
	pages     *collection // those of the run, in which earlier versions stand in for some; then others that were kept
	own       int         // how many are those of the run
	tails     []head
	broken    map[int32]preview.Version // what is shown of pages whose sources have errors
	order     []int32                   // places of the records shown, newest first
	byID      []int32                   // the same, by id
}

// newView returns a view of all records of a run that are whole, and of earlier
// versions of others. Of records with one id only one is shown: the first of those
// without errors, else the first that was kept.
func newView(r *run, broken []int32, kept map[string]keptPage) *View {
	content := r.Content
	v := &View{shown: func(name string) string { return shownIn(content, name) }, links: r.links, aside: r.heads, media: r.servedMedia(),
		pages: &r.collection, own: len(r.collection.pages), tails: r.trace.tails}
	if r.site != nil {
		v.languages = r.site.Languages
	}
	v.mark(broken)
	v.keep(kept)
	var ordering sync.WaitGroup
	ordering.Go(func() { v.order = v.pages.newestFirst() })
	v.byID = make([]int32, 0, len(v.pages.pages))
	for i := range v.pages.pages {
		if v.isWhole(int32(i)) {
			v.byID = append(v.byID, int32(i))
		}
	}
	rank := map[preview.Version]int{preview.Earlier: 1, preview.Flawed: 2}
	slices.SortFunc(v.byID, func(a, b int32) int {
		if order := v.compareID(a, v.pages.pages[b].ID); order != 0 {
			return order
		}
		return cmp.Or(cmp.Compare(rank[v.broken[a]], rank[v.broken[b]]), cmp.Compare(a, b))
	})
	v.byID = slices.CompactFunc(v.byID, func(a, b int32) bool {
		return v.pages.pages[a].ID == v.pages.pages[b].ID
	})
	ordering.Wait()
	if len(v.byID) < len(v.order) {
		v.order = slices.DeleteFunc(v.order, func(place int32) bool { return !v.isShown(place) })
	}
	return v
}

// mark says of pages that they have errors.
func (v *View) mark(broken []int32) {
	v.broken = make(map[int32]preview.Version, len(broken))
	for _, place := range broken {
		v.broken[place] = preview.Hidden
		if v.isWhole(place) {
			v.broken[place] = preview.Flawed
		}
	}
}

// keep puts earlier versions of pages in their places.
func (v *View) keep(kept map[string]keptPage) {
	if len(kept) == 0 {
		return
	}
	// The run that comes next goes by the collection of this one.
	v.pages = &collection{pages: slices.Clone(v.pages.pages), records: slices.Clone(v.pages.records)}
	v.tails = slices.Clone(v.tails)
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		k := kept[name]
		place, ok := v.findSource(name)
		if !ok {
			place = len(v.pages.pages)
			v.pages.pages, v.pages.records, v.tails = append(v.pages.pages, page.Record{}), append(v.pages.records, record{}), append(v.tails, head{})
		}
		v.pages.pages[place], v.pages.records[place].head, v.tails[place] = k.page, k.head, k.tail
		v.broken[int32(place)] = preview.Earlier
	}
}

// findSource returns the place of a page of the run; only those are in order.
func (v *View) findSource(path string) (int, bool) {
	own := collection{pages: v.pages.pages[:v.own]}
	return own.find(path)
}

// isWhole reports whether there is something to show of a page.
func (v *View) isWhole(place int32) bool {
	return v.pages.records[place].head != (head{}) && v.tails[place] != (head{})
}

// isShown reports whether a page has its id to itself, and is whole.
func (v *View) isShown(place int32) bool {
	shown, ok := v.find(v.pages.pages[place].ID)
	return ok && shown == place
}

func (v *View) compareID(place int32, id uuid.UUID) int {
	return bytes.Compare(v.pages.pages[place].ID[:], id[:])
}

func (v *View) find(id uuid.UUID) (place int32, ok bool) {
	i, ok := slices.BinarySearchFunc(v.byID, id, v.compareID)
	if !ok {
		return 0, false
	}
	return v.byID[i], true
}

// Len returns how many records the view shows.
func (v *View) Len() int { return len(v.order) }

// Answer returns the bytes of a file of the snapshot, given by its path in it,
// or nil where there is none. An error means that what was set aside cannot be
// read.
func (v *View) Answer(file string) ([]byte, error) {
	switch file {
	case api.NotFoundFile:
		return []byte(api.NotFoundBody), nil
	case api.MethodNotAllowedFile:
		return []byte(api.MethodNotAllowedBody), nil
	}
	a, ok := api.ParseFile(file)
	switch {
	case !ok:
		return nil, nil
	case a.List > 0:
		return v.list(a)
	}
	return v.detail(a)
}

func (v *View) list(a api.Answer) ([]byte, error) {
	if a.List > api.ListPages(len(v.order)) {
		return nil, nil
	}
	list, _, err := v.pages.list(v.order, a.List, nil, func(dst []byte, place int32) ([]byte, error) {
		return v.aside.append(dst, v.pages.records[place].head)
	})
	if err != nil {
		return nil, err
	}
	return v.links.AppendEnvelope(nil, list, a.Variant), nil
}

func (v *View) detail(a api.Answer) ([]byte, error) {
	place, ok := v.find(a.ID)
	if !ok {
		return nil, nil
	}
	head, err := v.aside.append(nil, v.pages.records[place].head)
	if err != nil {
		return nil, err
	}
	tail, err := v.aside.append(nil, v.tails[place])
	if err != nil {
		return nil, err
	}
	return v.links.AppendDetail(nil, head, tail, a.ID, a.Variant), nil
}

// changed returns the ids of the records that differ from those of another view:
// added, removed, or made anew.
func (v *View) changed(old *View) []uuid.UUID {
	ids := []uuid.UUID{}
	a, b := v.byID, old.byID
	for len(a)+len(b) > 0 {
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = v.compareID(a[0], old.pages.pages[b[0]].ID)
		}
		switch {
		case order < 0:
			ids = append(ids, v.pages.pages[a[0]].ID)
			a = a[1:]
		case order > 0:
			ids = append(ids, old.pages.pages[b[0]].ID)
			b = b[1:]
		default:
			if v.pages.records[a[0]].head != old.pages.records[b[0]].head || v.tails[a[0]] != old.tails[b[0]] {
				ids = append(ids, v.pages.pages[a[0]].ID)
			}
			a, b = a[1:], b[1:]
		}
	}
	return ids
}
