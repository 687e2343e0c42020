package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"reflect"
	"syscall"
)

// Folder is a content folder on disk, as the [fs.FS] of an [os.Root]: no symlink
// leads out of it. It is safe for concurrent use.
type Folder struct {
	rootFS
	root *os.Root
}

// rootFS are the interfaces of [os.Root.FS].
type rootFS interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
}

// OpenFolder opens a content folder, which may itself be a symlink. The error is
// a message for people.
func OpenFolder(dir string) (*Folder, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("content folder %q does not exist", dir)
	case err != nil:
		return nil, fmt.Errorf("content folder %q cannot be opened: %w", dir, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("content folder %q is not a folder", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("content folder %q cannot be opened: %w", dir, cause(err))
	}
	return &Folder{root.FS().(rootFS), root}, nil
}

// Close closes the folder, and none of those that Sub returned.
func (f *Folder) Close() error { return f.root.Close() }

// Open opens a file or folder. It does not wait for the writer of a FIFO.
func (f *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Sub returns a folder below this one as a [Folder], to be closed. Opening files
// in it saves the lookup of the folder. Symlinks that leave it cannot be followed.
func (f *Folder) Sub(name string) (fs.FS, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "sub", Path: name, Err: fs.ErrInvalid}
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root.FS().(rootFS), root}, nil
}

// opener opens files, and keeps the folder of the last one open: the next file
// is most likely in the same. The zero value is ready to use.
type opener struct {
	whole  fs.FS
	folder string
	sub    fs.FS // the folder; nil where none is open
}

// open opens a file of a file system.
func (o *opener) open(fsys fs.FS, name string) (fs.File, error) {
	folder, base := path.Split(name)
	if folder == "" {
		return fsys.Open(name)
	}
	if o.sub == nil || o.folder != folder || !isSame(o.whole, fsys) {
		o.close()
		sub, err := fs.Sub(fsys, path.Clean(folder))
		if err != nil {
			return fsys.Open(name)
		}
		o.whole, o.folder, o.sub = fsys, folder, sub
	}
	file, err := o.sub.Open(base)
	if err != nil {
		// A symlink may lead out of its folder, but not out of the whole.
		return fsys.Open(name)
	}
	return file, nil
}

// isSame reports whether two file systems are equal. Those of a type that Go
// cannot compare, such as a map, are not.
func isSame(a, b fs.FS) bool { return reflect.ValueOf(a).Comparable() && a == b }

func (o *opener) close() {
	if c, ok := o.sub.(io.Closer); ok {
		c.Close()
	}
	*o = opener{}
}

// cause returns the error without the operation and the path of an
// [fs.PathError].
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
