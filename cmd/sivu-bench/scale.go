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

// peaks are the most bytes of memory that a build of so many records may need.
var peaks = map[int]int64{100_008: 120e6, 1_000_008: 1000e6}

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
	fmt.Printf("%d records, made while they are read; one run of each size\n", n)
	fmt.Printf("  %9s %10s %12s %12s %9s %10s %10s\n", "records", "wall s", "us CPU each", "of it making", "peak MB", "files", "output MB")
	var over []error
	for _, size := range sizes {
		peak, err := b.measureSize(ctx, size)
		if err != nil {
			return err
		}
		if most, ok := peaks[size]; ok && peak > most {
			over = append(over, fmt.Errorf("%d records need %.0f MB of memory, and may need %.0f MB", size, float64(peak)/1e6, float64(most)/1e6))
		}
	}
	return errors.Join(over...)
}

// measureSize builds a snapshot of made pages, and returns the memory it took.
func (b *bench) measureSize(ctx context.Context, n int) (peak int64, err error) {
	out := filepath.Join(b.dir, "out")
	defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	if err := os.RemoveAll(out); err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	sources, _, err := timed(ctx, self, "sources", strconv.Itoa(n))
	if err != nil {
		return 0, err
	}
	f, printed, err := timed(ctx, self, "made", out, strconv.Itoa(n))
	if err != nil {
		return 0, err
	}
	var files, bytes int64
	if _, err := fmt.Sscan(printed, &files, &bytes); err != nil {
		return 0, fmt.Errorf("the build printed %q: %w", printed, err)
	}
	each := func(f figures) float64 { return float64(f.cpu.Microseconds()) / float64(n) }
	fmt.Printf("  %9d %10.1f %12.1f %12.1f %9.1f %10d %10.1f\n",
		n, f.wall.Seconds(), each(f), each(sources), float64(f.peak)/1e6, files, float64(bytes)/1e6)
	return f.peak, nil
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
