package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// watched is a content folder that is watched.
type watched struct {
	dir     string // that holds the content folder, "content"
	content string
	*Watcher
	told chan []string // one element for each call
}

// anything stands for a call without paths.
const anything = "*"

// writeFile writes a file in one step, so that it is one change however slow the
// machine is: it moves a new file in, and adds to one that exists, which is then
// of another size, however coarse the clock of the file system is.
func writeFile(t testing.TB, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text + "\n")
		err = errors.Join(err, f.Close())
	} else {
		temp := filepath.Join(t.TempDir(), "new")
		err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(temp, []byte(text), 0o644), os.Rename(temp, name))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// watch watches a content folder with these files; site is "" or a path below
// the folder that holds it.
func watch(t *testing.T, site string, files ...string) *watched {
	t.Helper()
	w := &watched{dir: t.TempDir(), told: make(chan []string)}
	w.content = filepath.Join(w.dir, "content")
	if err := os.Mkdir(w.content, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		w.write(t, name)
	}
	w.run(t, site)
	return w
}

func (w *watched) run(t *testing.T, site string) {
	t.Helper()
	if site != "" && !filepath.IsAbs(site) && w.dir != "" {
		site = filepath.Join(w.dir, site)
	}
	var err error
	if w.Watcher, err = New(w.content, site); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- w.Run(ctx, func(paths []string) {
			if paths == nil {
				paths = []string{anything}
			}
			select {
			case w.told <- paths:
			case <-ctx.Done():
			}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run ended with %v", err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

func (w *watched) path(name string) string { return filepath.Join(w.content, filepath.FromSlash(name)) }

// write writes a file below the content folder.
func (w *watched) write(t *testing.T, name string) {
	t.Helper()
	writeFile(t, w.path(name), time.Now().String())
}

func (w *watched) rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// expect reads what is told until all these paths were, and wants no others.
func (w *watched) expect(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	for {
		missing := slices.ContainsFunc(want, func(path string) bool { return !slices.Contains(got, path) })
		if !missing {
			break
		}
		for _, path := range <-w.told {
			if !slices.Contains(got, path) {
				got = append(got, path)
			}
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// Files that come, change and go are told, however an editor goes about it.
func TestWatchFiles(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md", "fi/b.md", "site.yaml")
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md")
	w.write(t, "fi/new.md")
	w.expect(t, "fi/new.md")
	if err := os.Remove(w.path("fi/b.md")); err != nil {
		t.Fatal(err)
	}
	w.expect(t, "fi/b.md")
	// Write beside and rename over it, as most editors save.
	w.write(t, "fi/.a.md.swp")
	w.rename(t, w.path("fi/.a.md.swp"), w.path("fi/a.md"))
	w.expect(t, "fi/a.md")
	// Move away, write again, set the mode, take the old one away.
	w.rename(t, w.path("fi/a.md"), w.path("fi/a.md~"))
	w.write(t, "fi/a.md")
	if err := errors.Join(os.Chmod(w.path("fi/a.md"), 0o600), os.Remove(w.path("fi/a.md~"))); err != nil {
		t.Fatal(err)
	}
	w.expect(t, "fi/a.md", "fi/a.md~")
	w.rename(t, w.path("fi/a.md"), w.path("fi/c.md"))
	w.expect(t, "fi/a.md", "fi/c.md")
	w.write(t, "top.fi.md")
	w.expect(t, "top.fi.md")
}

// Names with a dot are no pages.
func TestWatchHidden(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md", ".git/HEAD", "fi/.cache/x")
	for _, name := range []string{".git/HEAD", ".hidden.md", "fi/.cache/x", "fi/.cache/y", "fi/.a.md.swp", ".new/a.md"} {
		w.write(t, name)
	}
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md")
	// A folder that gets a dot goes, and one that loses it comes.
	w.rename(t, w.path("fi"), w.path(".fi"))
	w.expect(t, "fi")
	w.write(t, ".fi/a.md")
	w.rename(t, w.path(".fi"), w.path("sv"))
	w.expect(t, "sv", "sv/a.md")
}

// Folders are watched as they come, with what is in them already, and not any
// more when they have gone.
func TestWatchFolders(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md", "fi/deep/er/b.md")
	writeFile(t, filepath.Join(w.dir, "sv", "deep", "er", "c.md"), "")
	w.rename(t, filepath.Join(w.dir, "sv"), w.path("sv"))
	w.expect(t, "sv", "sv/deep/er/c.md")
	w.write(t, "sv/deep/er/d.md")
	w.expect(t, "sv/deep/er/d.md")
	// Moved within the content folder.
	w.rename(t, w.path("fi/deep"), w.path("moved"))
	w.expect(t, "fi/deep", "moved", "moved/er/b.md")
	w.write(t, "moved/er/b.md")
	w.expect(t, "moved/er/b.md")
	// Moved out, and changed there.
	outside := filepath.Join(w.dir, "outside")
	w.rename(t, w.path("moved"), outside)
	w.expect(t, "moved")
	writeFile(t, filepath.Join(outside, "er", "b.md"), "not watched")
	writeFile(t, filepath.Join(outside, "er", "x.md"), "not watched")
	// Moved in again.
	w.rename(t, outside, w.path("fi/deep"))
	w.expect(t, "fi/deep", "fi/deep/er/b.md", "fi/deep/er/x.md")
	w.write(t, "fi/deep/er/b.md")
	w.expect(t, "fi/deep/er/b.md")
	if err := os.RemoveAll(w.path("fi")); err != nil {
		t.Fatal(err)
	}
	w.expect(t, "fi", "fi/a.md", "fi/deep", "fi/deep/er", "fi/deep/er/b.md", "fi/deep/er/x.md")
	// Another folder under an old name.
	writeFile(t, filepath.Join(w.dir, "fi", "deep", "er", "b.md"), "")
	w.rename(t, filepath.Join(w.dir, "fi"), w.path("fi"))
	w.expect(t, "fi", "fi/deep/er/b.md")
	w.write(t, "fi/deep/er/b.md")
	w.expect(t, "fi/deep/er/b.md")
}

// One folder in place of another, at once.
func TestWatchExchangedFolders(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/sub/a.md", "sv/sub/b.md")
	w.rename(t, w.path("fi"), w.path(".tmp"))
	w.rename(t, w.path("sv"), w.path("fi"))
	w.rename(t, w.path(".tmp"), w.path("sv"))
	w.expect(t, "fi", "fi/sub/b.md", "sv", "sv/sub/a.md")
	w.write(t, "fi/sub/b.md")
	w.expect(t, "fi/sub/b.md")
	w.write(t, "sv/sub/a.md")
	w.expect(t, "sv/sub/a.md")
}

// Many folders that come at once are all found, though they come faster than
// they can be watched.
func TestWatchTree(t *testing.T) {
	t.Parallel()
	w := watch(t, "")
	want := []string{"new"}
	for i := range 30 {
		for j := range 5 {
			name := fmt.Sprintf("new/%d/%d/%d.md", i, j, i*j)
			w.write(t, name)
			want = append(want, name)
		}
	}
	// Folders may be told too: they came.
	got := map[string]bool{}
	for !got["done"] || slices.ContainsFunc(want, func(path string) bool { return !got[path] }) {
		if !got["done"] {
			w.write(t, "done")
		}
		for _, path := range <-w.told {
			got[path] = true
		}
	}
	for path := range got {
		if info, err := os.Stat(w.path(path)); err != nil || !info.IsDir() && path != "done" && !slices.Contains(want, path) {
			t.Errorf("%s is told: %v", path, err)
		}
	}
}

// The settings are told by a name of their own, wherever they lie and whatever
// lies beside them.
func TestWatchSite(t *testing.T) {
	t.Parallel()
	t.Run("in the content folder", func(t *testing.T) {
		w := watch(t, "", "fi/a.md")
		w.write(t, "site.yaml")
		w.expect(t, SitePath)
		w.write(t, "fi/site.yaml")
		w.expect(t, "fi/site.yaml")
		w.write(t, ".site.yaml.new")
		w.rename(t, w.path(".site.yaml.new"), w.path("site.yaml"))
		w.expect(t, SitePath)
		if err := os.Remove(w.path("site.yaml")); err != nil {
			t.Fatal(err)
		}
		w.expect(t, SitePath)
	})
	t.Run("elsewhere", func(t *testing.T) {
		w := watch(t, "conf.yaml", "fi/a.md")
		writeFile(t, filepath.Join(w.dir, "other.yaml"), "")
		w.write(t, "site.yaml") // not the settings, and no page
		writeFile(t, filepath.Join(w.dir, "conf.yaml"), "")
		w.expect(t, SitePath)
		writeFile(t, filepath.Join(w.dir, "conf.new"), "")
		w.rename(t, filepath.Join(w.dir, "conf.new"), filepath.Join(w.dir, "conf.yaml"))
		w.expect(t, SitePath)
	})
	t.Run("in the content folder by another name", func(t *testing.T) {
		w := watch(t, "content/fi/conf.yaml", "fi/a.md")
		w.write(t, "fi/conf.yaml")
		w.expect(t, SitePath)
		w.write(t, "fi/a.md")
		w.expect(t, "fi/a.md")
	})
	t.Run("through a symlink", func(t *testing.T) {
		w := &watched{dir: t.TempDir(), told: make(chan []string)}
		w.content = filepath.Join(w.dir, "content")
		w.write(t, "fi/a.md")
		link, real, other := filepath.Join(w.dir, "conf.yaml"), filepath.Join(w.dir, "real", "conf.yaml"), filepath.Join(w.dir, "other", "conf.yaml")
		writeFile(t, real, "")
		writeFile(t, other, "")
		symlink(t, "real/conf.yaml", link)
		w.run(t, "conf.yaml")
		writeFile(t, real, "changed")
		w.expect(t, SitePath)
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		symlink(t, "other/conf.yaml", link)
		w.expect(t, SitePath)
		writeFile(t, other, "changed")
		w.expect(t, SitePath)
	})
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
}

// The settings are seen where the two paths reach the content folder by different
// names.
func TestWatchSiteByAnotherName(t *testing.T) {
	for _, tt := range []struct{ content, site string }{
		{"DIR/docs", "DIR/real/site.yaml"},
		{"DIR/real", "DIR/docs/site.yaml"},
		{"DIR/real", "docs/site.yaml"},
		{"docs", "DIR/real/site.yaml"},
		{"real", "DIR/real/site.yaml"},
		{"DIR/docs", "DIR/more/fi/conf.yaml"},
		{"DIR/docs", "DIR/link.yaml"},
	} {
		t.Run(tt.content+" and "+tt.site, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for _, name := range []string{"real/fi/a.md", "real/site.yaml", "real/fi/conf.yaml"} {
				writeFile(t, filepath.FromSlash(name), "")
			}
			symlink(t, "real", "docs")
			symlink(t, "docs", "more")
			symlink(t, "more/site.yaml", "link.yaml")
			full := func(name string) string { return filepath.FromSlash(strings.Replace(name, "DIR", dir, 1)) }
			w := &watched{content: full(tt.content), told: make(chan []string)}
			w.run(t, full(tt.site))
			writeFile(t, full(tt.site), "changed")
			w.expect(t, SitePath)
			writeFile(t, filepath.FromSlash("real/fi/a.md"), "changed")
			w.expect(t, "fi/a.md")
		})
	}
}

// The folder of the settings may come late, be replaced, or be a symlink that is.
func TestWatchSiteFolderReplaced(t *testing.T) {
	t.Parallel()
	w := watch(t, "conf/site.yaml", "fi/a.md")
	folder := filepath.Join(w.dir, "conf")
	site := filepath.Join(folder, "site.yaml")
	w.expectSite(t, site)
	for range 2 {
		w.rename(t, folder, filepath.Join(w.dir, "away"))
		w.expect(t, SitePath)
		w.expectSite(t, site)
		if err := os.RemoveAll(filepath.Join(w.dir, "away")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	w.expect(t, SitePath)
	writeFile(t, filepath.Join(w.dir, "v1", "site.yaml"), "")
	symlink(t, "v1", folder)
	w.expect(t, SitePath)
	w.expectSite(t, filepath.Join(w.dir, "v1", "site.yaml"))
	writeFile(t, filepath.Join(w.dir, "v2", "site.yaml"), "")
	symlink(t, "v2", filepath.Join(w.dir, "new"))
	w.rename(t, filepath.Join(w.dir, "new"), folder)
	w.expectSite(t, filepath.Join(w.dir, "v2", "site.yaml"))
}

// expectSite writes the settings, and wants them reported each time. A change of
// earlier may still be on its way, so that once would prove nothing.
func (w *watched) expectSite(t *testing.T, site string) {
	t.Helper()
	for range 3 {
		writeFile(t, site, time.Now().String())
		w.expect(t, SitePath)
	}
}

// Symlinks are treated as the walk over the sources treats them: those to files
// inside are pages, and folders are not followed.
func TestWatchSymlinks(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md")
	writeFile(t, filepath.Join(w.dir, "outside", "x.md"), "")
	if err := os.Mkdir(w.path("sv"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.expect(t, "sv")
	for target, name := range map[string]string{"../fi/a.md": "sv/a.md", "../../outside": "sv/folder", "../../outside/x.md": "sv/x.md"} {
		symlink(t, target, w.path(name))
	}
	w.expect(t, "sv/a.md", "sv/folder", "sv/x.md")
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md", "sv/a.md")
	writeFile(t, filepath.Join(w.dir, "outside", "x.md"), "not watched")
	writeFile(t, filepath.Join(w.dir, "outside", "y.md"), "not watched")
	w.write(t, "fi/b.md")
	w.expect(t, "fi/b.md")
	// The file may lie where no page does.
	w.write(t, ".shared/c.md")
	symlink(t, "../.shared/c.md", w.path("fi/c.md"))
	w.expect(t, "fi/c.md")
	w.write(t, ".shared/c.md")
	w.expect(t, "fi/c.md")
}

// The content folder may be a symlink, and named in any way.
func TestWatchNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"content", "./content/", filepath.Join(dir, "content"), filepath.Join(dir, "link"), "link", "."} {
		w := &watched{dir: dir, content: name, told: make(chan []string)}
		real := filepath.Join(dir, "content")
		if name == "." {
			real = dir
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(dir)
			writeFile(t, filepath.Join(dir, "content", "fi", "a.md"), name)
			if _, err := os.Lstat("link"); err != nil {
				symlink(t, "content", "link")
			}
			w.run(t, "")
			prefix := ""
			if name == "." {
				prefix = "content/"
			}
			writeFile(t, filepath.Join(real, filepath.FromSlash(prefix), "fi", "a.md"), "changed")
			w.expect(t, prefix+"fi/a.md")
			writeFile(t, filepath.Join(real, "site.yaml"), "")
			w.expect(t, SitePath)
		})
	}
}

// A content folder that goes, and comes again, is followed.
func TestWatchContentGone(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md")
	w.rename(t, w.content, filepath.Join(w.dir, "away"))
	w.expect(t, anything)
	writeFile(t, filepath.Join(w.dir, "away", "fi", "a.md"), "not watched")
	w.write(t, "fi/b.md")
	w.expect(t, anything)
	w.write(t, "fi/b.md")
	w.expect(t, "fi/b.md")
	if err := os.RemoveAll(w.content); err != nil {
		t.Fatal(err)
	}
	for {
		if slices.Contains(<-w.told, anything) {
			break
		}
	}
}

// After events were lost, anything may have changed, and all is watched.
func TestWatchOverflow(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md")
	w.notify.Errors <- fsnotify.ErrEventOverflow
	w.expect(t, anything)
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md")
}

// A burst is told once, a steady stream now and then.
func TestChangesSettle(t *testing.T) {
	t.Parallel()
	var c changes
	now := time.Unix(1000, 0)
	if _, some := c.due(now); some {
		t.Error("nothing is due")
	}
	c.add([]string{"a"}, now)
	due := func(after, want time.Duration) {
		t.Helper()
		if got, some := c.due(now.Add(after)); got != want || !some {
			t.Errorf("after %v it is due in %v (%v), want %v", after, got, some, want)
		}
	}
	due(0, 10*time.Millisecond)
	due(4*time.Millisecond, 6*time.Millisecond)
	c.add([]string{"b", "a"}, now.Add(8*time.Millisecond))
	due(8*time.Millisecond, 10*time.Millisecond)
	for ms := 16; ms <= 244; ms += 6 {
		c.add([]string{"c"}, now.Add(time.Duration(ms)*time.Millisecond))
	}
	due(245*time.Millisecond, 5*time.Millisecond)
	due(250*time.Millisecond, 0)
	if diff := cmp.Diff([]string{"a", "b", "c"}, c.take()); diff != "" {
		t.Error(diff)
	}
	c.add(nil, now)
	if _, some := c.due(now); some {
		t.Error("nothing is due after it was taken")
	}
	c.add([]string{"a"}, now)
	c.add([]string{anyPath}, now)
	if got := c.take(); got != nil {
		t.Errorf("any and some are %v", got)
	}
	for i := range maxPaths + 1 {
		c.add([]string{fmt.Sprint(i)}, now)
	}
	if got := c.take(); got != nil {
		t.Errorf("more than %d paths are %d", maxPaths, len(got))
	}
}

// While settled is at work, changes are gathered for the next call.
func TestWatchGathers(t *testing.T) {
	t.Parallel()
	w := watch(t, "", "fi/a.md")
	w.write(t, "fi/a.md")
	first := <-w.told // the watcher is back at work, and nobody reads the next call
	w.write(t, "fi/b.md")
	w.write(t, "fi/c.md")
	if diff := cmp.Diff([]string{"fi/a.md"}, first); diff != "" {
		t.Error(diff)
	}
	w.expect(t, "fi/b.md", "fi/c.md")
}

// What cannot be watched is refused in words.
func TestWatchRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), "")
	for name, reason := range map[string]string{
		"none": "it does not exist", "file": "it is not a folder", "a\x00b": syscall.EINVAL.Error(),
	} {
		folder := filepath.Join(dir, name)
		_, err := New(folder, "")
		if err == nil || !strings.Contains(err.Error(), strconv.Quote(folder)) || !strings.HasSuffix(err.Error(), "cannot be watched: "+reason) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for reason, hint := range map[syscall.Errno]string{
		syscall.ENOSPC: "fs.inotify.max_user_watches", syscall.EMFILE: "fs.inotify.max_user_instances",
	} {
		err := watchError(&os.SyscallError{Syscall: "inotify_add_watch", Err: reason})
		var problem *LimitError
		if !errors.As(err, &problem) || !strings.Contains(problem.Hint, hint) {
			t.Errorf("%v: got %v, %+v", reason, err, problem)
		}
	}
}
