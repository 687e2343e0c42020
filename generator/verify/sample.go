package verify

import "context"

// forwardSample opens some list pages, spread over all: always the first two
// and the last, as mistakes show there. On each it has some records opened.
func (w *walk) forwardSample(ctx context.Context) error {
	numbers := []int{1}
	for i := 0; i < len(numbers); i++ {
		n := numbers[i]
		l, err := w.enter(ctx, n, []way{{address: w.form.list(n)}})
		if err != nil {
			return err
		}
		if l == nil {
			w.gap = true
			continue
		}
		if !w.take(ctx, l) {
			return nil
		}
		w.checkNext(l)
		if n == 1 {
			numbers = spread(w.Sample, w.due())
		}
	}
	return nil
}

// checkNext judges next where the walk does not follow it.
func (w *walk) checkNext(l *list) {
	due, n := "", l.number
	if n < w.due() {
		due = w.form.list(n + 1)
	}
	if l.odd || l.next == due || w.due() == 0 {
		return
	}
	rule := ruleNext
	switch again, seen := w.numberAt(l.next); {
	case seen:
		w.leadsBack(l, again, showLink(due))
		return
	case l.next != "" && due != "":
		rule = blame(ruleNext, w.form, func(f form) string { return f.list(n + 1) }, l.next)
	case l.next != "" && !below(w.base, l.next):
		rule = ruleLinkBase
	}
	w.find(rule, l.address, "", "next is "+showLink(due), "next is "+showLink(l.next))
}

// spread returns about n of the numbers from 1 to last, among them 1, 2 and
// last.
func spread(n, last int) []int {
	numbers := []int{1}
	steps := min(max(n, 3), last) - 1
	for i := range steps {
		next := 2
		if steps > 1 {
			next += int(int64(i) * int64(last-2) / int64(steps-1))
		}
		if next > numbers[len(numbers)-1] {
			numbers = append(numbers, next)
		}
	}
	return numbers
}

// isPicked reports whether a sample opens a record of a list page: as many of
// each as make about the number asked for, not the same on all.
func (w *walk) isPicked(l *list, i int) bool {
	lists := min(max(w.Sample, 3), max(w.due(), 1))
	each := max(1, w.Sample/lists)
	n := max(len(l.results), 1)
	if each >= n || w.Sample >= w.count {
		return true
	}
	place := (i + l.number*3) % n
	return (place+1)*each/n != place*each/n
}
