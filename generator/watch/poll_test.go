package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// polling returns a watcher that polls a whole folder, and has done so once.
func polling(t testing.TB, content, site string) *Watcher {
	t.Helper()
	w, err := newWatcher(content, site)
	if err != nil {
		t.Fatal(err)
	}
	w.poll()
	return w
}

// Looking at the folder finds what comes, changes and goes, as watching does.
func TestPoller(t *testing.T) {
	t.Parallel()
	w := watched{dir: t.TempDir()}
	w.content = filepath.Join(w.dir, "content")
	for _, name := range []string{"fi/a.md", "fi/sub/b.md", "site.yaml", ".git/HEAD"} {
		w.write(t, name)
	}
	p := polling(t, w.content, "")
	look := func(want ...string) {
		t.Helper()
		got := p.poll()
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	look()
	w.write(t, "fi/a.md")
	look("fi/a.md")
	must(os.Chtimes(w.path("fi/a.md"), time.Unix(1, 0), time.Unix(1, 0)))
	look("fi/a.md")
	w.write(t, "fi/.a.md.swp")
	w.write(t, ".git/HEAD")
	look()
	w.rename(t, w.path("fi/.a.md.swp"), w.path("fi/a.md"))
	look("fi/a.md")
	w.rename(t, w.path("fi/a.md"), w.path("fi/c.md"))
	look("fi/a.md", "fi/c.md")
	w.rename(t, w.path("fi/sub"), w.path("sv"))
	look("fi/sub", "fi/sub/b.md", "sv", "sv/b.md")
	must(os.Symlink("c.md", w.path("fi/link.md")))
	look("fi/link.md")
	w.write(t, "fi/c.md")
	look("fi/c.md", "fi/link.md")
	must(os.Remove(w.path("fi/c.md")))
	look("fi/c.md", "fi/link.md")
	w.write(t, "site.yaml")
	look(SitePath)
	must(os.Remove(w.path("site.yaml")))
	look(SitePath)
	must(os.Chmod(w.path("sv"), 0o700))
	look("sv")
	w.rename(t, w.content, w.content+"2")
	look("fi", "fi/link.md", "sv", "sv/b.md")
	w.rename(t, w.content+"2", w.content)
	look("fi", "fi/link.md", "sv", "sv/b.md")
}

// Settings that lie elsewhere are looked at there, and not in the content folder.
func TestPollerSettingsElsewhere(t *testing.T) {
	t.Parallel()
	w := watched{dir: t.TempDir()}
	w.content = filepath.Join(w.dir, "content")
	w.write(t, "a.md")
	site := filepath.Join(w.dir, "site.yaml")
	p := polling(t, w.content, site)
	w.write(t, "site.yaml")
	if got := p.poll(); len(got) > 0 {
		t.Errorf("told %q", got)
	}
	writeFile(t, site, "")
	if diff := cmp.Diff([]string{SitePath}, p.poll()); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkPoll measures one look at a site of 12,000 pages.
func BenchmarkPoll(b *testing.B) {
	dir := b.TempDir()
	for i := range 12_000 {
		name := filepath.Join(dir, string(rune('a'+i%12)), string(rune('a'+i%30)), time.Duration(i).String()+".md")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	p := polling(b, dir, "")
	for b.Loop() {
		if changed := p.poll(); len(changed) > 0 {
			b.Fatal(changed)
		}
	}
}
