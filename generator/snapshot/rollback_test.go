package snapshot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// failAt returns a hook that fails the n-th step, from 0, of those that only
// lets through, and counts them.
func failAt(n int, count *int, cause error, only func(op string) bool) func(op, name string) error {
	return func(op, name string) error {
		if !only(op) {
			return nil
		}
		*count++
		if *count-1 == n {
			return cause
		}
		return nil
	}
}

// isStep holds for all steps but those of a rollback, and for all that no
// fallback makes good.
func isStep(op string) bool { return op != "undo" && op != "link" }

// rollbackCases are commits that between them add, change and remove all there
// is, with what was there before.
var rollbackCases = []struct {
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
	{name: "siblings at first", next: site(1, long("one")), codings: []string{"gz", "br", "zst"}},
	{name: "siblings", old: site(2, long("one"), long("two"), "short", long("gone")), oldCodings: []string{"gz"},
		next: site(1, long("1st"), "2nd", long("longer"), "", long("new")), codings: []string{"gz"}},
	{name: "siblings go", old: site(1, long("one"), long("two")), oldCodings: []string{"gz"}, next: site(1, long("one"), long("2nd"))},
	{name: "siblings come", old: site(1, long("one"), long("two")), next: site(1, long("one"), long("2nd")), codings: []string{"gz"}},
}

// long returns a body that siblings are smaller than.
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

func TestRollBackFromEveryStep(t *testing.T) {
	t.Parallel()
	for _, test := range rollbackCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			steps := 0
			for n := rand.IntN(stride(3)); ; n += stride(3) {
				parent := t.TempDir()
				out := filepath.Join(parent, "public")
				if test.old != nil {
					build(t, out, test.old, test.oldCodings...)
					put(t, filepath.Join(out, "pages", id(2), "mine.txt"), "mine")
				}
				before, beforeTimes, beforeState := read(t, parent), times(t, parent), stateBytes(t, out)
				s := stageAll(t, out, Options{Codings: test.codings}, test.next)
				count := 0
				s.hook = failAt(n, &count, syscall.EIO, isStep)
				_, err := s.Commit(context.Background())
				if err == nil {
					steps = n
					break
				}
				if !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), asItWas) {
					t.Errorf("step %d: error %q", n, err)
				}
				equal(t, "files", read(t, parent), before)
				equal(t, "times", times(t, parent), beforeTimes)
				equal(t, ".sivu", stateBytes(t, out), beforeState)
				if t.Failed() {
					t.Fatalf("after a failure of step %d", n)
				}
				build(t, out, test.next, test.codings...) // and the folder is as good as before
			}
			if least := 4; steps < least {
				t.Errorf("only %d steps were failed, want %d at least", steps, least)
			}
			t.Logf("failed each of %d steps", steps)
		})
	}
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

func TestRollBackAfterCancel(t *testing.T) {
	t.Parallel()
	for _, test := range rollbackCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for n := 0; ; n++ {
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
				s.hook = func(string, string) error {
					if count++; count > n {
						cancel(cause)
					}
					return nil
				}
				if n == 0 {
					cancel(cause)
				}
				_, err := s.Commit(ctx)
				cancel(nil)
				if err == nil {
					// The last step had begun already.
					if count != n && count != n+1 {
						t.Errorf("a commit of %d steps went on after step %d", count, n)
					}
					break
				}
				if !errors.Is(err, cause) || err.Error() != cause.Error() {
					t.Errorf("error %v", err)
				}
				equal(t, "files", read(t, parent), before)
				equal(t, "times", times(t, parent), beforeTimes)
				if t.Failed() {
					t.Fatalf("after a stop at step %d", n)
				}
			}
		})
	}
}

// TestWithoutHardLinks makes every link fail, as on exFAT: the backups are
// copies.
func TestWithoutHardLinks(t *testing.T) {
	t.Parallel()
	old, next := site(3, "one", "two"), site(2, "1st", "two", "three")
	noLinks := func(op, _ string) error {
		if op == "link" {
			return errors.ErrUnsupported
		}
		return nil
	}
	for n := 0; ; n++ {
		out := t.TempDir()
		build(t, out, old)
		before := times(t, out)
		s := stageAll(t, out, Options{}, next)
		count := 0
		fail := failAt(n, &count, syscall.ENOSPC, isStep)
		s.hook = func(op, name string) error { return errors.Join(noLinks(op, name), fail(op, name)) }
		_, err := s.Commit(context.Background())
		if err == nil {
			equal(t, "files", read(t, out), next)
			break
		}
		equal(t, "files", read(t, out), old)
		equal(t, "times", times(t, out), before)
	}
}

// TestRollBackFails fails a step and then what would undo the others: the
// message names what is not as it was, and the next build puts it right.
func TestRollBackFails(t *testing.T) {
	t.Parallel()
	old, next := site(1, "one", "gone"), site(1, "1st", "", "new")
	for _, abortFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("abort first: ", abortFirst), func(t *testing.T) {
			out := t.TempDir()
			build(t, out, old)
			s := stageAll(t, out, Options{}, next)
			s.hook = func(op, name string) error {
				if op == "undo" || name == manifest {
					return syscall.EIO
				}
				return nil
			}
			_, err := s.Commit(context.Background())
			if err == nil {
				t.Fatal("the commit did not fail")
			}
			for _, want := range []string{
				"could not be put back",
				record(0, ".json") + " lies in .sivu/backup/" + record(0, ".json"),
				"pages/" + id(2) + " is new and stays",
			} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the message %q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), asItWas) {
				t.Errorf("the message %q says that nothing happened", err)
			}

			if abortFirst {
				// Opening is enough to have every file of the old snapshot back.
				if err := stageAll(t, out, Options{}, next).Abort(); err != nil {
					t.Fatal(err)
				}
				equal(t, "files", read(t, out), old)
			}
			// What the failed commit had added is in no manifest; it must go too.
			last := site(1, "one")
			build(t, out, last)
			equal(t, "files", read(t, out), last)
			equal(t, ".sivu", inState(t, out), settled)
		})
	}
}

// TestRollBackOfAFirstBuildFails leaves files of a snapshot in a folder that
// never held one. The next build must know that they are sivu's.
func TestRollBackOfAFirstBuildFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "public")
	s := stageAll(t, out, Options{}, site(3, "one", "two"))
	s.hook = func(op, name string) error {
		if op == "undo" || name == manifest {
			return syscall.EIO
		}
		return nil
	}
	if _, err := s.Commit(context.Background()); err == nil || !strings.Contains(err.Error(), "pages is new and stays") {
		t.Errorf("got error %v", err)
	}
	last := site(1, "one")
	build(t, out, last)
	equal(t, "files", read(t, out), last)
}

// TestKilledCommit leaves the folder as a build leaves it that is killed
// before each of its steps, and builds again.
func TestKilledCommit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		old, next, last files
		codings         []string
	}{
		"answers": {old: site(3, "one", "two", "gone"), next: site(2, "1st", "two", "", "new"), last: site(1, "one")},
		"siblings": {old: site(2, long("one"), long("two"), long("gone")), next: site(2, long("1st"), "two", "", long("new")),
			last: site(1, long("one")), codings: []string{"gz"}},
		"in-root files": {old: inRoot(site(1, "one"), "_headers", "old", "404.html", "goes"),
			next: inRoot(site(1, "1st"), "_headers", "new", ".htaccess", "added"),
			last: inRoot(site(1, "one"), ".htaccess", "other", "404.html", "again")},
		"in-root files at first": {next: inRoot(site(1, "1st"), ".htaccess", "added"), last: inRoot(site(1, "one"), ".htaccess", "other")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 0; ; n++ {
				out := t.TempDir()
				if test.old != nil {
					build(t, out, test.old, test.codings...)
				}
				before := read(t, out)
				if commitIsKilled(t, stageAll(t, out, Options{Codings: test.codings}, test.next), n) {
					break
				}
				if n%2 == 1 {
					if err := stageAll(t, out, Options{}, test.next).Abort(); err != nil {
						t.Fatal(err)
					}
					equal(t, "files", read(t, out), before)
				}
				build(t, out, test.last)
				equal(t, "files", read(t, out), test.last)
				equal(t, ".sivu", inState(t, out), settled)
				if t.Failed() {
					t.Fatalf("after a kill at step %d", n)
				}
			}
		})
	}
}

// commitIsKilled commits, and stops short before step n as if the process was
// killed. It reports whether there were fewer steps.
func commitIsKilled(t *testing.T, s *Stage, n int) (done bool) {
	t.Helper()
	type killed struct{}
	count := 0
	s.hook = func(string, string) error {
		if count++; count > n {
			panic(killed{})
		}
		return nil
	}
	defer func() {
		switch r := recover(); r {
		case nil:
		case killed{}:
			s.lock.Close() // as the kernel does
		default:
			panic(r)
		}
	}()
	_, err := s.Commit(context.Background())
	must(t, err)
	return true
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
	s.hook = func(op, name string) error {
		now := read(t, out)
		for path := range old {
			if _, stays := next[path]; stays && now[path] != old[path] && now[path] != next[path] {
				t.Errorf("before %s %s, %s holds %q", op, name, path, now[path])
			}
		}
		if op == "write" || op == "remove" {
			seen = append(seen, op+" "+name)
		}
		return nil
	}
	if _, err := s.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "order", seen, []string{
		"write " + record(0, ".api.json"), "write " + record(0, ".json"),
		"write pages/" + id(3), "write pages/" + id(4),
		"write pages/page-4.api.json", "write pages/page-4.json",
		"write pages/page-3.api.json", "write pages/page-3.json",
		"write pages/page-2.api.json", "write pages/page-2.json",
		"write pages/page-1.api.json", "write pages/page-1.json",
		"write pages/index.api.json", "write pages/index.json",
		"remove " + record(2, ".api.json"), "remove " + record(2, ".json"), "remove pages/" + id(2),
		"write .sivu/manifest.log",
	})
}

func TestOrderOfRemoval(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(11, "one", "two"))
	s := stageAll(t, out, Options{}, site(9, "one"))
	var seen []string
	s.hook = func(op, name string) error {
		if op == "remove" && !strings.HasSuffix(name, ".api.json") {
			seen = append(seen, name)
		}
		return nil
	}
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
