package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSmallDisk builds into a file system of 1 MB until it is full, and into one
// that became read-only: sivu says what is wrong and what to do, and the old snapshot
// is as it was.
func TestSmallDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount a small tmpfs (%v); run as root for this test", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	out := filepath.Join(dir, "public")
	small, large := t.TempDir(), t.TempDir()
	pagesOf(t, small, 20, 0)
	pagesOf(t, large, 500, 1)
	build := func(content string) (string, int) {
		command := exec.Command("sivu", "build", "--quiet", "--content", content, "--out", out)
		text, _ := command.CombinedOutput()
		return string(text), command.ProcessState.ExitCode()
	}
	if text, status := build(small); status != exitDone {
		t.Fatalf("exit status %d: %s", status, text)
	}
	before := snapshotOf(t, out)
	check := func(what, content string, want ...string) {
		t.Helper()
		text, status := build(content)
		if status != exitFailed {
			t.Errorf("%s: exit status %d, %q", what, status, text)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q does not say %q", what, text, part)
			}
		}
		if after := snapshotOf(t, out); !maps.Equal(after, before) {
			t.Errorf("%s: the snapshot is another", what)
		}
		walkAsClient(t, out, nothing)
	}
	check("full", large, "no space left on device; free some space there and build again (the output folder is as it was)")
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	check("read-only", large, "read-only file system; the file system is read-only: choose another output folder")
}
