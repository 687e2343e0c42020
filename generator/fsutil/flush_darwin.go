package fsutil

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// CanFlushSystem says whether a whole file system can be flushed at once.
const CanFlushSystem = false

const mustFlushDevice = true

// flushFile hands a file to the device. That the device writes it down is asked for
// once, for all files: os.File.Sync does that, and takes its time.
func flushFile(f *os.File) error {
	return ignoringEINTR(func() error { return unix.Fsync(int(f.Fd())) })
}

func flushSystem(*os.File) error { return errors.ErrUnsupported }
