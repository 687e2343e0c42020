package fsutil

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNewFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "report.json")
	must(t, os.WriteFile(target, []byte("old"), 0o600))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.Symlink(elsewhere, filepath.Join(dir, "new")))
	for _, commit := range []bool{false, true} {
		f, err := Create(target, "new", 0o640)
		must(t, err)
		_, err = f.WriteString("new")
		must(t, err)
		if data, _ := os.ReadFile(target); string(data) != "old" {
			t.Errorf("before its end the file holds %q", data)
		}
		if commit {
			must(t, f.Commit(true))
		} else {
			f.Abort()
		}
		if _, err := os.Lstat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the temporary file: %v", err)
		}
	}
	if data, _ := os.ReadFile(target); string(data) != "new" {
		t.Errorf("the file holds %q", data)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("it was written through a symlink")
	}
	must(t, errors.Join(os.Remove(target), os.MkdirAll(filepath.Join(target, "folder"), 0o755)))
	f, err := Create(target, "new", 0o640)
	must(t, err)
	if err := f.Commit(false); err == nil {
		t.Error("a folder was replaced")
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		must(t, err)
		return f
	}
	a, b, c := open(), open(), open()
	defer b.Close()
	defer c.Close()
	must(t, TryLock(a, false))
	if err := TryLock(b, true); err != ErrLocked {
		t.Errorf("a lock that is held was shared: %v", err)
	}
	must(t, RemoveLocked(a, func() error { return os.Remove(name) }))
	must(t, TryLock(b, true))
	must(t, TryLock(c, true))
	if err := TryLock(c, false); err != ErrLocked {
		t.Errorf("a shared lock was taken alone: %v", err)
	}
}

func TestRelations(t *testing.T) {
	dir, err := Resolve(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	must(t, os.Symlink("a", filepath.Join(dir, "link")))
	for _, test := range []struct {
		path, folder string
		same, liesIn bool
	}{
		{"a", "a", true, false},
		{"link", "a", true, false},
		{"link/b", "a", false, true},
		{"link/b/missing/too", "a", false, true},
		{"a", "a/b", false, false},
		{"ab", "a", false, false},
	} {
		path, err := Resolve(filepath.Join(dir, test.path))
		must(t, err)
		folder := filepath.Join(dir, test.folder)
		same, err := IsSame(path, folder)
		must(t, err)
		in, err := LiesIn(path, folder)
		must(t, err)
		if same != test.same || in != test.liesIn {
			t.Errorf("%s and %s: same %v, lies in %v", test.path, test.folder, same, in)
		}
	}
}

func TestReason(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "missing"))
	if got := Reason(err); errors.Is(got, fs.ErrNotExist) == false || got.Error() != "no such file or directory" && filepath.Separator == '/' {
		t.Errorf("the reason is %q", got)
	}
	if IgnoreMissing(err) != nil || IgnoreMissing(fs.ErrExist) == nil {
		t.Error("the wrong errors are passed over")
	}
}

func TestDir(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	c, err := OpenDir(root, ".")
	must(t, err)
	defer c.Close()
	must(t, c.Mkdir("folder", 0o755))
	f, err := c.Create("folder/file", 0o644)
	must(t, err)
	_, err = f.Write([]byte("bytes"))
	must(t, errors.Join(err, f.Close()))
	if data, _ := os.ReadFile(filepath.Join(dir, "folder", "file")); string(data) != "bytes" {
		t.Errorf("the file holds %q", data)
	}
	if data, err := c.Append([]byte("some "), "folder/file"); string(data) != "some bytes" || err != nil {
		t.Errorf("appended: %q, %v", data, err)
	}
	at := time.Unix(1_700_000_000, 0)
	must(t, c.SetModTime("folder/file", at))
	if info, err := os.Stat(filepath.Join(dir, "folder", "file")); err != nil || !info.ModTime().Equal(at) {
		t.Errorf("the time of the file: %v, %v", info.ModTime(), err)
	}
	must(t, os.Symlink("folder/file", filepath.Join(dir, "link")))
	for _, name := range []string{"folder", "link"} {
		if _, err := c.Append(nil, name); err != ErrNotRegular {
			t.Errorf("%s was read: %v", name, err)
		}
	}
	must(t, c.Mkdir("other", 0o755))
	from, err := OpenDir(root, "folder")
	must(t, err)
	defer from.Close()
	to, err := OpenDir(root, "other")
	must(t, err)
	defer to.Close()
	must(t, from.Move("file", to))
	if err := from.Move("file", to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone was moved: %v", err)
	}
	for _, name := range []string{"other/file", "folder", "link"} {
		if _, err := c.Create(name, 0o644); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s was created anew: %v", name, err)
		}
	}
	if err := c.Mkdir("folder", 0o755); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder was made twice: %v", err)
	}
	if _, err := c.Create("missing/file", 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is missing: %v", err)
	}
}
