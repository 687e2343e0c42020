package generator

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/source"
)

// relist stages those list pages of an incremental build that differ from the ones
// that lie in the output folder, and removes records and list pages that are no
// longer due. Of records that were not read, what a list shows is taken from the
// list pages of the build before.
func (r *run) relist(ctx context.Context) error {
	pages := api.ListPages(len(r.collection.pages))
	if !r.listsDiffer() {
		r.begin("listing", 0)
		return r.writeTop(pages)
	}
	l := &relisting{run: r}
	if err := l.removeRecords(); err != nil {
		return err
	}
	l.begin()
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
	before []shown // the records of the build before, newest first
	rank   []int32 // by place in the build before: where it was in its order
}

// shown is a record on a list page.
type shown struct {
	id  uuid.UUID
	sum uint64 // of what the list shows of it
}

// begin finds both orders. It lets go of the records of the build before, of which
// nothing else is needed any more.
func (l *relisting) begin() {
	var ordering sync.WaitGroup
	ordering.Go(func() { l.order = l.collection.newestFirst() })
	was := &l.run.before.collection
	order := was.newestFirst()
	l.before, l.rank = make([]shown, len(order)), make([]int32, len(order))
	for rank, place := range order {
		l.before[rank] = shown{was.pages[place].ID, was.records[place].headSum}
		l.rank[place] = int32(rank)
	}
	was.pages, was.records = nil, nil
	ordering.Wait()
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
	c := &l.collection
	for k := i * api.PageSize; k < min((i+1)*api.PageSize, len(l.order)); k++ {
		place := l.order[k]
		if l.before[k] != (shown{c.pages[place].ID, c.records[place].headSum}) {
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
	end   []byte
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
	start := (number - 1) * api.PageSize
	for k, record := range o.before[start:min(start+api.PageSize, len(o.before))] {
		if k > 0 {
			rest, ok = bytes.CutPrefix(rest, []byte(","))
		}
		if !ok {
			return errStale
		}
		end := o.links.AppendRecord(append(o.end[:0], `,"url":"`...), record.id, api.Plain)
		o.end = append(end, `"}`...)
		page.heads[k], rest, ok = bytes.Cut(rest, o.end)
		if !ok || source.Hash(page.heads[k]) != record.sum {
			return errStale
		}
	}
	return nil
}
