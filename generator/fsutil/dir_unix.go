//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fsutil

import (
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Dir is an open folder. It does the few operations of which a build makes one for each of
// its files, with the fewest system calls: it neither opens the folders on the way to a
// file, as os.Root does, nor registers files with the poller, as os.File does. A symlink
// among those folders is followed, so a name with a slash is for folders of the process's
// own.
type Dir struct {
	folder *os.File
	fd     int
}

// OpenDir opens a folder below root. It has to be closed.
func OpenDir(root *os.Root, name string) (*Dir, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	return &Dir{f, int(f.Fd())}, nil
}

// Close closes the folder.
func (d *Dir) Close() error { return d.folder.Close() }

// Mkdir makes a folder.
func (d *Dir) Mkdir(name string, mode fs.FileMode) error {
	return ignoringEINTR(func() error { return unix.Mkdirat(d.fd, name, uint32(mode)) })
}

// Create creates a file to write to. The error wraps [fs.ErrExist] where anything has its
// name.
func (d *Dir) Create(name string, mode fs.FileMode) (RawFile, error) {
	return d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
}

// Append appends the bytes of a regular file. The error is [ErrNotRegular] where something
// else has its name.
func (d *Dir) Append(dst []byte, name string) ([]byte, error) {
	f, err := d.open(name, unix.O_RDONLY|unix.O_NONBLOCK, 0) // a FIFO would hold it up
	if err == unix.ELOOP || err == unix.EMLINK || err == unix.ENXIO {
		err = ErrNotRegular
	}
	if err != nil {
		return dst, err
	}
	defer f.Close()
	info, err := f.stat()
	if err == nil && info.Mode&unix.S_IFMT != unix.S_IFREG {
		err = ErrNotRegular
	}
	if err != nil {
		return dst, err
	}
	return AppendAll(dst, f, info.Size)
}

// SetModTime sets when a file was last modified, and read.
func (d *Dir) SetModTime(name string, t time.Time) error {
	at, err := unix.TimeToTimespec(t)
	if err != nil {
		return err
	}
	return ignoringEINTR(func() error {
		return unix.UtimesNanoAt(d.fd, name, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
	})
}

// Move moves a file or folder to another folder of the same root, and under the same name.
// A file of that name is replaced.
func (d *Dir) Move(name string, to *Dir) error {
	return ignoringEINTR(func() error { return unix.Renameat(d.fd, name, to.fd, name) })
}

func (d *Dir) open(name string, flags int, mode fs.FileMode) (f RawFile, err error) {
	err = ignoringEINTR(func() error {
		fd, err := unix.Openat(d.fd, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(mode))
		f = RawFile(fd)
		return err
	})
	return f, err
}

// RawFile is an open file. It has to be closed.
type RawFile int

func (f RawFile) Read(b []byte) (n int, err error) {
	err = ignoringEINTR(func() error {
		n, err = unix.Read(int(f), b)
		return err
	})
	if n == 0 && err == nil && len(b) > 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (f RawFile) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		err = ignoringEINTR(func() error {
			m, err := unix.Write(int(f), b[n:])
			if m == 0 && err == nil {
				err = io.ErrShortWrite
			}
			n += max(m, 0)
			return err
		})
	}
	return n, err
}

// ModTime returns when the file was last modified.
func (f RawFile) ModTime() (time.Time, error) {
	info, err := f.stat()
	return time.Unix(info.Mtim.Unix()), err
}

func (f RawFile) stat() (info unix.Stat_t, err error) {
	err = ignoringEINTR(func() error { return unix.Fstat(int(f), &info) })
	return info, err
}

// Close closes the file. After EINTR it is closed, too.
func (f RawFile) Close() error {
	if err := unix.Close(int(f)); err != unix.EINTR {
		return err
	}
	return nil
}
