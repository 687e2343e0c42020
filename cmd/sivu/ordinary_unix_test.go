//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// ordinaryUser runs sivu as a user whom permissions bind, also where the tests run
// as root.
type ordinaryUser struct {
	t    *testing.T
	sivu string
	dir  string // that user's own
}

func newOrdinaryUser(t *testing.T) *ordinaryUser {
	t.Helper()
	u := &ordinaryUser{t: t, sivu: "sivu", dir: t.TempDir()}
	if os.Geteuid() != 0 {
		return u
	}
	for dir := u.dir; dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The program of the tests lies where only root may look.
	program, err := os.Executable()
	if err == nil {
		u.sivu = filepath.Join(u.dir, "sivu")
		if err = os.Link(program, u.sivu); err != nil {
			err = copyProgram(program, u.sivu)
		}
	}
	if err == nil {
		u.dir = filepath.Join(u.dir, "home")
		err = errors.Join(os.Mkdir(u.dir, 0o755), os.Chown(u.dir, nobody, nobody))
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const nobody = 65534

func copyProgram(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// run runs a command of sivu in that user's folder, and returns what it said and
// its exit status.
func (u *ordinaryUser) run(args ...string) (said string, status int) {
	u.t.Helper()
	command := exec.Command(u.sivu, args...)
	command.Dir = u.dir
	if os.Geteuid() == 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	text, err := command.CombinedOutput()
	if command.ProcessState == nil {
		u.t.Fatalf("sivu does not start as an ordinary user: %v", err)
	}
	return string(text), command.ProcessState.ExitCode()
}

// write writes a file into that user's folder.
func (u *ordinaryUser) write(name, text string) {
	u.t.Helper()
	name = filepath.Join(u.dir, name)
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil {
		u.t.Fatal(err)
	}
}

// TestWithdrawnPageThatCannotBeSeen withdraws a page whose folder in the output
// cannot be looked into. Nothing is published until it can be removed.
func TestWithdrawnPageThatCannotBeSeen(t *testing.T) {
	t.Parallel()
	u := newOrdinaryUser(t)
	u.write("c/site.yaml", "base_url: https://api.example.org\nlanguages: [fi]\ndates: [fields]\n")
	const first, second = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
	for name, id := range map[string]string{"1": first, "2": second} {
		u.write("c/fi/"+name+".md", "---\nid: "+id+"\ncreated: 2020-01-01\nmodified: 2020-01-01\ntitle: T"+name+"\n---\nx\n")
	}
	if said, status := u.run("build", "--content", "c", "--out", "out", "--quiet"); status != exitDone {
		t.Fatalf("exit status %d: %s", status, said)
	}
	out := filepath.Join(u.dir, "out")
	before := snapshotOf(t, out)
	folder := filepath.Join(out, "pages", first)
	if err := errors.Join(os.Chmod(folder, 0), os.Remove(filepath.Join(u.dir, "c", "fi", "1.md"))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(folder, 0o755) })
	for _, flag := range []string{"--full=false", "--full"} {
		said, status := u.run("build", "--content", "c", "--out", "out", "--quiet", flag)
		if status != exitFailed || !strings.Contains(said, "pages/"+first) || !strings.Contains(said, "permission denied") {
			t.Errorf("with %s: exit status %d, %q", flag, status, said)
		}
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if after := snapshotOf(t, out); len(after) != len(before) || after["pages/index.json"] != before["pages/index.json"] {
		t.Errorf("a failed build changed the snapshot: %d files, not %d", len(after), len(before))
	}
	if said, status := u.run("build", "--content", "c", "--out", "out", "--quiet"); status != exitDone {
		t.Errorf("exit status %d: %s", status, said)
	}
	if _, err := os.Lstat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the withdrawn page is still there: %v", err)
	}
	if said, status := u.run("verify", "out"); status != exitDone {
		t.Errorf("verify: exit status %d: %s", status, said)
	}
}

// TestFileThatCannotBeRead names the file that the user has to make readable.
func TestFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	u := newOrdinaryUser(t)
	u.write("c/site.yaml", "base_url: https://api.example.org\nlanguages: [fi]\ndates: [fields]\n")
	u.write("c/fi/1.md", "---\nid: 00000000-0000-4000-8000-000000000001\ncreated: 2020-01-01\nmodified: 2020-01-01\ntitle: T\n---\nx\n")
	build := func(host string) (string, int) {
		return u.run("build", "--content", "c", "--out", "out", "--quiet", "--host", host)
	}
	if said, status := build("apache"); status != exitDone {
		t.Fatalf("exit status %d: %s", status, said)
	}
	if err := os.Chmod(filepath.Join(u.dir, "out", ".htaccess"), 0); err != nil {
		t.Fatal(err)
	}
	const want = "cannot read .htaccess: permission denied; make it writable for the user who runs sivu"
	if said, status := build("nginx"); status != exitFailed || !strings.Contains(said, want) {
		t.Errorf("exit status %d, %q", status, said)
	}
}
