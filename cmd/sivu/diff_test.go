package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestDiffBucket compares a folder with a bucket, before, in and after a publication.
func TestDiffBucket(t *testing.T) {
	t.Parallel()
	out, store := builtSite(t), newS3Server(t)
	run := func(failed bool, want string, args ...string) {
		t.Helper()
		if said, err := store.sivu(t, args...); (err != nil) != failed || !strings.Contains(said, want) {
			t.Errorf("%v: %s\nwant %q", err, said, want)
		}
	}
	run(true, "s3://bucket/v1 holds no snapshot", "diff", "s3://bucket/v1", out)
	run(false, "published to s3://bucket/v1", "publish", "s3://bucket/v1", "--from", out)
	run(false, "no difference: ", "diff", "s3://bucket/v1", out)

	content := filepath.Join(t.TempDir(), "content")
	if err := os.CopyFS(content, os.DirFS("testdata/site/content")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(content, "fi/asuminen.md")); err != nil {
		t.Fatal(err)
	}
	less := filepath.Join(t.TempDir(), "less")
	command(t, "build", "--quiet", "--content", content, "--out", less)
	run(false, "\nremoved  fi  ", "diff", "s3://bucket/v1", less)

	head := store.objects["v1/.sivu/head"]
	locked := strings.Replace(string(head.data), `"lock":null`, `"lock":{"nonce":"n","by":"me","since":"2026-01-02T03:04:05Z","lease":1,"plans":[]}`, 1)
	store.objects["v1/.sivu/head"] = s3Object{data: []byte(locked), written: time.Now()}
	run(true, "a publication is at work there, or did not end", "diff", "s3://bucket/v1", less)
	store.objects["v1/.sivu/head"] = head

	for name, object := range store.objects {
		if strings.HasPrefix(name, "v1/pages/") && strings.HasSuffix(name, "/index.json") {
			object.data = []byte(strings.Replace(string(object.data), "created", "treated", 1))
			store.objects[name] = object
		}
	}
	run(true, "it is not what sivu published there", "diff", "s3://bucket/v1", less)
}
