package view

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/lists"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/settings"
)

// View is the snapshot of a site at one moment. Its files are made when they are asked
// for. It does not change, and any number of goroutines may use it as long as its
// [Live] is open.
type View struct {
	settings *settings.Settings
	links    api.Links
	spool    *corpus.Spool
	media    *media
	stubs    []preview.Stub
	pages    []corpus.Page        // of the corpus, some of them in earlier versions; then kept ones that it does not list; both by path
	own      int                  // number of pages of the corpus
	broken   map[int32]brokenPage // pages whose sources have errors
	order    []int32              // indexes of the records shown, newest first
	byID     []int32              // the same, by id
}

// brokenPage is how a page with errors is shown.
type brokenPage struct {
	version preview.Version
	isGood  bool // that version has no errors
}

// newView returns a view of all records of a corpus that are whole, and of earlier
// versions of others. Of records with one id only one is shown: the first without
// errors, else the first whose earlier version had none, else the first in an earlier
// version, else the first.
func newView(s *settings.Settings, c *corpus.Corpus, links api.Links, spool *corpus.Spool, media *media, broken []int32, kept map[string]keptVersion) *View {
	v := &View{settings: s, links: links, spool: spool, media: media, pages: c.Pages, own: len(c.Pages)}
	for _, stub := range c.Stubs() {
		v.stubs = append(v.stubs, preview.Stub(stub))
	}
	v.putVersions(broken, kept)
	var ordering sync.WaitGroup
	ordering.Go(func() { v.order = corpus.NewestFirst(v.pages) })
	v.byID = make([]int32, 0, len(v.pages))
	for i := range v.pages {
		if v.pages[i].IsWhole() {
			v.byID = append(v.byID, int32(i))
		}
	}
	preferred := []brokenPage{{}, {preview.Earlier, true}, {preview.Earlier, false}, {preview.Flawed, false}}
	rank := func(i int32) int { return slices.Index(preferred, v.broken[i]) }
	slices.SortFunc(v.byID, func(a, b int32) int {
		if order := v.compareID(a, v.pages[b].ID); order != 0 {
			return order
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	v.byID = slices.CompactFunc(v.byID, func(a, b int32) bool { return v.pages[a].ID == v.pages[b].ID })
	ordering.Wait()
	if len(v.byID) < len(v.order) {
		v.order = slices.DeleteFunc(v.order, func(i int32) bool { return !v.isShown(i) })
	}
	return v
}

// putVersions notes which pages have errors, and puts the versions that were kept in
// their places.
func (v *View) putVersions(broken []int32, kept map[string]keptVersion) {
	v.broken = make(map[int32]brokenPage, len(broken))
	for _, i := range broken {
		v.broken[i] = brokenPage{version: preview.Hidden}
		if v.pages[i].IsWhole() {
			v.broken[i] = brokenPage{version: preview.Flawed}
		}
	}
	if len(kept) == 0 {
		return
	}
	v.pages = slices.Clone(v.pages) // the next update reuses the corpus
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		i, ok := v.findSource(name)
		if !ok {
			i = len(v.pages)
			v.pages = append(v.pages, corpus.Page{})
		}
		v.pages[i] = kept[name].page
		v.broken[int32(i)] = brokenPage{preview.Earlier, kept[name].isGood}
	}
}

// findSource returns the index of the page of a source.
func (v *View) findSource(path string) (int, bool) {
	if i, ok := corpus.Find(v.pages[:v.own], path); ok {
		return i, true
	}
	i, ok := corpus.Find(v.pages[v.own:], path)
	return v.own + i, ok
}

// isShown reports whether a page is the one that is shown with its id.
func (v *View) isShown(i int32) bool {
	shown, ok := v.find(v.pages[i].ID)
	return ok && shown == i
}

func (v *View) compareID(i int32, id uuid.UUID) int { return bytes.Compare(v.pages[i].ID[:], id[:]) }

func (v *View) find(id uuid.UUID) (int32, bool) {
	if i, ok := slices.BinarySearchFunc(v.byID, id, v.compareID); ok {
		return v.byID[i], true
	}
	return 0, false
}

// Len returns how many records the view shows.
func (v *View) Len() int { return len(v.order) }

// Answer returns the bytes of a file of the snapshot, given by its path in it,
// or nil where there is none. An error means that the spool cannot be read.
func (v *View) Answer(file string) ([]byte, error) {
	switch file {
	case api.NotFoundFile:
		return []byte(api.NotFoundBody), nil
	case api.MethodNotAllowedFile:
		return []byte(api.MethodNotAllowedBody), nil
	}
	p, ok := api.ParseAnswer(file)
	switch {
	case !ok || p.Number() > api.ListPages(len(v.order)):
		return nil, nil
	case p.IsList():
		return v.list(max(p.Number(), 1), p.Variant())
	}
	i, ok := v.find(p.ID())
	if !ok {
		return nil, nil
	}
	return v.spool.AppendDetail(nil, &v.pages[i], v.links, p.Variant())
}

func (v *View) list(n int, variant api.Variant) ([]byte, error) {
	page := func(rank int) *corpus.Page { return &v.pages[v.order[rank]] }
	var maker lists.Page
	list, err := maker.Make(n, len(v.order), func(rank int) uuid.UUID { return page(rank).ID },
		func(dst []byte, rank int) ([]byte, error) { return v.spool.Append(dst, page(rank).Item) })
	if err != nil {
		return nil, err
	}
	return v.links.AppendEnvelope(nil, list, variant), nil
}

// changed returns the ids of the records that differ from those of another view:
// added, removed, or made anew.
func (v *View) changed(old *View) []uuid.UUID {
	ids := []uuid.UUID{}
	rest := old.byID
	for _, i := range v.byID {
		now := &v.pages[i]
		for ; len(rest) > 0 && old.compareID(rest[0], now.ID) < 0; rest = rest[1:] {
			ids = append(ids, old.pages[rest[0]].ID)
		}
		if len(rest) > 0 && old.pages[rest[0]].ID == now.ID {
			before := &old.pages[rest[0]]
			rest = rest[1:]
			if now.Item == before.Item && now.Suffix == before.Suffix {
				continue
			}
		}
		ids = append(ids, now.ID)
	}
	for _, i := range rest {
		ids = append(ids, old.pages[i].ID)
	}
	return ids
}

// site returns the view as the preview serves it.
func (v *View) site() preview.Site {
	site := preview.Site{Answers: v, Stubs: v.stubs, Pages: v.Pages()}
	if settings := v.settings.Site; settings != nil { // else they could never be read
		site.Languages = settings.Languages
		site.Media = preview.Media{Assets: settings.Assets, Files: v.media.served, Open: v.openMedia}
	}
	return site
}

// Pages returns what the page browser cannot learn from the records, and the pages
// that there is no record of.
func (v *View) Pages() []preview.Page {
	list := make([]preview.Page, len(v.order))
	for k, i := range v.order {
		list[k] = v.page(i)
	}
	for _, i := range slices.Sorted(maps.Keys(v.broken)) {
		if p := v.page(i); p.Broken == preview.Hidden {
			list = append(list, p)
		}
	}
	return list
}

func (v *View) page(i int32) preview.Page {
	p := &v.pages[i]
	shown := preview.Page{ID: p.ID, Topic: p.Topic, File: v.settings.Shown(p.Path), Text: p.Text, Broken: v.broken[i].version}
	if p.Kind != nil {
		shown.Kind = p.Kind.Name
	}
	if shown.Broken != "" && !v.isShown(i) {
		shown.ID, shown.Language, shown.Broken = uuid.Nil, p.Language, preview.Hidden
	}
	return shown
}
