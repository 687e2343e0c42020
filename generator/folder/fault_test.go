package folder

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
)

// injector fails operations on the file system from the n-th on, up to so many.
type injector struct {
	mu       sync.Mutex
	n, times int
	cause    error
	count    int
	ops      map[string]int // that failed
}

func (i *injector) fault(op, name string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.count++
	if i.count <= i.n || i.count > i.n+i.times {
		return nil
	}
	i.ops[op]++
	return i.cause
}

// TestEveryOperationFails fails each operation of a build, from opening the folder
// to clearing up, once, and then that and all after it, as a disk does that dies.
// Whoever looks at the folder finds no file torn, and none missing that stays; what
// is left recovers to exactly the old snapshot, or after the mark the new one; and the next build goes
// through.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	causes := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES}
	failed := map[string]int{}
	var mu sync.Mutex
	t.Cleanup(func() {
		for _, op := range []string{"create", "write", "sync", "rename", "remove", "mkdir", "open", "stat"} {
			if failed[op] == 0 {
				t.Errorf("no %s was failed", op)
			}
		}
		t.Logf("failed operations: %v", failed)
	})
	for _, test := range commitCases {
		for _, times := range []int{1, 1 << 30} {
			t.Run(fmt.Sprintf("%s, %d times", test.name, min(times, 2)), func(t *testing.T) {
				t.Parallel()
				for n := rand.IntN(stride(6)); ; n += stride(6) {
					in := &injector{n: n, times: times, cause: causes[n%len(causes)], ops: map[string]int{}}
					out := filepath.Join(t.TempDir(), "public")
					if test.old != nil {
						build(t, out, test.old, test.oldCodings...)
					}
					before := files{}
					if test.old != nil {
						before = read(t, out)
					}
					after := expected(t, test.next, test.codings)
					_, err := tryBuild(out, Options{Codings: test.codings, fault: in.fault}, test.next)
					mu.Lock()
					for op, count := range in.ops {
						failed[op] += count
					}
					mu.Unlock()
					if len(in.ops) == 0 {
						must(t, err)
						equal(t, "files", readIfThere(t, out), after)
						t.Logf("there are %d operations", in.count)
						return
					}
					if err != nil && !strings.Contains(err.Error(), fsutil.Reason(in.cause).Error()) {
						t.Errorf("operation %d failed with %v, and the message is %q", n, in.cause, err)
					}
					lookAround(t, out, before, after)
					if err == nil && !is(t, out, after) {
						t.Errorf("the build went through, and the folder is not as it was to be")
					}
					pending := isPending(out)
					if err != nil && !pending && !is(t, out, before) {
						t.Errorf("after %q the folder is not as it was", err)
					}
					if test.old != nil && n%2 == 0 {
						r, err := Recover(context.Background(), out, Options{unflushed: true}, 2)
						must(t, err)
						if !r.Whole || pending && !is(t, out, after) || !pending && err != nil && !is(t, out, before) {
							t.Errorf("what was recovered is neither the old nor the new snapshot: %+v", r)
						}
					}
					build(t, out, test.next, test.codings...)
					equal(t, "files", readIfThere(t, out), after)
					equal(t, ".sivu", inState(t, out), settled)
					if t.Failed() {
						t.Fatalf("after a failure of operation %d: %v", n, in.ops)
					}
				}
			})
		}
	}
}

// stride is how many operations a test goes on by. All of them have their
// turn only in make test-all.
func stride(short int) int {
	if os.Getenv("SIVU_ALL") != "" {
		return 1
	}
	return short
}

// tryBuild builds with one writer, so that operations come in one order.
func tryBuild(out string, opts Options, f files) (*Changes, error) {
	opts.unflushed = true
	s, err := Open(out, opts)
	if err != nil {
		return nil, err
	}
	w := s.NewWriter()
	var names []string
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := 0; i < len(names); i++ {
		name := names[i]
		dir := filepath.Dir(name)
		if dir == "." || dir == pagesDir {
			err = w.WriteFile(name, []byte(f[name]))
		} else {
			var list []api.File
			for ; i < len(names) && filepath.Dir(names[i]) == dir; i++ {
				list = append(list, api.File{Name: filepath.Base(names[i]), Data: []byte(f[names[i]])})
			}
			i--
			err = w.WriteFolder(dir, list...)
		}
		if err != nil {
			w.Close()
			return nil, errors.Join(err, s.Abort())
		}
	}
	w.Close()
	return s.Commit(context.Background())
}

// expected returns the files of a snapshot, with the variants that it gets.
func expected(t *testing.T, f files, codings []string) files {
	t.Helper()
	out := filepath.Join(t.TempDir(), "public")
	build(t, out, f, codings...)
	return readIfThere(t, out)
}

func is(t *testing.T, out string, want files) bool {
	t.Helper()
	return reflect.DeepEqual(readIfThere(t, out), want)
}

// readIfThere returns the files of a folder, if it is there. Pages itself may be
// left empty: no site is without a list page.
func readIfThere(t *testing.T, out string) files {
	t.Helper()
	if _, err := os.Stat(out); err != nil {
		return files{}
	}
	f := read(t, out)
	delete(f, pagesDir+"/")
	return f
}

// lookAround looks at the folder as a client may at any moment.
func lookAround(t *testing.T, out string, before, after files) {
	t.Helper()
	now := readIfThere(t, out)
	for name, data := range now {
		if data != before[name] && data != after[name] {
			t.Errorf("%s is torn: %q", name, data)
		}
	}
	for name := range before {
		if _, stays := after[name]; !stays {
			continue
		}
		if _, ok := now[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}
