package folder

import (
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

// reported returns what a report tells, by path.
func reported(since *SinceReport) map[string]string {
	all := map[string]string{}
	for what, paths := range map[string]Paths{"added": since.Added, "changed": since.Changed, "removed": since.Removed} {
		for path := range paths.All() {
			all[path] += what
		}
	}
	return all
}

// TestSinceReport makes builds of which some are asked for a report, some reports are
// written, and some builds fail at random. A report tells of every file that any build
// changed since the last report that was written; and where no file was there only
// in between, of no other.
func TestSinceReport(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			out := t.TempDir()
			now := site(2, "one", "two")
			build(t, out, now)
			c, err := tryBuild(out, Options{Report: true}, now)
			must(t, err)
			must(t, Reported(out, c.Generation))
			due := map[string]string{}
			for range 20 {
				next := maps.Clone(now)
				for range r.IntN(3) {
					name := record(r.IntN(5), ".json")
					if next[name] = fmt.Sprint(r.IntN(3)); r.IntN(3) == 0 {
						delete(next, name)
					}
				}
				opts := Options{Report: r.IntN(2) == 0}
				if r.IntN(3) == 0 {
					left := r.IntN(60)
					opts.fault = func(string, string) error {
						if left--; left < 0 {
							return syscall.EIO
						}
						return nil
					}
				}
				c, err := tryBuild(out, opts, next)
				if err != nil {
					_, err := Recover(t.Context(), out, Options{unflushed: true}, 1)
					must(t, err)
					if files := readIfThere(t, out); !maps.Equal(files, next) {
						continue
					}
				}
				noteChanges(due, now, next)
				now = next
				if err == nil && opts.Report {
					equal(t, "report", reported(&c.SinceReport), due)
					if r.IntN(2) == 0 {
						must(t, Reported(out, c.Generation))
						clear(due)
					}
				}
			}
		})
	}
}

// noteChanges adds what changed between two snapshots to what did before.
func noteChanges(due map[string]string, old, next files) {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(next))) {
		was, wasThere := old[name]
		is, isThere := next[name]
		switch _, known := due[name]; {
		case wasThere == isThere && was == is:
		case !isThere:
			due[name] = "removed"
		case known, wasThere:
			due[name] = "changed"
		default:
			due[name] = "added"
		}
	}
}

func TestRecordOfOthers(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	c, err := tryBuild(out, Options{Report: true}, site(1, "1st"))
	must(t, err)
	later := build(t, out, site(1, "2nd"))
	must(t, Reported(out, c.Generation)) // of a snapshot before: nothing is forgotten
	c, err = tryBuild(out, Options{Report: true}, site(1, "2nd"))
	must(t, err)
	if got := reported(&c.SinceReport); got[record(0, ".json")] != "changed" || c.Generation != later.Generation {
		t.Errorf("the report tells of %v", got)
	}
	s, err := Open(out, Options{})
	must(t, err)
	must(t, Reported(out, c.Generation)) // a build is at work
	must(t, s.Abort())
	if c, err := tryBuild(out, Options{Report: true}, site(1, "2nd")); err != nil || len(reported(&c.SinceReport)) == 0 {
		t.Errorf("the report tells of nothing: %v", err)
	}
}

// TestDamagedRecord damages what is recorded: reports say that they are not all,
// until one was written.
func TestDamagedRecord(t *testing.T) {
	out := t.TempDir()
	c, err := tryBuild(out, Options{Report: true}, site(1, "one"))
	must(t, err)
	name := filepath.Join(out, changesFile)
	data, err := os.ReadFile(name)
	must(t, err)
	for i := range data {
		broken := strings.Clone(string(data))
		must(t, os.WriteFile(name, []byte(broken[:i]+string(broken[i]^1)+broken[i+1:]), 0o600))
		s, err := Open(out, Options{Report: true, unflushed: true})
		must(t, err)
		if !s.recorded.lost {
			t.Errorf("byte %d is another, and nothing is told", i)
		}
		must(t, s.Abort())
	}
	must(t, os.WriteFile(name, []byte("sivu"), 0o600))
	build(t, out, site(1, "2nd"))
	c, err = tryBuild(out, Options{Report: true}, site(1, "3rd"))
	must(t, err)
	if !c.SinceReport.Incomplete || reported(&c.SinceReport)[record(0, ".json")] != "changed" {
		t.Errorf("%+v", c.SinceReport)
	}
	must(t, Reported(out, c.Generation))
	if c, err := tryBuild(out, Options{Report: true}, site(1, "3rd")); err != nil || c.SinceReport.Incomplete || len(reported(&c.SinceReport)) > 0 {
		t.Errorf("%+v, %v", c.SinceReport, errors.Unwrap(err))
	}
}
