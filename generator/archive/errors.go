package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// withCure says why something failed, and what to do about it.
func withCure(err error) error {
	err = reason(err)
	switch {
	case isFull(err):
		return fmt.Errorf("%w; free some space there and build again", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; make the folder writable for the user who runs sivu", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; choose another place", err)
	}
	return err
}

// reason strips err of the paths that the os package puts around it.
func reason(err error) error {
	for {
		switch e := err.(type) {
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		default:
			return err
		}
	}
}
