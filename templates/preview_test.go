package templates_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

func TestFindTheMissingTranslation(t *testing.T) {
	b := open(t, smallLibrary(t), "/")
	b.see("h1", "Coverage")
	if got := eval[string](b, "document.title"); got != "Coverage – sivu preview" {
		t.Errorf("the title is %q", got)
	}
	b.see("main .lead", "2 topics in 3 languages. 1 translation is missing, 1 is older than Finnish.")
	want := []string{"Topic", "fi Finnish 100 % 2 of 2", "en English 100 % 2 of 2", "ar Arabic 50 % 1 of 2"}
	for i, got := range b.texts(".coverage thead th") {
		if !strings.HasPrefix(got, want[i]) {
			t.Errorf("head %d: got %q, want %q", i, got, want[i])
		}
	}
	if diff := cmp.Diff([]string{"there", "there", "there", "there", "older", "missing"}, b.texts(".coverage td")); diff != "" {
		t.Error(diff)
	}
	b.click(".coverage .status-missing")
	b.see("h1", "Työ")
	b.see(".pane:nth-of-type(2) .pane-head", "Arabic (ar) missing")
	b.see(".command code", "sivu new ar/tyo")
}

func TestCoverageFilters(t *testing.T) {
	testAll(t)
	b := open(t, smallLibrary(t), "/#/coverage?gaps=1")
	b.see(".hits", "1 of 2 topics")
	b.choose("Language", "en")
	b.until(`location.hash === '#/coverage?gaps=1&language=en'`)
	if diff := cmp.Diff([]string{"there", "older"}, b.texts(".coverage td")); diff != "" {
		t.Error(diff)
	}
	b.click(".field-check input")
	b.see(".hits", "2 topics")
	b.choose("Order", "gaps")
	b.until(`document.querySelector('.topic-title').textContent === 'Työ'`)
	b.write(".filters input[type=search]", "tervetuloa")
	b.see(".hits", "1 of 2 topics")
	b.see("#announce", "1 of 2 topics found")
	b.write(".filters input[type=search]", "xyz")
	b.see(".empty", "No topic passes these filters.")
}

func TestArabicRecord(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	b := open(t, l, "/")
	r := l.records[2]
	address := l.base + "/pages/" + r.id().String() + "/"
	b.click(`.coverage a[aria-label="there, Arabic, index"]`)
	b.see("h1", "مرحبًا بكم")
	if got := eval[string](b, `(({ lang, dir }) => lang + ' ' + dir)(document.querySelector('h1'))`); got != "ar auto" {
		t.Errorf("the heading is %s", got)
	}
	got := inFrame(b, r, `document.documentElement.lang + ' ' + getComputedStyle(document.querySelector('p')).direction + ' ' + document.querySelector('p').innerText`)
	if want := "ar rtl تجدون هنا المعلومات الأساسية."; got != want {
		t.Errorf("the frame is %q, want %q", got, want)
	}
	want := []string{"title مرحبًا بكم", "url ar/index", "description null"}
	if diff := cmp.Diff(want, b.texts(".meta tbody tr")); diff != "" {
		t.Error(diff)
	}
	b.see(".meta code.null", "null")
	b.see(".embeds a", "https://video.example/embed/1")
	b.see(".facts .place", "content/ar/index.md")

	b.see(".address", address)
	b.click(".json-address .copy")
	b.see("#announce", "Copied")
	if got := b.clipboard(); got != address {
		t.Errorf("copied %q, want %q", got, address)
	}
	b.see(".json-key", `"language"`)
	b.click("#json-tab-api")
	b.see(".address", address+"?format=api")
	b.click(".segments label:last-child input")
	b.until(fmt.Sprintf(`document.querySelector('.json').textContent === %q`, r.json(t, l.base, "?format=api", true)))
}

func TestSideBySide(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	b := open(t, l, "/#/record/"+l.records[0].id().String())
	want := []string{"fi Finnish", "en English", "ar Arabic"}
	if diff := cmp.Diff(want, b.texts(".languages a")); diff != "" {
		t.Error(diff)
	}
	b.choose("Side by side with", "ar")
	b.see(".pane:nth-of-type(2) .pane-head b", "Arabic (ar)")
	for i, title := range map[int]string{0: "Tervetuloa", 2: "مرحبًا بكم"} {
		if got := inFrame(b, l.records[i], `document.querySelector('h1').innerText`); got != title {
			t.Errorf("a frame shows %q, want %q", got, title)
		}
	}
	isBeside := `(([a, b]) => a.top === b.top && a.right < b.left)([...document.querySelectorAll('iframe')].map((f) => f.getBoundingClientRect()))`
	b.until(isBeside)
	b.size(360, 740)
	b.until(`(([a, b]) => a.left === b.left && a.bottom < b.top)([...document.querySelectorAll('iframe')].map((f) => f.getBoundingClientRect()))`)
}

func TestRecordsByLanguageAndText(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	b := open(t, l, "/#/records")
	b.see(".hits", "5 records")
	b.choose("Language", "en")
	b.see(".hits", "2 of 5 records")
	b.write(".filters input[type=search]", "WORK")
	b.see(".hits", "1 of 5 records")
	b.see("#announce", "1 of 5 records found")
	b.see(".record-title", "Work")

	// The address holds it all, and the way back leads to it.
	b.click(".record-link")
	b.see("h1", "Work")
	b.do(back)
	b.see(".hits", "1 of 5 records")
	if got := eval[string](b, `document.querySelector('.filters input').value`); got != "WORK" {
		t.Errorf("the search field holds %q", got)
	}
	b.choose("Language", "")
	b.choose("Kind", "front")
	b.see(".empty", "No record passes these filters.")
}

var listRule = &diag.Rule{Name: "meta-type", Doc: "d", Severity: diag.Error}
var linkRule = &diag.Rule{Name: "broken-link", Doc: "d", Severity: diag.Warning}

// theProblems are an error in the page on work and a warning elsewhere.
func theProblems() []diag.Diagnostic {
	return []diag.Diagnostic{
		listRule.At(diag.Position{File: "content/fi/tyo.md", Line: 4, Column: 1}, `"reviewers" is a list`).WithHint("name it under ignore"),
		linkRule.At(diag.Position{File: "content/en/index.md", Line: 9, Column: 12}, "no page is at /en/moon"),
	}
}

func TestProblems(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	l.report = reportOf(theProblems()...)
	l.failed = true
	l.show(t)
	b := open(t, l, "/#/records")
	b.see("#banner", "The pages cannot be built as they are now. Of what has errors you see the last good version (1 error, 1 warning). See what is wrong")
	b.see(`[data-view="problems"]`, "Problems 2 (1 error, 1 warning)")
	b.click("#banner a")
	b.see("h1", "Problems")
	want := []string{
		"warning content/en/index.md:9:12 Copy content/en/index.md:9:12 no page is at /en/moon rule broken-link · show the record",
		`error content/fi/tyo.md:4:1 Copy content/fi/tyo.md:4:1 "reviewers" is a list What to do: name it under ignore rule meta-type · show the record`,
	}
	if diff := cmp.Diff(want, b.texts(".problem")); diff != "" {
		t.Error(diff)
	}
	b.choose("Severity", "error")
	b.see(".hits", "1 of 2 problems")
	b.choose("Severity", "")
	b.choose("Rule", "broken-link")
	b.see(".problem .place", "content/en/index.md:9:12")
	b.choose("Rule", "")
	b.write(".filters input[type=search]", "reviewers")
	b.see(".problem .place", "content/fi/tyo.md:4:1")
	b.click(".problem-rule a")
	b.see("h1", "Työ")
	b.see(".problems .problem-message", `"reviewers" is a list`)
}

// A name that looks like the place of a problem is quoted, as on a terminal.
func TestProblemOfForgedName(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	at := diag.Position{File: "content/fi/colon:2:3: error: fake.md", Line: 4, Column: 1}
	l.report = reportOf(listRule.At(at, `"reviewers" is a list`))
	l.failed = true
	l.show(t)
	b := open(t, l, "/#/problems")
	b.see(".problem .place", at.String())
	if want := `"content/fi/colon\x3a2\x3a3\x3a error\x3a fake.md":4:1`; at.String() != want {
		t.Errorf("the place is %s, want %s", at, want)
	}
}

func TestNothingBuiltYet(t *testing.T) {
	testAll(t)
	l := newLibrary(t, []string{"fi"})
	l.fail(t, theProblems()...)
	b := open(t, l, "/#/problems")
	b.excuse("503")
	b.see("#banner", "The pages cannot be built as they are now. Nothing can be shown until that is cured (1 error, 1 warning). See what is wrong")
	b.click(`[data-view="records"]`)
	b.see(".empty", "There are no records yet.")
	l.records = smallLibrary(t).records
	l.report, l.failed = diag.Report{}, false
	l.show(t, l.records[0])
	b.see(".hits", "5 records")
	b.see("#banner", "")
}

func TestSnapshotWithoutSources(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	l.languages, l.pages = nil, false
	l.records = append(l.records, newRecord("fi", "koulu", "Koulu", "2024-05-06"))
	l.show(t)
	b := open(t, l, "/")
	b.see("main .lead", "3 topics in 3 languages. 3 translations are missing, 1 is older than Finnish.")
	if diff := cmp.Diff([]string{"index", "koulu", "tyo"}, b.texts(".topic-name")); diff != "" {
		t.Error(diff)
	}
	b.click(`[data-view="records"]`)
	b.see(".hits", "6 records")
	if got := b.texts(".filters label"); strings.Contains(strings.Join(got, " "), "Kind") {
		t.Errorf("the kinds are not known, and there is a filter for them: %q", got)
	}
}

func TestHostileRecord(t *testing.T) {
	testAll(t)
	l := smallLibrary(t)
	const attack = `<img src=x onerror="top.hacked=1"><script>top.hacked=1</script>`
	r := newRecord("en", "index", attack, "2024-05-06")
	r.meta = append(r.meta, field{attack, attack})
	r.file, r.kind = attack, attack
	r.body = attack + `<a href="javascript:top.hacked=1" id="link">x</a><iframe src="javascript:top.hacked=1"></iframe><style>p{}</style><p style="color:red" onclick="hacked=1">x</p>`
	r.embeds = []string{"javascript:hacked=1"}
	l.records[1] = r
	l.report = reportOf(linkRule.At(diag.Position{File: attack, Line: 1, Column: 1}, "%s", attack))
	l.show(t)
	b := open(t, l, "/")
	b.see("h1", "Coverage")
	b.visit("/#/records?text=onerror")
	b.see(".record-title", attack)
	b.visit("/#/problems")
	b.see(".problem-message", attack)
	b.visit("/#/record/" + r.id().String() + "?with=fi")
	b.see("h1", attack)
	b.see(".meta tbody tr:nth-child(4)", attack+" "+attack)
	b.see(".embeds", "javascript:hacked=1")
	// The frame begins as an empty document, which is complete, too.
	if got := inFrame(b, r, `if (document.readyState !== 'complete' || !document.querySelector('.xmldoc')) throw 'not yet'; String(window.hacked ?? 'unharmed')`); got != "unharmed" {
		t.Errorf("a script ran in the frame: %s", got)
	}
	if got := eval[string](b, `String(window.hacked ?? 'unharmed') + document.querySelectorAll('main img, main script').length`); got != "unharmed0" {
		t.Errorf("a script ran in the page, or its elements are there: %s", got)
	}
}

func TestKeyboardOnly(t *testing.T) {
	testAll(t)
	b := open(t, smallLibrary(t), "/")
	b.press(kb.Tab)
	focused := func(selector string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.activeElement.matches(%q)`, selector))
	}
	focused("#skip")
	b.press(kb.Enter)
	focused("main")
	// Search, language, order, gaps, the field of the table, its first cell.
	b.press(kb.Tab, "t", "y", kb.Tab, kb.Tab, kb.Tab, " ")
	b.see(".hits", "1 of 2 topics")
	b.press(kb.Tab)
	focused(".coverage-field")
	b.press(kb.Tab, kb.Tab)
	focused(`[aria-label="older, English, tyo"]`)
	b.press(kb.Enter)
	b.see("h1", "Work")
	focused("h1")
	for range 40 {
		if eval[bool](b, `document.activeElement.matches('[role=tab]')`) {
			break
		}
		b.press(kb.Tab)
	}
	focused("#json-tab-plain")
	b.press(kb.ArrowRight)
	focused("#json-tab-api")
	b.until(`document.querySelector('.address').textContent.endsWith('?format=api')`)
}

func TestAddressOfAPage(t *testing.T) {
	testAll(t)
	b := open(t, smallLibrary(t), "/#/at/en/tyo")
	b.see("h1", "Work")
	b.visit("/#/at/en/moon")
	b.see("h1", "No such page")
	b.visit("/#/record/00000000-0000-0000-0000-000000000000")
	b.see("h1", "This record is not there")
}
