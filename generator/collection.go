package generator

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/page"
)

// record is what the second pass and the lists need of a page beside its
// page.Record. A large site has one for every page, so every byte counts.
type record struct {
	sum       uint64 // of the text that the first pass read
	headSum   uint64 // of what a list shows of the record
	head      head   // none where the page has errors, and where it was not read
	file      int32  // which the page is of
	earlier   int32  // place in the run before, or nowhere where the page was read
	bodyStart int32
	bodyEnd   int32
	whole     bool // the page has no errors, as far as its head tells
	derived   bool // the id
	bodiless  bool // no body could be found, because of an error: nothing is known of its anchors
}

// collection is all pages of a site, sorted by path.
type collection struct {
	pages   []page.Record // what rules see
	records []record      // the same pages, in the same order
	skipped []string      // paths of pages that are left out, sorted

	mu     sync.Mutex
	embeds map[string][]page.Embed // those that front matter gives, by path: few pages do
}

func (c *collection) keepEmbeds(path string, embeds []page.Embed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.embeds == nil {
		c.embeds = make(map[string][]page.Embed)
	}
	c.embeds[path] = embeds
}

// find returns the place of the page whose source is at path.
func (c *collection) find(path string) (int, bool) {
	return slices.BinarySearchFunc(c.pages, path, func(p page.Record, path string) int { return strings.Compare(p.Path, path) })
}

// newestFirst returns the places of all records in the order in which lists
// show them: created descending, then id ascending.
func (c *collection) newestFirst() []int32 {
	type dated struct {
		created page.Time
		place   int32
	}
	list := make([]dated, len(c.pages))
	for i := range list {
		list[i] = dated{c.pages[i].Created, int32(i)}
	}
	slices.SortFunc(list, func(a, b dated) int {
		if a.created != b.created {
			return cmp.Compare(b.created, a.created)
		}
		return bytes.Compare(c.pages[a.place].ID[:], c.pages[b.place].ID[:])
	})
	order := make([]int32, len(list))
	for i := range order {
		order[i] = list[i].place
	}
	return order
}

// list returns list page n of the records at the places in order. Their heads are
// appended to the buffer, which it returns; the page is valid as long as that is.
func (c *collection) list(order []int32, n int, buffer []byte, appendHead func(dst []byte, place int32) ([]byte, error)) (api.List, []byte, error) {
	start := (n - 1) * api.PageSize
	shown := order[start:min(start+api.PageSize, len(order))]
	records := make([]api.Record, 0, len(shown))
	buffer = buffer[:0]
	for _, place := range shown {
		start, err := len(buffer), error(nil)
		if buffer, err = appendHead(buffer, place); err != nil {
			return api.List{}, buffer, err
		}
		// Where the buffer moves, the item stays where it is.
		records = append(records, api.Record{ID: c.pages[place].ID, Item: buffer[start:len(buffer):len(buffer)]})
	}
	return api.List{Count: len(order), Number: n, Records: records}, buffer, nil
}

// within returns s as a part of whole where it is one, so that the two share
// their memory: a page's topic and meta.url are mostly parts of its path.
func within(whole, s string) string {
	if i := strings.Index(whole, s); i >= 0 {
		return whole[i : i+len(s)]
	}
	return strings.Clone(s)
}

// listed returns the pages as package lint and package markup take them.
func (c *collection) listed() []*page.Record {
	list := make([]*page.Record, len(c.pages))
	for i := range list {
		list[i] = &c.pages[i]
	}
	return list
}
