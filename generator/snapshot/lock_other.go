//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package snapshot

import "os"

// lockOpen does nothing: these systems have no lock that ends with its holder.
func lockOpen(*os.File, bool) error { return nil }

func removeLocked(root *disk, f *os.File) {
	f.Close()
	root.Remove(lockFile)
}
