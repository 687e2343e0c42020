//go:build !linux && !darwin

package snapshot

import (
	"errors"
	"os"
	"runtime"
)

const (
	canFlushSystem  = false
	canFlushFolders = runtime.GOOS != "windows" && runtime.GOOS != "plan9"
	mustFlushDevice = false
)

func flushFile(f *os.File) error { return f.Sync() }

func flushSystem(*os.File) error { return errors.ErrUnsupported }
