package snapshot

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
