//go:build unix

package fsutil

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is being started has every open file of the one that starts it.
func TestUnlockBesideACopy(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		must(t, err)
		files[i] = f
	}
	defer files[1].Close()
	must(t, TryLock(files[0], false))
	inherited, err := unix.Dup(int(files[0].Fd()))
	must(t, err)
	defer unix.Close(inherited)
	must(t, Unlock(files[0]))
	must(t, TryLock(files[1], false))
}
