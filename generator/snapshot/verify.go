package snapshot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Verify looks whether the files of the snapshot in the folder are those of its
// manifest: it reads all of them, jobs at once, and looks for files below pages
// that have the name of a snapshot's file and are not in the manifest. It reports
// false as soon as one is missing, differs or is too many; then the commit judges
// by their names which files have to go, so KeepRest is of no use; and if this
// build comes to no end, the next one does the same. If it reports
// true, the generation of the snapshot is known again.
func (s *Stage) Verify(ctx context.Context, jobs int) (bool, error) {
	ok, err := s.verify(ctx, jobs)
	switch {
	case err != nil:
		return false, err
	case !ok:
		s.suspect, s.isUnsure = true, true
		if s.dryRun || s.root == nil {
			return false, nil
		}
		return false, s.markUnsure()
	}
	return true, s.markSure()
}

// errDiffers ends the reading of files at the first that is not as it should be.
var errDiffers = errors.New("a file is not as the manifest says")

func (s *Stage) verify(ctx context.Context, jobs int) (bool, error) {
	if s.root == nil || s.suspect {
		return false, nil
	}
	old, err := s.openManifest()
	if err != nil || old == nil || !old.isCurrent() {
		return false, err
	}
	left, err := old.left()
	switch {
	case errors.Is(err, ErrDamaged):
		return false, nil
	case err != nil:
		return false, problem("read", manifest, err)
	}
	s.stays = make(map[key]bool, len(left))
	for _, f := range left {
		s.stays[f.key] = true
	}
	group, ctx := errgroup.WithContext(ctx)
	groups := make(chan []entry, 2*max(jobs, 1))
	for range max(jobs, 1) {
		group.Go(func() error {
			v := verifier{stage: s, buffer: make([]byte, 32<<10)}
			for files := range groups {
				if ctx.Err() != nil {
					continue // the one who sends is waiting
				}
				if err := v.group(files); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(groups)
		return s.sendGroups(ctx, old, groups)
	})
	err = group.Wait()
	if err == nil {
		err = s.findSurplus()
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
func (s *Stage) sendGroups(ctx context.Context, old *oldFiles, to chan<- []entry) error {
	for {
		e, err := old.peek()
		if err == io.EOF {
			return nil
		}
		var files []entry
		if err == nil {
			files, err = old.group(e.key.group(), nil)
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

type verifier struct {
	stage  *Stage
	buffer []byte
}

// group verifies files that lie in one folder.
func (v *verifier) group(files []entry) error {
	in, name := v.stage.out, files[0].key.path()
	if files[0].key.class() == classRecord {
		var err error
		if in, err = v.stage.pages.sub(path.Base(path.Dir(name))); err != nil {
			return wrong(name, err)
		}
		defer in.close()
		if err := v.surplus(in, files); err != nil {
			return err
		}
	} else if !files[0].key.isTop() {
		in = v.stage.pages
	}
	for _, e := range files {
		name := e.key.path()
		sum := sha256.New()
		size, err := in.readTo(path.Base(name), sum, v.buffer)
		if err != nil {
			return wrong(name, err)
		}
		if size != int64(e.size) || [sha256.Size]byte(sum.Sum(nil)) != e.sum {
			return errDiffers
		}
	}
	return nil
}

// surplus looks for files in the folder of a record that are in no manifest.
func (v *verifier) surplus(in folder, files []entry) error {
	names, err := in.names()
	if err != nil {
		return wrong(files[0].key.path(), err)
	}
	for _, name := range names {
		k, ok := recordKey(path.Base(path.Dir(files[0].key.path())), name)
		if ok && !v.stage.stays[k] && !slices.ContainsFunc(files, func(e entry) bool { return e.key == k }) {
			return errDiffers
		}
	}
	return nil
}

// wrong tells files that are missing or something else from those that could not
// be read.
func wrong(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) || errors.Is(err, errNotFolder) {
		return errDiffers
	}
	return problem("read", name, err)
}

// findSurplus looks for files and folders of a snapshot's names that are in no
// manifest, and removes folders of records that hold nothing. What lies in the
// folders of known records was looked at before.
func (s *Stage) findSurplus() error {
	known, err := s.openManifest()
	if err != nil || known == nil {
		return err
	}
	there, err := s.findByShape()
	if err != nil {
		return err
	}
	for len(there) > 0 {
		k := there[0]
		e, err := known.peek()
		if err != nil && err != io.EOF {
			return err
		}
		isKnown := err == nil && (e.key == k || k.class() == classRecord && e.key.group() == k.group())
		if err == nil && !isKnown && e.key.compare(k) < 0 {
			known.skip()
			continue
		}
		if !isKnown && !s.stays[k] {
			if isThere, err := s.isFile(k); err != nil || isThere {
				return cmp.Or(err, errDiffers)
			}
			if k.class() == classRecord && k[17] == 0 && !s.dryRun {
				if err := s.removeFolder(k); err != nil {
					return err
				}
			}
		}
		there = there[1:]
	}
	return nil
}
