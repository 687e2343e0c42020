//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fsutil

import (
	"io/fs"
	"os"
)

// Creator makes files and folders below an open folder.
type Creator struct{ root *os.Root }

// NewCreator returns a creator for the folder of root. It has to be closed.
func NewCreator(root *os.Root) (*Creator, error) { return &Creator{root}, nil }

// Close does nothing: root stays open.
func (c *Creator) Close() error { return nil }

// Mkdir makes a folder.
func (c *Creator) Mkdir(name string, mode fs.FileMode) error { return c.root.Mkdir(name, mode) }

// Create creates a file to write to. The error wraps [fs.ErrExist] where anything has its
// name.
func (c *Creator) Create(name string, mode fs.FileMode) (*os.File, error) {
	return c.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}
