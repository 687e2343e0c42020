package source

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repository is a real git repository in a folder of the test.
type repository struct {
	t   *testing.T
	dir string
	day int // of the last commit
}

// newRepository makes an empty repository that no configuration of the machine
// reaches.
func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need git: ", err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
	r := &repository{t: t, dir: t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main")
	r.git("config", "user.name", "Test")
	r.git("config", "user.email", "test@example.org")
	return r
}

func (r *repository) git(arguments ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", arguments...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), r.clock("AUTHOR", r.day), r.clock("COMMITTER", r.day))
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

func (r *repository) clock(who string, day int) string {
	return fmt.Sprintf("GIT_%s_DATE=2020-01-%02dT12:00:00+02:00", who, max(day, 1))
}

// write writes files whose text is unlike that of other names.
func (r *repository) write(names ...string) {
	r.t.Helper()
	for _, name := range names {
		r.writeText(name, textOf(name))
	}
}

func textOf(name string) string {
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "%s line %d of %x\n", name, i, name)
	}
	return text.String()
}

func (r *repository) writeText(name, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) edit(name string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	text, err := os.ReadFile(full)
	if err != nil {
		r.t.Fatal(err)
	}
	r.writeText(name, string(text)+fmt.Sprintf("edited on day %d\n", r.day+1))
}

// move gives files new names, at once.
func (r *repository) move(pairs ...string) {
	r.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		r.rename(pairs[i], pairs[i+1]+".moving")
	}
	for i := 1; i < len(pairs); i += 2 {
		r.rename(pairs[i]+".moving", pairs[i])
	}
}

func (r *repository) rename(from, to string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(r.dir, filepath.FromSlash(from)), full); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) remove(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits everything on a day of January 2020.
func (r *repository) commit(day int) {
	r.t.Helper()
	r.day = day
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", fmt.Sprintf("@day %d\n\nM\tx", day))
}

// days returns the days of January 2020 that files were created and modified.
func (r *repository) days(folder string) map[string][2]int {
	r.t.Helper()
	dates, err := GitDates(context.Background(), filepath.Join(r.dir, folder), r.exists(folder))
	if err != nil {
		r.t.Fatal(err)
	}
	days := make(map[string][2]int)
	for name, d := range dates {
		if hour := d.Created.Std().Hour(); hour != 10 {
			r.t.Errorf("%q created at %v, want 10 o'clock UTC", name, d.Created)
		}
		days[name] = [2]int{d.Created.Std().Day(), d.Modified.Std().Day()}
	}
	return days
}

func (r *repository) exists(folder string) func(string) bool {
	return func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.dir, folder, filepath.FromSlash(name)))
		return err == nil
	}
}

func TestGitDates(t *testing.T) {
	tests := []struct {
		name   string
		folder string
		make   func(r *repository)
		want   map[string][2]int
	}{
		{"no commit", "", func(r *repository) { r.write("a.md") }, map[string][2]int{}},
		{"first and last commit", "", func(r *repository) {
			r.write("a.md", "b.md")
			r.commit(1)
			r.edit("a.md")
			r.commit(2)
			r.edit("a.md")
			r.commit(3)
			r.write("uncommitted.md")
		}, map[string][2]int{"a.md": {1, 3}, "b.md": {1, 1}}},
		{"paths below the folder", "content", func(r *repository) {
			r.write("content/fi/a.md", "elsewhere.md", "content2/b.md")
			r.commit(1)
		}, map[string][2]int{"fi/a.md": {1, 1}}},
		{"move into the folder", "content", func(r *repository) {
			r.write("old/a.md")
			r.commit(1)
			r.move("old/a.md", "content/fi/a.md")
			r.commit(2)
		}, map[string][2]int{"fi/a.md": {2, 2}}},
		{"move in the folder", "content", func(r *repository) {
			r.write("content/fi/a.md", "old/a.md")
			r.commit(1)
			r.edit("content/fi/a.md")
			r.move("content/fi/a.md", "content/fi/b/c.md", "old/a.md", "old/b.md")
			r.commit(2)
		}, map[string][2]int{"fi/b/c.md": {1, 2}}},
		{"chain of renames with edits", "", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.edit("a.md")
			r.move("a.md", "b.md")
			r.commit(2)
			r.move("b.md", "c.md")
			r.commit(3)
			r.edit("c.md")
			r.commit(4)
		}, map[string][2]int{"c.md": {1, 4}}},
		{"renamed and back", "", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.move("a.md", "b.md")
			r.commit(2)
			r.move("b.md", "a.md")
			r.commit(3)
		}, map[string][2]int{"a.md": {1, 3}}},
		{"letter case", "", func(r *repository) {
			r.write("Asuminen.md")
			r.commit(1)
			r.move("Asuminen.md", "asuminen.md")
			r.commit(2)
		}, map[string][2]int{"asuminen.md": {1, 2}}},
		{"two files change texts", "", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.write("b.md")
			r.commit(2)
			r.move("a.md", "b.md", "b.md", "a.md") // names that stay are no renames to git
			r.commit(3)
		}, map[string][2]int{"a.md": {1, 3}, "b.md": {2, 3}}},
		{"deleted and back", "", func(r *repository) {
			r.write("a.md", "b.md")
			r.commit(1)
			r.remove("a.md")
			r.commit(2)
			r.write("a.md")
			r.commit(3)
		}, map[string][2]int{"a.md": {1, 3}, "b.md": {1, 1}}},
		{"name taken by another file", "", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.move("a.md", "b.md")
			r.commit(2)
			r.writeText("a.md", textOf("quite another text"))
			r.commit(3)
		}, map[string][2]int{"a.md": {3, 3}, "b.md": {1, 2}}},
		{"name taken in the same commit", "", func(r *repository) {
			r.write("b.md")
			r.commit(1)
			r.move("b.md", "c.md")
			r.write("a.md")
			r.commit(2)
			r.edit("a.md")
			r.commit(3)
		}, map[string][2]int{"a.md": {2, 3}, "c.md": {1, 2}}},
		{"renamed onto a name that was in use before", "", func(r *repository) {
			r.write("b.md")
			r.commit(1)
			r.remove("b.md")
			r.commit(2)
			r.write("a.md")
			r.commit(3)
			r.move("a.md", "b.md")
			r.commit(4)
		}, map[string][2]int{"b.md": {3, 4}}},
		{"a copy is a new file", "", func(r *repository) {
			r.git("config", "diff.renames", "copies")
			r.write("a.md")
			r.commit(1)
			r.writeText("b.md", textOf("a.md"))
			r.edit("a.md")
			r.commit(2)
		}, map[string][2]int{"a.md": {1, 2}, "b.md": {2, 2}}},
		{"names of all kinds", "", func(r *repository) {
			r.write("käännös.md", "与.md", "a b.md", `"quoted".md`, "@1.md", "M.md", "-x.md")
			if runtime.GOOS != "windows" {
				r.write("line\nfeed.md", "tab\t.md", "\n.md", "back\\slash.md")
			}
			r.commit(1)
		}, withOddNames(map[string][2]int{
			"käännös.md": {1, 1}, "与.md": {1, 1}, "a b.md": {1, 1}, `"quoted".md`: {1, 1}, "@1.md": {1, 1}, "M.md": {1, 1}, "-x.md": {1, 1},
		})},
		{"dates out of order", "", func(r *repository) {
			r.write("a.md")
			r.commit(9)
			r.edit("a.md")
			r.commit(4)
		}, map[string][2]int{"a.md": {4, 9}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t)
			test.make(r)
			if diff := cmp.Diff(test.want, r.days(test.folder)); diff != "" {
				t.Errorf("days created and modified (-want +got):\n%s\n%s", diff, r.git("log", "--name-status", "-M", "-c"))
			}
		})
	}
}

func withOddNames(days map[string][2]int) map[string][2]int {
	if runtime.GOOS != "windows" {
		for _, name := range []string{"line\nfeed.md", "tab\t.md", "\n.md", "back\\slash.md"} {
			days[name] = [2]int{1, 1}
		}
	}
	return days
}

func TestGitDatesOfMerges(t *testing.T) {
	tests := []struct {
		name string
		make func(r *repository)
		want map[string][2]int
	}{
		{"a clean merge touches nothing", func(r *repository) {
			r.write("a.md", "b.md")
			r.commit(1)
			r.git("checkout", "--quiet", "-b", "side")
			r.edit("a.md")
			r.commit(2)
			r.git("checkout", "--quiet", "main")
			r.edit("b.md")
			r.commit(3)
			r.day = 4
			r.git("merge", "--quiet", "side")
		}, map[string][2]int{"a.md": {1, 2}, "b.md": {1, 3}}},
		{"a resolved conflict touches", func(r *repository) {
			r.write("a.md", "b.md")
			r.commit(1)
			r.git("checkout", "--quiet", "-b", "side")
			r.edit("a.md")
			r.commit(2)
			r.git("checkout", "--quiet", "main")
			r.edit("a.md")
			r.commit(3)
			r.day = 4
			r.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
			r.edit("a.md")
			r.commit(4)
		}, map[string][2]int{"a.md": {1, 4}, "b.md": {1, 1}}},
		{"renamed on one branch, edited later on the other", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.git("checkout", "--quiet", "-b", "side")
			r.move("a.md", "b.md")
			r.commit(2)
			r.git("checkout", "--quiet", "main")
			r.edit("a.md")
			r.commit(3)
			r.day = 4
			r.git("merge", "--quiet", "side")
		}, map[string][2]int{"b.md": {1, 4}}},
		{"renamed on one branch, edited before on the other", func(r *repository) {
			r.write("a.md")
			r.commit(1)
			r.git("checkout", "--quiet", "-b", "side")
			r.edit("a.md")
			r.commit(2)
			r.git("checkout", "--quiet", "main")
			r.move("a.md", "b.md")
			r.commit(3)
			r.edit("b.md")
			r.commit(4)
			r.day = 5
			r.git("merge", "--quiet", "side", "--strategy=ours")
		}, map[string][2]int{"b.md": {1, 4}}},
		{"the same rename on both branches", func(r *repository) {
			r.write("a.md", "z.md")
			r.commit(1)
			r.edit("a.md")
			r.commit(2)
			r.git("checkout", "--quiet", "-b", "side")
			r.move("a.md", "b.md")
			r.commit(3)
			r.git("checkout", "--quiet", "main")
			r.edit("z.md")
			r.commit(4)
			r.git("cherry-pick", "side")
			r.day = 6
			r.git("merge", "--quiet", "side")
		}, map[string][2]int{"b.md": {1, 3}, "z.md": {1, 4}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t)
			test.make(r)
			if diff := cmp.Diff(test.want, r.days("")); diff != "" {
				t.Errorf("days created and modified (-want +got):\n%s\n%s", diff, r.git("log", "--date-order", "--name-status", "-M", "-c", "--combined-all-paths"))
			}
		})
	}
}

func TestGitDatesIgnoresConfiguration(t *testing.T) {
	r := newRepository(t)
	r.write("content/a.md", "b.md")
	r.commit(1)
	r.move("b.md", "content/c.md")
	r.move("content/a.md", "content/b.md")
	r.commit(2)
	evil := filepath.Join(t.TempDir(), "ran")
	for key, value := range map[string]string{
		"diff.renames": "false", "diff.relative": "true", "diff.orderFile": "/nowhere", "diff.external": "touch " + evil,
		"core.fsmonitor": "touch " + evil, "core.pager": "touch " + evil, "log.showSignature": "true", "log.showRoot": "false",
		"log.diffMerges": "first-parent", "color.ui": "always", "log.follow": "true", "diff.noprefix": "true", "format.pretty": "fuller",
	} {
		r.git("config", key, value)
	}
	t.Setenv("GIT_EXTERNAL_DIFF", "touch "+evil)
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_WORK_TREE", "/nowhere")
	dates, err := GitDates(context.Background(), filepath.Join(r.dir, "content"), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, d := range dates {
		got[name] = d.Created.String() + " " + d.Modified.String()
	}
	want := map[string]string{
		"b.md": "2020-01-01T10:00:00.000000Z 2020-01-02T10:00:00.000000Z",
		"c.md": "2020-01-02T10:00:00.000000Z 2020-01-02T10:00:00.000000Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dates (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(evil); err == nil {
		t.Error("git ran a configured command")
	}
}

// Of a partial clone, only objects are needed that tell renames in the folder
// itself. Where one of those is missing, the error's cure mends the clone.
func TestGitDatesPartialClone(t *testing.T) {
	r := newRepository(t)
	r.write("inside/a.md", "outside/a.md")
	r.commit(1)
	r.edit("outside/a.md")
	r.move("outside/a.md", "outside/b.md")
	r.commit(2)
	r.edit("inside/a.md")
	r.commit(3)
	r.git("config", "uploadpack.allowFilter", "true")
	clone := *r
	clone.dir = filepath.Join(t.TempDir(), "clone")
	r.git("clone", "--quiet", "--filter=blob:none", "file://"+filepath.ToSlash(r.dir), clone.dir)
	clone.git("config", "gc.auto", "0") // nothing is at work in the clone when the test removes it

	want := map[string][2]int{"a.md": {1, 3}}
	if diff := cmp.Diff(want, clone.days("inside")); diff != "" {
		t.Errorf("days of the folder that lacks nothing (-want +got):\n%s", diff)
	}
	outside := filepath.Join(clone.dir, "outside")
	_, err := GitDates(context.Background(), outside, clone.exists("outside"))
	const cure = "git fetch --refetch --no-filter"
	if err == nil || !strings.Contains(err.Error(), "is a partial clone") || !strings.Contains(err.Error(), cure) {
		t.Fatalf("error %v, want one with the cure", err)
	}
	clone.git(strings.Fields(cure)[1:]...)
	want = map[string][2]int{"b.md": {1, 2}}
	if diff := cmp.Diff(want, clone.days("outside")); diff != "" {
		t.Errorf("days of the other folder, after the cure (-want +got):\n%s", diff)
	}
}

func TestGitDatesErrors(t *testing.T) {
	all := func(string) bool { return true }
	r := newRepository(t)
	r.write("content/a.md")
	r.commit(1)
	r.edit("content/a.md")
	r.commit(2)

	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(r.dir), shallow)
	outside := t.TempDir()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()

	tests := []struct {
		name, dir string
		ctx       context.Context
		env       [2]string
		want      []string
	}{
		{"shallow clone", shallow, nil, [2]string{}, []string{"shallow clone", "git fetch --unshallow", "fetch-depth: 0", "GIT_DEPTH: 0"}},
		{"no repository", outside, nil, [2]string{}, []string{"is not in a git repository", `take "git" out of "dates"`}},
		{"inside .git", filepath.Join(r.dir, ".git"), nil, [2]string{}, []string{"is not in a git work tree"}},
		{"owned by somebody else", r.dir, nil, [2]string{"GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"}, []string{"git says: fatal: detected dubious ownership", "safe.directory"}},
		{"no git", r.dir, nil, [2]string{"PATH", ""}, []string{"git is not installed"}},
		{"cancelled", r.dir, cancelled, [2]string{}, []string{"context canceled"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.env[0] != "" {
				t.Setenv(test.env[0], test.env[1])
			}
			ctx := test.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			_, err := GitDates(ctx, test.dir, all)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q has several lines", err)
			}
		})
	}
}

func TestParseGitLogErrors(t *testing.T) {
	tests := []struct{ name, log, want string }{
		{"status", "@1\x00\x00\nQ\x00a\x00", `git log printed the status "Q", which is not understood`},
		{"no path", "@1\x00\x00\nM\x00", "unexpected EOF"},
		{"half a rename", "@1\x00\x00\nR100\x00a\x00", "unexpected EOF"},
		{"no end", "@1\x00\x00\nM\x00a", "unexpected EOF"},
		{"long path", "@1\x00\x00\nM\x00" + strings.Repeat("a", maxGitToken+1), "the history has a path of more than 65536 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := parseGitLog(strings.NewReader(test.log), newGitHistory(func(string) bool { return true }))
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestParseGitLogRenamesAtOnce(t *testing.T) {
	const log = "@259200\x00\x00\nR100\x00a\x00b\x00R100\x00b\x00a\x00\x00" +
		"@172800\x00\x00\nA\x00b\x00\x00" + "@86400\x00\x00\nA\x00a\x00"
	h := newGitHistory(func(string) bool { return true })
	if err := parseGitLog(strings.NewReader(log), h); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for name, d := range h.dates("") {
		got[name] = d.Created.Std().Day()
	}
	if diff := cmp.Diff(map[string]int{"a": 3, "b": 2}, got); diff != "" {
		t.Errorf("days created (-want +got):\n%s", diff)
	}
}

// TestParseGitLogModel compares random histories on one line with a model that
// goes through them forwards.
func TestParseGitLogModel(t *testing.T) {
	type life struct{ created, modified int }
	paths := []string{"a", "b", "c", "d"}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 1))
		now, dead := map[string]*life{}, map[string]*life{}
		var commits []string
		for day := 1; day <= 12; day++ {
			from, to := paths[random.IntN(len(paths))], paths[random.IntN(len(paths))]
			entry := ""
			switch f := now[from]; {
			case f == nil: // a file that comes back goes on
				if f = dead[from]; f == nil {
					f = &life{created: day}
				}
				f.modified = day
				now[from] = f
				delete(dead, from)
				entry = "A\x00" + from
			case now[to] == nil && random.IntN(2) == 0:
				f.modified = day
				now[to] = f
				delete(now, from)
				delete(dead, to)
				entry = "R080\x00" + from + "\x00" + to
			case random.IntN(3) == 0:
				dead[from] = f
				delete(now, from)
				entry = "D\x00" + from
			default:
				f.modified = day
				entry = "M\x00" + from
			}
			commits = append(commits, fmt.Sprintf("@%d\x00\x00\n%s\x00\x00", day*86400, entry))
		}
		slices.Reverse(commits)
		h := newGitHistory(func(path string) bool { return now[path] != nil })
		if err := parseGitLog(strings.NewReader(strings.Join(commits, "")), h); err != nil {
			t.Fatal(err)
		}
		got, want := map[string]life{}, map[string]life{}
		for name, d := range h.dates("") {
			got[name] = life{int(d.Created / 86400_000000), int(d.Modified / 86400_000000)}
		}
		for name, f := range now {
			want[name] = *f
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(life{})); diff != "" {
			t.Fatalf("history %q, newest first (-want +got):\n%s", commits, diff)
		}
	}
}

func TestParseGitLogOddDates(t *testing.T) {
	h := newGitHistory(func(string) bool { return true })
	log := "@99999999999999\x00\x00\nM\x00a\x00\x00@x\x00\x00\nM\x00a\x00\x00@86400\x00\x00\nM\x00a\x00\x00"
	if err := parseGitLog(strings.NewReader(log), h); err != nil {
		t.Fatal(err)
	}
	if got := h.dates("")["a"]; got.Created.String() != "1970-01-02T00:00:00.000000Z" || got.Created != got.Modified {
		t.Errorf("dates %v; want those of the one commit that can be dated", got)
	}
}

func FuzzGitLog(f *testing.F) {
	f.Add([]byte("@1\x00\x00\nA\x00a\x00\x00@2\x00\x00\nR090\x00a\x00b\x00M\x00c\x00"))
	f.Add([]byte("@1\x00\x00RM\x00a\x00b\x00b\x00\x00@2\x00\nT\x00b\x00"))
	f.Add([]byte("@1\x00\nR1\x00a\x00b\x00R1\x00b\x00a\x00\x00@0\x00\nA\x00a\x00A\x00b\x00"))
	f.Fuzz(func(t *testing.T, log []byte) {
		h := newGitHistory(func(path string) bool { return len(path)%2 == 1 })
		if err := parseGitLog(bytes.NewReader(log), h); err != nil {
			return
		}
		for name, d := range h.dates("") {
			if !h.wanted(name) {
				t.Errorf("%q was not asked for", name)
			}
			if d.Modified < d.Created {
				t.Errorf("%q modified %v before created %v", name, d.Modified, d.Created)
			}
		}
		if len(h.renames) != 0 {
			t.Error("renames are left over")
		}
	})
}
