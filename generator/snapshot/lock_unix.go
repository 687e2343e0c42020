//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockOpen takes the lock on an open file without waiting. Those who only look
// can share it. The kernel lets go of it when the process ends, however it ends.
// A file system without such locks guards nothing.
func lockOpen(f *os.File, shared bool) error {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	err := retry(func() error { return unix.Flock(int(f.Fd()), how|unix.LOCK_NB) })
	switch {
	case err == unix.EWOULDBLOCK:
		return ErrLocked
	case errors.Is(err, errors.ErrUnsupported), err == unix.ENOLCK:
		return nil
	}
	return err
}

// removeLocked removes a lock file that is held. Whoever opened it meanwhile
// sees, once it has the lock, that the file is gone.
func removeLocked(root *disk, f *os.File) {
	root.Remove(lockFile)
	f.Close()
}

// retry repeats a call that a signal interrupted, as the os package does.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
