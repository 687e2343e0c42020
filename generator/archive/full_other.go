//go:build !windows

package archive

import (
	"errors"
	"syscall"
)

// isFull reports whether err means that there is no space left.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
