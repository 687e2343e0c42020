package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// rsyncRun is one upload by the script that sivu writes for servers of one's own.
type rsyncRun struct {
	script, snapshot, target string
	tools                    string // stand-ins, and the log of what the real rsync did
}

// run uploads, and returns what was done, in order: paths that were sent,
// "*deleting" with paths that were removed, and the pause.
func (r rsyncRun) run(t *testing.T) []string {
	t.Helper()
	log := filepath.Join(r.tools, "log")
	os.Remove(log)
	c := exec.CommandContext(t.Context(), "sh", r.script, r.snapshot)
	c.Env = append(os.Environ(), "TARGET="+r.target, "LOG="+log, "PATH="+r.tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("upload.sh: %v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	for line := range strings.Lines(string(text)) {
		if _, what, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "did "); ok && !strings.HasSuffix(what, "/") {
			done = append(done, what)
		}
	}
	return done
}

// steps are what an upload does, in order.
var steps = []*regexp.Regexp{
	regexp.MustCompile(`^send (?:40[45]\.json|pages/[0-9a-f]{8}-[^/]*/index(?:\.api)?\.json(?:\.gz|\.br)?)$`),
	regexp.MustCompile(`^send pages/page-[1-9][0-9]\.(?:api\.)?json(?:\.gz|\.br)?$`),
	regexp.MustCompile(`^send pages/page-[2-9]\.(?:api\.)?json(?:\.gz|\.br)?$`),
	regexp.MustCompile(`^send pages/(?:page-1|index)\.(?:api\.)?json(?:\.gz|\.br)?$`),
	regexp.MustCompile(`^sleep 700$`),
	regexp.MustCompile(`^del\. `),
}

// counts returns how many lines each step has, and wants them in order.
func counts(t *testing.T, done []string) []int {
	t.Helper()
	at, n := 0, make([]int, len(steps))
	for _, what := range done {
		step := slices.IndexFunc(steps, func(r *regexp.Regexp) bool { return r.MatchString(what) })
		if step < at {
			t.Fatalf("%q comes in step %d, after one of step %d", what, step, at)
		}
		at = step
		n[step]++
	}
	return n
}

// filesIn returns what lies below a folder, by paths, without one entry.
func filesIn(t *testing.T, dir, without string) map[string]string {
	t.Helper()
	files, left := map[string]string{}, filepath.Join(dir, without)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == left {
			return fs.SkipDir
		}
		if !entry.IsDir() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files[strings.TrimPrefix(name, dir)] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameTree(t *testing.T, a, b map[string]string) {
	t.Helper()
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

// TestUploadByRsync uploads a snapshot three times with the real rsync: to an
// empty folder, after a change, and with nothing to do.
func TestUploadByRsync(t *testing.T) {
	inTestAll(t)
	rsync := programOf(t, "rsync")
	s := prepare(t, realServer{host: "nginx", packed: true}, "", "query")
	r := rsyncRun{script: s.path("upload.sh"), snapshot: s.root, target: filepath.Join(t.TempDir(), "a 'target'"), tools: t.TempDir()}
	if err := os.Mkdir(r.target, 0o755); err != nil {
		t.Fatal(err)
	}
	writeTool(t, r.tools, "rsync", `case "$*" in *--dry-run*) exec '`+rsync+`' "$@";; esac
exec '`+rsync+`' --log-file="$LOG" --log-file-format='did %o %n' "$@"`)
	writeTool(t, r.tools, "sleep", `echo "did sleep $1" >>"$LOG"`)

	n := counts(t, r.run(t))
	if n[0] < 4*136 || n[1] < 4*5 || n[2] < 4*8 || n[3] < 4*2 || n[4] != 0 || n[5] != 0 {
		t.Errorf("the first upload did %v", n)
	}
	sameTree(t, filesIn(t, r.snapshot, ".sivu"), filesIn(t, r.target, "-"))

	record := someRecord(t, s)
	kept := filepath.Join(r.target, "pages", "page-3.json")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	changed := filepath.Join("pages", record, "index.json")
	writePublic(t, filepath.Join(r.target, "robots.txt"), "not sivu's")
	replaceByte(t, filepath.Join(r.snapshot, changed))
	for _, name := range []string{kept, filepath.Join(r.target, changed)} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(r.snapshot, changed), old, old); err != nil {
		t.Fatal(err)
	}
	gone, _ := filepath.Glob(filepath.Join(r.snapshot, "pages", "page-14.*"))
	for _, name := range gone {
		os.Remove(name)
	}
	n = counts(t, r.run(t))
	if want := []int{1, 0, 0, 0, 1, len(gone)}; !slices.Equal(n, want) || len(gone) < 2 {
		t.Errorf("the second upload did %v, want %v", n, want)
	}
	due := filesIn(t, r.snapshot, ".sivu")
	due["/robots.txt"] = "not sivu's"
	sameTree(t, due, filesIn(t, r.target, "-"))
	if info, err := os.Stat(kept); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("an answer that is the same got another time: %v %v", info.ModTime(), err)
	}
	if info, err := os.Stat(filepath.Join(r.target, changed)); err != nil || info.ModTime().Equal(old) {
		t.Errorf("an answer of other bytes and the same size kept its time: %v", err)
	}
	if done := r.run(t); len(done) > 0 {
		t.Errorf("with nothing to do, the upload did %q", done)
	}
}

// replaceByte changes a file, and keeps its size.
func replaceByte(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	writePublic(t, name, string(text))
}

// other builds the sample site in another way.
func other(t *testing.T, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "other")
	command(t, append([]string{"build", "--quiet", "--content", "../../content", "--out", out}, flags...)...)
	return out
}

// TestUploadByRsyncRefuses runs the script without what it needs.
func TestUploadByRsyncRefuses(t *testing.T) {
	s := prepare(t, realServer{host: "nginx"}, "", "query")
	for _, c := range []struct{ snapshot, target, says string }{
		{s.root, "", "there is no TARGET"},
		{s.dir, "/nowhere", "holds no snapshot"},
		{s.root, filepath.Join(s.dir, "a", "b", "c"), "the ones above it must be there"},
		{other(t, "--base-url", "https://other.example.org"), s.dir, "is built for another address or with other links"},
		{other(t, "--base-url", s.base(), "--links", "file"), s.dir, "is built for another address or with other links"},
	} {
		run := exec.CommandContext(t.Context(), "sh", s.path("upload.sh"), c.snapshot)
		run.Env = append(os.Environ(), "TARGET="+c.target)
		if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%v, %q, want a failure that says %q", err, out, c.says)
		}
	}
}
