//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fsutil

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Creator makes files and folders below an open folder with the fewest system calls: it
// neither opens the folders on the way, as os.Root does, nor registers a file with the
// poller, as os.File does. A symlink among those folders would be followed, so nobody else
// may write there.
type Creator struct {
	folder *os.File
	fd     int
}

// NewCreator returns a creator for the folder of root. It has to be closed.
func NewCreator(root *os.Root) (*Creator, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &Creator{f, int(f.Fd())}, nil
}

// Close closes the folder.
func (c *Creator) Close() error { return c.folder.Close() }

// Mkdir makes a folder.
func (c *Creator) Mkdir(name string, mode fs.FileMode) error {
	return ignoringEINTR(func() error { return unix.Mkdirat(c.fd, name, uint32(mode)) })
}

// Create creates a file to write to. The error wraps [fs.ErrExist] where anything has its
// name.
func (c *Creator) Create(name string, mode fs.FileMode) (f CreatedFile, err error) {
	err = ignoringEINTR(func() error {
		fd, err := unix.Openat(c.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(mode))
		f = CreatedFile(fd)
		return err
	})
	return f, err
}

// CreatedFile is a new file. It has to be closed.
type CreatedFile int

func (f CreatedFile) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = unix.Write(int(f), b[n:])
		switch {
		case errors.Is(err, unix.EINTR):
			err = nil
		case err == nil && m == 0:
			err = io.ErrShortWrite
		}
		n += max(m, 0)
	}
	return n, err
}

// Close closes the file. After EINTR it is closed, too.
func (f CreatedFile) Close() error {
	if err := unix.Close(int(f)); err != unix.EINTR {
		return err
	}
	return nil
}
