package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Where the system has no room for watches, the preview says so, in the terminal
// and in the page browser, and edits are seen all the same.
func TestPreviewPolls(t *testing.T) {
	content := filepath.Join(t.TempDir(), "content")
	if err := os.CopyFS(content, os.DirFS("testdata/site/content")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", `echo 0 > /proc/sys/user/max_inotify_watches && exec sivu preview --addr 127.0.0.1:0 --content "$0"`, content)
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	p := startPreviewAs(t, command)
	const warning = "the system watches no more folders: changes are looked for every second, less often in large folders"
	see := func(path, want string) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			body := fetched(t, p.address+path)
			if strings.Contains(body, want) {
				return
			}
			if time.Since(begin) > time.Minute {
				t.Fatalf("%s has no %s:\n%s", path, want, body)
			}
		}
	}
	see("_preview/state.json", `"severity":"warning","rule":"slow-watch","message":"`+warning)
	if err := os.WriteFile(filepath.Join(content, "fi", "uusi.md"), []byte("---\ntitle: Aivan uusi\ncreated: 2026-11-20\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	see("pages/", "Aivan uusi")
	p.Process.Kill()
	p.Wait()
	want := "warning: " + warning + "\n    hint: raise the limit: sysctl fs.inotify.max_user_watches=524288\n"
	if errs := p.errs.String(); strings.Count(errs, want) != 1 {
		t.Errorf("standard error has\n%s", errs)
	}
}
