//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"example.org/sivu/generator/api"
)

// treeWriter writes files below a folder that it keeps open, the quickest way
// there is.
type treeWriter struct {
	root int
}

func newTreeWriter(out string) (*treeWriter, error) {
	if err := os.MkdirAll(filepath.Join(out, api.Folder), 0o755); err != nil {
		return nil, err
	}
	root, err := unix.Open(out, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return &treeWriter{root}, err
}

// folder makes a folder and returns what names of its files begin with.
func (w *treeWriter) folder(name string) (string, error) {
	err := unix.Mkdirat(w.root, name, 0o755)
	if errors.Is(err, unix.EEXIST) {
		err = nil
	}
	return name + "/", err
}

func (w *treeWriter) write(name string, data []byte) error {
	fd, err := unix.Openat(w.root, name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil {
			unix.Close(fd)
			return err
		}
		data = data[n:]
	}
	return unix.Close(fd)
}
