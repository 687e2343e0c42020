//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package archive

import (
	"os"
	"runtime"
)

// hold does nothing: on Windows a file that is open cannot be removed.
func hold(*os.File) bool { return true }

// removeLeft removes a file if no process has it open, as far as the system
// tells.
func removeLeft(name string) {
	if runtime.GOOS == "windows" {
		os.Remove(name)
	}
}

// moveIn closes a file and renames it, as one that is open cannot be.
func moveIn(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// syncFolder does nothing: these systems do not flush folders.
func syncFolder(string) {}
