package verify

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// What a walk allows a service.
const (
	mostBeyond   = 10   // list pages beyond those that count allows
	mostSurplus  = 1000 // records beyond count, of both variants together
	mostUnopened = 3    // list pages that do not open, one after the other
)

// walk goes over the list pages of one variant by next, and back by previous,
// and opens the records that it meets. Of what it opens it keeps hashes.
type walk struct {
	*checker

	form   form
	opener opener
	plain  *walk // the walk over the plain variant; nil in that one

	records map[uuid]*kept   // by both walks
	lists   []keptList       // by number, from 1; those that were not opened are zero
	bodies  map[digest]int32 // the number of the list page with that body
	seen    map[digest]int32 // the number of the list page at the address with that hash
	odd     map[int32]string // addresses of list pages, where they are not those that are due

	count   int  // of the first list page that has one; -1 before
	size    int  // of a list page
	met     int  // elements of results
	lacking int  // records that list pages have less than is due
	gap     bool // not all of the collection could be read

	last struct { // the record before
		created time.Time
		id      uuid
		known   bool
	}

	pool   *errgroup.Group // opens records
	opened atomic.Int64
}

// keptList is what is kept of a list page.
type keptList struct {
	digest digest // 0 where it was not opened
	first  uuid   // of its records
	order  uint32 // hash of the ids of its records; 0 where not all have one
	size   int32  // how many records it has
	back   bool   // previous is the address that is due
}

// kept is what is kept of a record. There may be a million of them.
type kept struct {
	list   int32  // the number of its list page
	shared uint32 // hash of the record in the plain list
	detail uint32 // hash of the plain record in detail; 0 where it was not opened
	twin   bool   // the api walk met it
}

func newWalk(c *checker, o opener, plain *walk) *walk {
	w := &walk{
		checker: c, opener: o, plain: plain, form: form{c.base, c.Links, plain != nil},
		bodies: map[digest]int32{}, seen: map[digest]int32{}, odd: map[int32]string{}, count: -1, size: usualPageSize,
	}
	if plain == nil {
		w.records = map[uuid]*kept{}
	} else {
		w.records = plain.records
	}
	return w
}

// walkBoth walks the plain variant, then the api variant, if there is one due.
// What it returns was found out in the plain walk.
func (c *checker) walkBoth(ctx context.Context, o opener, twins bool) (*walk, error) {
	plain := newWalk(c, o, nil)
	err := plain.run(ctx)
	plain.tally()
	if err != nil {
		return nil, err
	}
	if twins {
		c.part = 1
		api := newWalk(c, o, plain)
		if err := api.run(ctx); err != nil {
			return nil, err
		}
		plain.gap = plain.gap || api.gap
	}
	c.checkStrays()
	return plain, nil
}

// tally reports how much a walk met, to its end or not.
func (w *walk) tally() {
	w.report.Records, w.report.Count = int(w.opened.Load()), w.count
	for _, l := range w.lists {
		if l.digest != 0 {
			w.report.Lists++
		}
	}
}

// stage is what the walk does, as progress tells it.
func (w *walk) stage() string {
	if w.form.api {
		return "api variants"
	}
	return "records"
}

func (w *walk) run(ctx context.Context) error {
	w.advance(w.stage(), 0, 0)
	pool, inner := errgroup.WithContext(ctx)
	pool.SetLimit(w.Jobs)
	w.pool = pool
	err := w.forward(inner)
	if waited := pool.Wait(); waited != nil {
		err = waited
	}
	if err == nil && w.Sample == 0 {
		w.checkCount()
		err = w.back(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// due returns how many list pages the count makes, or 0 where it is not known.
func (w *walk) due() int {
	if w.count < 0 {
		return 0
	}
	return max(1, (w.count-1)/w.size+1)
}

// forward goes from list page to list page by next. Where next is wrong, that
// is a finding, and the walk goes on at the address that is due, so that one
// wrong link does not hide the rest.
func (w *walk) forward(ctx context.Context) error {
	if w.Sample > 0 {
		return w.forwardSample(ctx)
	}
	unopened := 0
	ways := []way{{address: w.form.list(1)}}
	for n := 1; len(ways) > 0; n++ {
		l, err := w.enter(ctx, n, ways)
		switch {
		case err != nil:
			return err
		case l != nil:
			unopened = 0
			if !w.take(ctx, l) {
				return nil
			}
			ways = w.onward(l)
		case ways[0].doubt:
			return nil
		default:
			w.gap = true
			if unopened++; n >= w.due() || unopened >= mostUnopened {
				return nil
			}
			ways = []way{{address: w.form.list(n + 1)}}
		}
	}
	return nil
}

// enter opens list page n by the first of these ways that leads to one, or
// returns nil.
func (w *walk) enter(ctx context.Context, n int, ways []way) (*list, error) {
	further := false
	for i, way := range ways {
		if _, again := w.numberAt(way.address); again {
			continue
		}
		quiet := way.doubt || i < len(ways)-1
		d, err := w.fetch(ctx, w.opener, way.address, wantList, quiet)
		if err != nil {
			return nil, err
		}
		if d == nil || quiet && d.kind != kindObject {
			continue
		}
		if way.doubt && !w.isNew(d.value) {
			_, further = d.string("next")
			continue
		}
		if quiet {
			w.findFlaws(way.address, d.flaws)
		}
		l := w.readList(n, way.address, d)
		if l == nil {
			continue
		}
		if way.there != nil {
			way.there()
		}
		return l, nil
	}
	if missing := ways[len(ways)-1].missing; missing != nil {
		missing(further)
	}
	return nil, nil
}

// numberAt returns the number of the list page that was met at an address.
func (w *walk) numberAt(address string) (int, bool) {
	n, ok := w.seen[digestOf([]byte(address))]
	return int(n), ok
}

// isNew reports whether a list page has a record that the walk has not met.
func (w *walk) isNew(v *value) bool {
	results, ok := v.get("results")
	if !ok {
		return false
	}
	for i := range results.items {
		if came, ok := results.items[i].string("url"); ok {
			id, ok := parseID(idIn(came))
			k := w.records[id]
			if ok && (k == nil || w.plain != nil && !k.twin) {
				return true
			}
		}
	}
	return false
}

// checkCount compares count with the records that the walk met. Those that list
// pages lack are findings already.
func (w *walk) checkCount() {
	if !w.gap && w.count >= 0 && w.met != w.count && w.met+w.lacking != w.count {
		w.find(ruleCount, w.form.list(1), "", fmt.Sprintf("count is %d, the records that the walk met", w.met), fmt.Sprintf("count is %d", w.count))
	}
}

// back goes the way back by previous, which must meet the same list pages.
// Links that are not those that are due are findings already.
func (w *walk) back(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.Jobs)
	for n := len(w.lists); n > 1; n-- {
		there := w.lists[n-2]
		if !w.lists[n-1].back || there.digest == 0 {
			continue
		}
		group.Go(func() error {
			address := w.form.list(n - 1)
			a, err := w.opener.open(ctx, address, wantSum)
			if err != nil || !w.isGood(address, a, wantSum) {
				return err
			}
			if a.Sum != there.digest {
				w.find(ruleWalkBack, address, "", fmt.Sprintf("list page %d as on the way by next", n-1), fmt.Sprintf("another body of %d bytes", a.Size))
			}
			return nil
		})
	}
	return group.Wait()
}
