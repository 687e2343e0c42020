package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// openRecord opens a record that was met in a list, at the address that stands
// there, and checks it.
func (w *walk) openRecord(ctx context.Context, k *kept, id uuid, came string, inList *value) error {
	address := w.recordAddress(id, came)
	ctx, leave := withRoom(ctx, w.large, mostOfRecord(w.known.Load()))
	defer leave()
	d, err := w.fetch(ctx, w.opener, address, wantRecord, false)
	if err != nil {
		return err
	}
	w.advance(w.stage(), int(w.opened.Add(1)), w.total())
	if d == nil {
		return nil
	}
	v := d.value
	if v.kind != kindObject {
		w.find(ruleRecordTypes, address, "", "an object", v.kind.String())
		return nil
	}
	w.checkKeys(ruleRecordKeys, address, "", v, detailKeys)
	if _, other, ok := w.checkURL(address, "", w.form, v); ok && other != id {
		w.find(ruleURL, address, "", "url with "+id.String()+", as in the address", other.String())
	}
	hash := hashOfRecord(v)
	switch {
	case w.plain == nil:
		k.detail = hash
	case k.detail == hash:
		return nil
	case k.detail != 0:
		return w.compareDetail(ctx, address, id, v)
	}
	if !w.equalShared(address, inList, v) {
		w.checkShared(address, "", v)
	}
	w.checkDetail(address, v)
	return nil
}

// recordAddress returns where to open a record. It follows url where a client
// could, and it is a good address of another style.
func (w *walk) recordAddress(id uuid, came string) string {
	target := func(f form) string { return f.record(id.String()) }
	due := target(w.form)
	if came == due || !below(w.base, came) {
		return due
	}
	switch blame(ruleURL, w.form, target, came) {
	case ruleLinkStyle, ruleQueryOrder:
		return came
	case ruleURL:
		if w.Lenient {
			return came
		}
	}
	return due
}

// total returns how many records there are to open, as far as is known.
func (w *walk) total() int {
	if w.Sample > 0 && w.count > 0 {
		return min(w.Sample, w.count)
	}
	return max(w.count, 0)
}

// equalShared compares what a record has in the list and in detail, but for its
// address.
func (w *walk) equalShared(address string, inList, v *value) bool {
	due, came, order := changes(inList, v, sharedKeys)
	switch {
	case due != "":
		w.find(ruleRecordEqual, address, "", "as in the list, "+due, came)
	case order:
		w.find(ruleKeyOrder, address, "", "keys of meta as in the list", "another order")
	}
	return due == ""
}

// changes compares what two records have under keys. due and came show the
// first difference, and are "" where there is none; then order reports whether
// keys stand in another order.
func changes(a, b *value, keys []string) (due, came string, order bool) {
	for _, key := range keys {
		m, okA := a.get(key)
		n, okB := b.get(key)
		switch {
		case !okA && !okB:
		case !okA:
			return "no " + key, key + " is " + showValue(n), false
		case !okB:
			return key + " is " + showValue(m), "no " + key, false
		case !m.equal(n):
			due, came = m.difference(n)
			return key + " with " + due, key + " with " + came, false
		}
		order = order || okA && !m.isIn(n)
	}
	return "", "", order
}

// compareDetail says in what a record of the api variant differs from the plain
// one, of which only the hash was kept.
func (w *walk) compareDetail(ctx context.Context, address string, id uuid, v *value) error {
	plain, err := w.fetch(ctx, w.opener, w.plain.form.record(id.String()), wantRecord, true)
	if err != nil || plain == nil {
		return err
	}
	w.reportVariants(address, "", plain.value, v)
	return nil
}

// compareList is compareDetail for a record in a list.
func (w *walk) compareList(ctx context.Context, l *list, part string, id uuid, v *value) error {
	number := w.records[id].list
	address := cmp.Or(w.plain.odd[number], w.plain.form.list(int(number)))
	d, err := w.fetch(ctx, w.opener, address, wantList, true)
	if err != nil || d == nil {
		return err
	}
	if d.sum != w.plain.lists[number-1].digest {
		w.find(ruleWalkBack, address, "", fmt.Sprintf("list page %d as before", number), "another body")
		return nil
	}
	results, _ := d.get("results")
	for i := range results.items {
		if came, ok := results.items[i].string("url"); ok {
			if other, ok := parseID(idIn(came)); ok && other == id {
				w.reportVariants(l.address, part, &results.items[i], v)
				return nil
			}
		}
	}
	return nil
}

func (w *walk) reportVariants(address, part string, plain, v *value) {
	keys := plain.without("url").keys()
	for _, key := range v.without("url").keys() {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	due, came, order := changes(plain, v, keys)
	switch {
	case due != "":
		w.find(ruleVariantsEqual, address, "", part+"as in the plain variant, "+due, came)
	case order || !slices.Equal(plain.keys(), v.keys()):
		w.find(ruleKeyOrder, address, "", part+"keys as in the plain variant", "another order")
	}
}
