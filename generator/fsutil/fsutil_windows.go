package fsutil

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// IsFull reports whether err means that there is no space left.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// TryLock takes the lock on an open file without waiting; any number can share it. The
// system lets go of it when the process ends, however it ends. A file system without
// such locks guards nothing.
func TryLock(f *os.File, shared bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	switch {
	case err == windows.ERROR_LOCK_VIOLATION, err == windows.ERROR_IO_PENDING:
		return ErrLocked
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	}
	return err
}

// RemoveLocked ends a lock that is held, and removes its file. An open file cannot be
// removed here, and one that another process has opened meanwhile stays.
func RemoveLocked(f *os.File, remove func() error) error {
	return errors.Join(f.Close(), remove())
}

// Unlock ends a lock that is held, and closes its file.
func Unlock(f *os.File) error { return f.Close() }

func flushFile(f *os.File) error { return f.Sync() }

// Retry calls f again for two seconds where another program holds the file open without
// sharing it, as those do that look for viruses.
func Retry(f func() error) error {
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		err := f()
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
		if !held || pause > time.Second {
			return err
		}
		time.Sleep(pause)
	}
}

// CheckWritable returns nil: here only trying tells.
func CheckWritable(*os.File, string) error { return nil }

// Dir is a folder below a root.
type Dir struct {
	root *os.Root
	name string
}

// OpenDir returns a folder below root, which stays open as long as the folder is used.
func OpenDir(root *os.Root, name string) (*Dir, error) {
	_, err := root.Stat(name)
	return &Dir{root, name}, err
}

// Close does nothing: root is closed by its owner.
func (d *Dir) Close() error { return nil }

// Mkdir makes a folder.
func (d *Dir) Mkdir(name string, mode fs.FileMode) error {
	return d.root.Mkdir(d.name+"/"+name, mode)
}

// Create creates a file to write to. The error wraps [fs.ErrExist] where anything has its
// name.
func (d *Dir) Create(name string, mode fs.FileMode) (RawFile, error) {
	f, err := d.root.OpenFile(d.name+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return RawFile{f}, err
}

// Append appends the bytes of a regular file. The error is [ErrNotRegular] where something
// else has its name.
func (d *Dir) Append(dst []byte, name string) ([]byte, error) {
	name = d.name + "/" + name
	info, err := d.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return dst, err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return dst, err
	}
	defer f.Close()
	return AppendAll(dst, f, info.Size())
}

// SetModTime sets when a file was last modified, and read.
func (d *Dir) SetModTime(name string, t time.Time) error {
	return d.root.Chtimes(d.name+"/"+name, t, t)
}

// Move moves a file or folder to another folder of the same root, and under the same name.
// A file of that name is replaced.
func (d *Dir) Move(name string, to *Dir) error {
	return d.root.Rename(d.name+"/"+name, to.name+"/"+name)
}

// RawFile is an open file. It has to be closed.
type RawFile struct{ *os.File }

// ModTime returns when the file was last modified.
func (f RawFile) ModTime() (time.Time, error) {
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
