//go:build linux || darwin || freebsd

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A corpus that is made while it is read is the one on disk.
func TestCorpusFS(t *testing.T) {
	const n = 36
	dir := t.TempDir()
	if err := makeCorpus(dir, n); err != nil {
		t.Fatal(err)
	}
	made, onDisk := newCorpusFS(n), os.DirFS(dir)
	folders, err := made.ReadDir(".")
	if err != nil || len(folders) != len(languages) {
		t.Fatalf("there are %d folders: %v", len(folders), err)
	}
	pages := 0
	for _, folder := range folders {
		list, err := made.ReadDir(folder.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			pages++
			name := folder.Name() + "/" + d.Name()
			want, errWant := fs.ReadFile(onDisk, name)
			got, err := fs.ReadFile(made, name)
			if err != nil || errWant != nil || !bytes.Equal(got, want) {
				t.Errorf("%s has other bytes than on disk: %v, %v", name, err, errWant)
			}
		}
	}
	if pages != n {
		t.Errorf("there are %d pages", pages)
	}
	site, err := fs.ReadFile(made, "site.yaml")
	if want, _ := fs.ReadFile(onDisk, "site.yaml"); err != nil || !bytes.Equal(site, want) {
		t.Errorf("site.yaml: %v", err)
	}
	for _, name := range []string{"fi/topic-000003.md", "fi/topic-1.md", "xx/topic-000000.md", "fi/other.md", "fi/topic-0-0001.md"} {
		if _, err := made.Open(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// All of it, with a real program, and nothing is left.
func TestMillion(t *testing.T) {
	var printed strings.Builder
	b := &bench{dir: t.TempDir(), out: &printed}
	if err := b.measureMillion(t.Context(), 36); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"36 records, made while they are read; one run\n  build  ", "\n  rebuild  ", "\n  peak memory, rebuilds included: "} {
		if !strings.Contains(printed.String(), part) {
			t.Errorf("it printed %q, without %q", printed.String(), part)
		}
	}
	if left, err := os.ReadDir(b.dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v: %v", left, err)
	}
}

// The child builds all of it.
func TestRunMillion(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if err := runMillion(t.Context(), out, "36"); err != nil {
		t.Fatal(err)
	}
	if files := filesOf(t, out); len(files) != 36*2+4*2+2+2 {
		t.Errorf("there are %d files", len(files))
	}
}

// What does not fit is not begun.
func TestSpace(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	if err := b.checkSpace(12); err != nil {
		t.Error(err)
	}
	err := b.measureMillion(t.Context(), 1_200_000_000_000)
	if err == nil || !strings.Contains(err.Error(), "needs up to 29491200.0 GB and 3900000000000 files and folders") ||
		!strings.HasSuffix(err.Error(), "name another folder, as in make bench BENCH_N=1200000000000 BENCH_DIR=/var/tmp/sivu-bench") {
		t.Errorf("got error %v", err)
	}
}
