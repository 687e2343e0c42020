package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOpen takes the lock on an open file without waiting. Those who only look
// can share it. The system lets go of it when the process ends, however it ends.
// A file system without such locks guards nothing.
func lockOpen(f *os.File, shared bool) error {
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

// removeLocked removes a lock file that is held. An open file cannot be
// removed here, and one that another build has opened meanwhile stays.
func removeLocked(root *disk, f *os.File) {
	f.Close()
	root.Remove(lockFile)
}
