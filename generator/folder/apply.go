package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// applier takes the steps of a plan.
type applier struct {
	*Stage
	from, to  *disk // pages in the commit, and in place; nil where one is missing
	changed   flushList
	isFlushed bool     // all that removals rely on
	moved     api.Path // the group of the record whose folder was moved in last
	checked   api.Path // that of the record whose folder was found to be none but a folder
	removed   api.Path // of the record of which a file was removed last
}

func (a *applier) apply(p *pending) error {
	if p.tree {
		if err := a.moveTree(); err != nil {
			return err
		}
	}
	var err error
	if a.from, err = a.root.subDir(commitDir + "/" + pagesDir); err != nil {
		return problem("open", commitDir+"/"+pagesDir, err)
	}
	defer a.from.Close()
	if a.to, err = a.root.subDir(pagesDir); err != nil {
		return problem("open", pagesDir, err)
	}
	defer a.to.Close()
	if err := p.each(a.step); err != nil {
		return err
	}
	return a.leaveRecord(api.Path{})
}

// move moves a file or folder from the commit into place.
func (a *applier) move(name string) error {
	if dir, base := path.Split(name); dir == pagesDir+"/" && a.from != nil && a.to != nil {
		return a.from.move(base, a.to)
	}
	return a.root.Rename(commitDir+"/"+name, name)
}

// moveTree moves pages in as a whole.
func (a *applier) moveTree() error {
	err := a.root.Rename(commitDir+"/"+pagesDir, pagesDir)
	if errors.Is(err, fs.ErrNotExist) {
		var isThere bool
		if isThere, err = a.root.exists(pagesDir); err == nil && !isThere {
			err = errors.New("it is neither in the commit nor in its place")
		}
	}
	if err != nil {
		return problem("write", pagesDir, err)
	}
	a.changed.add(".")
	return nil
}

// step takes one step, unless it is done: see the package comment.
func (a *applier) step(s *tree.Step) error {
	name := s.Path.String()
	if s.Path.IsHostFile() {
		if err := a.checkHostFile(s); err != nil {
			return err
		}
	}
	if s.Op == tree.AddFolder {
		isDone, err := a.moveFolder(s)
		if isDone || err != nil {
			return err
		}
	}
	if s.Op.IsRemove() {
		return a.remove(s)
	}
	if err := a.moveFile(s, name); err != nil {
		return problem("write", name, err)
	}
	a.changed.add(path.Dir(name))
	return nil
}

// moveFolder moves the folder of a new record in, and reports whether the file of the step
// is there with it.
func (a *applier) moveFolder(s *tree.Step) (bool, error) {
	group, folder := s.Path.Group(), s.Path.Folder()
	if group == a.moved {
		return true, nil
	}
	err := a.move(folder)
	switch {
	case err == nil:
		a.moved = group
		a.changed.add(pagesDir)
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist):
		return false, nil // it was moved before, or is not empty there
	}
	return false, problem("write", folder, err)
}

// moveFile moves a file in. Where it is not in the commit any more, it has to be in its
// place.
func (a *applier) moveFile(s *tree.Step, name string) error {
	if err := a.checkFolder(s.Path); err != nil {
		return err
	}
	err := a.move(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	isThere, err := a.root.exists(commitDir + "/" + name)
	if err != nil {
		return err
	}
	if isThere { // then the folder that it goes to is gone
		if err := a.root.MkdirAll(path.Dir(name), folderMode); err != nil {
			return err
		}
		return a.root.Rename(commitDir+"/"+name, name)
	}
	now, err := a.root.sum(name)
	if err == nil && now == s.New {
		return nil
	}
	if fsutil.IgnoreMissing(err) != nil {
		return err
	}
	return a.unusable("someone changed it, and the commit does not have it any more")
}

// checkFolder makes sure that the folder of a record is no symlink.
func (a *applier) checkFolder(p api.Path) error {
	if p.Class() != api.ClassRecord || p.Group() == a.checked {
		return nil
	}
	info, err := a.root.Lstat(p.Folder())
	if err == nil && !info.IsDir() {
		err = errNotFolder
	}
	a.checked = p.Group()
	return fsutil.IgnoreMissing(err)
}

// remove removes a file. Before the first that is no variant, all that was moved in is on
// the disk.
func (a *applier) remove(s *tree.Step) error {
	name := s.Path.String()
	if s.Op == tree.Remove && !a.isFlushed {
		if err := a.flush(a.changed); err != nil {
			return err
		}
		a.isFlushed, a.changed = true, flushList{}
	}
	if err := a.leaveRecord(s.Path); err != nil {
		return err
	}
	err := a.checkFolder(s.Path)
	if err == nil {
		err = fsutil.IgnoreMissing(a.root.Remove(name))
	}
	if err != nil {
		return problem("remove", name, err)
	}
	if s.Path.Class() == api.ClassRecord && s.Op == tree.Remove {
		a.removed = s.Path.Group()
		return nil
	}
	a.changed.add(path.Dir(name))
	return nil
}

// leaveRecord removes the folder of the record of which files were removed last, unless
// the next file is of the same.
func (a *applier) leaveRecord(next api.Path) error {
	if a.removed == (api.Path{}) || a.removed == next.Group() {
		return nil
	}
	folder := a.removed.Folder()
	a.removed = api.Path{}
	isGone, err := a.removeFolder(folder)
	if isGone {
		folder = pagesDir
	}
	a.changed.add(folder)
	return err
}

// removeFolder removes the folder of a record, unless something lies there: a file
// that is not sivu's, or one that stays for a while. It reports whether there is none.
func (s *Stage) removeFolder(name string) (bool, error) {
	isFolder, err := s.isMode(name, fs.FileMode.IsDir)
	if err != nil || !isFolder {
		return err == nil, err
	}
	err = s.root.Remove(name)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return true, nil
	case errors.Is(err, fs.ErrExist): // it is not empty
		return false, nil
	}
	return false, problem("remove", name, err)
}

// checkHostFile makes sure that no file of someone else is written over or removed.
func (a *applier) checkHostFile(s *tree.Step) error {
	name := s.Path.String()
	now, err := a.root.sum(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return problem("look at", name, err)
	case !s.Op.IsRemove() && now == s.New, !s.Op.IsAdd() && now == s.Old:
		return nil
	}
	return fmt.Errorf("cannot replace %q in the output folder %q: someone else wrote it; move it away", name, a.name)
}
