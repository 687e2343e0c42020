package templates_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
	"example.org/sivu/generator/watch"
	"example.org/sivu/templates"
)

// desk is the sample site on someone's disk, and a preview of it.
type desk struct {
	t       *testing.T
	content string
	base    string
}

// newDesk adds files to the sample site, given by name and text.
func newDesk(t *testing.T, files ...string) *desk {
	t.Helper()
	d := &desk{t: t, content: filepath.Join(t.TempDir(), "content")}
	if err := os.CopyFS(d.content, os.DirFS("../content")); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		d.save(files[i], files[i+1])
	}
	listener, err := preview.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := watch.New(d.content, "")
	if err != nil {
		t.Fatal(err)
	}
	d.base = listener.Base
	live, err := view.NewLive(generator.Options{Content: d.content, BaseURL: d.base})
	if err != nil {
		t.Fatal(err)
	}
	p := generator.Preview{
		Live: live, Watcher: watcher, Listener: listener,
		Server: preview.New(preview.Options{Base: d.base, Hosts: listener.Hosts, Browser: templates.Preview()}),
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		watcher.Close()
		live.Close()
	})
	return d
}

// save writes a source as most editors do: under another name, and then over the
// old one.
func (d *desk) save(name, text string) {
	d.t.Helper()
	full := filepath.Join(d.content, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(full), 0o755)
	if err == nil {
		err = os.WriteFile(full+"~", []byte(text), 0o644)
	}
	if err == nil {
		err = os.Rename(full+"~", full)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.content, filepath.FromSlash(name)))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// An author looks for what is not translated, writes it, edits it, breaks it and
// mends it; the page follows, and is never loaded anew.
func TestAuthorAtWork(t *testing.T) {
	testAll(t)
	d := newDesk(t)
	b := openAt(t, d.base, "/")
	b.see("main .lead", "12 topics in 12 languages. 8 translations are missing, 56 are older than Finnish.")
	eval[bool](b, `window.sameDocument = true`)
	b.click(`.coverage .status-missing[aria-label*="Arabic"]`)
	b.see("h1", "Ajokortti")
	b.see(".command code", "sivu new ar/ohjeet/ajokortti")

	d.save("ar/ohjeet/ajokortti.md", "---\ntitle: رخصة القيادة\ncreated: 2026-11-20\n---\n\n# رخصة القيادة\n\nالنص الأول.\n")
	eval[string](b, `location.hash = '#/records?language=ar&text=القيادة'`)
	b.see(".hits", "1 of 137 records")
	b.click(".record-link")
	b.see("h1", "رخصة القيادة")
	inPage := func(want string) {
		t.Helper()
		b.until(`document.querySelector('iframe') !== null`)
		address := eval[string](b, `document.querySelector('iframe').src`)
		got, err := "", error(nil)
		for begin := time.Now(); got != want; time.Sleep(20 * time.Millisecond) {
			got, err = b.frameValue(address, `getComputedStyle(document.querySelector('p')).direction + ' ' + document.querySelector('p').innerText`)
			if time.Since(begin) > patience {
				t.Fatalf("the frame shows %q, want %q (%v)", got, want, err)
			}
		}
	}
	inPage("rtl النص الأول.")

	d.save("ar/ohjeet/ajokortti.md", strings.Replace(d.read("ar/ohjeet/ajokortti.md"), "الأول", "الثاني", 1))
	inPage("rtl النص الثاني.")

	good := d.read("ar/ohjeet/ajokortti.md")
	d.save("ar/ohjeet/ajokortti.md", strings.Replace(good, "created: 2026-11-20", "created: soon", 1))
	b.see("#banner strong", "The pages cannot be built as they are now.")
	b.see(".problem-message", `"soon" is not a date`)
	b.see("h1", "رخصة القيادة")
	inPage("rtl النص الثاني.")

	d.save("ar/ohjeet/ajokortti.md", good)
	b.see("#banner", "")
	if !eval[bool](b, `window.sameDocument`) {
		t.Error("the page was loaded anew")
	}
}

// A page that was broken from the start is seen with its problems, and takes no
// other page away that breaks later; both are marked until they are mended.
func TestBreakBesideAnOldError(t *testing.T) {
	testAll(t)
	d := newDesk(t, "ohjeet/rikki.fi.md", "---\ntitle: [no\n---\n")
	b := openAt(t, d.base, "/#/records?text=ajokortti&language=fi")
	b.see(".hits", "1 of 137 records")
	b.click(".record-link")
	b.see("h1", "Ajokortti")
	id := eval[string](b, `location.hash.split('/').pop()`)
	served := `fetch('/pages/` + id + `/').then((answer) => answer.text())`
	good, before := d.read("ohjeet/ajokortti.fi.md"), eval[string](b, served)
	if !strings.HasPrefix(before, `{"language":"fi",`) {
		t.Fatal(before)
	}

	d.save("ohjeet/ajokortti.fi.md", strings.Replace(good, "created: 2026-03-16T14:28:01Z", "created: soon", 1))
	b.see(".broken", "This page has errors. You see it as it last was without them. All problems")
	b.see(".problem-error .problem-message", `"soon" is not a date`)
	b.until(`/\/content\/ohjeet\/ajokortti\.fi\.md:3:1$/.test(document.querySelector('.problem-error .place').textContent)`)
	b.see("h1", "Ajokortti")
	if got := eval[string](b, served); got != before {
		t.Errorf("/pages/ serves\n%s\nand not the last good version", got)
	}
	b.visit("/#/records?language=fi&text=ajokortti")
	b.see(".record-row .status-broken", "broken")
	b.visit("/")
	b.until(`document.querySelectorAll('.coverage .status-broken').length === 2`)
	b.see(".legend li:last-child", "broken has errors")

	b.click(`.coverage .status-broken[aria-label*="rikki"]`)
	b.see(".broken", "This page has errors. No version of it can be shown yet. All problems")
	b.until(`document.querySelector('.problem-error .place').textContent.endsWith('/ohjeet/rikki.fi.md:2:8') && !document.querySelector('.reader').checkVisibility()`)
	d.save("ohjeet/rikki.fi.md", "---\ntitle: Ehjä\ncreated: 2026-11-20\n---\nTeksti.\n")
	b.see("h1", "Ehjä")
	b.until(`document.querySelector('iframe') && !document.querySelector('.broken').checkVisibility() && !location.hash.includes('file')`)
	b.see("#banner strong", "The pages cannot be built as they are now.")
	d.save("ohjeet/ajokortti.fi.md", good)
	b.see("#banner", "")
}

// Settings that cannot be read leave all pages up, and edits are still seen.
func TestSettingsBroken(t *testing.T) {
	testAll(t)
	d := newDesk(t)
	b := openAt(t, d.base, "/#/records?text=ajokortti&language=fi")
	b.see(".hits", "1 of 136 records")
	good := d.read("site.yaml")
	d.save("site.yaml", "languages: [\n")
	b.see("#banner strong", "The pages cannot be built as they are now.")
	b.see(".hits", "1 of 136 records")
	d.save("ohjeet/ajokortti.fi.md", strings.Replace(d.read("ohjeet/ajokortti.fi.md"), "Ajokortti", "Ajokortti 2", 1))
	b.see(".record-title", "Ajokortti 2")
	d.save("site.yaml", good)
	b.see("#banner", "")
	b.see(".record-title", "Ajokortti 2")
}

// A draft is a stub, and a page with the text of the reference language is not
// translated.
func TestStubs(t *testing.T) {
	testAll(t)
	d := newDesk(t)
	b := openAt(t, d.base, "/")
	b.see("main .lead", "12 topics in 12 languages. 8 translations are missing, 56 are older than Finnish.")
	_, text, _ := strings.Cut(strings.TrimPrefix(d.read("ohjeet/ajokortti.fi.md"), "---\n"), "---\n")
	d.save("et/ohjeet/ajokortti.md", "---\ntitle: Juhiluba\ncreated: 2026-11-20\ndraft: true\n---\n\nTekst.\n")
	d.save("so/ohjeet/ajokortti.md", "---\ntitle: Ruqsadda\ncreated: 2026-11-20\n---\n"+text)
	b.see(`.coverage .status-untranslated[aria-label*="Somali"]`, "untranslated")
	b.see("main .lead", "12 topics in 12 languages. 8 translations are missing, 56 are older than Finnish.")
	b.see(".legend", "there up to date missing not translated yet stub begun, and left out of the site "+
		"untranslated has the text in Finnish older not changed since Finnish was")
	b.click(`.coverage .status-stub[aria-label*="Estonian"]`)
	b.see(".not-there", "This topic is only begun in Estonian: its page is a draft, or left out by skip_if.")

	d.save("et/ohjeet/ajokortti.md", strings.Replace(d.read("et/ohjeet/ajokortti.md"), "draft: true\n", "", 1))
	d.save("so/ohjeet/ajokortti.md", d.read("so/ohjeet/ajokortti.md")+"Af Soomaali.\n")
	eval[string](b, `location.hash = '#/coverage'`)
	b.see("main .lead", "12 topics in 12 languages. 6 translations are missing, 56 are older than Finnish.")
}

// A folder that is moved in, and one that is moved out, are seen as a whole.
func TestFolderMoved(t *testing.T) {
	testAll(t)
	d := newDesk(t)
	b := openAt(t, d.base, "/#/records?text=Uusi+aihe")
	b.excuse("404") // the answer for records that are gone
	b.see(".hits", "0 of 136 records")
	outside := filepath.Join(filepath.Dir(d.content), "new")
	if err := os.MkdirAll(filepath.Join(outside, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		text := fmt.Sprintf("---\ntitle: Uusi aihe %d\ncreated: 2026-11-20\n---\nTeksti.\n", i)
		if err := os.WriteFile(filepath.Join(outside, "deep", fmt.Sprintf("aihe-%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(outside, filepath.Join(d.content, "fi", "uudet")); err != nil {
		t.Fatal(err)
	}
	b.see(".hits", "3 of 139 records")
	if err := os.Rename(filepath.Join(d.content, "fi", "uudet"), outside); err != nil {
		t.Fatal(err)
	}
	b.see(".hits", "0 of 136 records")
}
