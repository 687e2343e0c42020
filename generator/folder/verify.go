package folder

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// Verify looks whether the files of the snapshot in the folder are those of its
// manifest: it reads all of them, jobs at once, and looks for files below pages
// that have the path of a snapshot's file and are not in the manifest. It reports
// false as soon as one is missing, differs or is too many; then the commit judges
// by their paths which files have to go, so Incremental is of no use; and if this
// build comes to no end, the next one does the same. If it reports
// true, the generation of the snapshot is known again.
func (s *Stage) Verify(ctx context.Context, jobs int) (bool, error) {
	switch err := s.verify(ctx, jobs); {
	case err == nil:
		return true, s.trust()
	case errors.Is(err, errDiffers), errors.Is(err, ErrDamaged):
		return false, s.distrust()
	default:
		return false, err
	}
}

// errDiffers ends the reading of files at the first that is not as it should be.
var errDiffers = errors.New("a file is not as the manifest says")

func (s *Stage) verify(ctx context.Context, jobs int) error {
	if s.distrusted {
		return errDiffers
	}
	known, err := s.openManifest()
	if err == nil && known == nil {
		err = errDiffers
	}
	if err != nil {
		return err
	}
	retained, err := known.RetainedFiles()
	if err != nil {
		return problem("read", manifest, err)
	}
	s.retained = make(map[api.Path]bool, len(retained))
	for _, r := range retained {
		s.retained[r.Path] = true
	}
	if err := s.verifyFiles(ctx, known, jobs); err != nil {
		return err
	}
	return s.findSurplus(known)
}

// verifyFiles verifies the files of a tree, jobs groups at once.
func (s *Stage) verifyFiles(ctx context.Context, known *tree.Tree, jobs int) error {
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(jobs, 1))
	var failed error
	for c := known.Cursor(); running.Err() == nil; {
		var files []tree.Entry
		e, err := c.Peek()
		if err == nil {
			files, err = c.Group(e.Path.Group(), nil)
		}
		if err != nil {
			if err != io.EOF {
				failed = err
			}
			break
		}
		group.Go(func() error { return s.verifyGroup(files) })
	}
	if err := cmp.Or(group.Wait(), failed); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// verifyGroup verifies files that lie in one folder.
func (s *Stage) verifyGroup(files []tree.Entry) error {
	in, first := s.root, files[0].Path
	if first.Class() == api.ClassRecord {
		record, err := s.pages.sub(path.Base(first.Folder()))
		if err == nil && record == nil {
			err = fs.ErrNotExist
		}
		if err != nil {
			return differs(first, err)
		}
		defer record.Close()
		if err := s.verifyNames(record, files); err != nil {
			return err
		}
		in = record
	} else if !first.InRoot() {
		in = s.pages
	}
	for _, e := range files {
		sum, err := in.sum(path.Base(e.Path.String()))
		if err != nil {
			return differs(e.Path, err)
		}
		if sum != e.Sum {
			return errDiffers
		}
	}
	return nil
}

// verifyNames looks for files in the folder of a record that are in no manifest.
func (s *Stage) verifyNames(in *disk, files []tree.Entry) error {
	folder, surplus := files[0].Path.Folder(), false
	err := in.each(".", func(name string) {
		p, ok := api.ParsePath(folder + "/" + name)
		if ok && !s.retained[p] && !slices.ContainsFunc(files, func(e tree.Entry) bool { return e.Path == p }) {
			surplus = true
		}
	})
	if err != nil {
		return differs(files[0].Path, err)
	}
	if surplus {
		return errDiffers
	}
	return nil
}

// differs tells files that are missing or something else from those that could not
// be read.
func differs(p api.Path, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) || errors.Is(err, errNotFolder) {
		return errDiffers
	}
	return problem("read", p.String(), err)
}

// findSurplus looks for files and folders of a snapshot's paths that are in no
// manifest, and removes folders of records that hold nothing. What lies in the
// folders of known records was looked at before.
func (s *Stage) findSurplus(manifest *tree.Tree) error {
	there, err := s.findByShape()
	if err != nil {
		return err
	}
	known := func(yield func(*tree.Entry) bool) {
		for e := range manifest.All() {
			if !yield(&e) {
				return
			}
		}
	}
	return missing(there, known, func(p api.Path) error {
		if s.retained[p] {
			return nil
		}
		if isThere, err := s.isFile(p); err != nil || isThere {
			return cmp.Or(err, errDiffers)
		}
		if p.Class() == api.ClassRecord && p == p.Group() && !s.DryRun {
			_, err := s.removeFolder(p.Folder())
			return err
		}
		return nil
	})
}

// removeEmpty removes folders of records that are not due and hold nothing: those
// that a folder which was adopted had, or someone emptied.
func (s *Stage) removeEmpty() (err error) {
	if s.pages == nil {
		if s.pages, err = s.root.sub(pagesDir); err != nil {
			return problem("open", pagesDir, err)
		}
	}
	var there []api.Path
	err = s.eachInPages(func(name string) {
		if group, ok := api.ParseRecordFolder(name); ok {
			there = append(there, group)
		}
	})
	if err != nil {
		return err
	}
	return missing(sorted(there), s.runs.All(), func(group api.Path) error {
		_, err := s.removeFolder(group.Folder())
		return err
	})
}

// missing visits the paths that are not among the entries, unless these have another file
// of the same record. Both come in order.
func missing(there []api.Path, in iter.Seq[*tree.Entry], visit func(api.Path) error) error {
	same := func(p, known api.Path) bool {
		return p == known || p.Class() == api.ClassRecord && p.Group() == known.Group()
	}
	next, stop := iter.Pull(in)
	defer stop()
	e, ok := next()
	for _, p := range there {
		for ok && e.Path.Compare(p) < 0 && !same(p, e.Path) {
			e, ok = next()
		}
		if ok && same(p, e.Path) {
			continue
		}
		if err := visit(p); err != nil {
			return err
		}
	}
	return nil
}

// trust takes away the sign that the files are not those of the manifest.
func (s *Stage) trust() error {
	if !s.distrusted || s.DryRun {
		return nil
	}
	if err := s.root.Remove(wrongFile); fsutil.IgnoreMissing(err) != nil {
		return problem("remove", wrongFile, err)
	}
	s.distrusted = false
	return nil
}

// distrust leaves a sign that the files are not those of the manifest, which stays until
// a build made them so.
func (s *Stage) distrust() error {
	s.distrusted = true
	if s.DryRun || s.root == nil {
		return nil
	}
	f, err := s.root.OpenFile(wrongFile, os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return problem("write", wrongFile, err)
	}
	return nil
}
