//go:build linux || darwin || freebsd

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

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
