//go:build (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && !portablefs

package snapshot

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// folder is an open folder that files are written to and compared in. Names
// are resolved from its descriptor, which spares the kernel the way from the
// root, and os.Root's careful walk along each name. The zero value stands for
// a folder that is not there.
type folder struct {
	fd    int
	open  bool
	fault fault
}

// openFolder opens the folder of that name below root.
func openFolder(root *disk, name string) (folder, error) {
	f, err := root.Open(name)
	if err != nil {
		return folder{}, err
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	return folder{fd, err == nil, root.fault}, err
}

func (d folder) isThere() bool { return d.open }

func (d folder) close() {
	if d.isThere() {
		unix.Close(d.fd)
	}
}

// sub opens a folder in d, never through a symlink. One that is not there
// gives the zero folder and no error.
func (d folder) sub(name string) (folder, error) {
	if !d.isThere() {
		return folder{}, nil
	}
	fd, err := d.openat(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return folder{}, nil
	}
	if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) {
		return folder{}, errNotFolder
	}
	return folder{fd, err == nil, d.fault}, err
}

// mkdir makes a folder in d. One that is there already is fine.
func (d folder) mkdir(name string) error {
	if !d.isThere() {
		return fs.ErrNotExist
	}
	if err := d.fault.at("mkdir", name); err != nil {
		return err
	}
	err := retry(func() error { return unix.Mkdirat(d.fd, name, folderMode) })
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// create writes a new file. It is newer than the time after, by a second at
// least.
func (d folder) create(name string, data []byte, after time.Time) error {
	if err := d.fault.at("create", name); err != nil {
		return err
	}
	fd, err := d.openat(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	err = d.fault.at("write", name)
	for len(data) > 0 && err == nil {
		var n int
		if n, err = unix.Write(fd, data); n > 0 {
			data = data[n:]
		}
		if err == unix.EINTR {
			err = nil
		}
	}
	if err == nil && !after.IsZero() {
		err = d.outdate(fd, name, after)
	}
	if closeErr := unix.Close(fd); err == nil && closeErr != unix.EINTR {
		err = closeErr
	}
	return err
}

// outdate makes the open file of that name newer than old.
func (d folder) outdate(fd int, name string, old time.Time) error {
	return outdate(old, func() (time.Time, error) {
		var stat unix.Stat_t
		err := retry(func() error { return unix.Fstat(fd, &stat) })
		return time.Unix(stat.Mtim.Unix()), err
	}, func(t time.Time) error {
		both := []unix.Timespec{unix.NsecToTimespec(t.UnixNano()), unix.NsecToTimespec(t.UnixNano())}
		return unix.UtimesNanoAt(d.fd, name, both, unix.AT_SYMLINK_NOFOLLOW)
	})
}

// link gives a file of d the same name in another folder, too.
func (d folder) link(name string, to folder) error {
	if !d.isThere() || !to.isThere() {
		return fs.ErrNotExist
	}
	if err := d.fault.at("link", name); err != nil {
		return err
	}
	return retry(func() error { return unix.Linkat(d.fd, name, to.fd, name, 0) })
}

// rename moves a file or folder of d into another folder, over what has the
// same name there.
func (d folder) rename(name string, to folder) error {
	if !d.isThere() || !to.isThere() {
		return fs.ErrNotExist
	}
	if err := d.fault.at("rename", name); err != nil {
		return err
	}
	return retry(func() error { return unix.Renameat(d.fd, name, to.fd, name) })
}

// remove removes a file of d.
func (d folder) remove(name string) error {
	if !d.isThere() {
		return fs.ErrNotExist
	}
	if err := d.fault.at("remove", name); err != nil {
		return err
	}
	return retry(func() error { return unix.Unlinkat(d.fd, name, 0) })
}

// compare reports whether the regular file of that name is there, whether it
// holds exactly data, and when it was last modified.
func (d folder) compare(name string, data, buffer []byte) (found, same bool, modified time.Time, err error) {
	if !d.isThere() {
		return false, false, modified, nil
	}
	if err := d.fault.at("open", name); err != nil {
		return false, false, modified, err
	}
	fd, stat, err := d.openFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, modified, nil
	}
	if err != nil {
		return false, false, modified, err
	}
	defer unix.Close(fd)
	modified = time.Unix(stat.Mtim.Unix())
	if stat.Size != int64(len(data)) {
		return true, false, modified, nil
	}
	same, err = holds(fd, data, buffer)
	return true, same, modified, err
}

// modified reports whether the regular file of that name is there, and when it was
// last modified.
func (d folder) modified(name string) (found bool, at time.Time, err error) {
	if !d.isThere() {
		return false, at, nil
	}
	if err := d.fault.at("open", name); err != nil {
		return false, at, err
	}
	var stat unix.Stat_t
	err = retry(func() error { return unix.Fstatat(d.fd, name, &stat, unix.AT_SYMLINK_NOFOLLOW) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, at, nil
	case err != nil:
		return false, at, err
	case stat.Mode&unix.S_IFMT != unix.S_IFREG:
		return false, at, errNotRegular
	}
	return true, time.Unix(stat.Mtim.Unix()), nil
}

// appendFile appends what a regular file holds.
func (d folder) appendFile(dst []byte, name string) ([]byte, error) {
	if err := d.fault.at("open", name); err != nil {
		return dst, err
	}
	fd, stat, err := d.openFile(name)
	if err != nil {
		return dst, err
	}
	defer unix.Close(fd)
	dst = slices.Grow(dst, int(stat.Size)+1)
	for {
		n, err := unix.Read(fd, dst[len(dst):cap(dst)])
		switch {
		case err == unix.EINTR:
		case err != nil || n == 0:
			return dst, err
		default:
			dst = slices.Grow(dst[:len(dst)+n], 1)
		}
	}
}

// openFile opens a regular file to be read.
func (d folder) openFile(name string) (fd int, stat unix.Stat_t, err error) {
	// Without O_NONBLOCK a FIFO in the file's place would hold the build up.
	fd, err = d.openat(name, unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) || errors.Is(err, unix.ENXIO) {
		err = errNotRegular
	}
	if err != nil {
		return fd, stat, err
	}
	err = retry(func() error { return unix.Fstat(fd, &stat) })
	if err == nil && stat.Mode&unix.S_IFMT != unix.S_IFREG {
		err = errNotRegular
	}
	if err != nil {
		unix.Close(fd)
	}
	return fd, stat, err
}

// names returns the names of what lies in d.
func (d folder) names() ([]string, error) {
	fd, err := d.openat(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	return f.Readdirnames(-1)
}

// readTo writes what a regular file holds to w, and returns how much it was.
func (d folder) readTo(name string, w io.Writer, buffer []byte) (size int64, err error) {
	if err := d.fault.at("open", name); err != nil {
		return 0, err
	}
	fd, _, err := d.openFile(name)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Read(fd, buffer)
		switch {
		case err == unix.EINTR:
		case err != nil || n == 0:
			return size, err
		default:
			size += int64(n)
			w.Write(buffer[:n])
		}
	}
}

// holds reports whether what can be read from fd is data.
func holds(fd int, data, buffer []byte) (bool, error) {
	for {
		n, err := unix.Read(fd, buffer)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return false, err
		case n == 0:
			return len(data) == 0, nil
		case n > len(data) || !bytes.Equal(buffer[:n], data[:n]):
			return false, nil
		default:
			data = data[n:]
		}
	}
}

func (d folder) openat(name string, flags int, mode uint32) (fd int, err error) {
	if !d.isThere() {
		return -1, fs.ErrNotExist
	}
	err = retry(func() error {
		fd, err = unix.Openat(d.fd, name, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW, mode)
		return err
	})
	return fd, err
}
