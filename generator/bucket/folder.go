package bucket

import (
	"fmt"
	"io"
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
