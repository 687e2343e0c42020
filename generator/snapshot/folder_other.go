//go:build portablefs || !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package snapshot

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// folder is a folder that files are written to and compared in. It holds
// nothing open, for an open folder cannot be moved on every system. The zero
// value stands for a folder that is not there. The build tag portablefs takes it
// into a build, and under test, on every system.
type folder struct {
	root *disk // the output folder
	name string
}

// openFolder returns the folder of that name below root.
func openFolder(root *disk, name string) (folder, error) {
	return folder{root, name}, nil
}

func (d folder) isThere() bool { return d.root != nil }

func (d folder) close() {}

// sub returns a folder in d, but not if it is a symlink. One that is not there
// gives the zero folder and no error.
func (d folder) sub(name string) (folder, error) {
	if !d.isThere() {
		return folder{}, nil
	}
	info, err := d.root.Lstat(path.Join(d.name, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return folder{}, nil
	case err != nil:
		return folder{}, err
	case !info.IsDir():
		return folder{}, errNotFolder
	}
	return folder{d.root, path.Join(d.name, name)}, nil
}

// mkdir makes a folder in d. One that is there already is fine.
func (d folder) mkdir(name string) error {
	if !d.isThere() {
		return fs.ErrNotExist
	}
	err := d.root.Mkdir(path.Join(d.name, name), folderMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// create writes a new file. It is newer than the time after, by a second at
// least.
func (d folder) create(name string, data []byte, after time.Time) error {
	if !d.isThere() {
		return fs.ErrNotExist
	}
	name = path.Join(d.name, name)
	f, err := d.root.create(name, os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil || after.IsZero() {
		return err
	}
	return outdate(after, func() (time.Time, error) {
		info, err := d.root.Lstat(name)
		if err != nil {
			return time.Time{}, err
		}
		return info.ModTime(), nil
	}, func(t time.Time) error { return d.root.root.Chtimes(name, t, t) })
}

// link gives a file of d the same name in another folder, too.
func (d folder) link(name string, to folder) error {
	if !d.isThere() || !to.isThere() {
		return fs.ErrNotExist
	}
	if err := d.root.fault.at("link", name); err != nil {
		return err
	}
	return d.root.root.Link(path.Join(d.name, name), path.Join(to.name, name))
}

// rename moves a file or folder of d into another folder, over what has the
// same name there.
func (d folder) rename(name string, to folder) error {
	if !d.isThere() || !to.isThere() {
		return fs.ErrNotExist
	}
	return d.root.Rename(path.Join(d.name, name), path.Join(to.name, name))
}

// remove removes a file of d.
func (d folder) remove(name string) error {
	if !d.isThere() {
		return fs.ErrNotExist
	}
	return d.root.Remove(path.Join(d.name, name))
}

// compare reports whether the regular file of that name is there, whether it
// holds exactly data, and when it was last modified.
func (d folder) compare(name string, data, buffer []byte) (found, same bool, modified time.Time, err error) {
	if !d.isThere() {
		return false, false, modified, nil
	}
	name = path.Join(d.name, name)
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, modified, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return false, false, modified, err
	}
	if info.Size() != int64(len(data)) {
		return true, false, info.ModTime(), nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return false, false, modified, err
	}
	defer f.Close()
	same, err = holds(f, data, buffer)
	return true, same, info.ModTime(), err
}

// modified reports whether the regular file of that name is there, and when it was
// last modified.
func (d folder) modified(name string) (found bool, at time.Time, err error) {
	if !d.isThere() {
		return false, at, nil
	}
	info, err := d.root.Lstat(path.Join(d.name, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, at, nil
	case err != nil:
		return false, at, err
	case !info.Mode().IsRegular():
		return false, at, errNotRegular
	}
	return true, info.ModTime(), nil
}

// appendFile appends what a regular file holds.
func (d folder) appendFile(dst []byte, name string) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	_, err := d.readTo(name, b, make([]byte, 32<<10))
	return b.Bytes(), err
}

// names returns the names of what lies in d.
func (d folder) names() ([]string, error) {
	if !d.isThere() {
		return nil, fs.ErrNotExist
	}
	f, err := d.root.Open(d.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// readTo writes what a regular file holds to w, and returns how much it was.
func (d folder) readTo(name string, w io.Writer, buffer []byte) (size int64, err error) {
	if !d.isThere() {
		return 0, fs.ErrNotExist
	}
	name = path.Join(d.name, name)
	info, err := d.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return 0, err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f}, buffer)
}

// holds reports whether what can be read from r is data.
func holds(r io.Reader, data, buffer []byte) (bool, error) {
	for {
		n, err := r.Read(buffer)
		if n > len(data) || !bytes.Equal(buffer[:n], data[:n]) {
			return false, nil
		}
		data = data[n:]
		if err == io.EOF {
			return len(data) == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}
