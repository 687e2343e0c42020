package verify

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	maxBeyond   = 10   // list pages beyond those that count allows
	maxSurplus  = 1000 // records beyond count, of both variants together
	maxUnopened = 3    // list pages that cannot be read, in a row
)

// walk goes over the list pages of one variant by next, and back by previous, and opens
// the records. It keeps hashes of what it opens.
type walk struct {
	*checker

	form  form
	plain *walk  // the walk over the plain variant; nil in that one
	stage string // as Options.Progress gets it

	records map[uuid.UUID]*listed // of both walks
	lists   []keptList            // by number, from 1; the zero value where one was not opened
	bodies  map[digest]int        // list page numbers by body
	seen    map[digest]int        // list page numbers by address

	count   int  // of the first list page that has one; -1 before
	size    int  // of a list page
	met     int  // elements of results
	lacking int  // records that are missing on list pages
	gap     bool // not all of the collection could be read

	last struct { // the previous record
		created time.Time
		id      uuid.UUID
		known   bool
	}

	pool   errgroup.Group // opens records
	opened atomic.Int64
}

// keptList holds the facts of a list page that later checks need.
type keptList struct {
	digest  digest    // 0 where it was not opened
	address string    // "" for the one that is due
	first   uuid.UUID // its first record
	order   uint32    // hash of the ids of its records; 0 where not all have one
	size    int32     // number of its records
	back    bool      // previous is the address that is due
}

// listed holds the facts of a record that later checks need. There may be a million.
type listed struct {
	list   int32  // the number of its list page
	shared uint32 // hash of the record in the plain list
	detail uint32 // hash of the plain record in detail; 0 where it was not opened
	api    bool   // the api walk met it
}

func newWalk(c *checker, plain *walk) *walk {
	w := &walk{
		checker: c, plain: plain, stage: "records", form: form{c.base, c.Links, plain != nil}, records: map[uuid.UUID]*listed{},
		bodies: map[digest]int{}, seen: map[digest]int{}, count: -1, size: pageSize,
	}
	if plain != nil {
		w.records, w.stage = plain.records, "api variants"
	}
	return w
}

// walkBoth walks the plain variant, then the api variant, and returns the plain walk.
func (c *checker) walkBoth(ctx context.Context, api bool) *walk {
	plain := newWalk(c, nil)
	plain.run(ctx)
	c.report.Records, c.report.Count = int(plain.opened.Load()), plain.count
	for _, l := range plain.lists {
		if l.digest != 0 {
			c.report.Lists++
		}
	}
	if api && ctx.Err() == nil {
		c.part = 1
		variant := newWalk(c, plain)
		variant.run(ctx)
		plain.gap = plain.gap || variant.gap
	}
	if ctx.Err() == nil {
		c.checkPrefixes()
	}
	return plain
}

func (w *walk) run(ctx context.Context) {
	w.Progress(w.stage, 0, 0)
	w.pool.SetLimit(w.Jobs)
	if w.Sample > 0 {
		w.forwardSample(ctx)
	} else {
		w.forward(ctx)
	}
	w.pool.Wait()
	if ctx.Err() == nil && w.Sample == 0 {
		w.checkCount()
		w.back(ctx)
	}
}

// due returns how many list pages there are by count, or 0 where it is unknown.
func (w *walk) due() int {
	if w.count < 0 {
		return 0
	}
	return max(1, (w.count-1)/w.size+1)
}

// forward goes from list page to list page by next. After a wrong next it goes on at
// the address that is due, so that one wrong link does not hide the rest.
func (w *walk) forward(ctx context.Context) {
	l, more := w.openList(ctx, 1, w.form.list(1)), true
	unopened := 0
	for n := 1; more && ctx.Err() == nil; n++ {
		if l != nil {
			unopened = 0
			if !w.checkList(ctx, l) {
				return
			}
			l, more = w.openNext(ctx, l)
			continue
		}
		w.gap = true
		if unopened++; n >= w.due() || unopened >= maxUnopened {
			return
		}
		l = w.openList(ctx, n+1, w.form.list(n+1))
	}
}

// openList opens list page n at the first of some addresses that has a list page, or
// returns nil. What is wrong at the last one is a finding.
func (w *walk) openList(ctx context.Context, n int, addresses ...string) *list {
	for i, address := range addresses {
		if d := w.fetchList(ctx, address, i < len(addresses)-1); d != nil {
			return w.readList(n, address, d)
		}
	}
	return nil
}

// openNew opens list page n where next and count disagree about it: it counts only if it
// has new records. further says that it has none, but a next.
func (w *walk) openNew(ctx context.Context, n int, address string) (l *list, further bool) {
	d := w.fetchList(ctx, address, true)
	if d == nil {
		return nil, false
	}
	if !w.isNew(d.value) {
		_, further = d.string("next")
		return nil, further
	}
	return w.readList(n, address, d), false
}

// fetchList fetches a list page, as fetch does, unless it was met before.
func (w *walk) fetchList(ctx context.Context, address string, quiet bool) *document {
	if _, again := w.numberAt(address); again {
		return nil
	}
	d := w.fetch(ctx, address, wantList, nil, quiet)
	if d != nil && quiet && d.kind != kindObject {
		return nil
	}
	return d
}

// numberAt returns the number of the list page that was met at an address.
func (w *walk) numberAt(address string) (int, bool) {
	n, ok := w.seen[digestOf([]byte(address))]
	return n, ok
}

// isNew reports whether a list page has a record that the walk has not met.
func (w *walk) isNew(v *value) bool {
	for _, r := range v.elements("results") {
		id, ok := r.id()
		if k := w.records[id]; ok && (k == nil || w.plain != nil && !k.api) {
			return true
		}
	}
	return false
}

// checkCount compares count with the records that the walk met. Missing records of
// list pages are findings already.
func (w *walk) checkCount() {
	if !w.gap && w.count >= 0 && w.met != w.count && w.met+w.lacking != w.count {
		w.find(ruleCount, w.form.list(1), fmt.Sprintf("count is %d, the records that the walk met", w.met), fmt.Sprintf("count is %d", w.count))
	}
}

// back follows previous, which must lead to the same list pages. Where previous is not
// the address that is due, that is a finding already.
func (w *walk) back(ctx context.Context) {
	numbers := func(yield func(int) bool) {
		for n := len(w.lists) - 1; n > 0; n-- {
			if w.lists[n].back && w.lists[n-1].digest != 0 && !yield(n) {
				return
			}
		}
	}
	each(ctx, w.checker, numbers, func(n int) {
		address := w.form.list(n)
		a := w.open(ctx, address, wantSum, nil)
		if a != nil && w.isReadable(address, a) && a.Sum != w.lists[n-1].digest {
			w.find(ruleWalkBack, address, fmt.Sprintf("list page %d as on the way by next", n), fmt.Sprintf("another body of %d bytes", a.Size))
		}
	})
}

// forwardSample opens some list pages, spread over all, and some records of each. The
// first two and the last are always among them, as mistakes show there.
func (w *walk) forwardSample(ctx context.Context) {
	numbers := []int{1}
	for i := 0; i < len(numbers) && ctx.Err() == nil; i++ {
		n := numbers[i]
		l := w.openList(ctx, n, w.form.list(n))
		if l == nil {
			w.gap = true
			continue
		}
		if !w.checkList(ctx, l) {
			return
		}
		w.checkNext(l)
		if n == 1 {
			numbers = spread(w.Sample, w.due())
		}
	}
}

// spread returns about n of the numbers from 1 to last, among them 1, 2 and last.
func spread(n, last int) []int {
	numbers := []int{1}
	steps := min(max(n, 3), last) - 1
	for i := range steps {
		next := 2 + int(int64(i)*int64(last-2)/int64(max(1, steps-1)))
		if next > numbers[len(numbers)-1] {
			numbers = append(numbers, next)
		}
	}
	return numbers
}

// isPicked reports whether a sample opens a record of a list page: of each list page so
// many that together they are about the number asked for, at varying indexes.
func (w *walk) isPicked(l *list, i int) bool {
	lists := min(max(w.Sample, 3), max(w.due(), 1))
	each := max(1, w.Sample/lists)
	n := max(len(l.results), 1)
	if each >= n || w.Sample >= w.count {
		return true
	}
	index := (i + l.number*3) % n
	return (index+1)*each/n != index*each/n
}
