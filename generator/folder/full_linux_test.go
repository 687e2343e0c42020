package folder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mountSmall mounts a file system of few bytes and files.
func mountSmall(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("needs the right to mount a small tmpfs (%v); run as root for this test", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

// TestNoSpaceLeft builds into small file systems: wherever the space ends, the
// old snapshot stays and the message says why.
func TestNoSpaceLeft(t *testing.T) {
	for _, options := range []string{"size=200k", "nr_inodes=60"} {
		t.Run(options, func(t *testing.T) {
			mounted := mountSmall(t, options)
			old := site(2, "one", "two")
			failures := 0
			for n := 1; n <= 40; n++ {
				out := filepath.Join(mounted, "public")
				must(t, os.RemoveAll(out))
				build(t, out, old)
				before, beforeTimes := read(t, mounted), times(t, mounted)
				next := site(2, "one")
				for i := range n {
					next[record(i+1, ".json")] = strings.Repeat("x", 5000)
				}
				s, err := Open(out, Options{})
				must(t, err)
				w := s.NewWriter()
				for name, data := range next {
					if err = w.WriteFile(name, []byte(data)); err != nil {
						break
					}
				}
				w.Close()
				if err == nil {
					_, err = s.Commit(context.Background())
				} else {
					must(t, s.Abort())
				}
				if err == nil {
					equal(t, "files", read(t, out), next)
					continue
				}
				failures++
				if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space there and build again (the output folder is as it was)") {
					t.Errorf("with %d records: error %q", n, err)
				}
				equal(t, "files", read(t, mounted), before)
				equal(t, "times", times(t, mounted), beforeTimes)
				equal(t, ".sivu", inState(t, out), settled)
			}
			if failures == 0 || failures == 40 {
				t.Errorf("%d of 40 builds failed; this proves nothing", failures)
			}
		})
	}
}

// TestRecoverOnAFullDisk kills a build when it has filled the disk. What it staged
// goes first, so that there is room to recover.
func TestRecoverOnAFullDisk(t *testing.T) {
	for _, options := range []string{"size=200k", "nr_inodes=60"} {
		t.Run(options, func(t *testing.T) {
			out := filepath.Join(mountSmall(t, options), "public")
			old, large := site(2, "one", "two"), site(2, "one")
			build(t, out, old)
			for i := range 60 {
				large[record(i+1, ".json")] = strings.Repeat("x", 5000)
			}
			s, err := Open(out, Options{unflushed: true})
			must(t, err)
			w := s.NewWriter()
			for name, data := range large {
				if err = w.WriteFile(name, []byte(data)); err != nil {
					break
				}
			}
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("the disk is not full: %v", err)
			}
			s.closeFolders()
			s.lock.Close() // as the kernel does
			s.root.Close()
			r, err := Recover(context.Background(), out, Options{unflushed: true}, 1)
			must(t, err)
			if !r.CutOff || !r.Whole {
				t.Errorf("recovered: %+v", r)
			}
			equal(t, "files", read(t, out), old)
			next := site(1, "1st")
			build(t, out, next)
			equal(t, "files", read(t, out), next)
		})
	}
}

// TestNoPermission works as a user who may not write, even where the tests run
// as root.
func TestNoPermission(t *testing.T) {
	old := site(1, "one")
	for name, test := range map[string]struct {
		lock string // made read-only
		want string
	}{
		"the output folder": {"", "cannot make .sivu in"},
		"pages":             {"pages", "cannot write pages/" + id(1) + ": permission denied"},
		"a record":          {"pages/" + id(0), "cannot write " + record(0, ".api.json") + ": permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			if test.lock != "" {
				build(t, out, old)
			}
			before := read(t, out)
			if err := asNobody(t, out, filepath.Join(out, test.lock), func() error {
				s, err := Open(out, Options{})
				if err != nil {
					return err
				}
				w := s.NewWriter()
				for name, data := range site(1, "1st", "new") {
					if err := w.WriteFile(name, []byte(data)); err != nil {
						return errors.Join(err, w.Close(), s.Abort())
					}
				}
				w.Close()
				_, err = s.Commit(context.Background())
				return err
			}); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "make it writable for the user who runs sivu") {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			equal(t, "files", read(t, out), before)
		})
	}
}

// asNobody gives tree to a user without rights, makes one folder of it
// read-only, and calls f as that user.
func asNobody(t *testing.T, tree, readOnly string, f func() error) error {
	t.Helper()
	const nobody = 65534
	isRoot := os.Geteuid() == 0
	if isRoot {
		must(t, filepath.WalkDir(tree, func(path string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		}))
		for dir := filepath.Dir(tree); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			must(t, os.Chmod(dir, 0o755))
		}
	}
	must(t, os.Chmod(readOnly, 0o555))
	defer os.Chmod(readOnly, 0o755)
	result := make(chan error)
	go func() {
		// The thread ends with the goroutine, and its user with it.
		runtime.LockOSThread()
		if isRoot {
			unix.SetfsuidRetUid(nobody)
		}
		result <- f()
	}()
	return <-result
}
