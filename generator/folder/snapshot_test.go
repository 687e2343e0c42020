package folder

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// files are the files of a snapshot, or of a folder, by path.
type files map[string]string

// id returns the n-th of some ids.
func id(n int) string {
	return fmt.Sprintf("%08x-1dad-51d1-80b4-00c04fd430c8", n*0x01234567&0xffffffff)
}

func record(n int, variant string) string { return "pages/" + id(n) + "/index" + variant }

// site returns a snapshot of n list pages and the records whose bodies are given.
func site(lists int, bodies ...string) files {
	f := files{"404.json": `{"detail":"Not found."}`, "405.json": `{"detail":"Method not allowed."}`}
	for i := range max(lists, 1) {
		f[fmt.Sprintf("pages/page-%d.json", i+1)] = fmt.Sprint("list ", i+1, " of ", bodies)
		f[fmt.Sprintf("pages/page-%d.api.json", i+1)] = fmt.Sprint("api list ", i+1, " of ", bodies)
	}
	f["pages/index.json"] = f["pages/page-1.json"]
	f["pages/index.api.json"] = f["pages/page-1.api.json"]
	for i, body := range bodies {
		if body != "" {
			f[record(i, ".json")] = body
			f[record(i, ".api.json")] = "api " + body
		}
	}
	return f
}

// stageAll writes the files to a new stage, with several writers at once.
func stageAll(t testing.TB, out string, opts Options, f files) *Stage {
	t.Helper()
	opts.unflushed = true
	s, err := Open(out, opts)
	if err != nil {
		t.Fatal(err)
	}
	var folders [4]map[string][]api.File
	for i := range folders {
		folders[i] = make(map[string][]api.File)
	}
	for name, data := range f {
		dir, base := filepath.Split(name)
		n := crc32.ChecksumIEEE([]byte(dir)) // a record's files are written together
		if len(dir) <= len("pages/") {
			n = crc32.ChecksumIEEE([]byte(name))
		}
		n %= uint32(len(folders))
		folders[n][dir] = append(folders[n][dir], api.File{Name: base, Data: []byte(data)})
	}
	var wait sync.WaitGroup
	for _, part := range folders {
		wait.Go(func() {
			w := s.NewWriter()
			defer w.Close()
			for dir, list := range part {
				if strings.HasPrefix(dir, "pages/") && len(dir) > len("pages/") {
					if err := w.WriteFolder(strings.TrimSuffix(dir, "/"), list...); err != nil {
						t.Error(err)
					}
					continue
				}
				for _, file := range list {
					if err := w.WriteFile(dir+file.Name, file.Data); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
	return s
}

func build(t testing.TB, out string, f files, codings ...string) *Changes {
	t.Helper()
	c, err := stageAll(t, out, Options{Codings: codings}, f).Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// read returns all files of a folder but those below .sivu. A symlink is shown
// as its target, an empty folder as "".
func read(t testing.TB, dir string) files {
	t.Helper()
	f := files{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		switch {
		case name == stateDir:
			return filepath.SkipDir
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			f[name] = "-> " + target
			return err
		case d.IsDir():
			if entries, err := os.ReadDir(path); err != nil || len(entries) == 0 {
				f[name+"/"] = ""
				return err
			}
			return nil
		case !d.Type().IsRegular():
			f[name] = d.Type().String()
			return nil
		}
		data, err := os.ReadFile(path)
		f[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// times returns the time of modification of every file.
func times(t testing.TB, dir string) map[string]time.Time {
	t.Helper()
	m := make(map[string]time.Time)
	for name := range read(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m[name] = info.ModTime()
	}
	return m
}

// inState returns what lies in .sivu.
func inState(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, stateDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != filepath.Base(manifestLog) { // there after a small change
			names = append(names, e.Name())
		}
	}
	return names
}

func put(t testing.TB, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// settled are the names in .sivu while no build is at work.
var settled = []string{"lock", "manifest"}

func TestFirstBuild(t *testing.T) {
	out := filepath.Join(t.TempDir(), "some", "new", "public")
	want := site(2, "one", "two", "three")
	c := build(t, out, want)

	equal(t, "files", read(t, out), want)
	equal(t, ".sivu", inState(t, out), settled)
	equal(t, "added", slices.Collect(c.Added.All()), slices.Sorted(maps.Keys(want)))
	size := 0
	for _, data := range want {
		size += len(data)
	}
	equal(t, "counts", []int{c.Added.Len(), c.Changed.Len(), c.Removed.Len(), c.Unchanged, c.Files, int(c.Bytes)},
		[]int{len(want), 0, 0, 0, len(want), size})
}

func TestRebuildTouchesOnlyWhatDiffers(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(3, "one", "two", "gone", "four"))
	put(t, filepath.Join(out, "robots.txt"), "mine")
	put(t, filepath.Join(out, "pages", id(2), "notes.txt"), "mine too")
	put(t, filepath.Join(out, "pages", "page-01.json"), "not sivu's spelling")
	put(t, filepath.Join(out, "pages", strings.ToUpper(id(30)), "index.json"), "not sivu's spelling")
	before := times(t, out)

	next := site(2, "one", "2nd", "", "four", "new")
	for _, name := range []string{"pages/page-2.json", "pages/page-2.api.json"} {
		next[name] = site(3, "one", "two", "gone", "four")[name]
	}
	c := build(t, out, next)

	want := maps.Clone(next)
	want["robots.txt"] = "mine"
	want["pages/"+id(2)+"/notes.txt"] = "mine too"
	want["pages/page-01.json"] = "not sivu's spelling"
	want["pages/"+strings.ToUpper(id(30))+"/index.json"] = "not sivu's spelling"
	equal(t, "files", read(t, out), want)
	equal(t, ".sivu", inState(t, out), settled)

	equal(t, "added", slices.Collect(c.Added.All()), []string{record(4, ".api.json"), record(4, ".json")})
	changed := []string{
		record(1, ".api.json"), record(1, ".json"), "pages/index.api.json", "pages/index.json",
		"pages/page-1.api.json", "pages/page-1.json",
	}
	equal(t, "changed", slices.Collect(c.Changed.All()), changed)
	equal(t, "removed", slices.Collect(c.Removed.All()), []string{
		record(2, ".api.json"), record(2, ".json"), "pages/page-3.api.json", "pages/page-3.json",
	})
	for name, now := range times(t, out) {
		old, wasThere := before[name]
		switch {
		case slices.Contains(changed, name):
			// Whole seconds: nginx makes its ETag of them and of the size.
			if now.Unix() <= old.Unix() {
				t.Errorf("%s changed, but its time went from %v to %v", name, old, now)
			}
		case wasThere && !now.Equal(old):
			t.Errorf("%s did not change, but its time went from %v to %v", name, old, now)
		}
	}
}

func TestChangedFileIsNewerThanOneFromTheFuture(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	path := filepath.Join(out, record(0, ".json"))
	future := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, future, future); err != nil {
		t.Fatal(err)
	}
	build(t, out, site(1, "One"))
	if now := times(t, out)[record(0, ".json")]; now.Unix() <= future.Unix() {
		t.Errorf("the new file is of %v, not later than %v", now, future)
	}
}

func TestRebuildRepairsWhatOthersDid(t *testing.T) {
	out := t.TempDir()
	want := site(2, "one", "two")
	build(t, out, want)
	put(t, filepath.Join(out, record(0, ".json")), "eno") // same size, other bytes
	put(t, filepath.Join(out, "pages/page-2.json"), "longer than it was before")
	if err := os.RemoveAll(filepath.Join(out, "pages", id(1))); err != nil {
		t.Fatal(err)
	}
	c := build(t, out, want)
	equal(t, "files", read(t, out), want)
	equal(t, "changed", slices.Collect(c.Changed.All()), []string{record(0, ".json"), "pages/page-2.json"})
	equal(t, "added", slices.Collect(c.Added.All()), []string{record(1, ".api.json"), record(1, ".json")})
}

func TestPagesFolderIsGone(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(3, "one", "two"))
	if err := os.RemoveAll(filepath.Join(out, "pages")); err != nil {
		t.Fatal(err)
	}
	want := site(1, "one")
	c := build(t, out, want)
	equal(t, "files", read(t, out), want)
	equal(t, "removed", c.Removed.Len(), 0)
	equal(t, "unchanged", c.Unchanged, 2)
}

func TestDryRunWritesNothing(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "public")
	dry := func(f files) *Changes {
		t.Helper()
		c, err := stageAll(t, out, Options{DryRun: true}, f).Commit(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, next := site(3, "one", "gone"), site(2, "1st", "", "new")

	equal(t, "added at first", slices.Collect(dry(first).Added.All()), slices.Sorted(maps.Keys(first)))
	equal(t, "folder", read(t, dir), files{})

	build(t, out, first)
	before, beforeTimes := read(t, out), times(t, out)
	stateBefore, err := os.Stat(filepath.Join(out, stateDir))
	if err != nil {
		t.Fatal(err)
	}
	promised := dry(next)
	equal(t, "files", read(t, out), before)
	equal(t, "times", times(t, out), beforeTimes)
	if stateAfter, err := os.Stat(filepath.Join(out, stateDir)); err != nil || !stateAfter.ModTime().Equal(stateBefore.ModTime()) {
		t.Errorf(".sivu was written to: %v", err)
	}

	done := build(t, out, next)
	list := func(c *Changes) []any {
		return []any{slices.Collect(c.Added.All()), slices.Collect(c.Changed.All()), slices.Collect(c.Removed.All()), c.Unchanged, c.Files, c.Bytes}
	}
	equal(t, "promise and deed", list(promised), list(done))
}

func TestAbort(t *testing.T) {
	t.Run("first build", func(t *testing.T) {
		dir := t.TempDir()
		s := stageAll(t, filepath.Join(dir, "a", "b"), Options{}, site(1, "one"))
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
		equal(t, "folder", read(t, dir), files{})
	})
	t.Run("first build into a folder of the user's", func(t *testing.T) {
		dir := t.TempDir()
		s := stageAll(t, dir, Options{}, site(1, "one"))
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
		equal(t, ".sivu", inState(t, dir), []string(nil))
	})
	t.Run("rebuild", func(t *testing.T) {
		out := t.TempDir()
		old := site(2, "one", "two")
		build(t, out, old)
		before := times(t, out)
		s := stageAll(t, out, Options{}, site(1, "other"))
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
		equal(t, "files", read(t, out), old)
		equal(t, "times", times(t, out), before)
		equal(t, ".sivu", inState(t, out), settled)
		if _, err := s.Commit(context.Background()); err == nil {
			t.Error("an aborted stage was committed")
		}
	})
	t.Run("after commit", func(t *testing.T) {
		out := t.TempDir()
		s := stageAll(t, out, Options{}, site(1, "one"))
		if _, err := s.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.Abort(); err != nil {
			t.Fatal(err)
		}
		equal(t, "files", read(t, out), site(1, "one"))
	})
}

func TestSameSnapshotSameManifest(t *testing.T) {
	t.Parallel()
	f := site(12, "one", "two", "three", "four")
	var first []tree.Entry
	seen := map[string]bool{}
	for range 10 {
		out := t.TempDir()
		build(t, out, f)
		m, err := ReadManifest(out)
		must(t, err)
		entries := slices.Collect(m.All())
		if first == nil {
			first = entries
		}
		equal(t, "entries", entries, first)
		if seen[m.Generation.String()] {
			t.Error("two commits have one generation")
		}
		seen[m.Generation.String()] = true
	}
}

func TestDamagedManifest(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"missing":   os.Remove,
		"truncated": func(path string) error { return os.Truncate(path, 100) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"flipped": func(path string) error {
			data, err := os.ReadFile(path)
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(path, data, 0o644))
		},
		"another version": func(path string) error {
			return os.WriteFile(path, []byte("sivu manifest 3\n"+strings.Repeat("x", 100)), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			build(t, out, site(3, "one", "two", "gone"))
			put(t, filepath.Join(out, "pages", id(9), "mine.json"), "mine")
			if err := damage(filepath.Join(out, manifest)); err != nil {
				t.Fatal(err)
			}
			want := site(2, "one", "2nd")
			c := build(t, out, want)
			equal(t, "removed", slices.Collect(c.Removed.All()), []string{
				record(2, ".api.json"), record(2, ".json"), "pages/page-3.api.json", "pages/page-3.json",
			})
			want["pages/"+id(9)+"/mine.json"] = "mine"
			equal(t, "files", read(t, out), want)
			if _, err := ReadManifest(out); err != nil {
				t.Errorf("the new manifest: %v", err)
			}
		})
	}
}

func TestDuplicates(t *testing.T) {
	write := func(s *Stage, writers int) error {
		var errs []error
		for range writers {
			w := s.NewWriter()
			errs = append(errs, w.WriteFile("pages/index.json", []byte("list")))
			w.Close()
		}
		_, err := s.Commit(context.Background())
		return errors.Join(append(errs, err)...)
	}
	for _, rebuild := range []bool{false, true} {
		for _, dry := range []bool{false, true} {
			t.Run(fmt.Sprintf("rebuild=%v,dry=%v", rebuild, dry), func(t *testing.T) {
				out := t.TempDir()
				old := files{}
				if rebuild {
					old = files{"pages/index.json": "list"}
					build(t, out, old)
				}
				s, err := Open(out, Options{DryRun: dry})
				if err != nil {
					t.Fatal(err)
				}
				err = write(s, 2)
				if err == nil || !strings.Contains(err.Error(), "pages/index.json was written twice") {
					t.Errorf("got error %v", err)
				}
				equal(t, "files", read(t, out), old)
			})
		}
	}
}

func TestPathsThatAreNotSivus(t *testing.T) {
	out := t.TempDir()
	for _, path := range []string{
		"", ".", "pages", "pages/", "/pages/index.json", "pages//index.json", "./404.json", "../404.json",
		"pages/../404.json", `pages\index.json`, "pages/page-0.json", "pages/page-01.json", "pages/page-.json",
		"pages/page-1234567890.json", "pages/page-1.txt", "pages/index.html", "406.json", "404.api.json", ".sivu/manifest",
		"pages/" + id(1), "pages/" + id(1) + "/", "pages/" + id(1) + "/page-1.json", "pages/" + id(1) + "/../index.json",
		"pages/" + id(1) + "/x/index.json", "pages/" + strings.ToUpper(id(30)) + "/index.json", "pages/" + id(1)[1:] + "/index.json",
		"pages/" + id(1) + "/index.json\x00", "pages/{" + id(1) + "}/index.json",
		"404.json.gz", "_headers.gz", "_Headers", "pages/_headers", "index.htm", "pages/index.json.gz", "pages/" + id(1) + "/index.json.br",
	} {
		s, err := Open(out, Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := s.NewWriter()
		if err := w.WriteFile(path, []byte("x")); err == nil {
			t.Errorf("%q was written", path)
		}
		dir, base := filepath.Split(path)
		if err := w.WriteFolder(strings.TrimSuffix(dir, "/"), api.File{Name: base, Data: []byte("x")}); err == nil {
			t.Errorf("%q was written as a folder", path)
		}
		w.Close()
		if _, err := s.Commit(context.Background()); err == nil {
			t.Errorf("a snapshot was committed in spite of %q", path)
		}
	}
	equal(t, "folder", read(t, out), files{})
}

func TestCommitNeedsClosedWriters(t *testing.T) {
	out := t.TempDir()
	s, err := Open(out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := s.NewWriter()
	if err := w.WriteFile("404.json", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(context.Background()); err == nil {
		t.Error("a snapshot was committed with a writer at work")
	}
	equal(t, "folder", read(t, out), files{})
}

// TestAnySequence builds random snapshots one over the other, some of them
// aborted, in one folder with files of others.
func TestAnySequence(t *testing.T) {
	t.Parallel()
	const seed = 7
	random := rand.New(rand.NewPCG(seed, 0))
	bodies := []string{"", "", "a", "b", "c", "longer than one"}
	for range 20 {
		out := t.TempDir()
		last, foreign := files{}, files{}
		for step := range 12 {
			var list []string
			for range random.IntN(8) {
				list = append(list, bodies[random.IntN(len(bodies))])
			}
			next := site(random.IntN(4), list...)
			if random.IntN(6) == 0 {
				delete(next, record(0, ".api.json"))
			}
			switch random.IntN(6) {
			case 0:
				if err := stageAll(t, out, Options{}, next).Abort(); err != nil {
					t.Fatal(err)
				}
			case 1:
				if step > 0 {
					os.Remove(filepath.Join(out, manifest))
				}
				fallthrough
			default:
				build(t, out, next)
				last = next
			}
			if len(last) > 0 && random.IntN(3) == 0 {
				name := fmt.Sprintf("pages/%s/mine-%d", id(random.IntN(8)), step)
				put(t, filepath.Join(out, name), "mine")
				foreign[name] = "mine"
			}
			want := maps.Clone(last)
			maps.Copy(want, foreign)
			equal(t, "files", read(t, out), want)
			if t.Failed() {
				t.Fatalf("at step %d (seed %d)", step, seed)
			}
		}
	}
}

// TestManyFiles has more files than a writer keeps in one run.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s, err := Open(out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const count = 3 * runSize
	var wait sync.WaitGroup
	for part := range 3 {
		wait.Go(func() {
			w := s.NewWriter()
			defer w.Close()
			for i := part; i < count; i += 3 {
				if err := w.WriteFile(fmt.Sprintf("pages/page-%d.json", i+1), []byte("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	c, err := s.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Collect(c.Added.All())
	if len(got) != count || !slices.IsSorted(got) || len(slices.Compact(got)) != count {
		t.Errorf("%d files were added, in order: %v", len(got), slices.IsSorted(got))
	}
	m, err := ReadManifest(out)
	if err != nil || int(m.Files) != count || m.Bytes != count {
		t.Errorf("manifest: %v %v", m, err)
	}
}
