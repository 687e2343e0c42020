package verify

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// openNext checks next, and opens the next list page. more is false at the end of the
// walk; else l is nil where no list page can be read.
func (w *walk) openNext(ctx context.Context, l *list) (next *list, more bool) {
	n, due := l.number+1, ""
	if l.number < w.due() || w.due() == 0 && l.next != "" {
		due = w.form.list(n)
	}
	switch {
	case due == "" && l.next == "":
		return nil, false
	case l.badNext, l.next == due:
		return w.openList(ctx, n, due), true
	case due == "":
		next = w.openPastEnd(ctx, l)
	case l.next == "":
		if next, _ = w.openNew(ctx, n, due); next != nil {
			w.find(ruleNext, l.address, "next is "+show(due), "next is null")
		}
	default:
		return w.openWrong(ctx, l, due)
	}
	return next, next != nil
}

// openPastEnd goes on after the last list page that count allows: if there are new
// records, count is wrong, and if not, next is.
func (w *walk) openPastEnd(ctx context.Context, l *list) *list {
	const due = "next is null on the last list page"
	n, came := l.number, "next is "+show(l.next)
	if !below(w.base, l.next) {
		w.find(ruleLinkBase, l.address, "next is null", came)
		return nil
	}
	if again, ok := w.numberAt(l.next); ok {
		w.findLoop(l, again, "null")
		w.stopLoop(n, again)
		return nil
	}
	if n >= w.due()+maxBeyond {
		w.find(ruleCount, w.form.list(1), fmt.Sprintf("at most %d list pages, because count is %d", w.due(), w.count), fmt.Sprintf("list page %d has %s", n, came))
		w.stop("there are more list pages than the count of %d allows: the walk ended after %d", w.count, n)
		w.gap = true
		return nil
	}
	next, further := w.openNew(ctx, n+1, l.next)
	switch {
	case next != nil, ctx.Err() != nil:
	case further:
		w.find(ruleWalkEnd, l.address, due, came+", which has no new records, and a next again")
		w.stop("there are more list pages than the %d that count allows, without new records: a client that follows next may never end", w.due())
	default:
		w.find(ruleNext, l.address, due, came)
	}
	return next
}

// openWrong goes on where next is another address than the one that is due. As a client
// does, it follows links of another style; else it goes on at the address that is due,
// and follows next only where nothing is there.
func (w *walk) openWrong(ctx context.Context, l *list, due string) (next *list, more bool) {
	n := l.number + 1
	rule := ruleForLink(ruleNext, w.form, func(f form) string { return f.list(n) }, l.next)
	if again, seen := w.numberAt(l.next); rule == ruleNext && seen {
		w.findLoop(l, again, show(due))
		if next, _ = w.openNew(ctx, n, due); next == nil && ctx.Err() == nil {
			w.stopLoop(l.number, again)
			w.gap = true
		}
		return next, next != nil
	}
	w.find(rule, l.address, "next is "+show(due), "next is "+show(l.next))
	switch rule {
	case ruleLinkStyle, ruleQueryOrder:
		return w.openList(ctx, n, l.next, due), true
	case ruleLinkBase, ruleLinkVariant:
		return w.openList(ctx, n, due), true
	}
	return w.openList(ctx, n, due, l.next), true
}

// findLoop finds that next leads to a list page that was met before.
func (w *walk) findLoop(l *list, again int, due string) {
	w.find(ruleWalkEnd, l.address, "next is "+due, fmt.Sprintf("next is %s, which leads back to list page %d", show(l.next), again))
}

func (w *walk) stopLoop(n, again int) {
	w.stop("next of list page %d leads back to list page %d: a client that follows it never ends", n, again)
}

// checkNext checks next in a sample, where the walk does not follow it.
func (w *walk) checkNext(l *list) {
	due, n := "", l.number
	if n < w.due() {
		due = w.form.list(n + 1)
	}
	if l.badNext || l.next == due || w.due() == 0 {
		return
	}
	if again, seen := w.numberAt(l.next); seen {
		w.findLoop(l, again, showLink(due))
		return
	}
	w.findLink(ruleNext, l, n+1, due, l.next)
}

// checkPrevious reports whether previous is the address that is due.
func (w *walk) checkPrevious(l *list) bool {
	due, n := "", l.number
	if n > 1 {
		due = w.form.list(n - 1)
	}
	if l.previous != due {
		w.findLink(rulePrevious, l, n-1, due, l.previous)
	}
	return l.previous == due && n > 1
}

// findLink finds that next or previous is not the due address of list page n.
func (w *walk) findLink(field *Rule, l *list, n int, due, came string) {
	rule := field
	switch {
	case came != "" && due != "":
		rule = ruleForLink(field, w.form, func(f form) string { return f.list(n) }, came)
	case came != "" && !below(w.base, came):
		rule = ruleLinkBase
	}
	w.find(rule, l.address, field.Name+" is "+showLink(due), field.Name+" is "+showLink(came))
}

// isRepeated reports whether a list page was met before, so the walk would never end.
func (w *walk) isRepeated(l *list) bool {
	again, ok := w.bodies[l.digest]
	if !ok || len(l.results) == 0 {
		return false
	}
	why := ""
	if _, query, ok := strings.Cut(l.address, "?"); ok && w.Links == LinksQuery {
		why = fmt.Sprintf(": this host ignores the query: ?%s answered with list page %d; for such hosts build with --links file+query", query, again)
	}
	w.find(ruleWalkEnd, l.address, fmt.Sprintf("list page %d", l.number), fmt.Sprintf("the bytes of list page %d", again))
	w.stop("a client that follows next never ends%s", why)
	return true
}

// isPlain reports whether the api variant is the plain one, so there is nothing to walk.
func (w *walk) isPlain(l *list) bool {
	if w.plain == nil || l.number != 1 || len(l.results) == 0 || len(w.plain.lists) == 0 || w.plain.lists[0].digest != l.digest {
		return false
	}
	w.find(ruleLinkVariant, l.address, "the api variant, whose links lead to the api variant", "the bytes of the plain list page 1")
	return true
}

// hintLinks gives a hint where all links of the first list page have another base
// address or link style than is due.
func (w *walk) hintLinks(l *list) {
	base, style := "", ""
	for i := range l.results {
		came, _ := l.results[i].string("url")
		its, _, ok := cutPages(came)
		if !ok || i > 0 && (its != base || w.styleOf(came, l.next) != style) {
			return
		}
		base, style = its, w.styleOf(came, l.next)
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.User != nil {
		return
	}
	if base != w.base {
		w.hint("all links begin with %s: give that address, or build with --base-url %s", base, w.base)
	}
	switch {
	case style == "" || style == w.Links:
	case len(w.Styles) > 0 && !slices.Contains(w.Styles, style):
		w.hint("all links are of the style %s, which %s cannot serve: build with --host %s", style, w.Host, w.Host)
	default:
		w.hint("all links are of the style %s: give --links %s", style, style)
	}
}

// styleOf returns the link style of a list page by the address of a record and next, or
// "" where both styles with files have these: on a single plain list page.
func (w *walk) styleOf(record, next string) string {
	switch {
	case !namesFile(record):
		return LinksQuery
	case strings.Contains(record+next, "?"):
		return LinksFileQuery
	case w.form.api || next != "":
		return LinksFile
	}
	return ""
}

func namesFile(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.HasSuffix(path, ".json")
}
