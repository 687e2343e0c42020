package generator

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/view"
)

const liveBase = "http://127.0.0.1:8765"

// newLive returns a live site that reads from fsys, and its first update.
func newLive(t *testing.T, fsys fstest.MapFS) (*view.Live, *view.Update) {
	t.Helper()
	l, err := view.NewLive(Options{Content: "content", FS: fsys, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, mustUpdate(t, l, nil)
}

func mustUpdate(t *testing.T, l *view.Live, touched []string) *view.Update {
	t.Helper()
	u, err := l.Update(t.Context(), touched)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// viewed returns all files that a walk from the list pages of a view leads to.
func viewed(t *testing.T, v *view.View) map[string]string {
	t.Helper()
	files := map[string]string{}
	add := func(name string) {
		body, err := v.Answer(name)
		if err != nil || body == nil {
			t.Fatalf("%s: %q, %v", name, body, err)
		}
		files[name] = string(body)
	}
	for _, variant := range api.Variants {
		add(api.Folder + "/" + api.IndexName(variant))
		for n := range api.ListPages(v.Len()) {
			add(api.Folder + "/" + api.ListName(n+1, variant))
		}
		for _, p := range v.Pages()[:v.Len()] {
			add(api.RecordFolder(p.ID) + "/" + api.IndexName(variant))
		}
		beyond, err := v.Answer(api.Folder + "/" + api.ListName(api.ListPages(v.Len())+1, variant))
		if beyond != nil || err != nil {
			t.Errorf("there is a list page beyond the last: %q, %v", beyond, err)
		}
	}
	add(api.NotFoundFile)
	add(api.MethodNotAllowedFile)
	return files
}

// editor makes random edits in a site of pages that link to each other.
type editor struct {
	*rand.Rand
	fsys fstest.MapFS
	next int // number of the next page
}

func newEditor(r *rand.Rand) *editor {
	e := &editor{Rand: r, fsys: siteOf(map[string]string{})}
	e.site(pick(r, []string{"", served, hugoSite}))
	for range 5 + r.IntN(30) {
		e.fsys[e.newName()] = e.page()
	}
	return e
}

// served are settings of a site whose links mean addresses on it.
const served = "site: https://www.example.org\naddresses: page\nroot_language: en\nfallback: reference\ngenerator: hugo\n"

func (e *editor) site(more string) {
	e.fsys["site.yaml"] = &fstest.MapFile{Data: []byte("base_url: https://api.example.org\nlanguages: [en, fi, ar]\n" +
		"namespace: 0e6f3c1a-6f0f-4a86-9a5e-0f7f3b7a4c11\ndates: [fields]\nsidecar: \"{path}.json\"\n" + more)}
}

// hugoSite is the setting of a site with template markers.
const hugoSite = "generator: hugo\n"

func (e *editor) newName() string {
	e.next++
	return fmt.Sprintf("%s/%s%d.%s", pick(e.Rand, []string{"en", "fi", "ar"}), pick(e.Rand, []string{"p", "a/p", "a/b/p"}),
		e.IntN(e.next)+1, pick(e.Rand, []string{"md", "html"}))
}

func (e *editor) names() []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(e.fsys)), func(name string) bool {
		return name == "site.yaml" || path.Ext(name) == ".json" || strings.HasSuffix(name, ".png")
	})
	if len(names) == 0 {
		e.fsys["en/p1.md"] = e.page()
		return []string{"en/p1.md"}
	}
	return names
}

// page returns a page that links to others, to anchors of others, and to what is
// not there; now and then one with an error, a given id, an address or a draft.
func (e *editor) page() *fstest.MapFile {
	fields := fmt.Sprintf("title: T%d\ncreated: 20%02d-01-01\n", e.IntN(5), 10+e.IntN(9))
	some := func(chance int, format string, args ...any) {
		if e.IntN(chance) == 0 {
			fields += fmt.Sprintf(format, args...)
		}
	}
	some(3, "id: 6ba7b810-9dad-51d1-80b4-%012d\n", e.IntN(1000))
	some(4, "slug: s%d\n", e.IntN(6))
	some(12, "draft: true\n")
	some(20, "desciption: Form #5\n")
	some(6, "publish: 20%02d-01-01\n", 10+e.IntN(25))
	some(6, "expires: 20%02d-01-01\n", 10+e.IntN(25))
	some(20, "reviewers: [a, b]\n")
	some(20, "created: never\n")
	some(6, "embeds: [\"https://video.example/%d\"]\n", e.IntN(3))
	var body strings.Builder
	fmt.Fprintf(&body, "<h2 id=\"h%d\">H</h2>\n\n", e.IntN(4))
	for range e.IntN(4) {
		fmt.Fprintf(&body, "<p><a href=\"%s\">link</a></p>\n", e.link())
	}
	for range e.IntN(3) {
		fmt.Fprintf(&body, "{{< m%d >}}\n<p>{{%% m%d %%}}a{{%% /m%[2]d %%}} <a href='{{< ref \"p%d.md\" >}}'>ref</a></p>\n", e.IntN(3), e.IntN(3), e.IntN(e.next+1))
	}
	if e.IntN(10) == 0 {
		body.WriteString("<script>x</script>\n<img src=\"b.png\" alt=\"\">\n")
	}
	if e.IntN(3) == 0 {
		body.WriteString("<p style=\"x\"><img src=\"/" + e.image() + "\"></p>\n")
	}
	return &fstest.MapFile{Data: []byte("---\n" + fields + "---\n" + body.String())}
}

func (e *editor) image() string {
	return pick(e.Rand, []string{"en", "fi", "fi/a"}) + pick(e.Rand, []string{"/b.png", "/c.png"})
}

func (e *editor) link() string {
	anchor := pick(e.Rand, []string{"", "", "#h1", "#h2"})
	switch e.IntN(9) {
	case 5:
		return fmt.Sprintf("../p%d/", e.IntN(e.next+1)) + anchor
	case 6:
		return fmt.Sprintf("https://example.org/%s/a/p%d", pick(e.Rand, []string{"en", "fi"}), e.IntN(e.next+1)) + anchor
	case 7:
		return fmt.Sprintf("/%s/x%d", pick(e.Rand, []string{"en", "fi"}), e.IntN(6)) + anchor // an alias
	case 8:
		return fmt.Sprintf("sivu-ref:%sp%d", pick(e.Rand, []string{"", "/a/"}), e.IntN(e.next+1)) + anchor
	case 0:
		return fmt.Sprintf("/a/p%d", e.IntN(e.next+1)) + anchor // in the page's own language
	case 1:
		return fmt.Sprintf("/%s/s%d", pick(e.Rand, []string{"en", "fi"}), e.IntN(6)) + anchor
	case 2:
		return fmt.Sprintf("p%d", e.IntN(e.next+1)) + anchor
	case 3:
		return fmt.Sprintf("../a/p%d.md", e.IntN(e.next+1)) + anchor
	}
	return fmt.Sprintf("/fi/a/p%d", e.IntN(e.next+1)) + anchor
}

// edit changes the site and returns what was touched.
func (e *editor) edit() (what string, touched []string) {
	name := pick(e.Rand, e.names())
	switch e.IntN(13) {
	case 0, 1, 2:
		e.fsys[name] = e.page()
		return "edit", []string{name}
	case 3:
		old := e.fsys[name]
		e.fsys[name] = &fstest.MapFile{Data: append(slices.Clone(old.Data), "<p>more</p>\n"...)}
		return "append", []string{name}
	case 4:
		added := e.newName()
		e.fsys[added] = e.page()
		return "add", []string{added}
	case 5:
		delete(e.fsys, name)
		return "remove", []string{name}
	case 6:
		to := e.newName()
		e.fsys[to] = e.fsys[name]
		delete(e.fsys, name)
		return "rename", []string{name, to}
	case 7:
		e.site(pick(e.Rand, []string{"", "assets: https://www.example.org/\n", "rules: {broken-link: off}\n", "exclude: [\"fi/a/**\"]\n", served, hugoSite, hugoSite + "markers: {m1: drop}\n", "html: trusted\n", "nonsense: 1\n", "languages: 5\n", ": [\n", "rules: {broken-link: error}\n"}))
		return "settings", []string{"site.yaml"}
	case 8:
		return "move folder", e.moveFolder()
	case 9:
		image := e.image()
		if _, ok := e.fsys[image]; ok {
			delete(e.fsys, image)
		} else {
			e.fsys[image] = &fstest.MapFile{Data: []byte("png")}
		}
		return "image", []string{image}
	case 10:
		return "sidecar", e.editSidecar(strings.TrimSuffix(name, path.Ext(name)) + ".json")
	}
	return e.editField(pick(e.Rand, editedFields))
}

// editSidecar gives a page another file with fields beside it, and removes one that is
// broken.
func (e *editor) editSidecar(name string) (touched []string) {
	for other, file := range e.fsys {
		if string(file.Data) == "[" {
			delete(e.fsys, other)
			touched = append(touched, other)
		}
	}
	text := pick(e.Rand, []string{`{"description": "a"}`, `{"description": "b"}`, `{"topic": "x1", "slug": "s1"}`, `{"slug": "s2"}`, `{"title": "J"}`, "", ""})
	if e.IntN(8) == 0 {
		text = "["
	}
	if e.fsys[name] = (&fstest.MapFile{Data: []byte(text)}); text == "" {
		delete(e.fsys, name)
	}
	return append(touched, name)
}

// editedFields are fields of a page that rules can read, or that move the places of
// others.
var editedFields = []string{"id", "language", "kind", "topic", "url", "slug", "created", "modified", "description", "aliases", "text"}

// editField gives one field of a page another value and another place, or takes it
// away. The field "text" stands for the body.
func (e *editor) editField(field string) (what string, touched []string) {
	name := pick(e.Rand, e.names())
	value := fmt.Sprintf("x%d", e.IntN(6))
	switch field {
	case "id":
		value = fmt.Sprintf("6ba7b810-9dad-51d1-80b4-%012d", e.IntN(1000))
	case "language":
		value = pick(e.Rand, []string{"en", "fi", "ar"})
	case "kind":
		value = pick(e.Rand, []string{"page", "article", "not-found"})
	case "url":
		value = name[:len("fi/")] + value
	case "aliases":
		value = "/" + name[:len("fi/")] + value
	case "created":
		value = fmt.Sprintf("20%02d-01-01", 10+e.IntN(9))
	case "modified":
		value = fmt.Sprintf("20%02d-01-01", 20+e.IntN(9))
	}
	if field == "text" {
		e.fsys[name] = &fstest.MapFile{Data: append(slices.Clone(e.fsys[name].Data), "<p>"+value+"</p>\n"...)}
		return "field text", []string{name}
	}
	begin, rest, _ := strings.Cut(string(e.fsys[name].Data), "---\n")
	lines := slices.DeleteFunc(strings.SplitAfter(rest, "\n"), func(line string) bool { return strings.HasPrefix(line, field+": ") })
	if e.IntN(4) > 0 {
		lines = slices.Insert(lines, 0, field+": "+value+"\n")
	}
	e.fsys[name] = &fstest.MapFile{Data: []byte(begin + "---\n" + strings.Join(lines, ""))}
	return "field " + field, []string{name}
}

// moveFolder moves all pages of a folder; only the folders are said to be
// touched, as it is when they are moved in one go.
func (e *editor) moveFolder() []string {
	from, to := "en/a", "fi/a"
	if e.IntN(2) == 0 {
		from, to = to, from
	}
	for _, name := range e.names() {
		if rest, ok := strings.CutPrefix(name, to+"/"); ok {
			delete(e.fsys, to+"/"+rest)
		}
	}
	for _, name := range e.names() {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			e.fsys[path.Join(to, rest)] = e.fsys[name]
			delete(e.fsys, name)
		}
	}
	return []string{from, to}
}

// After any edits, what is reported is what a whole build of the sources comes to,
// and without errors what is shown is too. With errors, every page is as it is now,
// or as it last was without.
func TestLiveEqualsBuild(t *testing.T) {
	eachFact(t, 2, func(t *testing.T, r *rand.Rand, field string) {
		e := newEditor(r)
		l, u := newLive(t, e.fsys)
		shown := map[string]string{}
		m := liveModel{settings: e.fsys["site.yaml"], good: map[string]liveRecord{}, ever: map[string]map[liveRecord]bool{}}
		for step := range 40 {
			what, touched := "start", []string(nil)
			if step > 0 {
				if r.IntN(3) == 0 {
					what, touched = e.editField(field)
				} else {
					for range 1 + r.IntN(3) {
						w, more := e.edit()
						what, touched = what+" "+w, append(touched, more...)
					}
				}
				u = mustUpdate(t, l, touched)
			}
			what = fmt.Sprintf("step %d, %s %v", step, what, touched)
			out := t.TempDir()
			whole, inForce := m.build(t, e.fsys, out)
			if diff := cmp.Diff(slices.DeleteFunc(described(whole.Report), isOfMedia), slices.DeleteFunc(described(u.Report), isOfMedia)); diff != "" {
				t.Fatalf("%s: the report differs (-build +live):\n%s", what, diff)
			}
			if u.Failed != whole.Failed {
				t.Fatalf("%s: failed is %v", what, u.Failed)
			}
			now := viewed(t, u.View)
			checkChanged(t, shown, now, u.Changed)
			m.check(t, what, u, whole.Report, inForce)
			if !whole.Failed {
				if diff := cmp.Diff(readTree(t, out), now); diff != "" {
					t.Fatalf("%s: files differ (-build +live):\n%s", what, diff)
				}
			}
			shown = now
		}
	})
}

// checkChanged makes sure that an update names every record whose answer is
// another one than before.
func checkChanged(t *testing.T, before, now map[string]string, changed []uuid.UUID) {
	t.Helper()
	if changed == nil {
		return
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(now))) {
		p, ok := api.ParseAnswer(name)
		if ok && !p.IsList() && before[name] != now[name] && !slices.Contains(changed, p.ID()) {
			t.Fatalf("%s changed, which the update does not say", name)
		}
	}
}

// An edit costs what it touches.
func TestLiveReadsOnlyWhatChanged(t *testing.T) {
	fsys := goodSite(200)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(fsys)), func(name string) bool { return name == "site.yaml" })
	first, second := names[0], names[1]
	with := func(name, more string) *fstest.MapFile {
		return &fstest.MapFile{Data: append(slices.Clone(fsys[name].Data), more...)}
	}
	target := strings.TrimSuffix(second, path.Ext(second))
	fsys[first] = with(first, "\n<a href=\"/"+target+"\">to it</a>\n")
	l, u := newLive(t, fsys)
	if u.Failed || u.Read != 200 || u.Rendered != 200 {
		t.Fatalf("at first: failed %v, %d read, %d rendered", u.Failed, u.Read, u.Rendered)
	}
	check := func(what string, read, rendered, changed int, touched ...string) {
		t.Helper()
		u := mustUpdate(t, l, append([]string{}, touched...))
		if u.Failed || u.Read != read || u.Rendered != rendered || len(u.Changed) != changed {
			t.Errorf("%s: failed %v, %d read, %d rendered, %d changed; want %d, %d, %d", what, u.Failed, u.Read, u.Rendered, len(u.Changed), read, rendered, changed)
		}
	}
	check("nothing", 0, 0, 0)
	fsys[names[5]] = with(names[5], "\nmore\n")
	check("one body", 1, 1, 1, names[5])
	fsys[second] = &fstest.MapFile{Data: bytes.Replace(fsys[second].Data, []byte("---\n"), []byte("---\nslug: elsewhere\n"), 1)}
	check("an address that one page links to", 1, 2, 2, second)
	delete(fsys, names[9])
	check("one page removed", 0, 0, 1, names[9])
}

// A run that is cut off costs the next one nothing but its work.
func TestLiveAfterInterruption(t *testing.T) {
	fsys := goodSite(30)
	l, _ := newLive(t, fsys)
	names := slices.Sorted(maps.Keys(fsys))
	fsys[names[0]] = &fstest.MapFile{Data: append(slices.Clone(fsys[names[0]].Data), "\nmore\n"...)}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Update(ended, names[:1]); err == nil {
		t.Fatal("an update went on after its context ended")
	}
	if u := mustUpdate(t, l, []string{}); u.Read != 1 || len(u.Changed) != 1 {
		t.Errorf("%d read, %d changed after an interrupted update", u.Read, len(u.Changed))
	}
}

// A site that loses its last page, or begins without any, says so, and goes on.
// An update that walks no folder finds the same as one that does.
func TestLiveWithoutPages(t *testing.T) {
	fsys := siteOf(map[string]string{"fi/a.rst": "", "notes.txt": ""})
	l, u := newLive(t, fsys)
	if u.Failed != true || u.View.Len() != 0 {
		t.Errorf("at first: failed %v, %d records", u.Failed, u.View.Len())
	}
	step := func(what, text string, failed bool, records int) {
		t.Helper()
		fsys["fi/b.md"] = &fstest.MapFile{Data: []byte(text), ModTime: time.Now()}
		u := mustUpdate(t, l, []string{"fi/b.md"})
		if u.Failed != failed || u.View.Len() != records {
			t.Errorf("%s: failed %v, %d records", what, u.Failed, u.View.Len())
		}
		if diff := cmp.Diff(described(mustCheck(t, fsys).Report), described(u.Report)); diff != "" {
			t.Errorf("%s: the report differs (-check +live):\n%s", what, diff)
		}
	}
	step("the first page", goodPage, false, 1)
	step("a draft", strings.Replace(goodPage, "---\n", "---\ndraft: true\n", 1), true, 0)
	step("a page again", goodPage+"more\n", false, 1)
}

// What is wrong with a page whose dates only git could tell is not forgotten when
// another page changes.
func TestLiveWithoutRepository(t *testing.T) {
	content := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(content, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("site.yaml", "languages: [fi]\nnamespace: 0e6f3c1a-6f0f-4a86-9a5e-0f7f3b7a4c11\n")
	write("a.md", "---\nlanguage: fi\ntitle: A\n---\n")
	write("b.md", goodPage)
	l, err := view.NewLive(Options{Content: content, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first := mustUpdate(t, l, nil)
	write("b.md", goodPage+"\nmore\n")
	second := mustUpdate(t, l, []string{"b.md"})
	if diff := cmp.Diff(described(first.Report), described(second.Report)); diff != "" || !second.Failed {
		t.Errorf("failed: %v; the report changed:\n%s", second.Failed, diff)
	}
}
