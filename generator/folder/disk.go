package folder

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// fault is asked before each operation on the file system; tests fail one with
// it. It is nil outside of tests.
type fault func(op, path string) error

// disk is a folder, with all that is ever done to it. Names are resolved by os.Root: none
// leads out of it. A nil disk is a folder that does not exist.
type disk struct {
	root  *os.Root
	name  string // below the output folder
	fault fault
	dir   *fsutil.Dir // of subDir
}

func openDisk(path string, fault fault) (*disk, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &disk{root: root, fault: fault}, nil
}

// sub opens a folder in d, but not if it is a symlink. One that does not exist gives nil
// and no error.
func (d *disk) sub(name string) (*disk, error) {
	info, err := d.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, errNotFolder
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &disk{root: root, name: path.Join(d.name, name), fault: d.fault}, nil
}

// subDir is sub for a folder of whose files many are created or read.
func (d *disk) subDir(name string) (*disk, error) {
	s, err := d.sub(name)
	if s == nil || err != nil {
		return nil, err
	}
	if s.dir, err = fsutil.OpenDir(d.root, name); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (d *disk) Close() {
	if d == nil {
		return
	}
	if d.dir != nil {
		d.dir.Close()
	}
	d.root.Close()
}

// at asks whether an operation shall fail.
func (d *disk) at(op, name string) error {
	switch {
	case d == nil:
		return fs.ErrNotExist
	case d.fault == nil:
		return nil
	}
	return d.fault(op, path.Join(d.name, name))
}

func (d *disk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.at("stat", name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

// exists reports whether anything has the name. Only "does not exist" is an
// absence: a file that cannot be looked at may well be there.
func (d *disk) exists(name string) (bool, error) {
	_, err := d.Lstat(name)
	return err == nil, fsutil.IgnoreMissing(err)
}

func (d *disk) OpenFile(name string, flags int, mode fs.FileMode) (*os.File, error) {
	op := "open"
	if flags&os.O_CREATE != 0 {
		op = "create"
	}
	if err := d.at(op, name); err != nil {
		return nil, err
	}
	return d.root.OpenFile(name, flags, mode)
}

func (d *disk) Open(name string) (*os.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// openRegular opens a regular file for reading: no symlink, and no FIFO, which would block.
func (d *disk) openRegular(name string) (*os.File, fs.FileInfo, error) {
	info, err := d.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := d.Open(name)
	return f, info, err
}

// readUpTo returns the bytes of a file, or ErrDamaged where there are more than limit:
// sivu wrote no such file.
func (d *disk) readUpTo(name string, limit int64) ([]byte, error) {
	f, info, err := d.openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, ErrDamaged
	}
	return fsutil.AppendAll(nil, f, info.Size())
}

func (d *disk) Mkdir(name string, mode fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.root.Mkdir(name, mode) })
}

func (d *disk) MkdirAll(name string, mode fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.root.MkdirAll(name, mode) })
}

func (d *disk) Rename(from, to string) error {
	return d.do("rename", to, func() error { return d.root.Rename(from, to) })
}

func (d *disk) Remove(name string) error {
	return d.do("remove", name, func() error { return d.root.Remove(name) })
}

func (d *disk) RemoveAll(name string) error {
	return d.do("remove", name, func() error { return d.root.RemoveAll(name) })
}

// do carries out an operation that changes the folder.
func (d *disk) do(op, name string, f func() error) error {
	if err := d.at(op, name); err != nil {
		return err
	}
	return fsutil.Retry(f)
}

// each visits the names in a folder, and reads some of them at a time.
func (d *disk) each(name string, visit func(name string)) error {
	f, err := d.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			visit(name)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// writer returns a file to write to, whose writes can fail in tests, too.
func (d *disk) writer(name string, flags int, mode fs.FileMode) (*diskFile, error) {
	f, err := d.OpenFile(name, flags|os.O_WRONLY|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	return &diskFile{f, func() error { return d.at("write", name) }}, nil
}

type diskFile struct {
	*os.File
	fault func() error
}

func (f *diskFile) Write(b []byte) (int, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}

// createFolder makes a folder in a stage, unless it is there.
func (d *disk) createFolder(name string) error {
	err := d.at("mkdir", name)
	if err == nil {
		err = d.dir.Mkdir(name, folderMode)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// create writes a new file to a stage. Where old is the time of the file that it is to
// replace, it is newer by a second at least: many servers build an ETag or Last-Modified of
// whole seconds. Some file systems keep every other second only, so the time is read
// again.
func (d *disk) create(name string, data []byte, old time.Time) error {
	if err := d.at("create", name); err != nil {
		return err
	}
	f, err := d.dir.Create(name, fileMode)
	if err != nil {
		return err
	}
	if err = d.at("write", name); err == nil {
		_, err = f.Write(data)
	}
	for step := time.Second; err == nil && !old.IsZero() && step <= 4*time.Second; step *= 2 {
		var now time.Time
		if now, err = f.ModTime(); err != nil || now.Unix() > old.Unix() {
			break
		}
		err = d.dir.SetModTime(name, time.Unix(old.Unix(), 0).Add(step))
	}
	return errors.Join(err, f.Close())
}

// move moves a file or folder to another folder, and under the same name.
func (d *disk) move(name string, to *disk) error {
	if err := to.at("rename", name); err != nil {
		return err
	}
	return fsutil.Retry(func() error { return d.dir.Move(name, to.dir) })
}

// appendFile appends the bytes of a regular file.
func (d *disk) appendFile(dst []byte, name string) ([]byte, error) {
	if err := d.at("open", name); err != nil {
		return dst, err
	}
	return d.dir.Append(dst, name)
}

// compare reports whether the regular file of that name is there, whether it holds
// exactly data, and when it was last modified. Where it is known to differ, it is not
// read. The buffer is used again by the next call.
func (d *disk) compare(name string, data []byte, buffer *[]byte, differs bool) (found, same bool, modified time.Time, err error) {
	info, err := d.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return false, false, modified, fsutil.IgnoreMissing(err)
	}
	modified = info.ModTime()
	if differs || info.Size() != int64(len(data)) {
		return true, false, modified, nil
	}
	f, err := d.Open(name)
	if err != nil {
		return false, false, modified, err
	}
	defer f.Close()
	*buffer, err = fsutil.AppendAll((*buffer)[:0], f, info.Size())
	return true, bytes.Equal(*buffer, data), modified, err
}

// sum returns the size and the hash of a regular file.
func (d *disk) sum(name string) (tree.Sum, error) {
	f, _, err := d.openRegular(name)
	if err != nil {
		return tree.Sum{}, err
	}
	defer f.Close()
	return tree.ReadSum(f)
}
