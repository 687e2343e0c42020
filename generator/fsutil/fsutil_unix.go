//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fsutil

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// TryLock takes the lock on an open file without waiting; any number can share it. The
// kernel lets go of it when the process ends, however it ends. A file system without
// such locks guards nothing.
func TryLock(f *os.File, shared bool) error {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	err := ignoringEINTR(func() error { return unix.Flock(int(f.Fd()), how|unix.LOCK_NB) })
	switch {
	case err == unix.EWOULDBLOCK:
		return ErrLocked
	case errors.Is(err, errors.ErrUnsupported), err == unix.ENOLCK:
		return nil
	}
	return err
}

// RemoveLocked removes the file of a lock that is held, and ends the lock. Whoever has
// opened it meanwhile sees, once it has the lock, that the file is gone.
func RemoveLocked(f *os.File, remove func() error) error {
	return errors.Join(remove(), Unlock(f))
}

// Unlock ends a lock that is held, and closes its file. To close it alone is not enough: a
// process that is just being started has it open, too, until it runs its program.
func Unlock(f *os.File) error {
	unix.Flock(int(f.Fd()), unix.LOCK_UN)
	return f.Close()
}

// flushFile hands a file to the device. That macOS writes it down, too, is asked for once,
// for all files: os.File.Sync does that, and takes its time.
func flushFile(f *os.File) error {
	return ignoringEINTR(func() error { return unix.Fsync(int(f.Fd())) })
}

// Retry calls f. Nothing else has to be waited for here.
func Retry(f func() error) error { return f() }

// CheckWritable returns an error where this user must not make or remove files in an
// open folder, or one below it.
func CheckWritable(folder *os.File, name string) error {
	return ignoringEINTR(func() error {
		err := unix.Faccessat(int(folder.Fd()), name, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
		if errors.Is(err, errors.ErrUnsupported) || err == unix.EINVAL {
			return nil
		}
		return err
	})
}

func ignoringEINTR(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
