package verify

import (
	"fmt"
	"strings"
)

// way is an address at which the next list page may be.
type way struct {
	address string
	doubt   bool // next and count do not agree: only a list page with new records counts

	// What to do when there is one, and when there is none; may be nil. further
	// says that there is one without new records, which has a next itself.
	there   func()
	missing func(further bool)
}

// onward judges next, and returns the ways to the next list page, the best
// first; none where the walk is at its end.
func (w *walk) onward(l *list) []way {
	n := l.number
	due := ""
	if n < w.due() || w.due() == 0 && l.next != "" {
		due = w.form.list(n + 1)
	}
	switch {
	case l.next == due || l.odd && due == "":
		return ways(due)
	case l.odd:
		return ways(due)
	case due == "":
		return w.beyond(l)
	case l.next == "":
		return []way{{address: due, doubt: true, there: func() {
			w.find(ruleNext, l.address, "", "next is "+show(due), "next is null")
		}}}
	}
	return w.astray(l, due)
}

func ways(address string) []way {
	if address == "" {
		return nil
	}
	return []way{{address: address}}
}

// beyond goes on after the last list page that count allows: if there are
// records, count is wrong, and if not, next is.
func (w *walk) beyond(l *list) []way {
	n := l.number
	if !below(w.base, l.next) {
		w.find(ruleLinkBase, l.address, "", "next is null", "next is "+show(l.next))
		return nil
	}
	if again, ok := w.numberAt(l.next); ok {
		w.leadsBack(l, again, "null")
		w.stop(fmt.Sprintf("next of list page %d leads back to list page %d: a client that follows it never ends", n, again))
		return nil
	}
	if n >= w.due()+mostBeyond {
		w.find(ruleCount, w.form.list(1), "", fmt.Sprintf("at most %d list pages, because count is %d", w.due(), w.count), fmt.Sprintf("list page %d has next %s", n, show(l.next)))
		w.stop(fmt.Sprintf("there are more list pages than the count of %d allows: the walk ended after %d", w.count, n))
		w.gap = true
		return nil
	}
	return []way{{address: l.next, doubt: true, missing: func(further bool) {
		if !further {
			w.find(ruleNext, l.address, "", "next is null on the last list page", "next is "+show(l.next))
			return
		}
		w.find(ruleWalkEnd, l.address, "", "next is null on the last list page", "next is "+show(l.next)+", which has no new records, and a next again")
		w.stop(fmt.Sprintf("there are more list pages than the %d that count allows, without new records: a client that follows next may never end", w.due()))
	}}}
}

// astray goes on where next is another address than the one that is due. A
// client follows links of another style, so the walk does; else it goes on at
// the address that is due, and only where nothing is there follows next.
func (w *walk) astray(l *list, due string) []way {
	n := l.number
	rule := blame(ruleNext, w.form, func(f form) string { return f.list(n + 1) }, l.next)
	again, seen := w.numberAt(l.next)
	if rule == ruleNext && seen {
		w.leadsBack(l, again, show(due))
		return []way{{address: due, doubt: true, missing: func(bool) {
			w.stop(fmt.Sprintf("next of list page %d leads back to list page %d: a client that follows it never ends", n, again))
			w.gap = true
		}}}
	}
	w.find(rule, l.address, "", "next is "+show(due), "next is "+show(l.next))
	switch rule {
	case ruleLinkStyle, ruleQueryOrder:
		return []way{{address: l.next}, {address: due}}
	case ruleLinkBase, ruleLinkVariant:
		return []way{{address: due}}
	}
	return []way{{address: due}, {address: l.next}}
}

// leadsBack takes note of a next that leads to a list page that was met before.
func (w *walk) leadsBack(l *list, again int, due string) {
	w.find(ruleWalkEnd, l.address, "", "next is "+due, fmt.Sprintf("next is %s, which leads back to list page %d", show(l.next), again))
}

// isRepeated reports whether a list page is one that was met before, at another
// address: then the walk would never end.
func (w *walk) isRepeated(l *list) bool {
	again, ok := w.bodies[l.digest]
	if !ok || len(l.results) == 0 {
		return false
	}
	due, why := fmt.Sprintf("list page %d", l.number), ""
	if strings.Contains(l.address, "?") && w.Links == LinksQuery {
		why = fmt.Sprintf(": this host ignores the query: %s answered with list page %d; for such hosts build with --links file+query", query(l.address), again)
	}
	w.find(ruleWalkEnd, l.address, "", due, fmt.Sprintf("the bytes of list page %d", again))
	w.stop("a client that follows next never ends" + why)
	return true
}

// isPlain reports whether the api variant is the plain one: then there is
// nothing to walk.
func (w *walk) isPlain(l *list) bool {
	if w.plain == nil || l.number != 1 || len(l.results) == 0 || len(w.plain.lists) == 0 || w.plain.lists[0].digest != l.digest {
		return false
	}
	w.find(ruleLinkVariant, l.address, "", "the api variant, whose links lead to the api variant", "the bytes of the plain list page 1")
	return true
}

func query(address string) string {
	_, query, _ := strings.Cut(address, "?")
	return "?" + query
}
