// Package lists writes the list pages of a snapshot: all of them, or those that differ
// from the ones of the previous build.
//
// It is given the records in the order of lists, each with its id and a hash of its list
// item. List items of records that were not read in this build are taken from the list
// pages that the previous build wrote.
package lists

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// Record is a record in the order of lists.
type Record struct {
	ID       uuid.UUID
	Hash     uint64 // of its list item
	Page     int32  // index of its page, for Lists.AppendItem
	Previous int32  // where it was in the previous lists, or below 0 where its source was read
}

// Writer takes list pages. One goroutine uses it.
type Writer interface {
	// Block says which block the files that follow are in: see corpus.Writer.
	Block(n int) error
	// WriteFile writes a file.
	WriteFile(path string, data []byte) error
	// Replace is WriteFile for a file that is known to differ from the previous one.
	Replace(path string, data []byte) error
	Close() error
}

// Previous is the snapshot of the previous build.
type Previous interface {
	// AppendList appends the bytes of a list page. The error wraps [fs.ErrNotExist]
	// where there is none.
	AppendList(dst []byte, path string) ([]byte, error)
	// Remove removes a file, with its compressed variants.
	Remove(path string) error
}

// Lists holds the input of list pages, and their destination.
type Lists struct {
	Links    api.Links
	Variants []api.Variant
	Records  []Record // newest first

	// AppendItem appends the list item of a page whose source was read. Of others it is
	// the one of the previous lists.
	AppendItem func(dst []byte, page int32) ([]byte, error)

	NewWriter  func() Writer
	FirstBlock int // see [Writer.Block]

	Previous        Previous // nil where all list pages are written
	PreviousRecords []Record // newest first

	Jobs     int
	Progress *work.Progress
}

// ErrStale means that the list pages of the previous build are not as they were
// written: the site has to be built without it.
var ErrStale = errors.New("the list pages are not as the last build left them")

// Write writes the list pages, the last one first, and removes those, and the records,
// that are no longer due.
func (l *Lists) Write(ctx context.Context) error {
	if l.Previous != nil {
		if err := l.remove(); err != nil {
			return err
		}
	}
	due := l.due()
	l.Progress.Begin("listing", len(due))
	return work.Parallel(ctx, l.Jobs, len(due), func() (func(int) error, func() error) {
		w := &listWriter{Lists: l, out: l.NewWriter()}
		return func(k int) error {
			l.Progress.Step()
			if err := w.out.Block(l.FirstBlock + k/work.Batch); err != nil {
				return err
			}
			return w.write(int(due[k]))
		}, w.out.Close
	})
}

// due returns the numbers of the list pages to be written: those that show other records
// than before, and all where there are more or fewer in all.
func (l *Lists) due() []int32 {
	isReusable := l.Previous != nil && len(l.Records) == len(l.PreviousRecords)
	isSame := func(a, b Record) bool { return a.ID == b.ID && a.Hash == b.Hash }
	var due []int32
	for n := api.ListPages(len(l.Records)); n > 0; n-- {
		start, end := (n-1)*api.PageSize, min(n*api.PageSize, len(l.Records))
		if !isReusable || !slices.EqualFunc(l.Records[start:end], l.PreviousRecords[start:end], isSame) {
			due = append(due, int32(n))
		}
	}
	return due
}

// remove removes the files of records whose id is gone, and of list pages after the
// last.
func (l *Lists) remove() error {
	stays := make([]bool, len(l.PreviousRecords))
	read := make(map[uuid.UUID]bool)
	for i := range l.Records {
		if r := &l.Records[i]; r.Previous >= 0 {
			stays[r.Previous] = true
		} else {
			read[r.ID] = true
		}
	}
	remove := func(dir string, name func(api.Variant) string) error {
		for _, v := range l.Variants {
			if err := l.Previous.Remove(dir + "/" + name(v)); err != nil {
				return err
			}
		}
		return nil
	}
	for rank := range l.PreviousRecords {
		if id := l.PreviousRecords[rank].ID; !stays[rank] && !read[id] {
			if err := remove(api.RecordFolder(id), api.IndexName); err != nil {
				return err
			}
		}
	}
	for n := api.ListPages(len(l.Records)) + 1; n <= api.ListPages(len(l.PreviousRecords)); n++ {
		if err := remove(api.Folder, func(v api.Variant) string { return api.ListName(n, v) }); err != nil {
			return err
		}
	}
	return nil
}

// listWriter writes list pages for one goroutine.
type listWriter struct {
	*Lists

	out   Writer
	page  Page
	body  []byte
	cache [2]oldPage // the last list pages of the previous build that were read: neighbours ask for the same
	next  int        // of the cache to be replaced
}

// write writes the variants of list page n. The first of all is there under two names:
// without a page parameter, and as page 1.
func (w *listWriter) write(n int) error {
	put := w.out.WriteFile
	if w.Previous != nil {
		put = w.out.Replace
	}
	list, err := w.page.Make(n, len(w.Records), func(rank int) uuid.UUID { return w.Records[rank].ID }, w.appendItem)
	if err != nil {
		return err
	}
	for _, v := range w.Variants {
		w.body = w.Links.AppendEnvelope(w.body[:0], list, v)
		if err := put(api.Folder+"/"+api.ListName(n, v), w.body); err != nil {
			return err
		}
		if n > 1 {
			continue
		}
		if err := put(api.Folder+"/"+api.IndexName(v), w.body); err != nil {
			return err
		}
	}
	return nil
}

func (w *listWriter) appendItem(dst []byte, rank int) ([]byte, error) {
	record := &w.Records[rank]
	if record.Previous < 0 {
		return w.AppendItem(dst, record.Page)
	}
	item, err := w.oldItem(int(record.Previous))
	return append(dst, item...), err
}

// oldPage is a list page of the previous build.
type oldPage struct {
	number  int // 0 for none
	body    []byte
	records []api.Record
}

// oldItem returns the list item that a record had in the previous lists.
func (w *listWriter) oldItem(rank int) ([]byte, error) {
	number := rank/api.PageSize + 1
	for i := range w.cache {
		if w.cache[i].number == number {
			return w.cache[i].records[rank%api.PageSize].Item, nil
		}
	}
	page := &w.cache[w.next]
	w.next = 1 - w.next
	page.number = 0
	if err := w.readOld(page, number); err != nil {
		return nil, err
	}
	page.number = number
	return page.records[rank%api.PageSize].Item, nil
}

// readOld reads a list page of the previous build, and makes sure that it shows the
// records that that build listed.
func (w *listWriter) readOld(page *oldPage, number int) (err error) {
	page.body, err = w.Previous.AppendList(page.body[:0], api.Folder+"/"+api.ListName(number, api.Plain))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrStale
	}
	if err != nil {
		return err
	}
	list, ok := w.Links.SplitEnvelope(page.body, number, api.Plain, page.records[:0])
	if !ok || list.Count != len(w.PreviousRecords) {
		return ErrStale
	}
	page.records = list.Records
	for i, r := range list.Records {
		if old := &w.PreviousRecords[(number-1)*api.PageSize+i]; r.ID != old.ID || source.Hash(r.Item) != old.Hash {
			return ErrStale
		}
	}
	return nil
}

// Page makes list pages in buffers of its own, which the next one uses again.
type Page struct {
	records []api.Record
	items   []byte
}

// Make returns list page n of count records, given the id and the item of the record
// at each rank.
func (p *Page) Make(n, count int, id func(rank int) uuid.UUID, appendItem func(dst []byte, rank int) ([]byte, error)) (api.List, error) {
	p.records, p.items = p.records[:0], p.items[:0]
	for rank := (n - 1) * api.PageSize; rank < min(n*api.PageSize, count); rank++ {
		start, err := len(p.items), error(nil)
		if p.items, err = appendItem(p.items, rank); err != nil {
			return api.List{}, err
		}
		// Where the buffer grows, and so moves, the items before stay where they are.
		p.records = append(p.records, api.Record{ID: id(rank), Item: p.items[start:]})
	}
	return api.List{Count: count, Number: n, Records: p.records}, nil
}
