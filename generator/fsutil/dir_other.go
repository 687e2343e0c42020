//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fsutil

import (
	"io/fs"
	"os"
	"time"
)

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
