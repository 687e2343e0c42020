//go:build !linux && !darwin

package fsutil

import (
	"errors"
	"os"
)

// CanFlushSystem says whether a whole file system can be flushed at once.
const CanFlushSystem = false

const mustFlushDevice = false

func flushFile(f *os.File) error { return f.Sync() }

func flushSystem(*os.File) error { return errors.ErrUnsupported }
