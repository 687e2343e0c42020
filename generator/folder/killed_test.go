package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// killVariable is the environment variable that makes a process of this test one
// that ends before it is done. It holds a doomed as JSON.
const killVariable = "SIVU_TEST_DOOMED"

// killedStatus is how such a process ends, unless it comes to its end before.
const killedStatus = 42

// doomed is a build, or where it has no files a recovery, that ends at once before
// its n-th operation on the file system.
type doomed struct {
	Out     string
	Files   files
	Codings []string
	Kept    time.Duration
	N       int
}

func TestMain(m *testing.M) {
	if text := os.Getenv(killVariable); text != "" {
		os.Exit(runDoomed(text))
	}
	os.Exit(m.Run())
}

func runDoomed(text string) int {
	var d doomed
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		panic(err)
	}
	count := 0
	opts := Options{Codings: d.Codings, KeepRemoved: d.Kept, unflushed: true, fault: func(string, string) error {
		if count++; count > d.N {
			os.Exit(killedStatus)
		}
		return nil
	}}
	var err error
	if d.Files == nil {
		_, err = Recover(context.Background(), d.Out, opts, 1)
	} else {
		_, err = tryBuild(d.Out, opts, d.Files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// isKilled runs d in a process of its own, and reports whether it was killed before
// it came to its end.
func (d doomed) isKilled(t *testing.T) bool {
	t.Helper()
	text, err := json.Marshal(d)
	must(t, err)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), killVariable+"="+string(text))
	said, err := command.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == killedStatus {
		return true
	}
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return false
}

// TestKilledAtEveryOperation ends a build before each of its operations, and then
// the recovery of that at random ones, again and again. Whoever looks at the folder
// in between finds no file torn, and none missing that stays. In the end what is
// left is exactly the old or the new snapshot, and the next build goes through.
//
// It is not parallel to others: a process that was forked and has not begun yet
// holds the locks of all builds of this one.
func TestKilledAtEveryOperation(t *testing.T) {
	for _, test := range commitCases {
		t.Run(test.name, func(t *testing.T) {
			after, kills := expected(t, test.next, test.codings), 0
			for n := rand.IntN(stride(20)); ; n += stride(20) {
				out, before := filepath.Join(t.TempDir(), "public"), files{}
				if test.old != nil {
					build(t, out, test.old, test.oldCodings...)
					before = read(t, out)
				}
				if !(doomed{Out: out, Files: test.next, Codings: test.codings, N: n}).isKilled(t) {
					equal(t, "files", readIfThere(t, out), after)
					break
				}
				lookAround(t, out, before, after)
				for range rand.IntN(3) {
					if _, err := os.Stat(filepath.Join(out, lockFile)); err != nil {
						break // it was killed before it made a folder that is sivu's
					}
					next := doomed{Out: out, N: rand.IntN(40)}
					if rand.IntN(3) == 0 {
						next.Files, next.Codings = test.next, test.codings
					}
					if next.isKilled(t) {
						kills++
					}
					lookAround(t, out, before, after)
				}
				if test.old != nil {
					r, err := Recover(context.Background(), out, Options{unflushed: true}, 2)
					must(t, err)
					if !r.Whole || !is(t, out, before) && !is(t, out, after) {
						t.Errorf("what was recovered is neither the old nor the new snapshot: %+v", r)
					}
				}
				build(t, out, test.next, test.codings...)
				equal(t, "files", readIfThere(t, out), after)
				equal(t, ".sivu", withoutLog(inState(t, out)), settled)
				if t.Failed() {
					t.Fatalf("after a kill before operation %d", n)
				}
			}
			t.Logf("killed %d recoveries and next builds, too", kills)
		})
	}
}

// withoutLog leaves out the log of the manifest, which is there after some builds.
func withoutLog(names []string) (rest []string) {
	for _, name := range names {
		if !strings.HasSuffix(name, ".log") {
			rest = append(rest, name)
		}
	}
	return rest
}
