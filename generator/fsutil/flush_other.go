//go:build !linux

package fsutil

import (
	"errors"
	"os"
)

func flushSystem(*os.File) error { return errors.ErrUnsupported }
