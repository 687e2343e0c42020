//go:build linux || darwin || freebsd

package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/sivu/generator"
	"example.org/sivu/generator/work"
)

// onDisk is how many records a corpus on disk may have. Larger ones are made
// while they are read.
const onDisk = 200_000

// What a record needs of a disk, at most: two files and a folder in blocks of 4
// KiB, and its part of two list pages.
const (
	diskPerRecord  = 24 << 10
	filesPerRecord = 3.25
)

// measureMillion prints the figures of a build of pages that are made while they
// are read, and of a build after it. Each is run once, as it takes minutes.
func (b *bench) measureMillion(ctx context.Context, n int) (err error) {
	if err := b.checkSpace(n); err != nil {
		return err
	}
	out := filepath.Join(b.dir, "out")
	defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	self, err := os.Executable()
	if err == nil {
		err = os.RemoveAll(out)
	}
	if err != nil {
		return err
	}
	var r rounds
	for _, name := range []string{build, "rebuild"} {
		f, err := measured(ctx, self, "million", out, strconv.Itoa(n))
		if err != nil {
			return err
		}
		r.add(name, f)
	}
	fmt.Fprintf(b.out, "%d records, made while they are read; one run\n", n)
	r.print(b.out, n)
	b.judge(n, peak(n, &r))
	return nil
}

// runMillion builds the snapshot of n pages that are made while they are read into
// out, as sivu does.
func runMillion(ctx context.Context, out, size string) error {
	n, err := records(size)
	if err != nil {
		return err
	}
	work.TuneMemory(ctx)
	result, err := generator.Build(ctx, generator.Options{Content: "content", FS: newCorpusFS(n), Out: out})
	if err == nil && (result.Failed || result.Records != n) {
		err = fmt.Errorf("%d of %d records were built: %v", result.Records, n, result.Report.Diagnostics)
	}
	return err
}

// checkSpace refuses to begin what the disk cannot hold.
func (b *bench) checkSpace(n int) error {
	var s unix.Statfs_t
	if err := unix.Statfs(b.dir, &s); err != nil {
		return fmt.Errorf("cannot find out how much space there is in %q: %w", b.dir, err)
	}
	bytes, files := int64(s.Bavail)*int64(s.Bsize), int64(s.Ffree)
	if s.Files == 0 { // the file system does not count them
		files = math.MaxInt64
	}
	needBytes, needFiles := int64(n)*diskPerRecord, int64(float64(n)*filesPerRecord)
	if bytes < needBytes || files < needFiles {
		return fmt.Errorf("the snapshot of %d records needs up to %.1f GB and %d files and folders, and %q has room for %.1f GB and %d; name another folder, as in make bench BENCH_N=%d BENCH_DIR=/var/tmp/sivu-bench",
			n, float64(needBytes)/1e9, needFiles, b.dir, float64(bytes)/1e9, files, n)
	}
	return nil
}

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
