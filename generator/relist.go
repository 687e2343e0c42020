package generator

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"sync"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/source"
)

// relist stages those list pages of an incremental build that differ from the ones
// that lie in the output folder, and removes records and list pages that are no
// longer due. Of records that were not read, what a list shows is taken from the
// list pages of the build before.
func (r *run) relist(ctx context.Context) error {
	b, c := r.before, &r.collection
	pages := api.ListPages(len(c.pages))
	if !r.listsDiffer() {
		r.begin("listing", 0)
		return r.writeTop(pages)
	}
	l := &relisting{run: r}
	var ordering sync.WaitGroup
	ordering.Go(func() { l.before = b.collection.newestFirst() })
	l.order = c.newestFirst()
	ordering.Wait()
	l.rank = make([]int32, len(l.before))
	for rank, place := range l.before {
		l.rank[place] = int32(rank)
	}
	if err := l.removeRecords(); err != nil {
		return err
	}
	todo := l.changedPages(pages)
	r.begin("listing", len(todo))
	err := parallel(ctx, r.Jobs, len(todo), func() (func(int) error, func() error) {
		writer := r.stage.NewWriter()
		w := &listWorker{run: r, order: l.order, put: writer.Replace, old: oldLists{relisting: l}}
		return func(k int) error { return w.write(int(todo[k])) }, writer.Close
	})
	if err != nil {
		return err
	}
	for n := pages + 1; n <= api.ListPages(len(l.before)); n++ {
		for _, v := range r.variants() {
			if err := r.stage.Remove(api.Folder + "/" + api.ListName(n, v)); err != nil {
				return err
			}
		}
	}
	return r.writeTop(pages)
}

// listsDiffer reports whether any list page can differ from that of the build
// before.
func (r *run) listsDiffer() bool {
	b, c := r.before, &r.collection
	if len(c.pages) != len(b.collection.pages) {
		return true
	}
	for i := range c.pages {
		if c.records[i].earlier == int32(i) {
			continue
		}
		was := &b.collection.pages[i]
		if c.pages[i].ID != was.ID || c.pages[i].Created != was.Created || c.records[i].headSum != b.collection.records[i].headSum {
			return true
		}
	}
	return false
}

// relisting is the order of lists, now and in the build before.
type relisting struct {
	*run

	order  []int32 // places of records, newest first
	before []int32 // the same in the build before
	rank   []int32 // by place in the build before: where it was in its order
}

// removeRecords removes the files of records whose id is gone.
func (l *relisting) removeRecords() error {
	now := make(map[[16]byte]bool)
	c, was := &l.collection, &l.run.before.collection
	for i := range c.pages {
		if c.records[i].earlier == nowhere {
			now[c.pages[i].ID] = true
		}
	}
	kept := make([]bool, len(was.pages))
	for i := range c.pages {
		if earlier := c.records[i].earlier; earlier != nowhere {
			kept[earlier] = true
		}
	}
	for place := range was.pages {
		if kept[place] || now[was.pages[place].ID] {
			continue
		}
		for _, v := range l.variants() {
			if err := l.stage.Remove(api.RecordFolder(was.pages[place].ID) + "/" + api.IndexName(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// changedPages returns the list pages that differ, less one.
func (l *relisting) changedPages(pages int) []int32 {
	var todo []int32
	for i := range pages {
		if len(l.order) != len(l.before) || l.isChanged(i) {
			todo = append(todo, int32(i))
		}
	}
	return todo
}

func (l *relisting) isChanged(i int) bool {
	c, was := &l.collection, &l.run.before.collection
	for k := i * api.PageSize; k < min((i+1)*api.PageSize, len(l.order)); k++ {
		now, then := l.order[k], l.before[k]
		if c.pages[now].ID != was.pages[then].ID || c.records[now].headSum != was.records[then].headSum {
			return true
		}
	}
	return false
}

// oldLists takes what lists show of records from the list pages of the build
// before. It keeps the last two, which is what neighbours ask for.
type oldLists struct {
	*relisting

	pages [2]oldList
	next  int // of pages to be replaced
}

type oldList struct {
	number int
	body   []byte
	heads  [api.PageSize][]byte
}

// head returns what a list shows of a record that was at a place in the build
// before.
func (o *oldLists) head(earlier int32) ([]byte, error) {
	rank := int(o.rank[earlier])
	number := rank/api.PageSize + 1
	for i := range o.pages {
		if o.pages[i].number == number {
			return o.pages[i].heads[rank%api.PageSize], nil
		}
	}
	page := &o.pages[o.next]
	o.next = 1 - o.next
	if err := o.read(page, number); err != nil {
		page.number = 0
		return nil, err
	}
	return page.heads[rank%api.PageSize], nil
}

// read reads a list page of the build before, and finds in it what it shows of
// each record.
func (o *oldLists) read(page *oldList, number int) (err error) {
	page.number = number
	page.body, err = o.stage.AppendList(page.body[:0], api.Folder+"/"+api.ListName(number, api.Plain))
	if errors.Is(err, fs.ErrNotExist) {
		return errStale
	}
	if err != nil {
		return err
	}
	_, rest, ok := bytes.Cut(page.body, []byte(`,"results":[`))
	was := &o.relisting.run.before.collection
	start := (number - 1) * api.PageSize
	for k, place := range o.before[start:min(start+api.PageSize, len(o.before))] {
		if k > 0 {
			rest, ok = bytes.CutPrefix(rest, []byte(","))
		}
		if !ok {
			return errStale
		}
		end := o.links.AppendRecord([]byte(`,"url":"`), was.pages[place].ID, api.Plain)
		page.heads[k], rest, ok = bytes.Cut(rest, append(end, `"}`...))
		if !ok || source.Hash(page.heads[k]) != was.records[place].headSum {
			return errStale
		}
	}
	return nil
}
