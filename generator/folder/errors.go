package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

var (
	// ErrLocked is wrapped by the error of [Open] while another build is at work
	// on the folder. Those who only read keep builds out, and not each other.
	ErrLocked = errors.New("another build is at work on it")

	// ErrPending is wrapped by the errors of those who only read a folder while the
	// commit of a build that was cut off is not finished.
	ErrPending = errors.New("a build was cut off while it published")

	// ErrDamaged is wrapped by the error of [ReadManifest] where the manifest is
	// not as sivu wrote it.
	ErrDamaged = tree.ErrDamaged

	errForeign    = errors.New("is not empty and sivu never wrote to it")
	errNotRegular = fsutil.ErrNotRegular
	errNotFolder  = errors.New("not a folder")
)

func errPending(out string) error {
	return fmt.Errorf("the output folder %[1]q is not complete: %[2]w; to finish it run sivu recover %[1]q, or sivu build --out %[1]q", out, ErrPending)
}

// asItWas ends the message of every failure that left nothing behind.
const asItWas = "the output folder is as it was"

// problem is the error of an operation on a path below the output folder, with a cure
// where there is one.
func problem(verb, path string, err error) error {
	err = fsutil.Reason(err)
	if c := cure(err); c != "" {
		return fmt.Errorf("cannot %s %s: %w; %s", verb, path, err, c)
	}
	return fmt.Errorf("cannot %s %s: %w", verb, path, err)
}

func cure(err error) string {
	switch {
	case errors.Is(err, errNotRegular), errors.Is(err, errNotFolder):
		return "sivu did not write it: remove it or move it away"
	case fsutil.IsFull(err):
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
