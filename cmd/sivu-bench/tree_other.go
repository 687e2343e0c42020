//go:build !unix

package main

import (
	"os"
	"path/filepath"

	"example.org/sivu/generator/api"
)

// treeWriter writes files below a folder.
type treeWriter struct {
	root string
}

func newTreeWriter(out string) (*treeWriter, error) {
	return &treeWriter{out}, os.MkdirAll(filepath.Join(out, api.Folder), 0o755)
}

// folder makes a folder and returns what names of its files begin with.
func (w *treeWriter) folder(name string) (string, error) {
	return name + "/", os.MkdirAll(filepath.Join(w.root, name), 0o755)
}

func (w *treeWriter) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(w.root, name), data, 0o644)
}
