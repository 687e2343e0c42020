package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDiffApplied turns an old folder into a new one by what the JSON lists, with the
// files of the new one, and compares the two with diff -r.
func TestDiffApplied(t *testing.T) {
	t.Parallel()
	dir, program := t.TempDir(), sivuProgram(t)
	run := func(args ...string) []byte {
		t.Helper()
		command := exec.Command(program, args...)
		command.Dir = dir
		var stderr bytes.Buffer
		command.Stderr = &stderr
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
		return out
	}
	content := filepath.Join(dir, "content")
	if err := os.CopyFS(content, os.DirFS("../../content")); err != nil {
		t.Fatal(err)
	}
	build := func(out string) {
		run("build", "--content", content, "--out", out, "--base-url", "https://api.example.org/v1", "--quiet", "--precompress", "gz")
	}
	build("old")
	for _, name := range []string{"fi/tyo.md", "so/koulu.md"} {
		if err := os.Remove(filepath.Join(content, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(content, "en/koulu.md"), filepath.Join(content, "en/school.md")); err != nil {
		t.Fatal(err)
	}
	build("new")
	var report struct {
		Files []struct{ Path, Operation string }
	}
	if err := json.Unmarshal(run("diff", "old", "new", "--format", "json"), &report); err != nil || len(report.Files) == 0 {
		t.Fatalf("%v: %d files", err, len(report.Files))
	}
	for _, f := range report.Files {
		to := filepath.Join(dir, "old", f.Path)
		if f.Operation == "removed" {
			if err := os.Remove(to); err != nil {
				t.Error(err)
			}
			os.Remove(filepath.Dir(to)) // fails while anything is in it
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "new", f.Path))
		if err != nil {
			t.Fatal(err)
		}
		writePublic(t, to, string(data))
	}
	if out, err := exec.Command("diff", "-r", "--exclude=.sivu", filepath.Join(dir, "old"), filepath.Join(dir, "new")).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
