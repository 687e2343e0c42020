package bucket

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/snapshot"
	"example.org/sivu/generator/tree"
)

// Folder is the snapshot in an output folder, as its manifest lists it.
type Folder struct {
	manifest *snapshot.Manifest
	root     *os.Root
}

// OpenFolder reads the manifest of the snapshot in a folder, and has to be closed.
func OpenFolder(name string) (*Folder, error) {
	manifest, err := snapshot.ReadManifest(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	return &Folder{manifest, root}, err
}

// Close closes the folder.
func (f *Folder) Close() { f.root.Close() }

// All returns the files in order of path.
func (f *Folder) All() iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for e := range f.manifest.All() {
			path, _ := api.ParsePath(e.Path) // a manifest holds no other paths
			if !yield(tree.Entry{Path: path, Sum: tree.Sum{Size: uint32(e.Size), SHA256: e.SHA256}}) {
				return
			}
		}
	}
}

// Read returns the bytes of a file.
func (f *Folder) Read(p api.Path) ([]byte, error) {
	file, err := f.root.Open(filepath.FromSlash(p.String()))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	const limit = 1 << 30
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("%s is larger than %d MiB", p, limit>>20)
	}
	return data, err
}
