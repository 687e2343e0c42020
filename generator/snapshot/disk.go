package snapshot

import (
	"errors"
	"io/fs"
	"os"
)

// fault is asked before each operation on the file system; tests fail one with
// it. It is nil outside of tests.
type fault func(op, path string) error

func (f fault) at(op, path string) error {
	if f == nil {
		return nil
	}
	return f(op, path)
}

// disk is the output folder, with all that is ever done to it. Names are
// resolved by os.Root: none leads out of it.
type disk struct {
	root  *os.Root
	fault fault
}

func openDisk(path string, fault fault) (*disk, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &disk{root, fault}, nil
}

func (d *disk) Close() error { return d.root.Close() }
func (d *disk) FS() fs.FS    { return d.root.FS() }

func (d *disk) Stat(name string) (fs.FileInfo, error) { return d.root.Stat(name) }

func (d *disk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.fault.at("stat", name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

// exists reports whether anything has the name. Only "does not exist" is an
// absence: what cannot be looked at may well be there.
func (d *disk) exists(name string) (bool, error) {
	_, err := d.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d *disk) Open(name string) (*os.File, error) {
	if err := d.fault.at("open", name); err != nil {
		return nil, err
	}
	return d.root.Open(name)
}

func (d *disk) OpenFile(name string, flags int, mode fs.FileMode) (*os.File, error) {
	op := "open"
	if flags&os.O_CREATE != 0 {
		op = "create"
	}
	if err := d.fault.at(op, name); err != nil {
		return nil, err
	}
	return d.root.OpenFile(name, flags, mode)
}

func (d *disk) ReadFile(name string) ([]byte, error) {
	if err := d.fault.at("open", name); err != nil {
		return nil, err
	}
	return d.root.ReadFile(name)
}

// readUpTo returns what a file holds, or ErrDamaged where that is more than limit
// bytes: sivu wrote no such file.
func (d *disk) readUpTo(name string, limit int64) ([]byte, error) {
	info, err := d.Lstat(name)
	if err == nil && info.Size() > limit {
		err = ErrDamaged
	}
	if err != nil {
		return nil, err
	}
	return d.ReadFile(name)
}

func (d *disk) Mkdir(name string, mode fs.FileMode) error {
	if err := d.fault.at("mkdir", name); err != nil {
		return err
	}
	return d.root.Mkdir(name, mode)
}

func (d *disk) MkdirAll(name string, mode fs.FileMode) error {
	if err := d.fault.at("mkdir", name); err != nil {
		return err
	}
	return d.root.MkdirAll(name, mode)
}

func (d *disk) Rename(from, to string) error {
	if err := d.fault.at("rename", to); err != nil {
		return err
	}
	return d.root.Rename(from, to)
}

func (d *disk) Remove(name string) error {
	if err := d.fault.at("remove", name); err != nil {
		return err
	}
	return d.root.Remove(name)
}

func (d *disk) RemoveAll(name string) error {
	if err := d.fault.at("remove", name); err != nil {
		return err
	}
	return d.root.RemoveAll(name)
}

func (d *disk) Chmod(name string, mode fs.FileMode) error { return d.root.Chmod(name, mode) }

// create returns a file to write to, after which its writes are asked about, too.
func (d *disk) create(name string, flags int, mode fs.FileMode) (*diskFile, error) {
	f, err := d.OpenFile(name, flags|os.O_WRONLY|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	return &diskFile{f, d.fault, name}, nil
}

// diskFile is a file that is written.
type diskFile struct {
	*os.File
	fault fault
	name  string
}

func (f *diskFile) Write(b []byte) (int, error) {
	if err := f.fault.at("write", f.name); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}
