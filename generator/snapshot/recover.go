package snapshot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// findLeftovers looks for what a build leaves behind only if it was cut off.
func (s *Stage) findLeftovers() error {
	for _, name := range []string{backupDir, stageDir, trashDir, unsureFile} {
		isThere, err := s.root.exists(name)
		if err != nil {
			return problem("look at", name, err)
		}
		s.isUnsure = s.isUnsure || isThere
		s.isCutOff = s.isCutOff || isThere && name == backupDir
	}
	said, err := s.root.readUpTo(unsureFile, int64(len(isWrong)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged) {
		return problem("read", unsureFile, err)
	}
	// A dry run undoes nothing, so it cannot go by the manifest.
	s.suspect = s.dryRun && s.isCutOff || string(said) == isWrong || errors.Is(err, ErrDamaged)
	return nil
}

// isWrong is what the sign says where the snapshot was verified, and was not as
// the manifest says.
const isWrong = "wrong\n"

// markUnsure leaves a sign that the snapshot has to be verified.
func (s *Stage) markUnsure() error {
	said := ""
	if s.suspect {
		said = isWrong
	}
	// What it says already is not taken away, not even for a moment.
	if now, err := s.root.readUpTo(unsureFile, int64(len(isWrong))); err == nil && string(now) == said {
		return nil
	}
	f, err := s.root.create(unsureFile, os.O_TRUNC, 0o600)
	if err == nil {
		_, err = f.Write([]byte(said))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return problem("write", unsureFile, err)
	}
	return nil
}

// markSure takes the sign away.
func (s *Stage) markSure() error {
	if !s.isUnsure || s.dryRun {
		return nil
	}
	if err := s.root.Remove(unsureFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem("remove", unsureFile, err)
	}
	s.isUnsure = false
	return nil
}

// undoCommit undoes a commit that was cut off, the last step first, and returns
// how many steps there were. It can be cut off itself, and done again.
func (s *Stage) undoCommit() (int, error) {
	steps, err := s.readJournal()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return s.undoWithoutJournal()
	}
	if err != nil {
		return 0, problem("read", journalFile, err)
	}
	touched := make(map[string]bool)
	for _, j := range slices.Backward(steps) {
		if err := s.undoStep(&j); err != nil {
			return 0, problem("undo a commit that was cut off, at", j.path(), err)
		}
		touched[path.Dir(j.path())] = true
	}
	for _, j := range slices.Backward(steps) {
		if j.op == takeOutFolder {
			if err := s.removeFolder(j.key); err != nil {
				return 0, err
			}
			delete(touched, path.Dir(j.path()))
			touched[pagesDir] = true
		}
	}
	return len(steps), s.endUndoing(touched)
}

// endUndoing waits until all that was undone in some folders is on the disk.
func (s *Stage) endUndoing(touched map[string]bool) error {
	if err := s.flushUndone(touched); err != nil {
		return problem("flush", s.name, err)
	}
	s.isCutOff = false
	return s.dropBackup()
}

// undoWithoutJournal puts back what the backup holds, where an older sivu left no
// journal or it cannot be read. What the commit added is not known and stays, so
// that every list finds its records; the next build knows it by its shape.
func (s *Stage) undoWithoutJournal() (int, error) {
	s.suspect = true
	if err := s.markUnsure(); err != nil {
		return 0, err
	}
	var keys []key
	err := fs.WalkDir(s.root.FS(), backupDir, func(name string, d fs.DirEntry, err error) error {
		if k, ok := parsePath(strings.TrimPrefix(name, backupDir+"/")); ok && err == nil && d.Type().IsRegular() {
			keys = append(keys, k)
		}
		return err
	})
	if err != nil {
		return 0, problem("read", backupDir, err)
	}
	slices.SortFunc(keys, func(a, b key) int { return removeOrder(b, a) })
	touched := make(map[string]bool)
	for _, k := range keys {
		if err := s.putBack(k.path()); err != nil {
			return 0, problem("undo a commit that was cut off, at", k.path(), err)
		}
		touched[path.Dir(k.path())] = true
	}
	return len(keys), s.endUndoing(touched)
}

// path returns the path of what a step is about.
func (j *journal) path() string {
	switch j.op {
	case takeOutTree:
		return pagesDir
	case cutLog:
		return manifestLog
	case takeOutListing:
		return manifest
	}
	return j.key.path()
}

func (s *Stage) undoStep(j *journal) error {
	name := j.path()
	switch j.op {
	case putBack:
		return s.putBack(name)
	case takeOut, takeOutFolder:
		isThere, err := s.isFile(j.key)
		if err != nil || !isThere {
			return err
		}
		return s.root.Remove(name)
	case takeOutIfOurs:
		return s.takeOutIfOurs(j)
	case takeOutTree:
		return s.removeTree()
	case takeOutListing:
		return ignoreMissing(s.root.Remove(name))
	case cutLog:
		return ignoreMissing(s.cutLog(j.log))
	}
	return nil
}

func (s *Stage) takeOutIfOurs(j *journal) error {
	if isThere, err := s.isFile(j.key); err != nil || !isThere {
		return err
	}
	f, err := s.root.Open(j.path())
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || [sha256.Size]byte(sum.Sum(nil)) != j.sum {
		return err
	}
	return s.root.Remove(j.path())
}

// putBack moves a file from the backup to where it was, unless it is there still.
func (s *Stage) putBack(name string) error {
	from := backupDir + "/" + name
	kept, err := s.root.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !kept.Mode().IsRegular() {
		err = fmt.Errorf("%s is %w", from, errNotRegular)
	}
	if err != nil {
		return err
	}
	// Renaming one of two names of a file to the other does nothing.
	now, err := s.root.Lstat(name)
	if err == nil && os.SameFile(kept, now) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.root.MkdirAll(path.Dir(name), folderMode); err != nil {
		return err
	}
	return s.root.Rename(from, name)
}

// removeTree removes the files of a first build.
func (s *Stage) removeTree() (err error) {
	if _, err := s.root.Lstat(pagesDir); err != nil {
		return ignoreMissing(err)
	}
	if s.pages, err = openFolder(s.root, pagesDir); err != nil {
		return err
	}
	keys, err := s.findByShape()
	s.pages.close()
	s.pages = folder{}
	if err != nil {
		return err
	}
	for i, k := range keys {
		if k.isTop() {
			continue
		}
		isThere, err := s.isFile(k)
		if err == nil && isThere {
			err = s.root.Remove(k.path())
		}
		if err != nil {
			return err
		}
		if k.class() == classRecord && (i+1 == len(keys) || keys[i+1].group() != k.group()) {
			if err := s.removeFolder(k); err != nil {
				return err
			}
		}
	}
	if err := s.root.Remove(pagesDir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
