//go:build !windows

package snapshot

import (
	"errors"
	"syscall"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
