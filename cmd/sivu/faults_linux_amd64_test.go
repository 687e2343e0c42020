package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The environment variables of TestFaults: the folder of finj.c, which is beside the
// corpora unless it is named, and which calls are failed: every n-th of each name, and
// all where nothing is said.
const (
	faultsVariable = "SIVU_FAULTS"
	stepVariable   = "SIVU_FAULT_STEP"
)

// faultErrors are the errors that each call is failed with in turn.
var faultErrors = map[string][]string{
	"openat": {"EMFILE", "EACCES"}, "write": {"ENOSPC", "EIO"}, "pwrite64": {"ENOSPC"}, "renameat": {"EIO", "EACCES"},
	"unlinkat": {"EACCES", "EIO"}, "mkdirat": {"ENOSPC"}, "fsync": {"EIO"}, "syncfs": {"EIO"}, "ftruncate": {"EIO"},
	"close": {"EIO"}, "linkat": {"EIO", "EMLINK"}, "getdents64": {"EIO"}, "newfstatat": {"EIO"}, "fstat": {"EIO"},
	"flock": {"EIO"}, "read": {"EIO"}, "pread64": {"EIO"}, "utimensat": {"EPERM"}, "lseek": {"EIO"}, "readlinkat": {"EIO"},
	"fchmodat": {"EPERM"}, "renameat2": {"EIO"}, "openat2": {"EMFILE"}, "statx": {"EIO"},
}

// TestFaults rebuilds a small site once for each call on the output folder that the
// build makes, with that call failed, or the build killed at it. After each, the
// folder is what the exit status says, a client finds everything whole, and the next
// build makes what a build into an empty folder does, empty folders and times
// included, and reports all that changed.
func TestFaults(t *testing.T) {
	if os.Getenv(killsVariable) == "" {
		t.Skipf("takes minutes: make kills runs it, and sets %s", killsVariable)
	}
	finj := faultInjector(t)
	t.Run("fewer pages", func(t *testing.T) { newFaulted(t, finj, 0, 1).failAll() })
	t.Run("more pages, all read", func(t *testing.T) {
		newFaulted(t, finj, 1, 0, "--full", "--host", "apache", "--precompress", "gz", "--links", "file").failAll()
	})
}

// faultInjector builds the program that fails, or kills at, the n-th call.
func faultInjector(t *testing.T) string {
	t.Helper()
	folder := os.Getenv(faultsVariable)
	if folder == "" {
		folder = filepath.Join(cmp.Or(os.Getenv("SIVU_CORPORA"), "../../../shared/corpora"), "..", "faults")
	}
	source := filepath.Join(folder, "finj.c")
	program := filepath.Join(t.TempDir(), "finj")
	_, err := os.Stat(source)
	if err == nil {
		var said []byte
		if said, err = exec.Command("cc", "-O2", "-o", program, source).CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	if err == nil {
		err = exec.Command(program, "-s", "write", "--", "true").Run()
	}
	if err != nil && os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
		t.Fatalf("the injector of faults does not run: %v", err)
	}
	if err != nil {
		t.Skipf("SKIPPED: the injector of faults does not run (%v); %s names its folder, and it needs cc", err, faultsVariable)
	}
	return program
}

// faulted is a snapshot that is rebuilt over and over, from an old one to a new one.
type faulted struct {
	t          *testing.T
	sivu, finj string
	dir        string
	flags      []string
	calls      map[string]int // how many calls of each name the build makes
	total      int
	old, fresh faultTree
	state      []string // names in .sivu after a build

	points, missed, failures atomic.Int64
}

// faultTree is what lies in a folder: data and times of files, and empty folders,
// whose name ends with a slash.
type faultTree map[string]faultFile

type faultFile struct {
	data     string
	modified time.Time
}

// newFaulted prepares rebuilds from one version of a site to another.
func newFaulted(t *testing.T, finj string, from, to int, flags ...string) *faulted {
	f := &faulted{t: t, finj: finj, dir: memoryDir(t), flags: flags, calls: map[string]int{}}
	f.sivu = filepath.Join(f.dir, "sivu")
	if text, err := exec.Command("go", "build", "-o", f.sivu, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f.write(from)
	f.run(0, "--report", filepath.Join(f.dir, "report.json"))
	if err := os.Rename(f.place(0), filepath.Join(f.dir, "old")); err != nil {
		t.Fatal(err)
	}
	f.write(to)
	f.run(0)
	f.fresh = f.read(f.place(0))
	f.old = f.read(filepath.Join(f.dir, "old"))
	f.reset(0)
	if said, status := f.inject(0, strings.Join(slices.Sorted(maps.Keys(faultErrors)), ",")); status != exitDone {
		t.Fatalf("exit status %d: %s", status, said)
	}
	f.state = f.inState(0)
	log, err := os.ReadFile(f.log(0))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if number, rest, _ := strings.Cut(line, " "); number != "TOTAL" {
			name, _, _ := strings.Cut(rest, " ")
			f.calls[name]++
			f.total++
		}
	}
	if f.total < 300 {
		t.Fatalf("only %d calls are seen", f.total)
	}
	return f
}

// memoryDir returns a folder in memory, if there is one: builds flush a lot.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "sivu-faults")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (f *faulted) place(worker int) string {
	return filepath.Join(f.dir, "w"+strconv.Itoa(worker), "out")
}
func (f *faulted) log(worker int) string {
	return filepath.Join(f.dir, "w"+strconv.Itoa(worker), "log")
}
func (f *faulted) report(worker int, name string) string {
	return filepath.Join(f.dir, "w"+strconv.Itoa(worker), name)
}

// write writes the sources of a version: version 0 has 12 pages, in two list pages;
// version 1 has one page more, three fewer, and another that is changed. All of them
// are old, so that a build need not read what did not change.
func (f *faulted) write(version int) {
	dir := filepath.Join(f.dir, "content")
	f.put(filepath.Join(dir, "site.yaml"), "languages: [en]\ndates: [fields]\nlinks: file\nbase_url: "+killBase+"\n")
	for n := range 13 {
		name := filepath.Join(dir, "en", fmt.Sprintf("p%02d.md", n))
		text := strings.Repeat("Some *words* of text. ", 20)
		switch {
		case version == 0 && n == 12, version == 1 && (n == 0 || n == 6 || n == 11):
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				f.t.Fatal(err)
			}
			continue
		case version == 1 && n == 8:
			text = "Changed."
		}
		f.put(name, fmt.Sprintf("---\nid: %08x-1dad-41d1-80b4-00c04fd430c8\ncreated: 2020-01-%02d\nmodified: 2020-02-01\ntitle: Page %d\n---\n%s\n",
			n*0x01234567&0xffffffff, n+1, n, text))
	}
}

func (f *faulted) put(name, text string) {
	old := time.Now().Add(-time.Hour)
	if now, err := os.ReadFile(name); err == nil && string(now) != text {
		old = old.Add(time.Minute)
	}
	err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644), os.Chtimes(name, old, old))
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *faulted) args(worker int, more ...string) []string {
	args := append([]string{"build", "--quiet", "--jobs", "1", "--content", filepath.Join(f.dir, "content"), "--out", f.place(worker)}, f.flags...)
	return append(args, more...)
}

// run builds without a fault.
func (f *faulted) run(worker int, more ...string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.place(worker)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if said, err := exec.Command(f.sivu, f.args(worker, more...)...).CombinedOutput(); err != nil {
		f.t.Fatalf("%v: %s", err, said)
	}
}

// inject builds, and notes calls of some names on the output folder; more says what
// befalls one of them.
func (f *faulted) inject(worker int, names string, more ...string) (said string, status int) {
	args := slices.Concat([]string{"-u", filepath.Base(filepath.Dir(f.place(worker))) + "/out", "-l", f.log(worker), "-s", names}, more,
		[]string{"--", f.sivu}, f.args(worker, "--report", f.report(worker, "first")))
	command := exec.Command(f.finj, args...)
	command.Env = append(os.Environ(), "GOMAXPROCS=1") // for calls in one order
	text, _ := command.CombinedOutput()
	return string(text), command.ProcessState.ExitCode()
}

// failAll fails every call, or every step-th, from the first to the last.
func (f *faulted) failAll() {
	step, err := strconv.Atoi(cmp.Or(os.Getenv(stepVariable), "1"))
	if err != nil || step < 1 {
		f.t.Fatalf("%s is no number of calls", stepVariable)
	}
	points := make(chan faultPoint)
	var working sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			defer func() { // also after a Fatal
				for range points {
				}
			}()
			for p := range points {
				if f.failures.Load() < 10 {
					f.at(worker, p)
				}
			}
		})
	}
	for name, calls := range f.calls {
		for n := 1 + rand.IntN(min(step, calls)); n <= calls; n += step {
			for _, how := range append(slices.Clone(faultErrors[name]), "kill") {
				points <- faultPoint{name, n, how}
			}
		}
	}
	close(points)
	working.Wait()
	f.t.Logf("%d points at %d calls, every %d. of them; %d were not reached", f.points.Load(), f.total, step, f.missed.Load())
	if most := f.points.Load() / 20; f.missed.Load() > most {
		f.t.Errorf("%d points were not reached, more than %d", f.missed.Load(), most)
	}
}

// faultPoint is the n-th call of a name, and what befalls it: an error, or "kill".
type faultPoint struct {
	name string
	n    int
	how  string
}

// problems gathers what is wrong after a fault.
type problems struct {
	testing.TB
	all []string
}

// Errorf notes a problem.
func (p *problems) Errorf(format string, args ...any) {
	p.all = append(p.all, fmt.Sprintf(format, args...))
}

// at fails one call.
func (f *faulted) at(worker int, p faultPoint) {
	t := &problems{TB: f.t}
	f.points.Add(1)
	f.reset(worker)
	what := []string{"-n", strconv.Itoa(p.n), "-e", p.how}
	if p.how == "kill" {
		what = append(what[:2], "-k")
	}
	said, status := f.inject(worker, p.name, what...)
	hit := f.hit(worker)
	if hit == "" {
		f.missed.Add(1)
	}
	defer func() {
		if len(t.all) > 0 {
			f.failures.Add(1)
			f.t.Errorf("%s %d, %s (%s), exit status %d, %s:\n%s", p.name, p.n, p.how, hit, status, strings.TrimSpace(said), strings.Join(t.all, "\n"))
		}
	}()
	out := f.place(worker)
	now := f.read(out)
	switch {
	case p.how == "kill":
		f.checkFiles(t, now)
	case status == exitDone:
		differ(t, "the build went through", now, f.fresh, false)
	case status != exitFailed || said == "":
		t.Errorf("exit status %d, and it says %q", status, said)
	case f.isPending(out):
		f.checkFiles(t, now)
		for _, args := range [][]string{{"manifest", out}, {"verify", out}, f.args(worker, "--dry-run")} {
			if said, err := exec.Command(f.sivu, args...).CombinedOutput(); err == nil || !strings.Contains(string(said), "run sivu recover") {
				t.Errorf("%s of a commit that is not finished: %v: %s", args[0], err, said)
			}
		}
	default:
		differ(t, "the build failed", now, f.old, true)
	}
	walkAsClient(t, out, nothing)
	if p.n%3 == 0 {
		if said, err := exec.Command(f.sivu, "recover", "--out", out).CombinedOutput(); err != nil {
			t.Errorf("recover: %v: %s", err, said)
		}
		if now := f.read(out); !now.equals(f.old) && !now.equals(f.fresh) {
			t.Errorf("what was recovered is neither the old nor the new snapshot")
		}
	}
	if said, err := exec.Command(f.sivu, f.args(worker, "--report", f.report(worker, "second"))...).CombinedOutput(); err != nil {
		t.Errorf("the next build: %v: %s", err, said)
	}
	now = f.read(out)
	differ(t, "the next build", now, f.fresh, false)
	for name, file := range f.fresh {
		if old, ok := f.old[name]; ok && old.data == file.data && !now[name].modified.Equal(old.modified) {
			t.Errorf("%s has another time, and the same bytes", name)
		}
	}
	if left := f.inState(worker); !slices.Equal(left, f.state) {
		t.Errorf(".sivu holds %q, not %q", left, f.state)
	}
	f.checkReports(t, worker)
}

// isPending reports whether a commit has begun that is not finished.
func (f *faulted) isPending(out string) bool {
	_, err := os.Lstat(filepath.Join(out, ".sivu", "commit"))
	return err == nil
}

// hit returns the call that was failed.
func (f *faulted) hit(worker int) string {
	log, _ := os.ReadFile(f.log(worker))
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "<== HIT") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// checkFiles checks what a build leaves that was killed: every file is of the old or
// the new snapshot, and none of both is missing.
func (f *faulted) checkFiles(t testing.TB, now faultTree) {
	for name, file := range now {
		if strings.HasSuffix(name, "/") {
			continue
		}
		old, wasThere := f.old[name]
		next, isDue := f.fresh[name]
		if !(wasThere && old.data == file.data) && !(isDue && next.data == file.data) {
			t.Errorf("%s is of neither snapshot", name)
		}
	}
	for name := range f.old {
		_, isDue := f.fresh[name]
		if _, isThere := now[name]; isDue && !isThere {
			t.Errorf("%s is missing", name)
		}
	}
}

// checkReports makes sure that one of both reports tells of everything that changed.
func (f *faulted) checkReports(t testing.TB, worker int) {
	var first struct{ Published bool }
	if data, err := os.ReadFile(f.report(worker, "first")); err == nil && json.Unmarshal(data, &first) == nil && first.Published {
		return
	}
	var second struct {
		Changes struct{ Added, Changed, Removed []string }
	}
	data, err := os.ReadFile(f.report(worker, "second"))
	if err == nil {
		err = json.Unmarshal(data, &second)
	}
	if err != nil {
		t.Errorf("the second report: %v", err)
		return
	}
	told := slices.Concat(second.Changes.Added, second.Changes.Changed, second.Changes.Removed)
	for _, name := range slices.Concat(slices.Collect(maps.Keys(f.old)), slices.Collect(maps.Keys(f.fresh))) {
		old, wasThere := f.old[name]
		next, isDue := f.fresh[name]
		if (wasThere != isDue || old.data != next.data) && !slices.Contains(told, name) {
			t.Errorf("no report tells of %s", name)
		}
	}
}

// reset makes the output folder the old snapshot.
func (f *faulted) reset(worker int) {
	out := f.place(worker)
	for _, name := range []string{out, f.report(worker, "first"), f.report(worker, "second")} {
		if err := os.RemoveAll(name); err != nil {
			f.t.Fatal(err)
		}
	}
	from := filepath.Join(f.dir, "old")
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(out, strings.TrimPrefix(name, from))
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(to, info.Mode().Perm())
		}
		data, err := os.ReadFile(name)
		return errors.Join(err, os.WriteFile(to, data, info.Mode().Perm()), os.Chtimes(to, info.ModTime(), info.ModTime()))
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// read returns what lies in an output folder, .sivu left out.
func (f *faulted) read(out string) faultTree {
	tree := faultTree{}
	err := filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(out, name)
		if rel == ".sivu" {
			return fs.SkipDir
		}
		if d.IsDir() {
			if entries, err := os.ReadDir(name); err != nil || len(entries) > 0 {
				return err
			}
			tree[rel+"/"] = faultFile{}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		tree[rel] = faultFile{string(data), info.ModTime()}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return tree
}

// inState returns the names in .sivu but those of logs, which come and go.
func (f *faulted) inState(worker int) (names []string) {
	entries, err := os.ReadDir(filepath.Join(f.place(worker), ".sivu"))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".log" {
			names = append(names, e.Name())
		}
	}
	return names
}

func (tree faultTree) equals(other faultTree) bool {
	return maps.EqualFunc(tree, other, func(a, b faultFile) bool { return a.data == b.data })
}

// differ reports how two folders differ, in bytes, and if it is asked for, in times.
func differ(t testing.TB, what string, now, want faultTree, withTimes bool) {
	t.Helper()
	var said bytes.Buffer
	for name, file := range now {
		due, ok := want[name]
		switch {
		case !ok:
			fmt.Fprintf(&said, " %s is there;", name)
		case due.data != file.data:
			fmt.Fprintf(&said, " %s differs;", name)
		case withTimes && !due.modified.Equal(file.modified):
			fmt.Fprintf(&said, " %s has another time;", name)
		}
	}
	for name := range want {
		if _, ok := now[name]; !ok {
			fmt.Fprintf(&said, " %s is missing;", name)
		}
	}
	if said.Len() > 0 {
		t.Errorf("%s, and in the folder%s", what, said.String())
	}
}

// TestUnflushedReport has a report that does not get to the disk: the build fails, and
// the next one reports the same again.
func TestUnflushedReport(t *testing.T) {
	finj := faultInjector(t)
	dir := memoryDir(t)
	content, out, reports := filepath.Join(dir, "content"), filepath.Join(dir, "out"), filepath.Join(dir, "reports")
	pagesOf(t, content, 3, 0)
	sivu := filepath.Join(dir, "sivu")
	if text, err := exec.Command("go", "build", "-o", sivu, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := os.Mkdir(reports, 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{sivu, "build", "--quiet", "--content", content, "--out", out, "--report", filepath.Join(reports, "report.json")}
	for n, what := range []string{"the file", "the folder"} {
		said, err := exec.Command(finj, slices.Concat([]string{"-u", reports, "-s", "fsync", "-n", strconv.Itoa(n + 1), "-e", "EIO", "--"}, args)...).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "the build is done, but not its report") {
			t.Errorf("flushing %s failed, and sivu said %q (%v)", what, said, err)
		}
	}
	if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(reports, "report.json"))
	var report struct{ Changes struct{ Added []string } }
	if err := errors.Join(err, json.Unmarshal(text, &report)); err != nil {
		t.Fatal(err)
	}
	if len(report.Changes.Added) == 0 {
		t.Error("the next report tells of nothing")
	}
	if names, err := os.ReadDir(reports); err != nil || len(names) != 1 {
		t.Errorf("beside the report: %v (%v)", names, err)
	}
}
