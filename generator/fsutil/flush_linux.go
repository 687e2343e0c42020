package fsutil

import (
	"os"

	"golang.org/x/sys/unix"
)

// CanFlushSystem says whether a whole file system can be flushed at once.
const CanFlushSystem = true

const mustFlushDevice = false

func flushFile(f *os.File) error { return f.Sync() }

func flushSystem(f *os.File) error {
	return ignoringEINTR(func() error { return unix.Syncfs(int(f.Fd())) })
}
