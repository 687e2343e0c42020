package folder

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Verify looks whether the files of the snapshot in the folder are those of its
// manifest: it reads all of them, jobs at once, and looks for files below pages
// that have the path of a snapshot's file and are not in the manifest. It reports
// false as soon as one is missing, differs or is too many; then the commit judges
// by their paths which files have to go, so KeepRest is of no use; and if this
// build comes to no end, the next one does the same. If it reports
// true, the generation of the snapshot is known again.
func (s *Stage) Verify(ctx context.Context, jobs int) (bool, error) {
	ok, err := s.verify(ctx, jobs)
	switch {
	case err != nil:
		return false, err
	case !ok:
		return false, s.distrust()
	}
	return true, s.trust()
}

// errDiffers ends the reading of files at the first that is not as it should be.
var errDiffers = errors.New("a file is not as the manifest says")

func (s *Stage) verify(ctx context.Context, jobs int) (bool, error) {
	if s.distrusted {
		return false, nil
	}
	known, err := s.openManifest()
	if err != nil || known == nil {
		return false, err
	}
	retained, err := known.RetainedFiles()
	switch {
	case errors.Is(err, ErrDamaged):
		return false, nil
	case err != nil:
		return false, problem("read", manifest, err)
	}
	s.retained = make(map[api.Path]bool, len(retained))
	for _, r := range retained {
		s.retained[r.Path] = true
	}
	group, ctx := errgroup.WithContext(ctx)
	groups := make(chan []tree.Entry, 2*max(jobs, 1))
	for range max(jobs, 1) {
		group.Go(func() error {
			for files := range groups {
				if ctx.Err() != nil {
					continue // the one who sends is waiting
				}
				if err := s.verifyGroup(files); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(groups)
		return sendGroups(ctx, &previous{tree: known, cursor: known.Cursor()}, groups)
	})
	err = group.Wait()
	if err == nil {
		err = s.findSurplus(known)
	}
	switch {
	case errors.Is(err, errDiffers), errors.Is(err, ErrDamaged):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, nil
}

// sendGroups sends the files of each record, of each list page and so on.
func sendGroups(ctx context.Context, old *previous, to chan<- []tree.Entry) error {
	for {
		e, err := old.peek()
		if err == io.EOF {
			return nil
		}
		var files []tree.Entry
		if err == nil {
			files, err = old.group(e.Path.Group(), nil)
		}
		if err != nil {
			return err
		}
		select {
		case to <- files:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
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
	known := manifest.Cursor()
	for _, p := range there {
		isKnown := func(e *tree.Entry) bool {
			return e.Path == p || p.Class() == api.ClassRecord && e.Path.Group() == p.Group()
		}
		e, err := known.Peek()
		for ; err == nil && e.Path.Compare(p) < 0 && !isKnown(e); e, err = known.Peek() {
			known.Skip()
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil && isKnown(e) || s.retained[p] {
			continue
		}
		if isThere, err := s.isFile(p); err != nil || isThere {
			return cmp.Or(err, errDiffers)
		}
		if p.Class() == api.ClassRecord && p == p.Group() && !s.DryRun {
			if _, err := s.removeFolder(p.Folder()); err != nil {
				return err
			}
		}
	}
	return nil
}
