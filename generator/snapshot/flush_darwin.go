package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	canFlushSystem  = false
	canFlushFolders = true
	mustFlushDevice = true
)

// flushFile hands a file to the device. That the device writes it down is asked for
// once, for all files: os.File.Sync does that, and takes its time.
func flushFile(f *os.File) error {
	return retry(func() error { return unix.Fsync(int(f.Fd())) })
}

func flushSystem(*os.File) error { return errors.ErrUnsupported }
