//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package archive

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold marks a file as one that is in use until it is closed, or its process
// ends. It reports false where another process holds it. A file system without
// such locks guards nothing.
func hold(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}

// removeLeft removes a file if no process holds it.
func removeLeft(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && isAt(f, name) {
		os.Remove(name)
	}
}

// moveIn renames an open file, which is held until its new name is its own, and
// closes it.
func moveIn(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	f.Close() // all of it is on the disk
	return nil
}

// syncFolder writes the names of a folder to the disk, where that is possible.
func syncFolder(name string) {
	if d, err := os.Open(name); err == nil {
		d.Sync()
		d.Close()
	}
}
