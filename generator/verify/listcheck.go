package verify

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// pageSize is how many records a list page has (contract.md 8).
const pageSize = 10

var (
	envelopeKeys = []string{"count", "next", "previous", "results"}
	recordKeys   = []string{"language", "meta", "created", "modified", "url"}
	detailKeys   = append(slices.Clip(recordKeys), "content", "embeds")
)

// list is a list page as it was read.
type list struct {
	number   int
	address  string
	digest   digest // of the body
	count    int    // -1 where it is not one
	next     string // "" is null
	previous string
	results  []value
	badNext  bool // next is neither an address nor null
	broken   bool // results cannot be read
}

// document is a body that was read as JSON.
type document struct {
	*value
	sum    digest // of the body
	issues []jsonIssue
}

// fetch opens an address that must be good, and reads the body as JSON. It returns nil
// where it cannot. What is wrong there is a finding, unless quiet.
func (c *checker) fetch(ctx context.Context, address string, w want, r *room, quiet bool) *document {
	return c.readJSON(address, c.open(ctx, address, w, r), quiet)
}

// readJSON reads an answer that must be good, as fetch does. a may be nil.
func (c *checker) readJSON(address string, a *answer, quiet bool) *document {
	switch {
	case a == nil, quiet && (a.Status != http.StatusOK || a.Long), !quiet && !c.isReadable(address, a):
		return nil
	}
	v, issues, err := parseJSON(a.Body)
	if err == nil {
		return &document{v, a.Sum, issues}
	}
	if !quiet {
		c.findIssues(address, issues)
		c.find(ruleJSON, address, "JSON", err.Error())
	}
	return nil
}

func (c *checker) findIssues(address string, issues []jsonIssue) {
	for _, i := range issues {
		c.find(i.rule, address, i.due, fmt.Sprintf("%s at byte %d", i.came, i.offset))
	}
}

// isReadable reports whether an answer has a whole body; else that is a finding.
func (c *checker) isReadable(address string, a *answer) bool {
	if a.Long {
		c.find(ruleBodySize, address, dueSize(a.Most), "more")
	}
	return !a.Long && c.isGood(address, a)
}

// readList reads a body as a list page, or returns nil, and checks its envelope.
func (c *checker) readList(number int, address string, d *document) *list {
	c.findIssues(address, d.issues)
	if d.kind != kindObject {
		c.find(ruleEnvelopeTypes, address, "an object", d.kind.String())
		return nil
	}
	c.checkKeys(ruleEnvelopeKeys, address, "", d.value, envelopeKeys)
	l := &list{number: number, address: address, digest: d.sum, count: -1, broken: true}
	l.next, l.badNext = c.readLink(address, d.value, "next")
	l.previous, _ = c.readLink(address, d.value, "previous")
	if count, ok := d.get("count"); ok {
		n, err := strconv.Atoi(count.text)
		if count.kind == kindNumber && err == nil && n >= 0 && strconv.Itoa(n) == count.text {
			l.count = n
		} else {
			c.find(ruleEnvelopeTypes, address, "count is an integer from 0", "count is "+showValue(count))
		}
	}
	results, ok := d.get("results")
	switch {
	case !ok:
	case results.kind != kindArray:
		c.find(ruleEnvelopeTypes, address, "results is an array", "results is "+results.kind.String())
	default:
		l.results, l.broken = results.items, false
	}
	return l
}

// readLink returns the value of next or previous, and whether it is no link at all.
func (c *checker) readLink(address string, v *value, key string) (link string, bad bool) {
	m, ok := v.get(key)
	switch {
	case !ok:
		return "", true
	case m.kind == kindNull:
		return "", false
	case m.kind == kindString && m.text != "":
		return m.text, false
	}
	c.find(ruleEnvelopeTypes, address, key+" is an address or null", key+" is "+showValue(m))
	return "", true
}

// checkKeys checks the keys of an object and their order. part is the path of the object
// in the body: "", or it ends with a dot.
func (c *checker) checkKeys(missing *Rule, address, part string, v *value, due []string) {
	var known, extra, order, lacking []string
	for _, key := range v.keys() {
		if !slices.Contains(due, key) {
			extra = append(extra, part+key)
		} else if !slices.Contains(known, key) {
			known = append(known, key)
		}
	}
	for _, key := range due {
		if slices.Contains(known, key) {
			order = append(order, key)
		} else {
			lacking = append(lacking, part+key)
		}
	}
	if len(lacking) > 0 {
		c.find(missing, address, showKeys(lacking), "missing")
	}
	if len(extra) > 0 {
		c.find(ruleExtraKey, address, "no other keys than "+showKeys(due), showKeys(extra))
	}
	if !slices.Equal(known, order) {
		c.find(ruleKeyOrder, address, part+"{"+showKeys(order)+"}", part+"{"+showKeys(known)+"}")
	}
}

// checkList checks a list page and has its records opened. It reports whether the walk
// can go on from there.
func (w *walk) checkList(ctx context.Context, l *list) bool {
	w.seen[digestOf([]byte(l.address))] = l.number
	if w.isRepeated(l) || w.isPlain(l) {
		w.gap = true
		return false
	}
	w.bodies[l.digest] = l.number
	w.checkCountOf(l)
	if l.number == 1 {
		w.hintLinks(l)
	}
	if l.broken {
		w.gap = true
	} else {
		w.checkSize(l)
	}
	w.lists = append(w.lists, make([]keptList, max(0, l.number-len(w.lists)))...)
	kept := &w.lists[l.number-1]
	*kept = keptList{digest: l.digest, back: w.checkPrevious(l)}
	if l.address != w.form.list(l.number) {
		kept.address = l.address
	}
	ids := make([]uuid.UUID, 0, len(l.results))
	for i := range l.results {
		id, ok := w.checkListed(ctx, l, i)
		if !ok {
			return false
		}
		ids = append(ids, id)
	}
	kept.keepOrder(ids)
	if w.met += len(ids); w.plain == nil && w.shown != nil {
		w.shown(w.met, w.count)
	}
	w.compareOrder(l)
	return ctx.Err() == nil
}

// isFull reports whether no more records are kept, which ends the walk: budgets and
// memory grow with count.
func (w *walk) isFull() bool {
	count := w.count
	if w.plain != nil && w.plain.count >= 0 {
		count = w.plain.count
	}
	if count < 0 || len(w.records) < count+maxSurplus {
		return false
	}
	w.gap = true
	w.find(ruleCount, w.form.list(1), fmt.Sprintf("%s, because count is %d", plural(count, "record"), count), fmt.Sprintf("more than %d", len(w.records)))
	w.stop("there are more records than the count of %d allows: the walk ended after %d", count, len(w.records))
	return true
}

// checkCountOf checks the count of a list page. The first one sets that of the walk.
func (w *walk) checkCountOf(l *list) {
	switch {
	case l.count < 0:
	case w.count < 0:
		w.count = l.count
		if w.Lenient && l.next != "" && len(l.results) > 0 {
			w.size = len(l.results)
		}
		if w.size != pageSize {
			w.find(rulePageSize, l.address, plural(pageSize, "record"), plural(w.size, "record"))
		}
	case l.count != w.count:
		w.find(ruleCountEqual, l.address, fmt.Sprintf("count is %d, as on list page 1", w.count), fmt.Sprintf("count is %d", l.count))
	}
}

// checkSize checks the number of records. A last list page with too few records is left
// to checkCount, unless it has none.
func (w *walk) checkSize(l *list) {
	n, due, least := len(l.results), w.size, w.size
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
		w.find(rulePageSize, l.address, plural(due, "record"), plural(n, "record"))
	case w.Sample > 0 && l.number == w.due() && n != due:
		w.find(ruleCount, l.address, fmt.Sprintf("%s, because count is %d", plural(due, "record"), w.count), plural(n, "record"))
	}
}

// checkListed checks a record of a list page, and has it opened. It returns its id, or
// the zero value, and whether the walk goes on.
func (w *walk) checkListed(ctx context.Context, l *list, i int) (id uuid.UUID, more bool) {
	v, part := &l.results[i], fmt.Sprintf("results[%d].", i)
	came, id, ok := w.checkElement(w.form, l.address, i, v)
	if !ok {
		w.gap = true
		return uuid.Nil, true
	}
	hash := hashOfRecord(v)
	k := w.records[id]
	switch again := k != nil; {
	case again && (w.plain == nil || k.api):
		w.find(ruleIDUnique, l.address, part+"url with an id of its own", fmt.Sprintf("%s, which list page %d has too", id, k.list))
		return id, true
	case !again && w.isFull():
		return id, false
	case !again:
		k = &listed{list: int32(l.number), shared: hash}
		w.records[id] = k
		w.known.Add(1)
		w.checkShared(l.address, part, v)
		if w.plain != nil && !w.plain.gap && w.Sample == 0 {
			w.find(ruleVariantsEqual, l.address, "the records of the plain variant", part+"url with "+id.String())
		}
	case k.shared != hash:
		w.compareList(ctx, l, part, id, v)
	}
	k.api = w.plain != nil
	if w.plain == nil {
		w.checkOrder(l, part, id, v)
	}
	if w.Sample == 0 || w.isPicked(l, i) {
		w.pool.Go(func() error {
			w.openRecord(ctx, k, id, came, v)
			return nil
		})
	}
	return id, ctx.Err() == nil
}

// checkElement checks the keys and the url of an element of results. Where it has no
// good url, the rest is checked, too.
func (c *checker) checkElement(f form, address string, i int, v *value) (url string, id uuid.UUID, ok bool) {
	part := fmt.Sprintf("results[%d]", i)
	if v.kind != kindObject {
		c.find(ruleEnvelopeTypes, address, part+" is an object", showValue(v))
		return "", id, false
	}
	part += "."
	for _, key := range []string{"content", "embeds"} {
		if _, ok := v.get(key); ok {
			c.find(ruleListForm, address, "no "+part+key, "it is there")
		}
	}
	c.checkKeys(ruleRecordKeys, address, part, v.without("content", "embeds"), recordKeys)
	if f.base != "" {
		url, id, ok = c.checkURL(address, part, f, v)
	}
	if !ok {
		c.checkShared(address, part, v)
	}
	return url, id, ok
}

func (w *walk) checkOrder(l *list, part string, id uuid.UUID, v *value) {
	created, ok := stampIn(v, "created")
	before := w.last
	w.last.created, w.last.id, w.last.known = created, id, ok
	switch {
	case !ok || !before.known:
	case created.After(before.created):
		w.find(ruleOrder, l.address, part+"created not after "+before.created.Format(stampForm)+" of the record before", created.Format(stampForm))
	case created.Equal(before.created) && slices.Compare(id[:], before.id[:]) < 0:
		w.find(ruleOrder, l.address, part+"url with an id after "+before.id.String()+" of the record before, created at the same time", id.String())
	}
}

// keepOrder keeps which records a list page has.
func (l *keptList) keepOrder(ids []uuid.UUID) {
	if l.size = int32(len(ids)); l.size == 0 || slices.Contains(ids, uuid.Nil) {
		return
	}
	var all []byte
	for _, id := range ids {
		all = append(all, id[:]...)
	}
	l.first, l.order = ids[0], max(1, uint32(digestOf(all)))
}

// compareOrder compares the order of an api list page with the plain one.
func (w *walk) compareOrder(l *list) {
	if w.plain == nil || l.number > len(w.plain.lists) {
		return
	}
	due, came := w.plain.lists[l.number-1], w.lists[l.number-1]
	if due.size == came.size && due.order != 0 && came.order != 0 && due.order != came.order {
		w.find(ruleVariantsEqual, l.address, "the records of the plain variant, in the same order", "other records, or another order")
	}
}
