package fsutil

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// TryLock takes the lock on an open file without waiting; any number can share it. The
// system lets go of it when the process ends, however it ends. A file system without
// such locks guards nothing.
func TryLock(f *os.File, shared bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	switch {
	case err == windows.ERROR_LOCK_VIOLATION, err == windows.ERROR_IO_PENDING:
		return ErrLocked
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	}
	return err
}

// RemoveLocked ends a lock that is held, and removes its file. An open file cannot be
// removed here, and one that another process has opened meanwhile stays.
func RemoveLocked(f *os.File, remove func() error) error {
	return errors.Join(f.Close(), remove())
}

func flushFile(f *os.File) error { return f.Sync() }

// Retry calls f again for two seconds where another program holds the file open without
// sharing it, as those do that look for viruses.
func Retry(f func() error) error {
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		err := f()
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
		if !held || pause > time.Second {
			return err
		}
		time.Sleep(pause)
	}
}

// CheckWritable returns nil: here only trying tells.
func CheckWritable(*os.File, string) error { return nil }
