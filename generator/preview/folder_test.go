package preview

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/api"
)

const (
	oldBase = "https://api.example.fi/v1"
	newBase = "http://127.0.0.1:8765"
)

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeAll writes the files of a snapshot into a folder.
func writeAll(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

func openFolder(t testing.TB, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir, newBase)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// answers returns what a folder answers for each of these files.
func answers(t testing.TB, f Answers, files map[string]string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for name := range files {
		body, err := f.Answer(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got[name] = string(body)
	}
	return got
}

// A folder answers as if it had been built with the server's base, with and
// without api variants in it, and follows when it is built again in another way.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	var f *Folder
	for _, s := range api.Styles {
		for _, edge := range []bool{false, true} {
			files := made(t, api.Links{Base: oldBase, Style: s}, 23, "a", oldBase+"/pages/")
			want := made(t, api.Links{Base: newBase, Style: s}, 23, "a", oldBase+"/pages/")
			if err := os.RemoveAll(filepath.Join(dir, "pages")); err != nil {
				t.Fatal(err)
			}
			writeAll(t, dir, files)
			if edge {
				removeVariants(t, dir, files)
			}
			if f == nil {
				f = openFolder(t, dir)
			}
			if diff := cmp.Diff(want, answers(t, f, want)); diff != "" {
				t.Errorf("%s, without api variants: %v (-want +got):\n%s", s.Name, edge, diff)
			}
		}
	}
	for _, name := range []string{"pages/page-4.json", "pages/page-4.api.json", "pages/" + someID + "/index.json", "pages/" + someID + "/index.api.json"} {
		if body, err := f.Answer(name); body != nil || err != nil {
			t.Errorf("%s: got %q, %v, want nothing", name, body, err)
		}
	}
}

func removeVariants(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name := range files {
		if strings.HasSuffix(name, ".api.json") {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// An api variant that is missing beside others is missing, and is not made.
func TestFolderMissingVariant(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, made(t, api.Links{Base: oldBase, Style: style(t, "query")}, 3, "a", "b"))
	if err := os.Remove(filepath.Join(dir, "pages", "page-1.api.json")); err != nil {
		t.Fatal(err)
	}
	if body, err := openFolder(t, dir).Answer("pages/page-1.api.json"); body != nil || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
}

// A folder that is built again with as many bytes and another base is seen.
func TestFolderBuiltAgain(t *testing.T) {
	dir := t.TempDir()
	links := api.Links{Base: "https://a.example", Style: style(t, "query")}
	writeAll(t, dir, made(t, links, 1, "a", "b"))
	f := openFolder(t, dir)
	want := made(t, api.Links{Base: newBase, Style: links.Style}, 1, "a", "b")
	for _, base := range []string{"https://a.example", "https://b.example"} {
		links.Base = base
		writeAll(t, dir, made(t, links, 1, "a", "b"))
		first := filepath.Join(dir, "pages", "index.json")
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(first, later, later); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, answers(t, f, want)); diff != "" {
			t.Error(diff)
		}
	}
}

// What is no snapshot is refused in words, with a cure.
func TestOpenFolderRefuses(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), "")
	writeFile(t, filepath.Join(dir, "broken", "pages", "index.json"), `{"count":1`)
	writeFile(t, filepath.Join(dir, "other", "pages", "index.json"), `{"pages":[]}`)
	writeFile(t, filepath.Join(dir, "strange", "pages", "index.json"), `{"count":1,"next":null,"previous":null,"results":[{"url":"x"}]}`)
	writeFile(t, filepath.Join(dir, "folder", "pages", "index.json", "x"), "")
	writeFile(t, filepath.Join(dir, "empty", "x"), "")
	for name, want := range map[string]string{
		"none":    `snapshot folder "DIR/none" does not exist`,
		"file":    `"DIR/file" is not a folder`,
		"empty":   `"DIR/empty" holds no snapshot: pages/index.json is missing`,
		"broken":  `"DIR/broken" holds no snapshot: pages/index.json is no list page`,
		"other":   `"DIR/other" holds no snapshot: pages/index.json is no list page`,
		"strange": `"DIR/strange" holds no snapshot: pages/index.json is no list page`,
		"folder":  `"DIR/folder" holds no snapshot: pages/index.json is not a file`,
	} {
		_, err := OpenFolder(filepath.Join(dir, name), newBase)
		var problem *Error
		if !errors.As(err, &problem) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if got := strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(dir), "DIR"); got != want || !strings.Contains(problem.Hint, "sivu build") {
			t.Errorf("%s: got %s, hint %q, want %s", name, got, problem.Hint, want)
		}
	}
}

// No symlink leads out of the folder, and nothing that is no file is read.
func TestFolderSymlinks(t *testing.T) {
	dir := t.TempDir()
	files := made(t, api.Links{Base: oldBase, Style: style(t, "query")}, 2, "a", "b")
	writeAll(t, filepath.Join(dir, "public"), files)
	writeAll(t, filepath.Join(dir, "secret"), files)
	page := filepath.Join(dir, "public", "pages", "page-1.json")
	for what, target := range map[string]string{
		"absolute": filepath.Join(dir, "secret", "pages", "page-1.json"),
		"relative": "../../secret/pages/page-1.json",
		"itself":   "page-1.json",
	} {
		if err := os.Remove(page); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, page); err != nil {
			t.Skipf("no symlinks here: %v", err)
		}
		if body, err := openFolder(t, filepath.Join(dir, "public")).Answer("pages/page-1.json"); body != nil || err == nil {
			t.Errorf("%s: got %q, %v", what, body, err)
		}
	}
	if body, err := openFolder(t, filepath.Join(dir, "public")).Answer("../secret/pages/page-1.json"); body != nil || err == nil {
		t.Errorf("a path out: got %q, %v", body, err)
	}
}

// A file that is broken is an error that says where, and no other is.
func TestFolderBrokenFile(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, made(t, api.Links{Base: oldBase, Style: style(t, "query")}, 2, "a", "b"))
	writeFile(t, filepath.Join(dir, "pages", "page-1.json"), `{"count":`)
	f := openFolder(t, dir)
	_, err := f.Answer("pages/page-1.json")
	if want := "pages/page-1.json is not JSON; sivu verify " + strconv.Quote(dir) + " says where"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if body, err := f.Answer("pages/index.json"); body == nil || err != nil {
		t.Errorf("the others are gone: %v", err)
	}
}

// A file that is kept for clients of older lists is served as it is where the snapshot
// has no records and so no base address, and where it has another base address or style.
func TestFolderKeptFile(t *testing.T) {
	query, file := style(t, "query"), style(t, "file")
	older := made(t, api.Links{Base: oldBase, Style: query}, 12, "a", "b")
	for what, newer := range map[string]map[string]string{
		"no records":           made(t, api.Links{Base: oldBase, Style: query}, 0, "a", "b"),
		"another base address": made(t, api.Links{Base: "http://other.example", Style: query}, 1, "a", "b"),
		"another link style":   made(t, api.Links{Base: oldBase, Style: file}, 1, "a", "b"),
	} {
		dir := t.TempDir()
		writeAll(t, dir, older)
		writeAll(t, dir, newer)
		f, kept := openFolder(t, dir), 0
		for name, want := range older {
			if _, ok := newer[name]; ok {
				continue
			}
			kept++
			if body, err := f.Answer(name); string(body) != want || err != nil {
				t.Errorf("%s: %s: got %q, %v, want %q", what, name, body, err, want)
			}
		}
		if kept < 24 { // records and the second list page, in both variants
			t.Errorf("%s: %d files are kept", what, kept)
		}
	}
}

// A folder that is removed and built again is served again; while it is gone,
// clients hear so each time, and whoever started the server once.
func TestFolderReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	files := made(t, api.Links{Base: oldBase, Style: style(t, "query")}, 3, "a", "b")
	want := made(t, api.Links{Base: newBase, Style: style(t, "query")}, 3, "a", "b")
	writeAll(t, "public", files)
	f := openFolder(t, "public")
	var told []string
	s := New(Options{Log: func(err error) { told = append(told, err.Error()) }})
	s.Show(Site{Answers: f})
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", newBase+"/pages/", nil))
		return w
	}
	for range 2 {
		if err := os.RemoveAll("public"); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			if i == 2 {
				if err := os.Mkdir("public", 0o755); err != nil { // a build begins
					t.Fatal(err)
				}
			}
			if got := ask(); got.Code != 503 || got.Body.String() != `{"detail":"Service unavailable."}` || got.Header().Get("Allow") != methods {
				t.Errorf("gone: got %d %s %v", got.Code, got.Body, got.Header())
			}
		}
		writeAll(t, "public", files)
		if diff := cmp.Diff(want, answers(t, f, want)); diff != "" {
			t.Errorf("built again (-want +got):\n%s", diff)
		}
		if got := ask(); got.Code != 200 || got.Body.String() != want["pages/index.json"] {
			t.Errorf("built again: got %d %s", got.Code, got.Body)
		}
	}
	// Another folder that is moved into its place.
	writeAll(t, "next", made(t, api.Links{Base: oldBase, Style: style(t, "query")}, 5, "a", "b"))
	if err := errors.Join(os.Rename("public", "before"), os.Rename("next", "public")); err != nil {
		t.Fatal(err)
	}
	want = made(t, api.Links{Base: newBase, Style: style(t, "query")}, 5, "a", "b")
	if diff := cmp.Diff(want, answers(t, f, want)); diff != "" {
		t.Errorf("moved in (-want +got):\n%s", diff)
	}
	const gone = `snapshot folder "public" is gone; build it again`
	if diff := cmp.Diff([]string{gone, gone}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}
