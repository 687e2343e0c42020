package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"reflect"
)

// Folder is a content folder on disk. Nothing outside it can be reached
// through it, whatever symlinks it holds. It is an [fs.FS], and safe for
// concurrent use.
type Folder struct {
	root *os.Root
	fsys rootFS
}

// rootFS is what [os.Root.FS] is.
type rootFS interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
}

// OpenFolder opens a content folder, which may itself be a symlink. The error
// says in words what is wrong with dir.
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
	return newFolder(root), nil
}

func newFolder(root *os.Root) *Folder {
	return &Folder{root: root, fsys: root.FS().(rootFS)}
}

// Close closes the folder, and none of those that Sub returned.
func (f *Folder) Close() error { return f.root.Close() }

// Open opens a file or folder. It never waits, not even for a FIFO's writer.
func (f *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// ReadDir returns what a folder holds, sorted by name.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) { return f.fsys.ReadDir(name) }

// Stat returns what is known of a file, or of that which a symlink leads to.
func (f *Folder) Stat(name string) (fs.FileInfo, error) { return f.fsys.Stat(name) }

// Lstat returns what is known of a file or a symlink itself.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) { return f.fsys.Lstat(name) }

// ReadLink returns where a symlink leads.
func (f *Folder) ReadLink(name string) (string, error) { return f.fsys.ReadLink(name) }

// Sub returns a folder below this one, a [Folder] to be closed. Files opened
// in it cost no way down to it. Symlinks that leave it cannot be followed.
func (f *Folder) Sub(name string) (fs.FS, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "sub", Path: name, Err: fs.ErrInvalid}
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newFolder(root), nil
}

// opener opens files, and keeps the folder of the last one open, because the
// next is most likely in the same. The zero value is ready to use.
type opener struct {
	whole  fs.FS
	folder string
	sub    fs.FS // whole, seen from the folder; nil where it is not open
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

// isSame reports whether two file systems are known to be one. Those of a type
// that Go cannot compare, such as a map, are not.
func isSame(a, b fs.FS) bool { return reflect.ValueOf(a).Comparable() && a == b }

func (o *opener) close() {
	if c, ok := o.sub.(io.Closer); ok {
		c.Close()
	}
	*o = opener{}
}

// cause returns what lies below the path and the operation of a file system's
// error.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
