package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/sivu/generator/tree"
)

// buildRest builds next over old with what differs only.
func buildRest(t *testing.T, out string, opts Options, old, next files) *Changes {
	t.Helper()
	differs := files{}
	for name, data := range next {
		if was, ok := old[name]; !ok || was != data {
			differs[name] = data
		}
	}
	s := stageAll(t, out, opts, differs)
	if s.Generation() == "" {
		t.Error("the generation is not known")
	}
	s.Incremental()
	for name := range old {
		if _, stays := next[name]; !stays {
			must(t, s.Remove(name))
		}
	}
	c, err := s.Commit(context.Background())
	must(t, err)
	return c
}

// listed returns the manifest as the files that it says there are.
func listed(t *testing.T, out string) (entries []tree.Entry, generation string) {
	t.Helper()
	m, err := ReadManifest(out)
	must(t, err)
	return slices.Collect(m.All()), m.Generation.String()
}

// TestKeepsTheRest makes random snapshots of what differs from the one before, and the
// same ones whole in another folder: files, manifests and changes are the same.
func TestKeepsTheRest(t *testing.T) {
	t.Parallel()
	bodies := []string{"", "", "a", "bb", "ccc", long("d"), long("longer")}
	for seed := rand.Uint64N(uint64(stride(5))); seed < 8; seed += uint64(stride(5)) {
		random := rand.New(rand.NewPCG(seed, 1))
		codings := [][]string{nil, {"gz", "br"}}[seed%2]
		whole, rest := t.TempDir(), t.TempDir()
		old, generation := files{}, ""
		for step := range 40 {
			var list []string
			for range random.IntN(30) {
				list = append(list, bodies[random.IntN(len(bodies))])
			}
			next := inRoot(site(random.IntN(14), list...), "_headers", bodies[2+random.IntN(3)])
			if step > 0 && random.IntN(4) == 0 {
				next = maps.Clone(old) // nothing changes, or little does
				if len(old) > 0 && random.IntN(2) == 0 {
					next[record(random.IntN(5), ".json")] = bodies[2+random.IntN(5)]
				}
			}
			want, isAsked := build(t, whole, next, codings...), random.IntN(2) == 0
			got := want
			if step == 0 {
				got = build(t, rest, next, codings...)
			} else {
				got = buildRest(t, rest, Options{Codings: codings, Largest: isAsked}, old, next)
			}
			equal(t, "files", read(t, rest), read(t, whole))
			entries, now := listed(t, rest)
			wantEntries, _ := listed(t, whole)
			equal(t, "manifest", entries, wantEntries)
			list2 := func(c *Changes) []any {
				return []any{slices.Collect(c.Added.All()), slices.Collect(c.Changed.All()), slices.Collect(c.Removed.All()),
					c.Unchanged, c.Files, c.Bytes, c.InFolder}
			}
			equal(t, "changes", list2(got), list2(want))
			if got.Largest >= 0 {
				equal(t, "largest", []any{got.Largest}, []any{want.Largest})
			} else if isAsked || got.LargestFile != "" {
				t.Errorf("the largest file is %q, of %d bytes; asked for it: %v", got.LargestFile, got.Largest, isAsked)
			}
			if now != got.Generation || want.Any() == (now == generation) {
				t.Errorf("generation %q became %q, reported as %q; something changed: %v", generation, now, got.Generation, want.Any())
			}
			if t.Failed() {
				t.Fatalf("at step %d of seed %d", step, seed)
			}
			old, generation = next, now
		}
		s, err := Open(rest, Options{})
		must(t, err)
		if ok, err := s.Verify(context.Background(), 3); !ok || err != nil {
			t.Errorf("verified: %v, %v", ok, err)
		}
		must(t, s.Abort())
	}
}

// A commit that changes nothing writes nothing.
func TestNothingChanges(t *testing.T) {
	out := t.TempDir()
	f := site(3, "one", "two")
	build(t, out, f)
	state := func() map[string]time.Time {
		m := map[string]time.Time{}
		for _, name := range []string{"manifest", "lock"} {
			info, err := os.Stat(filepath.Join(out, stateDir, name))
			must(t, err)
			m[name] = info.ModTime()
		}
		return m
	}
	before, beforeTimes := state(), times(t, out)
	for _, c := range []*Changes{build(t, out, f), buildRest(t, out, Options{}, f, f)} {
		if c.Any() {
			t.Error("something changed")
		}
	}
	equal(t, ".sivu", state(), before)
	equal(t, "times", times(t, out), beforeTimes)
	if _, err := os.Stat(filepath.Join(out, manifestLog)); err == nil {
		t.Error("a log was written")
	}
}

// Whatever was done to the folder, Verify finds it, and the build after that puts
// it right.
func TestVerify(t *testing.T) {
	f := site(2, "one", "two", long("three"))
	for name, harm := range map[string]func(out string) error{
		"another file": func(out string) error {
			return os.WriteFile(filepath.Join(out, record(0, ".json")), []byte("eno"), 0o644)
		},
		"a longer file":     func(out string) error { return os.WriteFile(filepath.Join(out, "404.json"), []byte("longer"), 0o644) },
		"a missing file":    func(out string) error { return os.Remove(filepath.Join(out, record(1, ".api.json"))) },
		"a missing list":    func(out string) error { return os.Remove(filepath.Join(out, "pages/page-2.json")) },
		"a missing folder":  func(out string) error { return os.RemoveAll(filepath.Join(out, "pages", id(1))) },
		"a surplus variant": func(out string) error { return os.WriteFile(filepath.Join(out, record(0, ".json.br")), nil, 0o644) },
		"a surplus list":    func(out string) error { return os.WriteFile(filepath.Join(out, "pages/page-3.json"), nil, 0o644) },
		"a surplus record": func(out string) error {
			os.Mkdir(filepath.Join(out, "pages", id(7)), 0o755)
			return os.WriteFile(filepath.Join(out, record(7, ".json")), nil, 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			build(t, out, f, "gz")
			want := read(t, out)
			put(t, filepath.Join(out, "pages", "mine.txt"), "mine")
			s := stageAll(t, out, Options{Codings: []string{"gz"}}, f)
			if ok, err := s.Verify(context.Background(), 2); !ok || err != nil {
				t.Errorf("before the harm: %v, %v", ok, err)
			}
			must(t, s.Abort())
			must(t, harm(out))
			s = stageAll(t, out, Options{Codings: []string{"gz"}}, f)
			if ok, err := s.Verify(context.Background(), 2); ok || err != nil {
				t.Errorf("after the harm: %v, %v", ok, err)
			}
			must(t, s.Abort()) // the next build knows of it
			s = stageAll(t, out, Options{Codings: []string{"gz"}}, f)
			equal(t, "generation", s.Generation(), "")
			_, err := s.Commit(context.Background())
			must(t, err)
			want["pages/mine.txt"] = "mine"
			equal(t, "files", read(t, out), want)
		})
	}
}

// After a kill the generation is that of the old snapshot, or once the commit was marked
// that of the new one.
func TestGenerationAfterAKill(t *testing.T) {
	for n := 0; ; n++ {
		out := t.TempDir()
		build(t, out, site(2, "one", "two"))
		_, generation := listed(t, out)
		next := stageAll(t, out, Options{}, site(3, "1st", "two", "new"))
		c, err := next.Review(t.Context())
		must(t, err)
		if commitIsKilled(t, next, n) {
			return
		}
		if isPending(out) {
			generation = c.Generation
		}
		for range 2 { // an aborted build in between changes nothing
			s, err := Open(out, Options{unflushed: true})
			must(t, err)
			if got := s.Generation(); got != generation && got != c.Generation {
				t.Errorf("after a kill at operation %d, the generation is %s", n, got)
			}
			if ok, err := s.Verify(context.Background(), 2); !ok || err != nil {
				t.Errorf("after a kill at operation %d: %v, %v", n, ok, err)
			}
			must(t, s.Abort())
		}
	}
}

// stageAt builds at a time of the clock.
func buildAt(t *testing.T, out string, now time.Time, keep time.Duration, f files) *Changes {
	t.Helper()
	s := stageAll(t, out, Options{KeepRemoved: keep}, f)
	s.now = now
	c, err := s.Commit(context.Background())
	must(t, err)
	return c
}

// What left the snapshot stays as long as it was told to, goes then with a build
// that changes nothing else, and is like any other if it comes back.
func TestKeepRemoved(t *testing.T) {
	out := t.TempDir()
	start := time.Unix(1_700_000_000, 0)
	full, less := site(3, "one", "two", "gone", "back"), site(2, "one", "two")
	buildAt(t, out, start, time.Hour, inRoot(maps.Clone(full), "_headers", "goes at once"))
	c := buildAt(t, out, start, time.Hour, less)
	if c.Removed.Len() != 1 || c.Kept != 6 {
		t.Errorf("removed %d, kept %d", c.Removed.Len(), c.Kept)
	}
	both := maps.Clone(full)
	maps.Copy(both, less)
	equal(t, "files", read(t, out), both)
	entries, _ := listed(t, out)
	equal(t, "files of the snapshot", len(entries), len(less))

	buildAt(t, out, start.Add(59*time.Minute), time.Hour, less)
	equal(t, "files", read(t, out), both)

	next := maps.Clone(less)
	next[record(3, ".json")] = "back" // but not its variant
	c = buildAt(t, out, start.Add(59*time.Minute), time.Hour, next)
	equal(t, "removed", slices.Collect(c.Removed.All()), []string{record(3, ".api.json")})
	delete(both, record(3, ".api.json"))
	equal(t, "files", read(t, out), both)

	c = buildAt(t, out, start.Add(time.Hour), time.Hour, next)
	equal(t, "removed", slices.Collect(c.Removed.All()), []string{
		record(2, ".api.json"), record(2, ".json"), "pages/page-3.api.json", "pages/page-3.json"})
	equal(t, "files", read(t, out), next)
	if c.Kept != 0 {
		t.Errorf("%d are kept", c.Kept)
	}
}

// Without the wish to keep anything, all that was kept goes.
func TestKeepRemovedEnds(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(2, "one", "gone"))
	buildAt(t, out, time.Now(), 24*time.Hour, site(1, "one"))
	s := stageAll(t, out, Options{}, files{})
	s.Incremental()
	c, err := s.Commit(context.Background())
	must(t, err)
	if c.Removed.Len() != 4 || !strings.Contains(fmt.Sprint(slices.Collect(c.Removed.All())), id(1)) {
		t.Errorf("removed: %v", slices.Collect(c.Removed.All()))
	}
	equal(t, "files", read(t, out), site(1, "one"))
}

func TestAppendList(t *testing.T) {
	out := t.TempDir()
	large := strings.Repeat("0123456789", 20_000)
	build(t, out, files{"pages/index.json": "first", "pages/page-2.json": large})
	s, err := Open(out, Options{})
	must(t, err)
	defer s.Abort()
	data, err := s.AppendList([]byte("and "), "pages/index.json")
	must(t, err)
	equal(t, "data", string(data), "and first")
	data, err = s.AppendList(data[:0], "pages/page-2.json")
	must(t, err)
	equal(t, "data", string(data), large)
	if _, err := s.AppendList(nil, "pages/page-9.json"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "cannot read pages/page-9.json") {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"../secret", "404.json", record(0, ".json")} {
		if _, err := s.AppendList(nil, name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// A list page that is known to differ counts as changed where one is there, gets a
// later time, and never takes the place of what is no file.
func TestReplace(t *testing.T) {
	out := t.TempDir()
	build(t, out, files{"pages/index.json": "1", "pages/page-2.json": "2"})
	before, err := os.Stat(filepath.Join(out, "pages", "index.json"))
	must(t, err)
	replace := func() (*Changes, error) {
		s, err := Open(out, Options{})
		must(t, err)
		s.Incremental()
		w := s.NewWriter()
		err = errors.Join(w.Replace("pages/index.json", []byte("one")), w.Replace("pages/page-3.json", []byte("three")), w.Close())
		if err != nil {
			return nil, errors.Join(err, s.Abort())
		}
		return s.Commit(t.Context())
	}
	c, err := replace()
	must(t, err)
	equal(t, "added", slices.Collect(c.Added.All()), []string{"pages/page-3.json"})
	equal(t, "changed", slices.Collect(c.Changed.All()), []string{"pages/index.json"})
	equal(t, "files", read(t, out), files{"pages/index.json": "one", "pages/page-2.json": "2", "pages/page-3.json": "three"})
	after, err := os.Stat(filepath.Join(out, "pages", "index.json"))
	must(t, err)
	if after.ModTime().Unix() <= before.ModTime().Unix() {
		t.Errorf("the time went from %s to %s", before.ModTime(), after.ModTime())
	}
	must(t, os.Remove(filepath.Join(out, "pages", "index.json")))
	must(t, os.Mkdir(filepath.Join(out, "pages", "index.json"), 0o755))
	if _, err := replace(); !errors.Is(err, errNotRegular) {
		t.Errorf("a folder in the place: %v", err)
	}
}

// A manifest tells what stays, and since when.
func TestManifestKept(t *testing.T) {
	out, start := t.TempDir(), time.Unix(1_700_000_000, 0)
	buildAt(t, out, start, time.Hour, site(3, "one", "gone"))
	buildAt(t, out, start.Add(time.Minute), time.Hour, site(2, "one"))
	m, err := ReadManifest(out)
	must(t, err)
	list, err := m.RetainedFiles()
	must(t, err)
	kept := map[string]time.Time{}
	for _, r := range list {
		kept[r.Path.String()] = time.Unix(r.Since, 0)
	}
	equal(t, "kept", kept, map[string]time.Time{
		record(1, ".api.json"): start.Add(time.Minute), record(1, ".json"): start.Add(time.Minute),
		"pages/page-3.api.json": start.Add(time.Minute), "pages/page-3.json": start.Add(time.Minute),
	})
	equal(t, "count", int(m.Files), len(site(2, "one")))
}
