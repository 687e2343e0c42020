package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// manifestLimit is the size in bytes up to which a manifest is read: that of ten million
// records.
const manifestLimit = 2 << 30

// leastLogLimit is up to how many bytes of a log are read in any case. It grows to a
// quarter of the manifest, or to less than this.
const leastLogLimit = 1 << 20

// ReadManifest reads the manifest of the snapshot in the folder out, and checks all of it.
// The error wraps [fs.ErrNotExist] where sivu wrote none, [ErrDamaged] where it cannot be
// trusted, and those of [Hold].
func ReadManifest(out string) (*tree.Tree, error) {
	t, err := readManifest(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%q holds no snapshot (%w); write one with sivu build", out, fs.ErrNotExist)
	case errors.Is(err, ErrDamaged):
		return nil, fmt.Errorf("%s in %q: %w; a build writes it anew", manifest, out, err)
	case errors.Is(err, ErrLocked), errors.Is(err, ErrPending):
		return nil, err
	case err != nil:
		return nil, problem("read", manifest, err)
	}
	return t, nil
}

func readManifest(out string) (*tree.Tree, error) {
	if _, err := os.Lstat(filepath.Join(out, filepath.FromSlash(manifest))); err != nil {
		return nil, err
	}
	s, err := hold(out)
	if err != nil {
		return nil, err
	}
	defer s.release()
	base, err := s.root.readUpTo(manifest, manifestLimit)
	if err != nil {
		return nil, err
	}
	log, err := s.root.readUpTo(manifestLog, manifestLimit)
	if fsutil.IgnoreMissing(err) != nil {
		return nil, err
	}
	t, err := tree.Parse(base, log)
	if err == nil {
		err = t.Check()
	}
	return t, err
}

// openManifest returns the tree of the manifest, which is readable until closeFolders, or
// nil where there is none, or a damaged one. Its index and its log are checked; its blocks
// are when they are read.
func (s *Stage) openManifest() (*tree.Tree, error) {
	if s.listed != nil {
		return s.listed, nil
	}
	f, info, err := s.root.openRegular(manifest)
	if err == nil {
		var log []byte
		log, err = s.root.readUpTo(manifestLog, max(info.Size(), leastLogLimit))
		if err = fsutil.IgnoreMissing(err); err == nil {
			s.listed, err = tree.Open(f, info.Size(), log)
		}
		if s.manifest = f; err != nil {
			s.closeManifest()
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return nil, nil
	}
	if err != nil {
		return nil, problem("read", manifest, err)
	}
	return s.listed, nil
}

func (s *Stage) closeManifest() {
	if s.manifest != nil {
		s.manifest.Close()
	}
	s.manifest, s.listed = nil, nil
}

// listedGeneration returns the generation that the manifest names, or the zero value where
// there is none or a damaged one.
func (s *Stage) listedGeneration() (tree.Generation, error) {
	t, err := s.openManifest()
	if err != nil || t == nil {
		return tree.Generation{}, err
	}
	return t.Generation, nil
}

// previous is the old snapshot: its tree, or where that cannot be trusted, all that has the
// path of a snapshot's file.
type previous struct {
	tree  *tree.Tree // nil where it cannot be trusted
	files *tree.Cursor
}

func (s *Stage) previous() (*previous, error) {
	if !s.distrusted {
		t, err := s.openManifest()
		if err != nil {
			return nil, err
		}
		if t != nil {
			return &previous{t, t.Cursor()}, nil
		}
	}
	return s.previousByShape()
}

func (s *Stage) previousByShape() (*previous, error) {
	if s.root == nil {
		return &previous{files: tree.PathCursor(nil)}, nil
	}
	shaped, err := s.findByShape()
	if err != nil {
		return nil, err
	}
	claimed, err := s.claimed(shaped)
	if err != nil {
		return nil, err
	}
	shaped = append(shaped, claimed...)
	// A manifest that does not know all files still tells which in the root are sivu's.
	if t, err := s.openManifest(); err != nil {
		return nil, err
	} else if s.distrusted && t != nil {
		for e := range t.All() {
			if e.Path.IsHostFile() {
				shaped = append(shaped, e.Path)
			}
		}
	}
	return &previous{files: tree.PathCursor(sorted(shaped))}, nil
}

func sorted(paths []api.Path) []api.Path {
	slices.SortFunc(paths, api.Path.Compare)
	return slices.Compact(paths)
}

// knows reports whether sizes and hashes of the files are known.
func (o *previous) knows() bool { return o.tree != nil }

// totals returns those of the old snapshot, as far as they are known.
func (o *previous) totals() tree.Totals {
	if o.tree == nil {
		return tree.Totals{}
	}
	return o.tree.Totals
}

// findByShape returns the paths, in order, that could be those of files of a snapshot. Not
// all of them need exist. Host files are not among them: people write files of such names
// too.
func (s *Stage) findByShape() ([]api.Path, error) {
	var paths []api.Path
	for _, name := range api.ErrorFiles {
		p, _ := api.RootPath(name)
		paths = append(paths, p)
	}
	err := s.eachInPages(func(name string) {
		if p, ok := api.ParsePath(pagesDir + "/" + name); ok {
			paths = append(paths, p)
		}
		if group, ok := api.ParseRecordFolder(name); ok {
			paths = append(paths, group.Variants()...)
		}
	})
	return sorted(paths), err
}

// eachInPages visits the names in pages, if that is there.
func (s *Stage) eachInPages(visit func(name string)) error {
	if s.pages == nil {
		return nil
	}
	if err := s.pages.each(".", visit); err != nil {
		return problem("read", pagesDir, err)
	}
	return nil
}
