package folder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestInRootFiles(t *testing.T) {
	out := t.TempDir()
	first := inRoot(site(1, "one"), "_headers", "old", ".htaccess", "goes", "404.html", "stays", "staticwebapp.config.json", "{}")
	c := build(t, out, first)
	equal(t, "files", read(t, out), first)
	equal(t, "added", slices.IsSorted(slices.Collect(c.Added.All())), true)
	before := times(t, out)

	next := inRoot(site(1, "one"), "_headers", "new", "404.html", "stays", "_worker.js", "added")
	c = build(t, out, next)
	equal(t, "files", read(t, out), next)
	equal(t, "added", slices.Collect(c.Added.All()), []string{"_worker.js"})
	equal(t, "changed", slices.Collect(c.Changed.All()), []string{"_headers"})
	equal(t, "removed", slices.Collect(c.Removed.All()), []string{".htaccess", "staticwebapp.config.json"})
	now := times(t, out)
	if !now["404.html"].Equal(before["404.html"]) || now["_headers"].Unix() <= before["_headers"].Unix() {
		t.Error("the times of in-root files do not tell whether they changed")
	}

	last := site(1, "one")
	build(t, out, last)
	equal(t, "files", read(t, out), last)
}

// A file of such a name that sivu did not write stays as it is: a build that
// needs the name changes nothing at all.
func TestForeignInRootFiles(t *testing.T) {
	const moveIt = `: sivu did not write what lies there; move it away, or build for no host and keep it`
	next := inRoot(site(2, "1st", "new"), "_headers", "new", ".htaccess", "due")
	for name, test := range map[string]struct {
		old     files
		prepare func(out string)
		names   string
	}{
		"one":             {site(1, "one"), func(out string) { put(t, filepath.Join(out, "_headers"), "mine") }, `"_headers"`},
		"of an own build": {inRoot(site(1, "one"), ".htaccess", "old"), func(out string) { put(t, filepath.Join(out, "_headers"), "mine") }, `"_headers"`},
		"without a manifest": {inRoot(site(1, "one"), ".htaccess", "old"), func(out string) {
			must(t, os.Remove(filepath.Join(out, manifest)))
		}, `".htaccess"`},
	} {
		for _, dry := range []bool{false, true} {
			t.Run(fmt.Sprint(name, dry), func(t *testing.T) {
				out := t.TempDir()
				build(t, out, test.old)
				test.prepare(out)
				before, beforeTimes, beforeState := read(t, out), times(t, out), stateBytes(t, out)
				_, err := stageAll(t, out, Options{DryRun: dry}, next).Commit(context.Background())
				equal(t, "message", fmt.Sprint(err), fmt.Sprintf("cannot write %s into the output folder %q%s (%s)", test.names, out, moveIt, asItWas))
				equal(t, "files", read(t, out), before)
				equal(t, "times", times(t, out), beforeTimes)
				equal(t, ".sivu", stateBytes(t, out), beforeState)
			})
		}
	}
}

// All foreign files are named at once.
func TestManyForeignInRootFiles(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	put(t, filepath.Join(out, "_headers"), "mine")
	put(t, filepath.Join(out, "_redirects"), "mine")
	_, err := stageAll(t, out, Options{}, inRoot(site(1, "one"), "_headers", "a", "_redirects", "b")).Commit(context.Background())
	if want := `cannot write "_headers", "_redirects" into`; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "move them away") {
		t.Errorf("got error %v", err)
	}
}

// Names that no build needs are anyone's, and a file that holds just what is due
// is as good as written.
func TestInRootFilesOfOthers(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "one"))
	put(t, filepath.Join(out, "_headers"), "mine")
	put(t, filepath.Join(out, ".nojekyll"), "")
	build(t, out, inRoot(site(1, "1st"), ".nojekyll", ""))
	equal(t, "files", read(t, out), inRoot(site(1, "1st"), ".nojekyll", "", "_headers", "mine"))
	build(t, out, site(1, "one"))
	equal(t, "files", read(t, out), inRoot(site(1, "one"), "_headers", "mine"))
}

// A symlink or a folder in the place of an in-root file is no file of sivu's.
func TestPlantedInRoot(t *testing.T) {
	for _, plant := range []func(name string) error{
		func(name string) error { return os.Symlink("/dev/null", name) },
		func(name string) error { return os.Mkdir(name, 0o755) },
	} {
		out := t.TempDir()
		build(t, out, site(1, "one"))
		must(t, plant(filepath.Join(out, "_headers")))
		before := read(t, out)
		s, err := Open(out, Options{})
		must(t, err)
		w := s.NewWriter()
		err = w.WriteFile("_headers", []byte("new"))
		if err == nil || !strings.Contains(err.Error(), "sivu did not write it: remove it or move it away") {
			t.Errorf("got error %v", err)
		}
		w.Close()
		must(t, s.Abort())
		equal(t, "files", read(t, out), before)
	}
}

// In-root files route: they come after all that they may lead to, before the
// lists whose links rely on them, and go when nothing does any more.
func TestOrderOfInRootFiles(t *testing.T) {
	out := t.TempDir()
	build(t, out, inRoot(site(2, "one", "gone"), "_headers", "old", ".htaccess", "goes"))
	s := stageAll(t, out, Options{}, inRoot(withoutList(site(3, "one", "", "new"), 2), "_headers", "new", "_worker.js", "added"))
	var seen []string
	s.beforeEach(func(op, name string) error {
		if isStep(op, name) && !strings.HasSuffix(name, ".api.json") {
			seen = append(seen, op+" "+name)
		}
		return nil
	})
	_, err := s.Commit(context.Background())
	must(t, err)
	equal(t, "order", seen, []string{
		"write .sivu/manifest.log", "rename .sivu/commit", // first it is only made room for
		"rename pages/" + id(2),
		"rename pages/page-3.json",
		"rename _headers", "rename _worker.js",
		"rename pages/page-1.json", "rename pages/index.json",
		"remove pages/page-2.json", "remove " + record(1, ".json"), "remove pages/" + id(1), "remove .htaccess",
		"write .sivu/manifest.log", "rename .sivu/stage",
	})
}

func withoutList(f files, n int) files {
	delete(f, fmt.Sprintf("pages/page-%d.json", n))
	delete(f, fmt.Sprintf("pages/page-%d.api.json", n))
	return f
}

// Review tells what Commit will do, and what a host has to take.
func TestReview(t *testing.T) {
	out := t.TempDir()
	build(t, out, site(1, "gone", "stays"))
	s := stageAll(t, out, Options{}, inRoot(site(2, "", "stays", strings.Repeat("new", 100)), "_headers", "a"))
	before := read(t, out)
	c, err := s.Review(context.Background())
	must(t, err)
	equal(t, "files", read(t, out), before)
	counts := []any{c.Files, c.Added.Len(), c.Removed.Len(), c.Largest, c.LargestFile, c.InFolder}
	// Three names of two list pages in two variants, and two records.
	equal(t, "counts", counts, []any{2 + 6 + 4 + 1, 5, 2, int64(len("api list 1 of [ stays ]") + 300), "pages/index.api.json", 6 + 2})
	done, err := s.Commit(context.Background())
	must(t, err)
	if done != c {
		t.Error("Commit did something else")
	}
	if _, err := s.Review(context.Background()); err == nil {
		t.Error("a snapshot was reviewed after its commit")
	}
}
