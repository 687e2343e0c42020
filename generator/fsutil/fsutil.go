// Package fsutil has the few operations on files that the os package lacks, for all
// packages that write: locks that end with their holder, flushing, files that are
// replaced whole, the relation of two folders, and reasons without paths.
package fsutil

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
)

// ErrNotRegular means that a name is that of a folder, a symlink, a device or the like.
var ErrNotRegular = errors.New("not a regular file")

// ErrLocked is returned by [TryLock] where another process holds the lock.
var ErrLocked = errors.New("the file is locked")

// Reason returns err without the paths that the os package puts around it.
func Reason(err error) error {
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

// IgnoreMissing returns nil where err says that something does not exist, and err else.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// AppendAll appends all that can be read from r, which may be of this size.
func AppendAll(dst []byte, r io.Reader, size int64) ([]byte, error) {
	dst = slices.Grow(dst, int(size)+1)
	for {
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = slices.Grow(dst[:len(dst)+n], 1)
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// Resolve returns the absolute path of a file or folder with its symlinks followed, as
// far as it exists.
func Resolve(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if parent := filepath.Dir(full); errors.Is(err, fs.ErrNotExist) && parent != full {
		real, err = Resolve(parent)
		return filepath.Join(real, filepath.Base(full)), err
	}
	return real, err
}

// IsSame reports whether two paths lead to one file or folder, also by another
// spelling, as on a file system that does not tell the case of letters apart.
func IsSame(a, b string) (bool, error) {
	if a == b {
		return true, nil
	}
	var infos [2]fs.FileInfo
	for i, name := range []string{a, b} {
		var err error
		if infos[i], err = os.Stat(name); err != nil {
			return false, IgnoreMissing(err)
		}
	}
	return os.SameFile(infos[0], infos[1]), nil
}

// LiesIn reports whether a path that [Resolve] returned lies somewhere below a folder.
func LiesIn(path, folder string) (bool, error) {
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if same, err := IsSame(parent, folder); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

const (
	// CanFlushSystem says whether a whole file system can be flushed at once.
	CanFlushSystem = runtime.GOOS == "linux"
	// CanFlushFolders says whether folders can be flushed.
	CanFlushFolders = runtime.GOOS != "windows" && runtime.GOOS != "plan9"
)

// Flush flushes an open file, as far as its file system can.
func Flush(f *os.File) error { return canNot(flushFile(f)) }

// FlushFolder flushes a folder, as far as its file system can. One that this user must
// not read cannot be.
func FlushFolder(name string) error {
	if !CanFlushFolders {
		return nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(Flush(f), f.Close())
}

// FlushSystem flushes the whole file system that an open file lies on, where
// [CanFlushSystem] says so.
func FlushSystem(f *os.File) error { return canNot(flushSystem(f)) }

// FlushDevice makes the device write down the data that [Flush] handed to it, where that
// is not the same. It is needed once after any number of files.
func FlushDevice(f *os.File) error {
	if runtime.GOOS != "darwin" {
		return nil
	}
	return canNot(f.Sync())
}

// canNot passes over the errors of file systems that cannot flush such a thing.
func canNot(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// NewFile is a file in the making, under a name of its own beside the one that it is
// for, so that this never leads to a part of it. One of Commit and Abort ends it.
type NewFile struct {
	*os.File
	target string
}

// Create begins a file that takes the place of target, under the name temp in the same
// folder. Whatever has that name is removed, and never written through.
func Create(target, temp string, mode fs.FileMode) (*NewFile, error) {
	name := filepath.Join(filepath.Dir(target), temp)
	if err := IgnoreMissing(os.Remove(name)); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return &NewFile{f, target}, nil
}

// Commit closes the file and puts it in its place. With flush, both the file and its name
// are on the disk when it returns. After an error the old file stays.
func (f *NewFile) Commit(flush bool) error {
	var err error
	if flush {
		err = errors.Join(Flush(f.File), FlushDevice(f.File))
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = Retry(func() error { return os.Rename(f.Name(), f.target) })
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if flush {
		return FlushFolder(filepath.Dir(f.target))
	}
	return nil
}

// Abort removes the file. After Commit it must not be called.
func (f *NewFile) Abort() {
	f.Close()
	os.Remove(f.Name())
}
