package folder

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/sivu/generator/tree"
)

func TestReadManifest(t *testing.T) {
	out := t.TempDir()
	if _, err := ReadManifest(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in an empty folder: %v", err)
	}
	f := site(11, "one", "two", "three")
	build(t, out, f)
	m, err := ReadManifest(out)
	must(t, err)
	var paths []string
	for e := range m.All() {
		paths = append(paths, e.Path.String())
		if e.Sum != tree.SumOf([]byte(f[e.Path.String()])) {
			t.Errorf("wrong size or hash: %v", e)
		}
	}
	equal(t, "paths", paths, slices.Sorted(maps.Keys(f)))
	equal(t, "count", int(m.Files), len(f))
	for range m.All() {
		break // stopping early is fine
	}

	must(t, os.Truncate(filepath.Join(out, manifest), 200))
	_, err = ReadManifest(out)
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("of a damaged manifest: %v", err)
	}
}
