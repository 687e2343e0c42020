package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A corpus that is made while it is read is the one on disk.
func TestMadeCorpus(t *testing.T) {
	const n = 36
	dir := t.TempDir()
	if err := makeCorpus(dir, n); err != nil {
		t.Fatal(err)
	}
	made, onDisk := newMadeFS(n), os.DirFS(dir)
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

// The child builds all of it, into a folder and into an archive.
func TestMadeBuild(t *testing.T) {
	for _, out := range []string{"out", "out.tar.zst"} {
		var printed strings.Builder
		name := filepath.Join(t.TempDir(), out)
		if err := runMade(t.Context(), name, "36", &printed); err != nil {
			t.Fatal(err)
		}
		var files, size int64
		if _, err := fmt.Sscan(printed.String(), &files, &size); err != nil || files != 36*2+4*2+2+2 || size < 36*2*pageBytes {
			t.Errorf("it printed %q: %v", printed.String(), err)
		}
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if err := runSources("36"); err != nil {
		t.Error(err)
	}
}

// What does not fit is not begun.
func TestSpace(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	if err := b.checkSpace(12); err != nil {
		t.Error(err)
	}
	err := b.measureMade(t.Context(), 1_200_000_000_000)
	if err == nil || !strings.Contains(err.Error(), "needs up to 29491200.0 GB and 3900000000000 files and folders") ||
		!strings.HasSuffix(err.Error(), "name another folder, as in make bench BENCH_N=1200000000000 BENCH_DIR=/var/tmp/sivu-bench") {
		t.Errorf("got error %v", err)
	}
}
