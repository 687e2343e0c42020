//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fsutil

import (
	"io/fs"
	"os"
	"time"
)

// Dir is an open folder.
type Dir struct{ root *os.Root }

// OpenDir returns the folder of root, which stays open as long as the folder is used.
func OpenDir(root *os.Root) (*Dir, error) { return &Dir{root}, nil }

// Close does nothing: root is closed by its owner.
func (d *Dir) Close() error { return nil }

// Mkdir makes a folder.
func (d *Dir) Mkdir(name string, mode fs.FileMode) error { return d.root.Mkdir(name, mode) }

// Create creates a file to write to. The error wraps [fs.ErrExist] where anything has its
// name.
func (d *Dir) Create(name string, mode fs.FileMode) (RawFile, error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return RawFile{f}, err
}

// Append appends the bytes of a regular file. The error is [ErrNotRegular] where something
// else has its name.
func (d *Dir) Append(dst []byte, name string) ([]byte, error) {
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
func (d *Dir) SetModTime(name string, t time.Time) error { return d.root.Chtimes(name, t, t) }

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

// Mover moves what lies in one folder to another of the same file system.
type Mover struct {
	root     *os.Root
	from, to string
}

// NewMover returns a mover between two folders below root.
func NewMover(root *os.Root, from, to string) (*Mover, error) {
	for _, name := range []string{from, to} {
		if _, err := root.Stat(name); err != nil {
			return nil, err
		}
	}
	return &Mover{root, from, to}, nil
}

// Move moves a file or folder, which keeps its name. A file of that name is replaced.
func (m *Mover) Move(name string) error { return m.root.Rename(m.from+"/"+name, m.to+"/"+name) }

// Close does nothing.
func (m *Mover) Close() {}
