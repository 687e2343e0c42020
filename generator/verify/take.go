package verify

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
)

// take checks a list page and has its records opened. It reports whether the
// walk can go on from there.
func (w *walk) take(ctx context.Context, l *list) bool {
	w.seen[digestOf([]byte(l.address))] = int32(l.number)
	if w.isRepeated(l) || w.isPlain(l) {
		w.gap = true
		return false
	}
	w.bodies[l.digest] = int32(l.number)
	w.takeCount(l)
	if l.number == 1 {
		w.hintLinks(l)
	}
	if l.broken {
		w.gap = true
	} else {
		w.checkSize(l)
	}
	w.lists = append(w.lists, make([]keptList, max(0, l.number-len(w.lists)))...)
	if l.address != w.form.list(l.number) {
		w.odd[int32(l.number)] = l.address
	}
	w.lists[l.number-1] = keptList{digest: l.digest, back: w.checkPrevious(l)}
	ids := make([]uuid, 0, len(l.results))
	for i := range l.results {
		id, err := w.takeRecord(ctx, l, i)
		if err != nil {
			return false
		}
		ids = append(ids, id)
	}
	w.lists[l.number-1].keepOrder(ids)
	if w.met += len(ids); w.plain == nil && w.shown != nil {
		w.shown(w.met, w.count)
	}
	w.compareOrder(l)
	return ctx.Err() == nil
}

// errSurplus ends a walk that meets more records than count allows.
var errSurplus = errors.New("more records than count allows")

// isFull reports whether no more records are kept, and ends the walk then: budgets
// grow with count, and so does memory, which list pages that are too long, or an api
// variant with other records, would not mind.
func (w *walk) isFull() bool {
	count := w.count
	if w.plain != nil && w.plain.count >= 0 {
		count = w.plain.count
	}
	if count < 0 || len(w.records) < count+mostSurplus {
		return false
	}
	w.gap = true
	w.find(ruleCount, w.form.list(1), "", fmt.Sprintf("%s, because count is %d", plural(count, "record"), count), fmt.Sprintf("more than %d", len(w.records)))
	w.stop(fmt.Sprintf("there are more records than the count of %d allows: the walk ended after %d", count, len(w.records)))
	return true
}

func (w *walk) takeCount(l *list) {
	switch {
	case l.count < 0:
	case w.count < 0:
		w.count = l.count
		if w.Lenient && l.next != "" && len(l.results) > 0 {
			w.size = len(l.results)
		}
		if w.size != usualPageSize {
			w.find(rulePageSize, l.address, "", plural(usualPageSize, "record"), plural(w.size, "record"))
		}
	case l.count != w.count:
		w.find(ruleCountEqual, l.address, "", fmt.Sprintf("count is %d, as on list page 1", w.count), fmt.Sprintf("count is %d", l.count))
	}
}

// checkSize leaves a last list page that has too few records to checkCount,
// unless it has none.
func (w *walk) checkSize(l *list) {
	n, due := len(l.results), w.size
	least := w.size
	if l.next == "" || l.number >= w.due() {
		least = 1
	}
	if l.number == w.due() {
		due = w.count - (w.due()-1)*w.size
	}
	if w.count <= 0 || l.number > w.due() {
		least = 0
	}
	switch {
	case n < least || n > w.size:
		w.lacking += due - n
		w.find(rulePageSize, l.address, "", plural(due, "record"), plural(n, "record"))
	case w.Sample > 0 && l.number == w.due() && n != due:
		w.find(ruleCount, l.address, "", fmt.Sprintf("%s, because count is %d", plural(due, "record"), w.count), plural(n, "record"))
	}
}

// checkPrevious judges previous, and reports whether it is the address due.
func (w *walk) checkPrevious(l *list) bool {
	due, n := "", l.number
	if n > 1 {
		due = w.form.list(n - 1)
	}
	if l.previous == due {
		return n > 1
	}
	rule := rulePrevious
	switch {
	case l.previous != "" && due != "":
		rule = blame(rulePrevious, w.form, func(f form) string { return f.list(n - 1) }, l.previous)
	case l.previous != "" && !below(w.base, l.previous):
		rule = ruleLinkBase
	}
	w.find(rule, l.address, "", "previous is "+showLink(due), "previous is "+showLink(l.previous))
	return false
}

// takeRecord checks a record of a list page, and has it opened.
func (w *walk) takeRecord(ctx context.Context, l *list, i int) (uuid, error) {
	v, part := &l.results[i], fmt.Sprintf("results[%d].", i)
	if v.kind != kindObject {
		w.gap = true
		w.find(ruleEnvelopeTypes, l.address, "", part[:len(part)-1]+" is an object", showValue(v))
		return uuid{}, nil
	}
	w.checkListKeys(l.address, part, v)
	came, id, ok := w.checkURL(l.address, part, w.form, v)
	if !ok {
		w.gap = true
		w.checkShared(l.address, part, v)
		return uuid{}, nil
	}
	hash := hashOfRecord(v)
	k := w.records[id]
	switch again := k != nil; {
	case again && (w.plain == nil || k.twin):
		w.find(ruleIDUnique, l.address, "", part+"url with an id of its own", fmt.Sprintf("%s, which list page %d has too", id, k.list))
		return id, nil
	case !again && w.isFull():
		return id, errSurplus
	case !again:
		k = &kept{list: int32(l.number), shared: hash}
		w.records[id] = k
		w.known.Add(1)
		w.checkShared(l.address, part, v)
		if w.plain != nil && !w.plain.gap && w.Sample == 0 {
			w.find(ruleVariantsEqual, l.address, "", "the records of the plain variant", part+"url with "+id.String())
		}
	case k.shared != hash:
		if err := w.compareList(ctx, l, part, id, v); err != nil {
			return id, err
		}
	}
	k.twin = w.plain != nil
	if w.plain == nil {
		w.checkOrder(l, part, id, v)
	}
	if w.Sample == 0 || w.isPicked(l, i) {
		w.pool.Go(func() error { return w.openRecord(ctx, k, id, came, v) })
	}
	return id, ctx.Err()
}

// checkListKeys also checks that the record has not what only details have.
func (c *checker) checkListKeys(address, part string, v *value) {
	for _, key := range []string{"content", "embeds"} {
		if _, ok := v.get(key); ok {
			c.find(ruleListForm, address, "", "no "+part+key, "it is there")
		}
	}
	c.checkKeys(ruleRecordKeys, address, part, v.without("content", "embeds"), recordKeys)
}

func (w *walk) checkOrder(l *list, part string, id uuid, v *value) {
	created, ok := stampIn(v, "created")
	before := w.last
	w.last.created, w.last.id, w.last.known = created, id, ok
	switch {
	case !ok || !before.known:
	case created.After(before.created):
		w.find(ruleOrder, l.address, "", part+"created not after "+before.created.Format(stampForm)+" of the record before", created.Format(stampForm))
	case created.Equal(before.created) && slices.Compare(id[:], before.id[:]) < 0:
		w.find(ruleOrder, l.address, "", part+"url with an id after "+before.id.String()+" of the record before, created at the same time", id.String())
	}
}

// keepOrder keeps which records a list page has.
func (l *keptList) keepOrder(ids []uuid) {
	if l.size = int32(len(ids)); l.size == 0 || slices.Contains(ids, uuid{}) {
		return
	}
	var h maphash.Hash
	h.SetSeed(hashSeed)
	for _, id := range ids {
		h.Write(id[:])
	}
	l.first, l.order = ids[0], max(1, uint32(h.Sum64()))
}

// compareOrder compares the order of an api list page with the plain one.
func (w *walk) compareOrder(l *list) {
	if w.plain == nil || l.number > len(w.plain.lists) {
		return
	}
	due, came := w.plain.lists[l.number-1], w.lists[l.number-1]
	if due.size == came.size && due.order != 0 && came.order != 0 && due.order != came.order {
		w.find(ruleVariantsEqual, l.address, "", "the records of the plain variant, in the same order", "other records, or another order")
	}
}
