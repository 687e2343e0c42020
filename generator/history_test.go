package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/view"
)

// repository is a content folder whose dates come from git, and the two ways of
// keeping up with it.
type repository struct {
	t       *testing.T
	content string
	out     string
	live    *view.Live
	touched []string
	day     int
}

func newRepository(t *testing.T, dates string) *repository {
	t.Helper()
	r := &repository{t: t, content: onDisk(t, "languages: [fi]\nbase_url: "+liveBase+"\nnamespace: "+randomNamespace+"\ndates: "+dates+"\n", nil)}
	r.out = filepath.Join(t.TempDir(), "out")
	live, err := view.NewLive(Options{Content: r.content, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { live.Close() })
	r.live = live
	r.git("init", "-q", "-b", "main")
	return r
}

// git runs git, a day later each time.
func (r *repository) git(arguments ...string) {
	r.t.Helper()
	r.day++
	git(r.t, r.content, fmt.Sprintf("2024-03-%02dT10:00:00Z", r.day), arguments...)
}

func (r *repository) commit() {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a change", "--allow-empty")
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	writeFile(r.t, filepath.Join(r.content, filepath.FromSlash(name)), text)
	r.touched = append(r.touched, name)
}

// same makes sure that an update of what was touched, and a build that knows of the
// last one, come to what a build comes to that knows nothing.
func (r *repository) same(what string) {
	r.t.Helper()
	fresh := Options{Content: r.content, Out: filepath.Join(r.t.TempDir(), "fresh")}
	want, err := Build(r.t.Context(), fresh)
	if err != nil {
		r.t.Fatalf("%s: %v", what, err)
	}
	again := fresh
	again.Out = r.out
	built, err := Build(r.t.Context(), again)
	if err != nil {
		r.t.Fatalf("%s: %v", what, err)
	}
	u := mustUpdate(r.t, r.live, append([]string{}, r.touched...))
	r.touched = nil
	for how, report := range map[string][]string{"build": described(built.Report), "update": described(u.Report)} {
		if diff := cmp.Diff(described(want.Report), report); diff != "" {
			r.t.Fatalf("%s, %s: the report differs:\n%s", what, how, diff)
		}
	}
	if want.Failed {
		return
	}
	files := readTree(r.t, fresh.Out)
	if diff := cmp.Diff(files, readTree(r.t, r.out)); diff != "" {
		r.t.Fatalf("%s: what is built differs:\n%s", what, diff)
	}
	if diff := cmp.Diff(files, viewed(r.t, u.View)); diff != "" {
		r.t.Fatalf("%s: what is shown differs:\n%s", what, diff)
	}
}

// New commits bring other dates, also for pages that did not change.
func TestNewCommits(t *testing.T) {
	for _, dates := range []string{"[git]", "[fields, git]", "[fields, git, mtime]"} {
		t.Run(dates, func(t *testing.T) {
			r := newRepository(t, dates)
			r.same("nothing at all")
			r.write("fi/a.md", undated)
			r.same("not committed")
			r.commit()
			r.same("committed")
			r.commit()
			r.same("an empty commit")
			r.write("fi/created.md", "---\ntitle: B\ncreated: 2019-01-01\n---\n")
			r.write("fi/b.md", undated)
			r.same("two more")
			r.commit()
			r.write("fi/a.md", undated+"more\n")
			r.same("committed, and another one edited")
			r.commit()
			r.same("that committed, and nothing touched")
			r.git("switch", "-q", "-c", "other")
			r.git("mv", "fi/b.md", "fi/c.md")
			r.commit()
			r.touched = []string{"fi/b.md", "fi/c.md"}
			r.same("renamed")
			r.git("switch", "-q", "main")
			r.touched = []string{"fi/b.md", "fi/c.md"}
			r.same("back again")
			r.git("merge", "-q", "other")
			r.touched = []string{"fi"}
			r.same("merged")
		})
	}
}

// Where git cannot tell dates, the next try asks it anew.
func TestShallowCloneMended(t *testing.T) {
	r := newRepository(t, "[fields, git]")
	r.write("fi/a.md", undated)
	r.commit()
	r.commit()
	clone := filepath.Join(t.TempDir(), "clone")
	if err := os.Mkdir(clone, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, clone, "2024-01-01T00:00:00Z", "clone", "-q", "--depth", "1", "file://"+r.content, ".")
	live, err := view.NewLive(Options{Content: clone, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	if _, err := live.Update(t.Context(), nil); err == nil {
		t.Error("a shallow clone told dates")
	}
	git(t, clone, "2024-01-01T00:00:00Z", "fetch", "-q", "--unshallow")
	if u := mustUpdate(t, live, []string{}); u.Failed {
		t.Errorf("%v", described(u.Report))
	}
}
