package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// onDisk is how many records a corpus on disk may have. Larger ones are made
// while they are read.
const onDisk = 200_000

// curve are the sizes beside which a large corpus is measured: the same work, so
// that what it takes for a record can be compared.
var curve = []int{12_000, 100_008}

// What a record needs of a disk, at most: two files and a folder in blocks of 4
// KiB, and its part of two list pages.
const (
	diskPerRecord  = 24 << 10
	filesPerRecord = 3.25
)

// measureMade prints the figures of builds of made pages: one run of each size,
// as one takes minutes.
func (b *bench) measureMade(ctx context.Context, n int) error {
	if err := b.checkSpace(n); err != nil {
		return err
	}
	sizes := append(slices.DeleteFunc(slices.Clone(curve), func(size int) bool { return size >= n }), n)
	fmt.Fprintf(b.out, "%d records, made while they are read; one run of each size\n", n)
	fmt.Fprintf(b.out, "  %9s %10s %12s %12s %9s %10s %10s\n", "records", "wall s", "us CPU each", "of it making", "peak MB", "files", "output MB")
	results := make([]figures, len(sizes))
	for i, size := range sizes {
		var err error
		if results[i], err = b.measureSize(ctx, size); err != nil {
			return err
		}
	}
	for i, size := range sizes {
		if peaks[size] > 0 {
			fmt.Fprintf(b.out, "%d records\n", size)
			b.judge(size, memory(buildMemory, size, results[i:i+1]))
		}
	}
	return nil
}

// measureSize builds a snapshot of made pages, and returns what that took.
func (b *bench) measureSize(ctx context.Context, n int) (f figures, err error) {
	out := filepath.Join(b.dir, "out")
	defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	if err := os.RemoveAll(out); err != nil {
		return f, err
	}
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	sources, _, err := timed(ctx, self, "sources", strconv.Itoa(n))
	if err != nil {
		return f, err
	}
	f, printed, err := timed(ctx, self, "made", out, strconv.Itoa(n))
	if err != nil {
		return f, err
	}
	var files, bytes int64
	if _, err := fmt.Sscan(printed, &files, &bytes); err != nil {
		return f, fmt.Errorf("the build printed %q: %w", printed, err)
	}
	each := func(f figures) float64 { return float64(f.cpu.Microseconds()) / float64(n) }
	fmt.Fprintf(b.out, "  %9d %10.1f %12.1f %12.1f %9.1f %10d %10.1f\n",
		n, f.wall.Seconds(), each(f), each(sources), float64(f.peak)/1e6, files, float64(bytes)/1e6)
	return f, nil
}

// checkSpace refuses to begin what the disk cannot hold.
func (b *bench) checkSpace(n int) error {
	bytes, files, err := free(b.dir)
	if err != nil {
		return fmt.Errorf("cannot find out how much space there is in %q: %w", b.dir, err)
	}
	needBytes, needFiles := int64(n)*diskPerRecord, int64(float64(n)*filesPerRecord)
	if bytes < needBytes || files < needFiles {
		return fmt.Errorf("the snapshot of %d records needs up to %.1f GB and %d files and folders, and %q has room for %.1f GB and %d; name another folder, as in make bench BENCH_N=%d BENCH_DIR=/var/tmp/sivu-bench",
			n, float64(needBytes)/1e9, needFiles, b.dir, float64(bytes)/1e9, files, n)
	}
	return nil
}
