//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package fsutil

import (
	"errors"
	"os"
	"syscall"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) }

// TryLock does nothing: these systems have no lock that ends with its holder.
func TryLock(*os.File, bool) error { return nil }

// RemoveLocked removes the file of a lock.
func RemoveLocked(f *os.File, remove func() error) error { return errors.Join(f.Close(), remove()) }

func flushFile(f *os.File) error { return f.Sync() }

// Retry calls f. Nothing else has to be waited for here.
func Retry(f func() error) error { return f() }

// CheckWritable returns nil: here only trying tells.
func CheckWritable(*os.File, string) error { return nil }
