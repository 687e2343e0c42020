package folder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withoutState returns a folder with the files of a snapshot, as an upload that
// leaves hidden files out makes it.
func withoutState(t *testing.T, f files, codings ...string) string {
	t.Helper()
	out := t.TempDir()
	build(t, out, f, codings...)
	must(t, os.RemoveAll(filepath.Join(out, stateDir)))
	return out
}

func TestAdopt(t *testing.T) {
	old := inRoot(site(3, long("one"), long("two"), long("gone")), "404.html", "same", ".htaccess", "same")
	next := inRoot(site(1, long("one"), long("2nd")), "404.html", "same", ".htaccess", "same")
	out := withoutState(t, old, "gz")
	must(t, os.Mkdir(filepath.Join(out, pagesDir, id(9)), 0o755)) // as an interrupted upload may leave one
	before := times(t, out)
	s := stageAll(t, out, Options{Codings: []string{"gz"}}, next)
	changes, err := s.Commit(t.Context())
	must(t, err)
	if !changes.Adopted || changes.Removed.Len() == 0 {
		t.Errorf("changes: %+v", changes)
	}
	equal(t, "files", readIfThere(t, out), expected(t, next, []string{"gz"}))
	for _, name := range []string{record(0, ".json"), record(0, ".json.gz"), "404.json", "404.html", ".htaccess"} {
		if !times(t, out)[name].Equal(before[name]) {
			t.Errorf("%s has another time", name)
		}
	}
	if changes := build(t, out, next, "gz"); changes.Adopted || changes.Any() {
		t.Errorf("the next build: %+v", changes)
	}
}

// TestNotAdopted has folders that are like a snapshot but for one thing. They stay
// as they are.
func TestNotAdopted(t *testing.T) {
	old := site(3, "one", "two")
	in := filepath.Join
	for name, spoil := range map[string]func(out string) error{
		"a file beside pages":         func(out string) error { return os.WriteFile(in(out, "notes.txt"), nil, 0o644) },
		"a folder beside pages":       func(out string) error { return os.Mkdir(in(out, "images"), 0o755) },
		"a file in pages":             func(out string) error { return os.WriteFile(in(out, "pages", "page-01.json"), nil, 0o644) },
		"a folder in pages":           func(out string) error { return os.Mkdir(in(out, "pages", strings.ToUpper(id(200))), 0o755) },
		"a file of a record":          func(out string) error { return os.WriteFile(in(out, "pages", id(0), "a.json"), nil, 0o644) },
		"a folder of a record":        func(out string) error { return os.Mkdir(in(out, "pages", id(0), "index.json.gz"), 0o755) },
		"a record without its answer": func(out string) error { return os.Remove(in(out, record(0, ".json"))) },
		"a variant alone":             func(out string) error { return os.WriteFile(in(out, "pages", "page-4.json.br"), nil, 0o644) },
		"a gap in the list":           func(out string) error { return os.Remove(in(out, "pages", "page-2.json")) },
		"no first list page":          func(out string) error { return os.Remove(in(out, "pages", "index.json")) },
		"no error body":               func(out string) error { return os.Remove(in(out, "405.json")) },
		"no pages":                    func(out string) error { return os.RemoveAll(in(out, "pages")) },
		"a symlink for a file":        func(out string) error { return os.Symlink("page-1.json", in(out, "pages", "page-4.json")) },
		"a symlink for a record":      func(out string) error { return os.Symlink(id(0), in(out, "pages", id(200))) },
		"a folder for an error body": func(out string) error {
			return errors.Join(os.Remove(in(out, "404.json")), os.Mkdir(in(out, "404.json"), 0o755))
		},
		"an in-root file that is not due": func(out string) error { return os.WriteFile(in(out, "_redirects"), nil, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			out := withoutState(t, old)
			must(t, spoil(out))
			before := times(t, out)
			_, err := tryBuild(out, Options{}, site(1, "other"))
			if err == nil || !strings.Contains(err.Error(), "never wrote to it") && !strings.Contains(err.Error(), "does not write: \"_redirects\"") {
				t.Errorf("got error %v", err)
			}
			equal(t, "times", times(t, out), before)
		})
	}
}
