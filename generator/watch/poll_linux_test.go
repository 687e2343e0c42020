package watch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// limited runs a test again in a namespace of its own, in which a limit of inotify
// is so low. It reports whether this is that run.
func limited(t *testing.T, limit string, n int) bool {
	t.Helper()
	file := "/proc/sys/user/" + limit
	if os.Getenv("SIVU_TEST_LIMIT") == t.Name() {
		if err := os.WriteFile(file, []byte(strconv.Itoa(n)), 0); err != nil {
			t.Fatal(err)
		}
		return true
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	command.Env = append(os.Environ(), "SIVU_TEST_LIMIT="+t.Name())
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Skipf("there are no user namespaces here: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// Where watches run out from the start, the folder is polled.
func TestWatchesRunOut(t *testing.T) {
	t.Parallel()
	if !limited(t, "max_inotify_watches", 2) {
		return
	}
	w := watch(t, "", "fi/a.md", "sv/a.md", "en/a.md")
	if reason := w.Polls(); reason == nil || reason.Hint != "raise the limit: sysctl fs.inotify.max_user_watches=524288" {
		t.Fatalf("it polls because of %v", reason)
	}
	w.write(t, "en/a.md")
	w.expect(t, "en/a.md")
	w.rename(t, w.path("sv"), w.path("ar"))
	w.expect(t, "sv", "sv/a.md", "ar", "ar/a.md")
}

// Where they run out later, what changed meanwhile is not missed.
func TestWatchesRunOutLater(t *testing.T) {
	t.Parallel()
	if !limited(t, "max_inotify_watches", 3) {
		return
	}
	w := watch(t, "", "fi/a.md", "sv/a.md")
	if reason := w.Polls(); reason != nil {
		t.Fatalf("it polls because of %v", reason)
	}
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md")
	writeFile(t, filepath.Join(w.dir, "en", "a.md"), "")
	w.rename(t, filepath.Join(w.dir, "en"), w.path("en")) // at once, so that no later look finds the file
	for !slices.Contains(<-w.told, anything) {
	}
	if w.Polls() == nil {
		t.Fatal("it does not say that it polls")
	}
	w.write(t, "en/b.md")
	w.expect(t, "en/b.md")
}

// Where there is no watcher at all, too.
func TestWatchersRunOut(t *testing.T) {
	t.Parallel()
	if !limited(t, "max_inotify_instances", 0) {
		return
	}
	w := watch(t, "", "fi/a.md")
	if reason := w.Polls(); reason == nil {
		t.Fatal("it does not poll")
	}
	w.write(t, "fi/a.md")
	w.expect(t, "fi/a.md")
}
