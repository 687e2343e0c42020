package generator

import (
	"bytes"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// record is one page between the two passes: what lists, links and rules need
// of it, and where to find the rest again. A large site has one of these for
// every page, and nothing else of that number, so every byte counts.
type record struct {
	file      int32 // in the listing
	bodyStart int32
	bodyEnd   int32
	hash      uint64 // of the text that the first pass read
	head      []byte // of api.AppendHead; none where the page has errors
	embeds    []page.Embed
	derived   bool // the id
}

// collection is all pages of a site, sorted by path.
type collection struct {
	files   []source.File
	pages   []page.Record // what rules see
	records []record      // the same pages, in the same order
	skipped []string      // paths of pages that are left out
}

// newestFirst returns the places of all records in the order in which lists
// show them: created descending, then id ascending.
func (c *collection) newestFirst() []int32 {
	order := make([]int32, len(c.pages))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		p, q := &c.pages[a], &c.pages[b]
		switch {
		case p.Created > q.Created:
			return -1
		case p.Created < q.Created:
			return 1
		}
		return bytes.Compare(p.ID[:], q.ID[:])
	})
	return order
}

// listed returns what list page n shows of order.
func (c *collection) listed(order []int32, n int) api.List {
	return api.List{
		Count:  len(order),
		Number: n,
		Results: func(i int) api.Record {
			place := order[(n-1)*api.PageSize+i]
			return api.Record{ID: c.pages[place].ID, Head: c.records[place].head}
		},
	}
}

// arena keeps many small byte slices in a few large ones, for a garbage
// collector that then has little to look at.
type arena struct {
	chunk []byte
}

const arenaChunk = 256 << 10

func (a *arena) keep(b []byte) []byte {
	if len(b) > cap(a.chunk)-len(a.chunk) {
		a.chunk = make([]byte, 0, max(arenaChunk, len(b)))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, b...)
	return a.chunk[start:len(a.chunk):len(a.chunk)]
}

// within returns s as a part of whole where it is one, so that the two share
// their memory: a page's topic and meta.url are mostly parts of its path.
func within(whole, s string) string {
	if i := strings.Index(whole, s); i >= 0 {
		return whole[i : i+len(s)]
	}
	return strings.Clone(s)
}
