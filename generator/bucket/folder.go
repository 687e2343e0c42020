package bucket

import (
	"os"
	"path/filepath"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/tree"
)

// Folder is the snapshot in an output folder, as its manifest lists it.
type Folder struct {
	*tree.Tree
	root    *os.Root
	release func()
}

// OpenFolder opens the snapshot in a folder, which no build changes until it is closed.
// Errors are those of [folder.Hold] and [folder.ReadManifest].
func OpenFolder(name string) (*Folder, error) {
	release, err := folder.Hold(name)
	if err != nil {
		return nil, err
	}
	f := &Folder{release: release}
	f.Tree, err = folder.ReadManifest(name)
	if err == nil {
		f.root, err = os.OpenRoot(name)
	}
	if err != nil {
		release()
		return nil, err
	}
	return f, nil
}

// Close lets builds go on.
func (f *Folder) Close() {
	f.root.Close()
	f.release()
}

// Read returns the bytes of a file.
func (f *Folder) Read(p api.Path) ([]byte, error) {
	return f.root.ReadFile(filepath.FromSlash(p.String()))
}
