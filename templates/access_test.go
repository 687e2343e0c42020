package templates_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.org/sivu/generator/preview"
)

// audit returns what stands in the way of people who use a screen reader, a
// keyboard, or eyes that see less.
//
//go:embed testdata/audit.js
var audit string

// everyView are the addresses of all views of the small library, which also
// has problems.
func everyView(l *library) []string {
	r := l.records
	return []string{
		"/#/coverage", "/#/coverage?text=nothing", "/#/records", "/#/problems",
		"/#/record/" + r[0].id().String(), "/#/record/" + r[2].id().String() + "?with=en&json=api&exact=1",
		"/#/record/" + r[3].id().String() + "?with=ar", "/#/record/none", "/#/at/nowhere", "/#/record/file:content/en/hidden.md",
	}
}

func libraryWithProblems(t *testing.T) *library {
	t.Helper()
	l := smallLibrary(t)
	l.records[3].broken = preview.Earlier
	l.hidden = []preview.Page{{Language: "en", Topic: "hidden", File: "content/en/hidden.md", Broken: preview.Hidden}}
	l.fail(t, theProblems()...)
	return l
}

// recordRead says that a view of a record, if this is one, shows what lists do not
// tell, or that there is nothing.
const recordRead = `!document.querySelector('.record-head') || document.querySelector('.gone').checkVisibility() ||
	!document.querySelector('table.meta').checkVisibility() || document.querySelector('table.meta tbody tr')`

func TestEveryViewIsAccessible(t *testing.T) {
	testAll(t)
	l := libraryWithProblems(t)
	b := open(t, l, "/")
	for _, address := range everyView(l) {
		b.visit(address)
		b.until(`document.querySelector('#live').dataset.live === 'connected'`)
		b.until(recordRead)
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			for _, fault := range eval[[]string](b, audit) {
				t.Errorf("%s, %s: %s", address, scheme, fault)
			}
		}
	}
}

// On a telephone nothing but wide tables scrolls sideways.
func TestNarrow(t *testing.T) {
	testAll(t)
	l := libraryWithProblems(t)
	long := l.records[1]
	long.meta[0].value = strings.Repeat("Donaudampfschifffahrts", 8)
	long.meta[1].value = "en/" + strings.Repeat("pitka-polku-", 20)
	long.meta = append(long.meta, field{strings.Repeat("key", 30), strings.Repeat("x", 300)})
	long.file = strings.Repeat("verylongfolder", 20) + ".md"
	l.show(t)
	b := open(t, l, "/")
	b.size(360, 740)
	for _, address := range append(everyView(l), "/#/record/"+long.id().String()) {
		b.visit(address)
		b.until(recordRead)
		if width := eval[int](b, `document.documentElement.scrollWidth`); width > 360 {
			wide := eval[[]string](b, `[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > 360 && !e.closest('.coverage-field, .scroll'))
				.map((e) => e.tagName + '.' + e.className).slice(0, 5)`)
			t.Errorf("%s is %d px wide: %q", address, width, wide)
		}
	}
}

// The heights of frames are reckoned; they should come near.
func TestFrameHeight(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	r := l.records[0]
	paragraph := "<p>" + strings.Repeat("Sanoja tavallisesta tekstistä, jota sivuilla on. ", 9) + "</p>"
	list := "<ul>" + strings.Repeat("<li>Lyhyt kohta</li>", 8) + "</ul>"
	r.body = "<h1>Otsikko</h1>" + strings.Repeat("<h2>Väliotsikko</h2>"+paragraph+list, 4)
	l.show(t)
	b := open(t, l, "/")
	for _, width := range []int64{1280, 360} {
		b.size(width, 900)
		b.visit("/#/record/" + r.id().String())
		b.until(`document.querySelector('iframe')`)
		// The frame begins as an empty document, which is complete, too, and follows the
		// width of the page.
		var needs float64
		for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			got := inFrame(b, r, `document.readyState === 'complete' ? String(document.documentElement.getBoundingClientRect().height) : '0'`)
			if _, err := fmt.Sscan(got, &needs); err != nil {
				t.Fatal(err)
			}
			has := eval[int](b, `document.querySelector('iframe').clientHeight`)
			if needs > 0 && has >= int(needs) && has <= int(needs)*5/4 {
				break
			}
			if time.Since(begin) > patience {
				t.Errorf("at %d px the content needs %g px, and the frame has %d", width, needs, has)
				break
			}
		}
	}
}
