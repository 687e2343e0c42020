package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"example.org/sivu/generator/folder"
)

// withCure says why something failed, and what to do about it.
func withCure(err error) error {
	err = folder.Reason(err)
	switch {
	case folder.IsFull(err):
		return fmt.Errorf("%w; free some space there and build again", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; make the folder writable for the user who runs sivu", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; choose another place", err)
	}
	return err
}
