package generator

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
)

// shelf is a live site whose pages have ids of their own, and titles that tell
// their versions apart.
type shelf struct {
	fstest.MapFS

	t    *testing.T
	live *view.Live
	last *view.Update
}

const brokenPage = "---\ntitle: [no\n---\n"

func shelfPage(name, title string) string {
	return fmt.Sprintf("---\nid: 6ba7b810-9dad-51d1-80b4-%012x\ntitle: %s\ncreated: 2019-05-06\n---\nText.\n", name[0], title)
}

// newShelf returns a site with the pages fi/a.md and so on; those named with an
// exclamation mark are broken from the start.
func newShelf(t *testing.T, names ...string) *shelf {
	t.Helper()
	files := map[string]string{}
	for _, name := range names {
		if name, isBroken := strings.CutSuffix(name, "!"); isBroken {
			files["fi/"+name+".md"] = brokenPage
		} else {
			files["fi/"+name+".md"] = shelfPage(name, name+"1")
		}
	}
	s := &shelf{MapFS: siteOf(files), t: t}
	s.live, s.last = newLive(t, s.MapFS)
	return s
}

func (s *shelf) write(name, text string) { s.MapFS[name] = &fstest.MapFile{Data: []byte(text)} }

// edit changes some files, by name and text; no text removes the file.
func (s *shelf) edit(files ...string) {
	s.t.Helper()
	touched := []string{}
	for i := 0; i < len(files); i += 2 {
		touched = append(touched, files[i])
		if files[i+1] == "" {
			delete(s.MapFS, files[i])
		} else {
			s.write(files[i], files[i+1])
		}
	}
	s.last = mustUpdate(s.t, s.live, touched)
}

// want asserts the titles of the records that are shown, and the pages that are
// marked as broken.
func (s *shelf) want(titles string, broken ...string) {
	s.t.Helper()
	v := s.last.View
	var got []string
	for _, p := range v.Pages()[:v.Len()] {
		_, rest, _ := strings.Cut(shownAs(s.t, v, p.ID), `"title":"`)
		title, _, _ := strings.Cut(rest, `"`)
		got = append(got, title)
	}
	slices.Sort(got)
	if diff := cmp.Diff(titles, strings.Join(got, " ")); diff != "" {
		s.t.Errorf("shown (-want +got):\n%s", diff)
	}
	var marked []string
	count := map[preview.Version]int{}
	for _, p := range v.Pages() {
		if p.Broken != "" {
			marked = append(marked, strings.TrimSuffix(strings.TrimPrefix(p.File, "content/fi/"), ".md")+" "+string(p.Broken))
			count[p.Broken]++
		}
	}
	slices.Sort(marked)
	if diff := cmp.Diff(broken, marked); diff != "" {
		s.t.Errorf("broken (-want +got):\n%s", diff)
	}
	if s.last.Kept != count[preview.Earlier] || s.last.Hidden != count[preview.Hidden] {
		s.t.Errorf("%d are said to be kept, %d to be hidden, of %v", s.last.Kept, s.last.Hidden, count)
	}
	viewed(s.t, v)
}

// A page that was broken from the start does not make another vanish.
func TestOldErrorHidesNoOtherPage(t *testing.T) {
	s := newShelf(t, "a!", "b", "c")
	s.want("b1 c1", "a hidden")
	s.edit("fi/b.md", brokenPage)
	s.want("b1 c1", "a hidden", "b earlier")
	// Others go on to be seen as they are.
	s.edit("fi/c.md", shelfPage("c", "c2"))
	s.want("b1 c2", "a hidden", "b earlier")
	s.edit("fi/a.md", shelfPage("a", "a1"))
	s.want("a1 b1 c2", "b earlier")
	s.edit("fi/a.md", brokenPage)
	s.want("a1 b1 c2", "a earlier", "b earlier")
	s.edit("fi/b.md", shelfPage("b", "b2"))
	s.want("a1 b2 c2", "a earlier")
	s.edit("fi/a.md", shelfPage("a", "a2"))
	s.want("a2 b2 c2")
}

// While pages are broken, others are renamed and removed as ever, and broken ones
// too.
func TestRenameAndRemoveBesideErrors(t *testing.T) {
	s := newShelf(t, "a!", "b", "c", "d")
	s.edit("fi/b.md", brokenPage)
	s.edit("fi/c.md", "", "fi/x.md", shelfPage("c", "c2"))
	s.want("b1 c2 d1", "a hidden", "b earlier")
	s.edit("fi/d.md", strings.Replace(shelfPage("d", "d2"), "title", "draft: true\ntitle", 1))
	s.want("b1 c2", "a hidden", "b earlier")
	s.edit("fi/b.md", "", "fi/y.md", brokenPage)
	s.want("c2", "a hidden", "y hidden")
	s.edit("fi/a.md", "", "fi/y.md", "")
	s.want("c2")
}

// An id that two pages have takes neither of them away.
func TestSharedIDHidesNoPage(t *testing.T) {
	s := newShelf(t, "b", "c")
	s.edit("fi/a.md", shelfPage("b", "a1"))
	s.want("b1 c1", "a hidden", "b earlier")
	s.edit("fi/a.md", shelfPage("a", "a2"))
	s.want("a2 b1 c1")
	s.edit("fi/a.md", shelfPage("c", "a3"))
	s.want("a2 b1 c1", "a earlier", "c earlier")
	s.edit("fi/c.md", "")
	s.want("a3 b1")
	// An id that was given up is free, though its page is broken.
	s.edit("fi/b.md", brokenPage)
	s.edit("fi/d.md", shelfPage("b", "d1"))
	s.want("a3 d1", "b hidden")
	s.edit("fi/d.md", "")
	s.want("a3 b1", "b earlier")
}

// Settings with errors are those that they last were without: no page changes,
// goes or comes, and an edit is seen all the same.
func TestBrokenSettings(t *testing.T) {
	s := newShelf(t, "a!", "b", "c")
	good := string(s.MapFS["site.yaml"].Data)
	for _, settings := range []string{"languages: [\n", "[]\n", good + "languages: 5\n", "languages: [xx-]\n", good + "nonsense: 1\n", "\x00", strings.Repeat("#", 2<<20)} {
		before := viewed(t, s.last.View)
		s.edit("site.yaml", settings)
		s.want("b1 c1", "a hidden")
		if diff := cmp.Diff(before, viewed(t, s.last.View)); diff != "" {
			t.Errorf("%.20q changes what is shown:\n%s", settings, diff)
		}
		if d := s.last.Report.Diagnostics; !s.last.Failed || !slices.ContainsFunc(described(s.last.Report), func(line string) bool { return strings.HasPrefix(line, "content/site.yaml") }) {
			t.Errorf("%.20q: failed %v, %v", settings, s.last.Failed, d)
		}
		s.edit("fi/c.md", shelfPage("c", "c2"))
		s.want("b1 c2", "a hidden")
		s.edit("fi/b.md", brokenPage)
		s.want("b1 c2", "a hidden", "b earlier")
		s.edit("site.yaml", good)
		s.want("b1 c2", "a hidden", "b earlier")
		s.edit("fi/b.md", shelfPage("b", "b1"), "fi/c.md", shelfPage("c", "c1"))
		s.want("b1 c1", "a hidden")
	}
}

// Settings that turn all pages into errors take none of them away, and what was
// kept survives that all is read anew.
func TestSettingsBreakAllPages(t *testing.T) {
	s := newShelf(t, "a", "b")
	good := string(s.MapFS["site.yaml"].Data)
	s.edit("site.yaml", strings.Replace(good, "fi", "sv", 1))
	s.want("a1 b1", "a earlier", "b earlier")
	s.edit("fi/b.md", "")
	s.want("a1", "a earlier")
	s.last = mustUpdate(t, s.live, nil)
	s.want("a1", "a earlier")
	s.edit("site.yaml", good)
	s.want("a1")
}

// Without any settings that can be read, their error is all there is; the first
// that can be are taken, even with errors.
func TestSettingsBrokenFromTheStart(t *testing.T) {
	fsys := siteOf(map[string]string{"fi/a.md": shelfPage("a", "a1")})
	good := string(fsys["site.yaml"].Data)
	s := &shelf{MapFS: fsys, t: t}
	s.write("site.yaml", "[")
	s.live, s.last = newLive(t, fsys)
	s.want("")
	s.edit("site.yaml", good+"nonsense: 1\n")
	s.want("a1")
	s.edit("site.yaml", "[")
	s.want("a1")
	s.edit("site.yaml", good)
	s.want("a1")
	if s.last.Failed {
		t.Error(described(s.last.Report))
	}
}

// A page with errors that can be shown is, if it never had a version without.
func TestFlawedPage(t *testing.T) {
	s := newShelf(t, "a")
	s.edit("site.yaml", strings.Replace(string(s.MapFS["site.yaml"].Data), "off}", "off, broken-link: error}", 1))
	link := func(title string) string { return shelfPage("b", title) + "<a href=\"nowhere.md\">x</a>\n" }
	s.edit("fi/b.md", link("b1"))
	s.want("a1 b1", "b flawed")
	s.edit("fi/b.md", link("b2"))
	s.want("a1 b2", "b flawed")
	s.edit("fi/b.md", brokenPage)
	s.want("a1 b2", "b earlier")
	s.edit("fi/b.md", link("b3"))
	s.want("a1 b3", "b flawed")
	s.edit("fi/b.md", shelfPage("b", "b4"))
	s.want("a1 b4")
	s.edit("fi/b.md", link("b5"))
	s.want("a1 b4", "b earlier")
}

// A page that is moved while it has errors stays up as it was, as far as its id can
// be read; it stays when it is moved on, and back.
func TestBrokenPageMoves(t *testing.T) {
	broken := func(name string) string {
		return strings.Replace(shelfPage(name, name+"2"), "2019-05-06", "yesterday", 1)
	}
	s := newShelf(t, "a", "b", "c")
	s.edit("fi/a.md", "", "fi/x.md", broken("a"))
	s.want("a1 b1 c1", "x earlier")
	s.edit("fi/x.md", "", "fi/sub/y.md", broken("a"))
	s.want("a1 b1 c1", "sub/y earlier")
	s.edit("fi/c.md", shelfPage("c", "c2"))
	s.want("a1 b1 c2", "sub/y earlier")
	s.last = mustUpdate(t, s.live, nil)
	s.want("a1 b1 c2", "sub/y earlier")
	s.edit("fi/sub/y.md", "", "fi/a.md", broken("a"))
	s.want("a1 b1 c2", "a earlier")
	s.edit("fi/a.md", shelfPage("a", "a3"))
	s.want("a3 b1 c2")
	// In the place of another, which is gone; and each in that of the other.
	s.edit("fi/a.md", "", "fi/b.md", broken("a"))
	s.want("a3 c2", "b earlier")
	s.edit("fi/b.md", broken("c"), "fi/c.md", broken("a"))
	s.want("a3 c2", "b earlier", "c earlier")
	s.edit("fi/c.md", "")
	s.want("c2", "b earlier")
	s.edit("fi/b.md", "")
	s.want("")
}

// A broken page whose id is that of another page by mistake takes no version from
// it, and loses none of its own.
func TestBrokenPageWithAnotherId(t *testing.T) {
	s := newShelf(t, "a", "b")
	withIDOfB := strings.Replace(shelfPage("b", "b2"), "2019-05-06", "yesterday", 1)
	s.edit("fi/a.md", withIDOfB)
	s.want("a1 b1", "a earlier", "b earlier") // the id is that of both
	s.edit("fi/b.md", brokenPage)
	s.want("a1 b1", "a earlier", "b earlier")
	s.edit("fi/n.md", withIDOfB)
	s.want("a1 b1", "a earlier", "b earlier", "n hidden")
	s.edit("fi/n.md", "", "fi/b.md", "", "fi/m.md", withIDOfB)
	s.want("a1 b1", "a earlier", "m earlier")
	s.edit("fi/a.md", shelfPage("a", "a2"), "fi/m.md", shelfPage("b", "b2"))
	s.want("a2 b2")
}

// lockedFS is a folder of which a part cannot be read. Who runs the tests may be
// allowed to read everything.
type lockedFS struct {
	fstest.MapFS

	locked string
}

func (f *lockedFS) refuse(name string) error {
	if f.locked != "" && (name == f.locked || strings.HasPrefix(name, f.locked+"/")) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return nil
}

func (f *lockedFS) Open(name string) (fs.File, error) {
	if err := f.refuse(name); err != nil {
		return nil, err
	}
	return f.MapFS.Open(name)
}

func (f *lockedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.refuse(name); err != nil {
		return nil, err
	}
	return f.MapFS.ReadDir(name)
}

func (f *lockedFS) Stat(name string) (fs.FileInfo, error) {
	if err := f.refuse(name); err != nil && name != f.locked {
		return nil, err
	}
	return f.MapFS.Stat(name)
}

// A folder that cannot be read, and a file that is no file any more, take no page
// away; a page that is removed meanwhile goes.
func TestUnreadableFolder(t *testing.T) {
	s := &shelf{MapFS: siteOf(map[string]string{"fi/a.md": shelfPage("a", "a1"), "fi/sub/b.md": shelfPage("b", "b1"), "fi/c.md": shelfPage("c", "c1")}), t: t}
	fsys := &lockedFS{MapFS: s.MapFS}
	live, err := view.NewLive(Options{Content: "content", FS: fsys, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	s.live, s.last = live, mustUpdate(t, live, nil)
	s.want("a1 b1 c1")
	fsys.locked = "fi/sub"
	s.edit("fi/sub", "")
	s.want("a1 b1 c1", "sub/b earlier")
	s.edit("fi/a.md", shelfPage("a", "a2"))
	s.want("a2 b1 c1", "sub/b earlier")
	s.MapFS["fi/c.md"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	s.last = mustUpdate(t, s.live, []string{"fi/c.md"})
	s.want("a2 b1 c1", "c earlier", "sub/b earlier")
	s.edit("fi/c.md", "")
	s.want("a2 b1", "sub/b earlier")
	fsys.locked = ""
	s.edit("fi/sub/b.md", "")
	s.want("a2")
}

// A page with errors does not take over the version of a moved page that another source
// with its id has: once that source goes, what was shown of it last is shown.
func TestKeptVersionOfSharedID(t *testing.T) {
	s := newShelf(t, "a")
	broken := strings.Replace(shelfPage("a", "z1"), "---\n", "---\nreviewers: [z]\n", 1)
	s.edit("fi/z.md", broken)
	s.edit("fi/a.md", "", "fi/b.md", shelfPage("a", "b1"))
	s.edit("fi/b.md", shelfPage("a", "b2"))
	s.edit("fi/b.md", "")
	id := uuid.MustParse(fmt.Sprintf("6ba7b810-9dad-51d1-80b4-%012x", "a"[0]))
	if shown := shownAs(t, s.last.View, id); !strings.Contains(shown, `"title":"b2"`) {
		t.Errorf("shown is %q, due is the version that was shown last", shown)
	}
}

// Of two pages that are the same topic, the one that was without errors stays up as it
// was, also when the other one cannot be read any more.
func TestGoodVersionBeforeFlawed(t *testing.T) {
	s := newShelf(t, "b")
	s.edit("fi/a.md", "---\ntitle: a1\ncreated: 2019-05-06\n---\n")
	s.want("a1 b1")
	s.edit("fi/a.html", "---\ntitle: other\ncreated: 2019-05-06\n---\n")
	s.want("a1 b1", "a earlier", "a.html hidden")
	s.edit("fi/a.html", brokenPage)
	s.want("a1 b1", "a earlier", "a.html hidden")
	s.edit("fi/a.md", "---\ntitle: a2\ncreated: 2019-05-06\n---\n")
	s.want("a1 b1", "a earlier", "a.html hidden")
}
