package snapshot

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	canFlushSystem  = true
	canFlushFolders = true
	mustFlushDevice = false
)

func flushFile(f *os.File) error { return f.Sync() }

// flushSystem flushes the file system that an open file lies on.
func flushSystem(f *os.File) error {
	return retry(func() error { return unix.Syncfs(int(f.Fd())) })
}
