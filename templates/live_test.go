package templates_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"example.org/sivu/generator/diag"
)

// back is the button of the browser.
var back = chromedp.Evaluate[chromedp.Void](`history.back()`)

// An author edits a file: the page follows, is not loaded anew, and reads
// nothing but the record.
func TestChangeIsSeen(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	work := l.records[4]
	b := open(t, l, "/#/record/"+work.id().String())
	inFrame(b, work, `document.querySelector('h1').innerText`)
	b.click("#json-tab-api")
	b.see("#live-text", "Up to date")
	eval[bool](b, `window.sameDocument = true`)
	lists := l.lists.Load()

	work.meta[0].value, work.body = "Working life", "<h1>Working life</h1>"
	l.show(t, work)
	b.see("h1", "Working life")
	b.see("#announce", "The pages were updated")
	b.see(".meta tbody tr", "title Working life")
	b.until(`document.querySelector('iframe').title === 'Working life (English)'`)
	for inFrame(b, work, `document.querySelector('h1')?.innerText ?? ''`) != "Working life" {
	}
	if got := eval[string](b, `document.activeElement.id`); got != "json-tab-api" || !eval[bool](b, `window.sameDocument`) {
		t.Errorf("the focus moved to %q, or the page was loaded anew", got)
	}
	if now := l.lists.Load(); now != lists {
		t.Errorf("%d list pages were read for one record", now-lists)
	}
}

// Filters, focus and scroll positions stay while records come and go.
func TestChangeLeavesTheRestAlone(t *testing.T) {
	testAll(t)
	var records []*record
	for i := range 120 {
		records = append(records, newRecord("fi", fmt.Sprintf("aihe-%03d", i), fmt.Sprintf("Aihe %d", i), "2024-05-06"))
	}
	l := newLibrary(t, []string{"fi"}, records...)
	l.show(t)
	b := open(t, l, "/#/records?text=aihe")
	b.see(".hits", "120 records")
	eval[bool](b, `(scrollTo(0, 1500), document.querySelectorAll('.record-link')[20].focus({ preventScroll: true }), window.focused = document.activeElement, window.scrolled = scrollY, true)`)

	added := newRecord("fi", "uusi", "Uusi aihe", "2024-05-06")
	added.created = "2018-01-01T00:00:00.000000Z"
	changed := records[3]
	changed.meta[0].value = "Aihe, muutettu"
	l.records = append(slices.Delete(slices.Clone(records), 5, 6), added)
	b.excuse("404")
	l.show(t, added, changed, records[5])
	b.see("#announce", "The pages were updated")
	b.see(".hits", "120 records")
	if !eval[bool](b, `document.activeElement === window.focused && scrollY === window.scrolled`) {
		t.Error("focus or scroll position did not stay")
	}

	// The way back leads to where one was.
	b.press(kb.Enter)
	b.until(`document.querySelector('.record-head') && scrollY === 0`)
	b.do(back)
	b.until(`document.querySelector('.records') && scrollY === window.scrolled`)
	b.visit("/#/records?text=uusi")
	b.see(".record-title", "Uusi aihe")
}

// An author breaks a page, and mends it.
func TestBreakIsTold(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	b := open(t, l, "/#/record/"+l.records[3].id().String())
	b.see("h1", "Työ")
	l.fail(t, theProblems()...)
	b.see("#banner strong", "The pages cannot be built as they are now.")
	b.see(".problem-message", `"reviewers" is a list`)
	b.see("h1", "Työ")

	l.report, l.failed = diag.Report{}, false
	l.show(t)
	b.see("#banner", "")
	b.until(`!document.querySelector('.problem')?.checkVisibility()`)
}

func TestRecordRemoved(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	gone := l.records[4]
	b := open(t, l, "/#/record/"+gone.id().String())
	b.excuse("404")
	b.see("h1", "Work")
	inFrame(b, gone, `document.readyState`)
	l.records = l.records[:4]
	l.show(t, gone)
	b.see("h1", "This record is not there")
	l.records = append(l.records, gone)
	l.show(t, gone)
	b.see("h1", "Work")
}

// The preview is ended and started again, with other pages.
func TestServerStartedAgain(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	base, stop := l.listen(t, "127.0.0.1:0")
	l.base = base
	l.show(t)
	b := open(t, l, "/#/records")
	b.see(".hits", "5 records")
	b.see("#live-text", "Up to date")
	b.excuse("net::ERR_")
	stop()
	b.see("#live-text", "Reconnecting")
	l.records = l.records[:3]
	l.listen(t, strings.TrimPrefix(base, "http://"))
	l.show(t)
	b.see(".hits", "3 records")
	b.see("#announce", "The pages were updated")
}

// A large site: every view stays small.
func TestManyRecords(t *testing.T) {
	testAll(t)
	languages := []string{"fi", "en", "sv", "ru", "et", "so", "es", "tr", "zh", "fa", "ar", "fr"}
	var records []*record
	for i := range 1000 {
		for _, language := range languages {
			records = append(records, newRecord(language, fmt.Sprintf("aihe-%04d", i), fmt.Sprintf("Aihe %d", i), "2024-05-06"))
		}
	}
	l := newLibrary(t, languages, records[1:]...)
	l.show(t)
	b := open(t, l, "/")
	b.see(".hits", "1,000 topics")
	b.see("main .lead", "1,000 topics in 12 languages. 1 translation is missing, 0 are older than Finnish.")
	for _, view := range []struct{ address, at string }{
		{"#/coverage", "1–50 of 1,000 page 1 of 20"}, {"#/records", "1–50 of 11,999 page 1 of 240"},
		{"#/records?page=240", "11,951–11,999 of 11,999 page 240 of 240"},
	} {
		address := view.address
		eval[string](b, fmt.Sprintf("location.hash = %q", address))
		b.see(".pager-at", view.at)
		if n := eval[int](b, `document.querySelectorAll('*').length`); n > 5000 {
			t.Errorf("%s: %d elements", address, n)
		}
	}
	b.click(".pager a[rel=prev]")
	b.see(".pager-at", "11,901–11,950 of 11,999 page 239 of 240")
}
