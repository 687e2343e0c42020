package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

var (
	// ErrLocked is wrapped by the error of [Open] while another build is at work
	// on the folder. Dry runs keep only builds out, and not each other.
	ErrLocked = errors.New("another build is at work on it")

	// ErrDamaged is wrapped by the error of [ReadManifest] where the manifest is
	// not as sivu wrote it.
	ErrDamaged = errors.New("the manifest is damaged")

	errForeign    = errors.New("is not empty and sivu never wrote to it")
	errNotRegular = errors.New("not a regular file")
	errNotFolder  = errors.New("not a folder")
)

// asItWas ends the message of every failure that left nothing behind.
const asItWas = "the output folder is as it was"

// problem says what could not be done to the path below the output folder,
// why, and what to do about it.
func problem(verb, path string, err error) error {
	err = Reason(err)
	if c := cure(err); c != "" {
		return fmt.Errorf("cannot %s %s: %w; %s", verb, path, err, c)
	}
	return fmt.Errorf("cannot %s %s: %w", verb, path, err)
}

// Reason strips err of the paths that the os package puts around it.
func Reason(err error) error {
	for {
		switch e := err.(type) {
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		case *openError:
			err = e.error
		default:
			return err
		}
	}
}

func cure(err error) string {
	switch {
	case errors.Is(err, errNotRegular), errors.Is(err, errNotFolder):
		return "sivu did not write it: remove it or move it away"
	case IsFull(err):
		return "free some space there and build again"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only: choose another output folder"
	case errors.Is(err, fs.ErrPermission):
		return "make it writable for the user who runs sivu"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "raise the limit of open files"
	case errors.Is(err, syscall.EXDEV):
		return "the output folder must lie on one file system: mount nothing in it"
	case errors.Is(err, syscall.EIO):
		return "the disk or its connection fails: check it"
	}
	return ""
}
