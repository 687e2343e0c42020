package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

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
		if !s.distrusted {
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
		s, calls, generation := stageAll(t, out, Options{DryRun: test.dry}, test.next), 0, ""
		s.OnCommitted(func(c *Changes) {
			calls++
			if _, err := Open(out, Options{}); !errors.Is(err, ErrLocked) {
				t.Errorf("another build got %v", err)
			}
			generation = c.Generation
		})
		c, err := s.Commit(context.Background())
		must(t, err)
		if !test.dry {
			m, err := ReadManifest(out)
			must(t, err)
			equal(t, "generations", []string{generation, c.Generation}, []string{m.Generation.String(), m.Generation.String()})
		}
		equal(t, "calls", calls, test.calls)
	}
}
