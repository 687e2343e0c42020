package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// cutOff leaves a folder as a build does that was killed within its commit, when
// it had published records and not yet the lists.
func cutOff(t *testing.T, old, next files) (out string) {
	t.Helper()
	out = t.TempDir()
	build(t, out, old)
	for n := 0; ; n++ {
		s := stageAll(t, out, Options{}, next)
		if commitIsKilled(t, s, n) {
			t.Fatal("the commit was not killed")
		}
		s.closeFolders()
		s.root.Close()
		if now := read(t, out); now[record(0, ".json")] == next[record(0, ".json")] && now["pages/index.json"] == old["pages/index.json"] {
			return out
		}
		build(t, out, old)
	}
}

// TestUnusableJournal spoils the journal of a commit that was cut off. What the
// backup holds is put back all the same, so that every file of the old snapshot is
// there; the sign that the folder is not as its manifest says stays until a build
// comes to its end; and that makes the folder exactly the new snapshot.
func TestUnusableJournal(t *testing.T) {
	old, next := site(3, "one", "two", "gone"), site(2, "1st", "two", "", "new")
	for name, spoil := range map[string]func(journal string) error{
		"missing":   os.Remove,
		"empty":     func(journal string) error { return os.Truncate(journal, 0) },
		"cut":       func(journal string) error { return os.Truncate(journal, 60) },
		"endless":   func(journal string) error { return os.Truncate(journal, manifestLimit+1) },
		"of others": func(journal string) error { return os.WriteFile(journal, []byte("sivu journal 2\n"), 0o600) },
	} {
		for _, what := range []string{"recover", "abort", "build"} {
			t.Run(name+", "+what, func(t *testing.T) {
				out := cutOff(t, old, next)
				must(t, spoil(filepath.Join(out, journalFile)))
				switch what {
				case "recover":
					r, err := Recover(context.Background(), out, Options{unflushed: true}, 1)
					must(t, err)
					if r.Whole || !r.CutOff || r.Undone == 0 {
						t.Errorf("recovered: %+v", r)
					}
				case "abort":
					must(t, stageAll(t, out, Options{}, next).Abort())
				}
				if what != "build" {
					now := read(t, out)
					for name, data := range old {
						equal(t, name, now[name], data)
					}
				}
				last := site(1, "one")
				build(t, out, last)
				equal(t, "files", read(t, out), last)
				equal(t, ".sivu", inState(t, out), settled)
			})
		}
	}
}

// TestLyingJournal has a journal that is whole and tells of another commit. It
// harms nothing but files of the snapshot, costs no room, and the next build makes
// them whole again.
func TestLyingJournal(t *testing.T) {
	old := inRoot(site(2, "one", "two"), "_headers", "ours")
	page, _ := parsePath("pages/index.json")
	mine, _ := parsePath("index.html")
	for name, test := range map[string]struct {
		steps []journal
		fails bool
	}{
		"an endless log":        {steps: []journal{{op: cutLog, log: 1 << 62}}},
		"no log":                {steps: []journal{{op: cutLog}}},
		"a page":                {steps: []journal{{op: takeOut, key: page}}},
		"a foreign file":        {steps: []journal{{op: takeOutIfOurs, key: mine}}},
		"no folder of a record": {steps: []journal{{op: takeOutFolder, key: page}}},
		"all pages":             {steps: []journal{{op: takeOutTree}, {op: takeOutListing}}},
		"a symlink for page":    {steps: []journal{{op: putBack, key: page}}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			out, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
			build(t, out, old)
			old := inRoot(site(2, "one", "2nd"), "_headers", "ours")
			build(t, out, old) // which adds to the log
			put(t, filepath.Join(out, "index.html"), "mine")
			put(t, elsewhere, "elsewhere")
			must(t, os.MkdirAll(filepath.Join(out, backupDir, pagesDir), 0o755))
			must(t, os.Symlink(elsewhere, filepath.Join(out, backupDir, page.path())))
			must(t, os.WriteFile(filepath.Join(out, journalFile), encodeJournal(test.steps), 0o600))

			_, err := Recover(context.Background(), out, Options{unflushed: true}, 1)
			if test.fails {
				if !errors.Is(err, errNotRegular) {
					t.Errorf("recover said %v", err)
				}
				must(t, os.RemoveAll(filepath.Join(out, backupDir)))
			} else {
				must(t, err)
			}
			if info, err := os.Stat(filepath.Join(out, manifestLog)); err == nil && info.Size() > 1<<20 {
				t.Errorf("the log has %d bytes", info.Size())
			}
			build(t, out, old)
			old["index.html"] = "mine"
			equal(t, "files", read(t, out), old)
			equal(t, "elsewhere", read(t, filepath.Dir(elsewhere)), files{"elsewhere": "elsewhere"})
		})
	}
}

// TestEndlessLog has a log of the manifest that is longer than any that sivu writes.
func TestEndlessLog(t *testing.T) {
	out, next := t.TempDir(), site(1, "1st")
	build(t, out, site(2, "one", "two"))
	must(t, os.WriteFile(filepath.Join(out, manifestLog), nil, 0o644))
	must(t, os.Truncate(filepath.Join(out, manifestLog), 1<<40))
	build(t, out, next)
	equal(t, "files", read(t, out), next)
}

// TestSignStays kills a build right after it has opened a folder that was found to
// be not as its manifest says. The next one still knows.
func TestSignStays(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	put(t, filepath.Join(out, record(5, ".json")), "too many")
	r, err := Recover(context.Background(), out, Options{unflushed: true}, 1)
	must(t, err)
	if r.Whole {
		t.Error("a file that is too many was not found")
	}
	count := 0
	for n := 0; ; n++ {
		if !(doomed{Out: out, N: n}).isKilled(t) {
			break
		}
		count++
		s, err := Open(out, Options{DryRun: true})
		must(t, err)
		if !s.suspect {
			t.Fatalf("after a kill before operation %d the sign is gone", n)
		}
		must(t, s.Abort())
	}
	if count < 3 {
		t.Errorf("only %d kills", count)
	}
	build(t, out, site(1, "one"))
	equal(t, "files", read(t, out), site(1, "one"))
}

// TestRecoverElsewhere names folders that hold no snapshot.
func TestRecoverElsewhere(t *testing.T) {
	foreign, missing := t.TempDir(), filepath.Join(t.TempDir(), "missing")
	put(t, filepath.Join(foreign, "thesis.txt"), "x")
	for out, want := range map[string]string{
		foreign: fmt.Sprintf("the folder %q is not empty and sivu never wrote to it; name one that sivu build wrote to", foreign),
		missing: fmt.Sprintf("there is no folder %q; name one that sivu build wrote to", missing),
	} {
		_, err := Recover(context.Background(), out, Options{}, 1)
		equal(t, "message", fmt.Sprint(err), want)
	}
	equal(t, "files", read(t, foreign), files{"thesis.txt": "x"})
}

// TestThen looks whether what is in step with the snapshot is done before another
// build can begin.
func TestThen(t *testing.T) {
	out := t.TempDir()
	for _, test := range []struct {
		next  files
		dry   bool
		calls int
	}{{site(1, "one"), true, 0}, {site(1, "one"), false, 1}, {site(1, "one"), false, 1}, {site(1, "1st"), false, 1}} {
		s, calls := stageAll(t, out, Options{DryRun: test.dry}, test.next), 0
		s.Then(func(c *Changes) {
			calls++
			if _, err := Open(out, Options{}); !errors.Is(err, ErrLocked) {
				t.Errorf("another build got %v", err)
			}
			m, err := ReadManifest(out)
			must(t, err)
			equal(t, "generation", c.Generation, m.Generation())
		})
		_, err := s.Commit(context.Background())
		must(t, err)
		equal(t, "calls", calls, test.calls)
	}
}
