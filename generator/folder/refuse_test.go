//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, dir string) (out, content string)
		want    string
	}{
		{"no name", func(*testing.T, string) (string, string) { return "", "" }, "no output folder is named"},
		{"root", func(*testing.T, string) (string, string) { return "/", "" }, "is the root of the file system"},
		{"root by a detour", func(*testing.T, string) (string, string) { return "/tmp/..", "" }, "is the root of the file system"},
		{"home", func(t *testing.T, dir string) (string, string) { t.Setenv("HOME", dir); return dir + "/", "" }, "is your home folder"},
		{"home by a symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.MkdirAll(filepath.Join(dir, "real", "me"), 0o755))
			must(t, os.Symlink("real", filepath.Join(dir, "homes")))
			t.Setenv("HOME", filepath.Join(dir, "homes", "me"))
			return filepath.Join(dir, "real", "me"), ""
		}, "is your home folder"},
		{"symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
			must(t, os.Symlink("real", filepath.Join(dir, "out")))
			return filepath.Join(dir, "out"), ""
		}, "is a symlink; name the folder that it leads to"},
		{"symlink with a slash", func(t *testing.T, dir string) (string, string) {
			must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
			must(t, os.Symlink("real", filepath.Join(dir, "out")))
			return filepath.Join(dir, "out") + "/", ""
		}, "is a symlink"},
		{"dangling symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.Symlink("nowhere", filepath.Join(dir, "out")))
			return filepath.Join(dir, "out"), ""
		}, "is a symlink"},
		{"file", func(t *testing.T, dir string) (string, string) {
			put(t, filepath.Join(dir, "out"), "x")
			return filepath.Join(dir, "out"), ""
		}, "is a file; name a folder"},
		{"below a file", func(t *testing.T, dir string) (string, string) {
			put(t, filepath.Join(dir, "file"), "x")
			return filepath.Join(dir, "file", "out"), ""
		}, "not a directory"},
		{"content itself", func(t *testing.T, dir string) (string, string) {
			return filepath.Join(dir, "content"), filepath.Join(dir, "x", "..", "content")
		}, "is the content folder"},
		{"in content", func(t *testing.T, dir string) (string, string) {
			return filepath.Join(dir, "content", "a", "b"), filepath.Join(dir, "content")
		}, "lies in the content folder"},
		{"holds content", func(t *testing.T, dir string) (string, string) {
			return dir, filepath.Join(dir, "content")
		}, "holds the content folder"},
		{"in content by a symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.Mkdir(filepath.Join(dir, "content"), 0o755))
			must(t, os.Symlink("content", filepath.Join(dir, "link")))
			return filepath.Join(dir, "link", "out"), filepath.Join(dir, "content")
		}, "lies in the content folder"},
		{"content behind a symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.MkdirAll(filepath.Join(dir, "out", "content"), 0o755))
			must(t, os.Symlink("out/content", filepath.Join(dir, "link")))
			return filepath.Join(dir, "out"), filepath.Join(dir, "link")
		}, "holds the content folder"},
		{"not empty", func(t *testing.T, dir string) (string, string) {
			put(t, filepath.Join(dir, "thesis.txt"), "x")
			return dir, ""
		}, "is not empty and sivu never wrote to it"},
		{"not empty, with an empty .sivu", func(t *testing.T, dir string) (string, string) {
			put(t, filepath.Join(dir, "thesis.txt"), "x")
			must(t, os.Mkdir(filepath.Join(dir, ".sivu"), 0o755))
			return dir, ""
		}, "is not empty and sivu never wrote to it"},
		{".sivu is a symlink", func(t *testing.T, dir string) (string, string) {
			must(t, os.Symlink(t.TempDir(), filepath.Join(dir, ".sivu")))
			return dir, ""
		}, `".sivu" in the output folder`},
		{"pages is a symlink", func(t *testing.T, dir string) (string, string) {
			build(t, dir, files{"404.json": "x"})
			must(t, os.Symlink(t.TempDir(), filepath.Join(dir, "pages")))
			return dir, ""
		}, "is a symlink; sivu writes a folder there"},
		{"pages is a file", func(t *testing.T, dir string) (string, string) {
			build(t, dir, files{"404.json": "x"})
			put(t, filepath.Join(dir, "pages"), "x")
			return dir, ""
		}, "is a file; sivu writes a folder there"},
		{"the manifest is a symlink", func(t *testing.T, dir string) (string, string) {
			build(t, dir, files{"404.json": "x"})
			must(t, os.Remove(filepath.Join(dir, manifest)))
			must(t, os.Symlink("../404.json", filepath.Join(dir, manifest)))
			return dir, ""
		}, "is a symlink; sivu writes a file there"},
		{"the manifest's log is a FIFO", planted(manifestLog, func(name string) error { return syscall.Mkfifo(name, 0o600) }), "is neither a file nor a folder; sivu writes a file there: remove it"},
		{"the manifest's log is a symlink", planted(manifestLog, func(name string) error { return os.Symlink("../404.json", name) }), "is a symlink; sivu writes a file there: remove it"},
		{"the sign is a FIFO", planted(wrongFile, func(name string) error { return syscall.Mkfifo(name, 0o600) }), "is neither a file nor a folder"},
		{"the sign is a symlink", planted(wrongFile, func(name string) error { return os.Symlink("../404.json", name) }), "is a symlink"},
		{"the commit is a symlink", planted(commitDir, func(name string) error { return os.Symlink("../pages", name) }), "is a symlink; sivu writes a folder there: move it away"},
		{"the commit is a file", planted(commitDir, func(name string) error { return os.WriteFile(name, nil, 0o600) }), "is a file; sivu writes a folder there: move it away"},
		{"the changes are a FIFO", planted(changesFile, func(name string) error { return syscall.Mkfifo(name, 0o600) }), "is neither a file nor a folder"},
		{"the lock is a FIFO", func(t *testing.T, dir string) (string, string) {
			build(t, dir, files{"404.json": "x"})
			must(t, os.Remove(filepath.Join(dir, lockFile)))
			must(t, syscall.Mkfifo(filepath.Join(dir, lockFile), 0o600))
			return dir, ""
		}, "is neither a file nor a folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			out, content := test.prepare(t, dir)
			before := read(t, dir)
			for _, dry := range []bool{false, true} {
				s, err := Open(out, Options{Content: content, DryRun: dry})
				if err == nil {
					s.Abort()
					t.Fatal("the folder was not refused")
				}
				if !strings.Contains(err.Error(), test.want) {
					t.Errorf("got error %q, want one with %q", err, test.want)
				}
				equal(t, "folder", read(t, dir), before)
			}
		})
	}
}

// planted returns what makes a snapshot, and something else in the place of one of
// sivu's own files or folders.
func planted(name string, plant func(name string) error) func(t *testing.T, dir string) (out, content string) {
	return func(t *testing.T, dir string) (string, string) {
		build(t, dir, files{"404.json": "x"})
		must(t, plant(filepath.Join(dir, name)))
		return dir, ""
	}
}

func TestNeighboursOfContentAreFine(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "content"), 0o755))
	s, err := Open(filepath.Join(dir, "content2"), Options{Content: filepath.Join(dir, "content")})
	must(t, err)
	must(t, s.Abort())
}

// TestPlantedSymlinks puts symlinks, and a FIFO, in the places of sivu's files
// and folders. Nothing is written or removed where they lead.
func TestPlantedSymlinks(t *testing.T) {
	old := site(2, "one", "two")
	for _, test := range []struct {
		name  string
		plant func(t *testing.T, out, elsewhere string)
		next  files
		fails bool
	}{
		{"a due folder", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, "pages", id(0)), elsewhere)
		}, site(2, "1st", "two"), true},
		{"a stale folder", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, "pages", id(1)), elsewhere)
		}, site(2, "one"), false},
		{"a stale folder, without a manifest", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, "pages", id(1)), elsewhere)
			must(t, os.Remove(filepath.Join(out, manifest)))
		}, site(2, "one"), false},
		{"a folder within the output", func(t *testing.T, out, _ string) {
			must(t, os.Mkdir(filepath.Join(out, "mine"), 0o755))
			put(t, filepath.Join(out, "mine", "index.json"), "mine")
			replace(t, filepath.Join(out, "pages", id(1)), "../mine")
		}, site(2, "one"), false},
		{"a due file", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, record(0, ".json")), filepath.Join(elsewhere, "index.json"))
		}, site(2, "1st", "two"), true},
		{"a stale file", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, "pages/page-2.json"), filepath.Join(elsewhere, "index.json"))
		}, site(1, "one", "two"), false},
		{"a dangling link for a new file", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, "pages/page-3.json"), filepath.Join(elsewhere, "new.json"))
		}, site(3, "one", "two"), true},
		{"a FIFO for a file", func(t *testing.T, out, _ string) {
			must(t, os.Remove(filepath.Join(out, "404.json")))
			must(t, syscall.Mkfifo(filepath.Join(out, "404.json"), 0o644))
		}, old, true},
		{"the stage", func(t *testing.T, out, elsewhere string) {
			replace(t, filepath.Join(out, stageDir), elsewhere)
		}, site(1, "1st"), false},
		{"the stage, within the output", func(t *testing.T, out, _ string) {
			must(t, os.Mkdir(filepath.Join(out, "mine"), 0o755))
			put(t, filepath.Join(out, "mine", "index.json"), "mine")
			replace(t, filepath.Join(out, stageDir), "../mine")
		}, site(1, "1st"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, elsewhere := t.TempDir(), t.TempDir()
			build(t, out, old)
			put(t, filepath.Join(elsewhere, "index.json"), "elsewhere")
			put(t, filepath.Join(elsewhere, "pages", "index.json"), "elsewhere")
			test.plant(t, out, elsewhere)
			before, beforeElsewhere := read(t, out), read(t, elsewhere)

			s, err := Open(out, Options{})
			must(t, err)
			w := s.NewWriter()
			for name, data := range test.next {
				if e := w.WriteFile(name, []byte(data)); e != nil {
					err = e
				}
			}
			w.Close()
			_, commitErr := s.Commit(context.Background())
			if failed := err != nil && commitErr != nil; failed != test.fails {
				t.Errorf("writing: %v, committing: %v", err, commitErr)
			}
			equal(t, "elsewhere", read(t, elsewhere), beforeElsewhere)
			if test.fails {
				equal(t, "files", read(t, out), before)
			} else {
				got := read(t, out)
				for name, data := range test.next {
					equal(t, name, got[name], data)
				}
				if mine, ok := before["mine/index.json"]; ok {
					equal(t, "mine", got["mine/index.json"], mine)
				}
			}
		})
	}
}

// replace puts a symlink in the place of what is there.
func replace(t *testing.T, path, target string) {
	t.Helper()
	must(t, os.RemoveAll(path))
	must(t, os.Symlink(target, path))
}

// TestPlantedWhileAtWork plants a symlink after the files were compared.
func TestPlantedWhileAtWork(t *testing.T) {
	out, elsewhere := t.TempDir(), t.TempDir()
	build(t, out, site(1, "one", "two"))
	put(t, filepath.Join(elsewhere, "index.json"), "elsewhere")
	put(t, filepath.Join(elsewhere, "index.api.json"), "elsewhere")
	before := read(t, elsewhere)
	s := stageAll(t, out, Options{}, site(1, "1st"))
	replace(t, filepath.Join(out, "pages", id(0)), elsewhere)
	replace(t, filepath.Join(out, "pages", id(1)), elsewhere)
	if _, err := s.Commit(context.Background()); err == nil {
		t.Error("the commit went through a symlink")
	}
	equal(t, "elsewhere", read(t, elsewhere), before)
}

func TestTwoBuildsAtOnce(t *testing.T) {
	out := t.TempDir()
	first, err := Open(out, Options{})
	must(t, err)
	for _, dry := range []bool{false, true} {
		if _, err := Open(out, Options{DryRun: dry}); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "wait until it ends") {
			t.Errorf("dry run %v: the second build got error %v", dry, err)
		}
	}
	w := first.NewWriter()
	must(t, w.WriteFile("404.json", []byte("x")))
	must(t, w.Close())
	_, err = first.Commit(context.Background())
	must(t, err)
	build(t, out, site(1, "one"))
	equal(t, "files", read(t, out), site(1, "one"))
}

// TestDryRunsAtOnce has dry runs look at one folder together, but not while a
// build changes it, nor a build change it under their eyes.
func TestDryRunsAtOnce(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	first, err := Open(out, Options{DryRun: true})
	must(t, err)
	second, err := Open(out, Options{DryRun: true})
	must(t, err)
	must(t, first.Abort())
	if _, err := Open(out, Options{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a build beside a dry run got error %v", err)
	}
	must(t, second.Abort())
	build(t, out, site(1, "two"))
}

// TestOneHolderOfTheLock has many builds come and go. Each that aborts takes
// the lock file away with .sivu, which must not give two others a lock.
func TestOneHolderOfTheLock(t *testing.T) {
	out := t.TempDir()
	var holders, held atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 300 {
				s, err := Open(out, Options{})
				if err != nil {
					if !errors.Is(err, ErrLocked) {
						t.Error(err)
					}
					continue
				}
				held.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d builds hold the lock", n)
				}
				holders.Add(-1)
				if err := s.Abort(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if held.Load() == 0 {
		t.Error("no build ever got the lock")
	}
	equal(t, ".sivu", inState(t, out), []string(nil))
}

// TestLockOfADeadProcess kills a process that holds the lock.
func TestLockOfADeadProcess(t *testing.T) {
	if out := os.Getenv("SNAPSHOT_TEST_HOLD"); out != "" {
		s := stageAll(t, out, Options{}, site(3, "staged", "and", "left"))
		os.Stdout.WriteString("held\n")
		time.Sleep(time.Hour)
		s.Abort()
	}
	out := t.TempDir()
	old := site(1, "one")
	build(t, out, old)
	child := exec.Command(os.Args[0], "-test.run=^TestLockOfADeadProcess$")
	child.Env = append(os.Environ(), "SNAPSHOT_TEST_HOLD="+out)
	pipe, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if _, err := pipe.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(out, Options{}); !errors.Is(err, ErrLocked) {
		t.Errorf("while the other process lives: %v", err)
	}
	must(t, child.Process.Kill())
	child.Wait()
	equal(t, "files", read(t, out), old)
	c := build(t, out, site(1, "two"))
	equal(t, "changed", c.Changed.Len(), 6)
	equal(t, ".sivu", inState(t, out), settled)
}

func TestModes(t *testing.T) {
	const umask = 0o027
	defer syscall.Umask(syscall.Umask(umask))
	out := filepath.Join(t.TempDir(), "public")
	build(t, out, site(1, "one"))
	build(t, out, site(1, "1st", "two"))
	for name, want := range map[string]fs.FileMode{
		"":                  fs.ModeDir | 0o750,
		".sivu":             fs.ModeDir | 0o700,
		"pages":             fs.ModeDir | 0o750,
		"pages/" + id(0):    fs.ModeDir | 0o750,
		"pages/" + id(1):    fs.ModeDir | 0o750,
		record(0, ".json"):  0o640,
		"pages/page-1.json": 0o640,
		"404.json":          0o640,
	} {
		info, err := os.Lstat(filepath.Join(out, name))
		must(t, err)
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
}

func TestStateFolderStaysPrivate(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	must(t, os.Chmod(filepath.Join(out, ".sivu"), 0o755)) // as a CI cache may
	build(t, out, site(1, "one"))
	info, err := os.Lstat(filepath.Join(out, ".sivu"))
	must(t, err)
	equal(t, "mode of .sivu", info.Mode().Perm(), fs.FileMode(0o700))
}

func TestMessages(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOSPC}, "no space left on device; free some space there and build again"},
		{&os.LinkError{Op: "rename", Err: syscall.EACCES}, "permission denied; make it writable for the user who runs sivu"},
		{syscall.EROFS, "read-only file system; the file system is read-only: choose another output folder"},
		{syscall.EMFILE, "too many open files; raise the limit of open files"},
		{os.NewSyscallError("fsync", syscall.EIO), "input/output error; the disk or its connection fails: check it"},
		{errNotFolder, "not a folder; sivu did not write it: remove it or move it away"},
		{errors.New("strange"), "strange"},
	} {
		equal(t, "message", problem("write", "404.json", test.err).Error(), "cannot write 404.json: "+test.want)
	}
}
