package folder

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// beforeEach has f called before each operation of a commit on the file system. What it
// returns is why the operation fails.
func (s *Stage) beforeEach(f func(op, name string) error) { s.root.fault = f }

// failAt returns what fails the n-th operation, from 0, and counts them.
func failAt(n int, count *int, cause error) func(op, name string) error {
	return func(string, string) error {
		*count++
		if *count-1 == n {
			return cause
		}
		return nil
	}
}

// commitCases are commits that between them add, change and remove all there
// is, with what was there before.
var commitCases = []struct {
	name                string
	old, next           files
	codings, oldCodings []string
}{
	{name: "first build", next: site(3, "one", "two")},
	{name: "rebuild", old: site(4, "one", "two", "gone", "half"),
		next: withoutVariant(site(2, "one", "2nd", "", "half", "new", "newer"), 3)},
	{name: "all goes", old: site(4, "one", "two"), next: files{"404.json": "other"}},
	{name: "pages is gone", old: files{"404.json": "old"}, next: site(3, "one", "two")},
	{name: "in-root files at first", next: inRoot(site(1, "one"), "_headers", "new")},
	{name: "in-root files", old: inRoot(site(2, "one"), "_headers", "old", ".htaccess", "goes", "404.html", "stays"),
		next: inRoot(site(1, "one"), "_headers", "new", "_worker.js", "added", "404.html", "stays")},
	{name: "variants at first", next: site(1, long("one")), codings: []string{"gz", "br", "zst"}},
	{name: "variants", old: site(2, long("one"), long("two"), "short", long("gone")), oldCodings: []string{"gz"},
		next: site(1, long("1st"), "2nd", long("longer"), "", long("new")), codings: []string{"gz"}},
	{name: "variants go", old: site(1, long("one"), long("two")), oldCodings: []string{"gz"}, next: site(1, long("one"), long("2nd"))},
	{name: "variants come", old: site(1, long("one"), long("two")), next: site(1, long("one"), long("2nd")), codings: []string{"gz"}},
}

// long returns a body that variants are smaller than.
func long(body string) string { return strings.Repeat(body+" ", 50) }

// inRoot adds files to f, given as names and what they hold.
func inRoot(f files, namesAndData ...string) files {
	for i := 0; i < len(namesAndData); i += 2 {
		f[namesAndData[i]] = namesAndData[i+1]
	}
	return f
}

func withoutVariant(f files, n int) files {
	delete(f, record(n, ".api.json"))
	return f
}

// stateBytes returns the files in .sivu.
func stateBytes(t *testing.T, out string) files {
	f := files{}
	for _, name := range inState(t, out) {
		data, err := os.ReadFile(filepath.Join(out, stateDir, name))
		if err != nil {
			t.Error(err)
		}
		f[name] = string(data)
	}
	return f
}

// isPending reports whether a commit was marked and is not finished.
func isPending(out string) bool {
	_, err := os.Lstat(filepath.Join(out, commitDir))
	return err == nil
}

// refusesReaders makes sure that nobody reads a folder with a commit that is not finished.
func refusesReaders(t *testing.T, out string) {
	t.Helper()
	_, errHold := Hold(out)
	_, errDry := Open(out, Options{DryRun: true})
	readers := map[string]error{"Hold": errHold, "a dry run": errDry}
	if _, err := os.Stat(filepath.Join(out, manifest)); err == nil {
		_, readers["ReadManifest"] = ReadManifest(out)
	}
	for name, err := range readers {
		if !errors.Is(err, ErrPending) || !strings.Contains(err.Error(), fmt.Sprintf("run sivu recover %[1]q, or sivu build --out %[1]q", out)) {
			t.Errorf("%s says %v", name, err)
		}
	}
}

// TestFailureAtEveryOperation fails each operation of a commit. Before the mark, the
// folder is as it was. After it, nobody reads the folder, each file is one of the old or
// the new snapshot, and the next build, under other settings, or a recovery finishes it.
func TestFailureAtEveryOperation(t *testing.T) {
	t.Parallel()
	for _, test := range commitCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before, after := 0, 0
			due := expected(t, test.next, test.codings)
			for n := rand.IntN(stride(6)); ; n += stride(6) {
				parent := t.TempDir()
				out := filepath.Join(parent, "public")
				due := due
				if test.old != nil {
					build(t, out, test.old, test.oldCodings...)
					put(t, filepath.Join(out, "pages", id(2), "mine.txt"), "mine")
					due = inRoot(maps.Clone(due), "pages/"+id(2)+"/mine.txt", "mine")
				}
				was, times0, state := read(t, parent), times(t, parent), stateBytes(t, out)
				s, count := stageAll(t, out, Options{Codings: test.codings}, test.next), 0
				s.beforeEach(failAt(n, &count, syscall.EIO))
				_, err := s.Commit(context.Background())
				switch {
				case err == nil && count <= n:
					if before == 0 || after == 0 {
						t.Errorf("only %d operations failed before the mark, and %d after it", before, after)
					}
					return
				case err == nil: // it was one of those after the end
					equal(t, "files", readIfThere(t, out), due)
				case isPending(out):
					after++
					if !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "sivu recover, finishes it") || strings.Contains(err.Error(), asItWas) {
						t.Errorf("operation %d: error %q", n, err)
					}
					refusesReaders(t, out)
					lookAround(t, out, inRoot(maps.Clone(below(was)), "pages/"+id(2)+"/mine.txt", "mine"), due)
					if n%2 == 0 {
						r, err := Recover(context.Background(), out, Options{unflushed: true}, 1)
						must(t, err)
						if !r.Whole || !r.CutOff {
							t.Errorf("recovered: %+v", r)
						}
					} else {
						must(t, stageAll(t, out, Options{Codings: []string{"br"}, KeepRemoved: 1, Report: true}, site(1)).Abort())
					}
					equal(t, "files", readIfThere(t, out), due)
				default:
					before++
					if !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), asItWas) {
						t.Errorf("operation %d: error %q", n, err)
					}
					equal(t, "files", read(t, parent), was)
					equal(t, "times", times(t, parent), times0)
					equal(t, ".sivu", stateBytes(t, out), state)
				}
				build(t, out, test.next, test.codings...)
				equal(t, "files", readIfThere(t, out), due)
				if t.Failed() {
					t.Fatalf("after a failure of operation %d", n)
				}
			}
		})
	}
}

// below returns the files of the folder public as those of a snapshot.
func below(f files) files {
	c := files{}
	for name, data := range f {
		if rest, ok := strings.CutPrefix(name, "public/"); ok {
			c[rest] = data
		}
	}
	return c
}

// TestCancelAtEveryOperation ends the context before each operation of a commit. Before
// the mark the folder is as it was, and the error is the cause; after it the commit is
// finished all the same.
func TestCancelAtEveryOperation(t *testing.T) {
	t.Parallel()
	for _, test := range commitCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			due, marked := expected(t, test.next, test.codings), false
			for n := rand.IntN(stride(8)); ; n += stride(8) {
				parent := t.TempDir()
				out := filepath.Join(parent, "public")
				if test.old != nil {
					build(t, out, test.old, test.oldCodings...)
				}
				before, beforeTimes := read(t, parent), times(t, parent)
				s := stageAll(t, out, Options{Codings: test.codings}, test.next)
				cause := errors.New("told to stop")
				ctx, cancel := context.WithCancelCause(context.Background())
				count := 0
				s.beforeEach(func(string, string) error {
					if count++; count > n {
						cancel(cause)
					}
					return nil
				})
				_, err := s.Commit(ctx)
				cancel(nil)
				if err == nil {
					equal(t, "files", readIfThere(t, out), due)
					marked = true
					if count <= n {
						return
					}
					continue
				}
				if err.Error() != cause.Error() || marked {
					t.Errorf("error %v, after one that went through: %v", err, marked)
				}
				equal(t, "files", read(t, parent), before)
				equal(t, "times", times(t, parent), beforeTimes)
				if t.Failed() {
					t.Fatalf("after a stop at operation %d", n)
				}
			}
		})
	}
}

// TestKilledCommit leaves the folder as a build leaves it that is killed before each of
// the operations of its commit. A recovery brings exactly the old or the new snapshot; a
// build with other settings goes on from there.
func TestKilledCommit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		old, next, last files
		codings         []string
	}{
		"answers": {old: site(3, "one", "two", "gone"), next: site(2, "1st", "two", "", "new"), last: site(1, "one")},
		"variants": {old: site(2, long("one"), long("two"), long("gone")), next: site(2, long("1st"), "two", "", long("new")),
			last: site(1, long("one")), codings: []string{"gz"}},
		"host files": {old: inRoot(site(1, "one"), "_headers", "old", "404.html", "goes"),
			next: inRoot(site(1, "1st"), "_headers", "new", ".htaccess", "added"),
			last: inRoot(site(1, "one"), ".htaccess", "other", "404.html", "again")},
		"host files at first": {next: inRoot(site(1, "1st"), ".htaccess", "added"), last: inRoot(site(1, "one"), ".htaccess", "other")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			due := expected(t, test.next, test.codings)
			for n := rand.IntN(stride(4)); ; n += stride(4) {
				out := t.TempDir()
				if test.old != nil {
					build(t, out, test.old, test.codings...)
				}
				before := read(t, out)
				if commitIsKilled(t, stageAll(t, out, Options{Codings: test.codings}, test.next), n) {
					break
				}
				if n%2 == 1 {
					pending := isPending(out)
					if err := stageAll(t, out, Options{}, test.last).Abort(); err != nil {
						t.Fatal(err)
					}
					if now := readIfThere(t, out); pending {
						equal(t, "files", now, due)
					} else if !is(t, out, due) { // or it was killed when all was done
						equal(t, "files", now, before)
					}
				}
				build(t, out, test.last)
				equal(t, "files", read(t, out), test.last)
				equal(t, ".sivu", inState(t, out), settled)
				if t.Failed() {
					t.Fatalf("after a kill at operation %d", n)
				}
			}
		})
	}
}

// commitIsKilled commits, and stops short before operation n as if the process was
// killed. It reports whether there were fewer.
func commitIsKilled(t *testing.T, s *Stage, n int) (done bool) {
	t.Helper()
	count := 0
	return killedCommit(t, s, func(string, string) bool { count++; return count > n })
}

// killedCommit commits until an operation is one to be killed at.
func killedCommit(t *testing.T, s *Stage, at func(op, name string) bool) (done bool) {
	t.Helper()
	type killed struct{}
	s.beforeEach(func(op, name string) error {
		if at(op, name) {
			panic(killed{})
		}
		return nil
	})
	defer func() {
		switch r := recover(); r {
		case nil:
		case killed{}:
			s.lock.Close() // as the kernel does
			s.closeFolders()
			s.root.Close()
		default:
			panic(r)
		}
	}()
	_, err := s.Commit(context.Background())
	must(t, err)
	return true
}

// TestEveryStepTwice takes all steps of a plan twice.
func TestEveryStepTwice(t *testing.T) {
	for _, test := range commitCases {
		t.Run(test.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "public")
			if test.old != nil {
				build(t, out, test.old, test.oldCodings...)
			}
			s := stageAll(t, out, Options{Codings: test.codings}, test.next)
			p, err := s.ready(t.Context())
			must(t, err)
			must(t, s.prepare(t.Context(), p))
			must(t, s.mark())
			due := expected(t, test.next, test.codings)
			for range 2 {
				todo, err := s.openPlan()
				must(t, err)
				must(t, (&applier{Stage: s, changed: flushList{}}).apply(todo))
				todo.file.Close()
				equal(t, "files", readIfThere(t, out), due)
			}
			must(t, s.Abort())
			r, err := Recover(t.Context(), out, Options{unflushed: true}, 1)
			must(t, err)
			if !r.Whole || r.Finished != len(p.steps) || r.Generation != p.changes.Generation {
				t.Errorf("recovered: %+v", r)
			}
			equal(t, "files", readIfThere(t, out), due)
		})
	}
}

// cutOff leaves a folder as a build does that was killed within its commit, when
// it had published records and not yet the first list page.
func cutOff(t *testing.T, old, next files) (out string) {
	t.Helper()
	out = t.TempDir()
	build(t, out, old)
	if killedCommit(t, stageAll(t, out, Options{}, next), func(op, name string) bool { return op == "rename" && name == "pages/index.json" }) {
		t.Fatal("the commit was not killed")
	}
	equal(t, "a record", read(t, out)[record(0, ".json")], next[record(0, ".json")])
	return out
}

// TestFinish finishes a commit, and does nothing elsewhere.
func TestFinish(t *testing.T) {
	next := site(2, "1st", "two", "", "new")
	out := cutOff(t, site(3, "one", "two", "gone"), next)
	for _, name := range []string{out, out, filepath.Join(out, "missing")} {
		must(t, Finish(name, Options{unflushed: true}))
		equal(t, "files", read(t, out), next)
		equal(t, ".sivu", inState(t, out), settled)
	}
}

// TestUnusablePlan spoils the plan of a commit that was cut off. Everyone says so, and
// what to do; and that makes the folder exactly the new snapshot.
func TestUnusablePlan(t *testing.T) {
	old, next := site(3, "one", "two", "gone"), site(2, "1st", "two", "", "new")
	for name, spoil := range map[string]func(plan string) error{
		"missing":   os.Remove,
		"empty":     func(plan string) error { return os.Truncate(plan, 0) },
		"cut":       func(plan string) error { return os.Truncate(plan, 60) },
		"endless":   func(plan string) error { return os.Truncate(plan, manifestLimit+1) },
		"of others": func(plan string) error { return os.WriteFile(plan, []byte("sivu plan 2\n"), 0o600) },
		"flipped": func(plan string) error {
			data, err := os.ReadFile(plan)
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(plan, data, 0o600))
		},
		"of another manifest": func(plan string) error {
			other := filepath.Join(t.TempDir(), "public")
			build(t, other, site(1))
			return os.Rename(filepath.Join(other, manifest), filepath.Join(plan, "../../..", manifest[len(stateDir+"/"):]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := cutOff(t, old, next)
			must(t, spoil(filepath.Join(out, commitDir, planFile)))
			before := read(t, out)
			_, errRecover := Recover(t.Context(), out, Options{unflushed: true}, 1)
			_, errBuild := Open(out, Options{unflushed: true})
			for _, err := range []error{errRecover, errBuild} {
				if err == nil || !strings.Contains(err.Error(), "cannot be finished") || !strings.Contains(err.Error(), "remove .sivu/commit and .sivu/manifest, and build again") {
					t.Errorf("got error %v", err)
				}
			}
			refusesReaders(t, out)
			equal(t, "files", read(t, out), before)
			must(t, errors.Join(os.RemoveAll(filepath.Join(out, commitDir)), os.Remove(filepath.Join(out, manifest))))
			last := site(1, "one")
			build(t, out, last)
			equal(t, "files", read(t, out), last)
			equal(t, ".sivu", inState(t, out), settled)
		})
	}
}

// TestChangedWhileCutOff changes files while a commit is not finished: what it has still to
// move in goes over them, of what it has moved in already it says that it is not there, and
// those of host files that are someone else's stay.
func TestChangedWhileCutOff(t *testing.T) {
	old := inRoot(site(2, "one", "two"), "_headers", "old", "_redirects", "goes")
	next := inRoot(site(2, "1st", "two"), "_headers", "new", ".htaccess", "added")
	for name, test := range map[string]struct {
		file, data string
		at         func(op, name string) bool
		says       string // "" where the commit is finished
	}{
		"to be moved in":       {"pages/index.json", "other", isRename("pages/index.json"), ""},
		"moved in":             {record(0, ".json"), "other", isRename("pages/index.json"), "cannot write " + record(0, ".json") + ": the commit in"},
		"a new host file":      {".htaccess", "mine", isRename(".htaccess"), `cannot replace ".htaccess" in the output folder`},
		"a changed host file":  {"_headers", "mine", isRename("_headers"), `cannot replace "_headers" in the output folder`},
		"a host file to go":    {"_redirects", "mine", isRename("_headers"), `cannot replace "_redirects" in the output folder`},
		"one that is the same": {".htaccess", "added", isRename(".htaccess"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			build(t, out, old)
			if killedCommit(t, stageAll(t, out, Options{}, next), test.at) {
				t.Fatal("the commit was not killed")
			}
			kept, err := os.ReadFile(filepath.Join(out, test.file))
			put(t, filepath.Join(out, test.file), test.data)
			_, errRecover := Recover(t.Context(), out, Options{unflushed: true}, 1)
			if test.says != "" {
				if errRecover == nil || !strings.Contains(errRecover.Error(), test.says) {
					t.Errorf("got error %v", errRecover)
				}
				equal(t, test.file, read(t, out)[test.file], test.data)
				refusesReaders(t, out)
				if err == nil {
					put(t, filepath.Join(out, test.file), string(kept))
				} else {
					must(t, os.Remove(filepath.Join(out, test.file)))
				}
				_, errRecover = Recover(t.Context(), out, Options{unflushed: true}, 1)
			}
			must(t, errRecover)
			equal(t, "files", read(t, out), next)
			equal(t, ".sivu", inState(t, out), settled)
		})
	}
}

func isRename(path string) func(op, name string) bool {
	return func(op, name string) bool { return op == "rename" && name == path }
}

// TestOldBackup has a folder that an older sivu left, which undid commits.
func TestOldBackup(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	must(t, os.Mkdir(filepath.Join(out, backupDir), 0o755))
	for _, dry := range []bool{false, true} {
		if _, err := Open(out, Options{DryRun: dry}); err == nil || !strings.Contains(err.Error(), "remove .sivu/backup and .sivu/manifest, and build again") {
			t.Errorf("got error %v", err)
		}
	}
	must(t, errors.Join(os.Remove(filepath.Join(out, backupDir)), os.Remove(filepath.Join(out, manifest))))
	build(t, out, site(1, "1st"))
	equal(t, "files", read(t, out), site(1, "1st"))
}

// TestOrderOfPublication looks at the folder at every step of a commit, as a
// client might: no file of both snapshots is missing or torn, and a list names
// only records that are there.
func TestOrderOfPublication(t *testing.T) {
	old, next := site(2, "one", "two", "gone"), site(4, "1st", "two", "", "new", "newer")
	out := t.TempDir()
	build(t, out, old)
	s := stageAll(t, out, Options{}, next)
	var seen []string
	s.beforeEach(func(op, name string) error {
		now := read(t, out)
		for path := range old {
			if _, stays := next[path]; stays && now[path] != old[path] && now[path] != next[path] {
				t.Errorf("before %s %s, %s holds %q", op, name, path, now[path])
			}
		}
		if isStep(op, name) {
			seen = append(seen, op+" "+name)
		}
		return nil
	})
	if _, err := s.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "order", seen, []string{
		"write .sivu/manifest.log", "rename .sivu/commit", // first it is only made room for
		"rename " + record(0, ".api.json"), "rename " + record(0, ".json"),
		"rename pages/" + id(3), "rename pages/" + id(4),
		"rename pages/page-4.api.json", "rename pages/page-4.json",
		"rename pages/page-3.api.json", "rename pages/page-3.json",
		"rename pages/page-2.api.json", "rename pages/page-2.json",
		"rename pages/page-1.api.json", "rename pages/page-1.json",
		"rename pages/index.api.json", "rename pages/index.json",
		"remove " + record(2, ".api.json"), "remove " + record(2, ".json"), "remove pages/" + id(2),
		"write .sivu/manifest.log", "rename .sivu/stage",
	})
}

// isStep reports whether an operation is one of a commit from its mark on.
func isStep(op, name string) bool {
	switch op {
	case "rename":
		return name != changesFile
	case "remove":
		return !strings.HasPrefix(name, stateDir)
	case "write":
		return name == manifestLog
	}
	return false
}

func TestOrderOfRemoval(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(11, "one", "two"))
	s := stageAll(t, out, Options{}, site(9, "one"))
	var seen []string
	s.beforeEach(func(op, name string) error {
		if op == "remove" && isStep(op, name) && !strings.HasSuffix(name, ".api.json") {
			seen = append(seen, name)
		}
		return nil
	})
	c, err := s.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "order", seen, []string{"pages/page-11.json", "pages/page-10.json", record(1, ".json"), "pages/" + id(1)})
	if removed := slices.Collect(c.Removed.All()); !slices.IsSorted(removed) || len(removed) != 6 {
		t.Errorf("removed: %q", removed)
	}
}

func TestErrorOfAWriterForbidsCommit(t *testing.T) {
	out := t.TempDir()
	old := site(1, "one")
	build(t, out, old)
	s, err := Open(out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// A folder in the place of a file cannot be compared.
	if err := os.MkdirAll(filepath.Join(out, "pages", "page-2.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := s.NewWriter()
	if err := w.WriteFile("pages/index.json", []byte("new")); err != nil {
		t.Fatal(err)
	}
	err = w.WriteFile("pages/page-2.json", []byte("new"))
	equal(t, "message", fmt.Sprint(err), "cannot compare pages/page-2.json: not a regular file; "+
		"sivu did not write it: remove it or move it away (the output folder is as it was)")
	w.Close()
	if _, again := s.Commit(context.Background()); !errors.Is(again, err) {
		t.Errorf("commit said %v", again)
	}
	old["pages/page-2.json/"] = ""
	equal(t, "files", read(t, out), old)
}
