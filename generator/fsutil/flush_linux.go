package fsutil

import (
	"os"

	"golang.org/x/sys/unix"
)

func flushSystem(f *os.File) error {
	return ignoringEINTR(func() error { return unix.Syncfs(int(f.Fd())) })
}
