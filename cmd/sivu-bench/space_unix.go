//go:build darwin || freebsd || linux

package main

import (
	"math"

	"golang.org/x/sys/unix"
)

// free returns how many bytes and how many files the file system of a folder
// still takes.
func free(dir string) (bytes, files int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	files = int64(s.Ffree)
	if s.Files == 0 { // it does not count them
		files = math.MaxInt64
	}
	return int64(s.Bavail) * int64(s.Bsize), files, nil
}
