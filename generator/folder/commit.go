package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// Review returns the changes that Commit will make, for a last look before it. Nothing may be
// written after it.
func (s *Stage) Review(ctx context.Context) (*Changes, error) {
	if s.ended {
		return nil, errEnded
	}
	p, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	return p.changes, nil
}

var errEnded = errors.New("the snapshot was committed or aborted before")

// ready returns the plan of a stage that is whole.
func (s *Stage) ready(ctx context.Context) (*plan, error) {
	s.mu.Lock()
	failed, writers := s.failed, s.writers
	s.mu.Unlock()
	switch {
	case failed != nil:
		return nil, failed
	case writers > 0:
		return nil, fmt.Errorf("cannot commit: %d writers are still open", writers)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case s.planned == nil:
		var err error
		if s.planned, err = s.plan(); err != nil {
			return nil, fmt.Errorf("%w (%s)", err, asItWas)
		}
	}
	return s.planned, nil
}

// Commit brings the folder from the old snapshot to the staged one, and ends the stage.
// If nothing differs, nothing is written. If anything fails before the commit is marked,
// or ctx is done by then, the folder is as it was, and the error says so or is the cause
// of that. After that ctx is not looked at any more. An error then means that the next
// build, or [Recover], has to finish the commit, and says so. Once the new snapshot stands
// there is no error: a failure to clear up is in [Changes].Leftover.
func (s *Stage) Commit(ctx context.Context) (*Changes, error) {
	if s.ended {
		return nil, errEnded
	}
	p, err := s.ready(ctx)
	if err != nil {
		return nil, errors.Join(err, s.discard())
	}
	if s.DryRun {
		return p.changes, s.discard()
	}
	if p.isNothing() {
		s.newState = false
		return s.end(p.changes), nil
	}
	err = s.prepare(ctx, p)
	if err == nil {
		err = s.mark()
	}
	if err != nil {
		if !errors.Is(err, context.Cause(ctx)) {
			err = fmt.Errorf("%w (%s)", err, asItWas)
		}
		return nil, errors.Join(err, s.unreserve(p), s.discard())
	}
	s.newState, s.made = false, nil
	_, leftover, err := s.finish()
	if err != nil {
		s.discard()
		return nil, fmt.Errorf("%w; the new snapshot is not complete in %q: the next build, or sivu recover, finishes it", err, s.name)
	}
	c := s.end(p.changes)
	c.Leftover = errors.Join(leftover, c.Leftover)
	return c, nil
}

// end clears up when the new snapshot stands.
func (s *Stage) end(c *Changes) *Changes {
	if s.committed != nil {
		s.committed(c)
	}
	var err error
	if !s.incremental {
		err = s.removeEmpty()
	}
	c.Leftover = errors.Join(err, s.trust(), s.discard())
	return c
}

// prepare writes all that the commit needs, and flushes it.
func (s *Stage) prepare(ctx context.Context, p *plan) error {
	s.closeFolders()
	if err := s.root.Remove(scratchFile); fsutil.IgnoreMissing(err) != nil {
		return problem("remove", scratchFile, err)
	}
	if err := s.stagePlan(p); err != nil {
		return err
	}
	if p.records {
		if err := s.stageRecord(p); err != nil {
			return err
		}
	}
	if !p.rewrite {
		if err := s.reserve(p); err != nil {
			return err
		}
	}
	if err := s.checkWritable(p); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := s.flushStaged(p); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// reserve puts the new segment of the manifest's log into the stage, and makes room for it
// at the end of the log, so that nothing that follows needs more of the disk.
func (s *Stage) reserve(p *plan) error {
	f, err := s.createInStage(manifestLog, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(p.segment)
	if err = errors.Join(err, f.Close()); err == nil {
		err = s.writeLog(p.logSize, make([]byte, len(p.segment)))
	}
	if err != nil {
		return problem("write", manifestLog, err)
	}
	return nil
}

// unreserve takes the room away again.
func (s *Stage) unreserve(p *plan) error {
	if p.rewrite {
		return nil
	}
	var err error
	if p.logSize == 0 {
		err = s.root.Remove(manifestLog)
	} else {
		err = s.writeLog(p.logSize, nil)
	}
	if fsutil.IgnoreMissing(err) != nil {
		return problem("write", manifestLog, err)
	}
	return nil
}

// writeLog makes data the end of the log of the manifest, from an offset on.
func (s *Stage) writeLog(offset int64, data []byte) error {
	f, err := s.root.writer(manifestLog, 0, fileMode)
	if err != nil {
		return err
	}
	err = f.Truncate(offset)
	if err == nil && len(data) > 0 {
		_, err = f.Seek(offset, 0)
		if err == nil {
			_, err = f.Write(data)
		}
	}
	return errors.Join(err, f.Close())
}

// checkWritable makes sure, as far as permissions tell, that every folder that the commit
// changes can be changed.
func (s *Stage) checkWritable(p *plan) error {
	out, err := s.root.Open(".")
	if err != nil {
		return problem("open", s.name, err)
	}
	defer out.Close()
	last := ""
	for i := range p.steps {
		dir, name := p.steps[i].Path.Folder(), p.steps[i].Path.String()
		if p.steps[i].Op == tree.AddFolder {
			dir, name = pagesDir, dir
		}
		if dir == last {
			continue
		}
		last = dir
		if err := fsutil.CheckWritable(out, dir); err != nil {
			return problem("write", name, err)
		}
	}
	if p.tree {
		if err := fsutil.CheckWritable(out, "."); err != nil {
			return problem("write", pagesDir, err)
		}
	}
	return nil
}

// mark makes the stage the commit: from then on it is finished, and never undone.
func (s *Stage) mark() error {
	if err := s.root.Rename(stageDir, commitDir); err != nil {
		return problem("rename", stageDir, err)
	}
	if err := s.flushed(stateDir, fsutil.Flush); err != nil {
		err = problem("flush", stateDir, err)
		return errors.Join(err, s.root.Rename(commitDir, stageDir))
	}
	return nil
}

// finish takes the steps of the plan that lies in the commit, as far as they are not
// done, and returns how many there are. It can be cut off itself, and called again. Where
// there is no error but something left over, the new snapshot stands, and the commit, of
// which nothing is left to be done, could not be cleared.
func (s *Stage) finish() (steps int, leftover, err error) {
	p, err := s.openPlan()
	if err != nil {
		return 0, nil, err
	}
	err = s.carryOut(p)
	p.file.Close()
	s.closeFolders()
	if err != nil {
		return 0, nil, err
	}
	return p.count, s.retire(), nil
}

// carryOut takes the steps of a plan, and flushes the result.
func (s *Stage) carryOut(p *pending) error {
	now, err := s.listedGeneration()
	if err != nil {
		return err
	}
	switch now {
	case p.new: // all is done, and may not be flushed
		if fsutil.CanFlushSystem {
			return s.flushSystem()
		}
		return s.flush(flushList{".": true, pagesDir: true, stateDir: true})
	case p.old, tree.Generation{}:
	default:
		if p.old != (tree.Generation{}) {
			return s.unusable("the manifest is of another snapshot than the one that it began with")
		}
	}
	s.closeFolders() // some systems replace no open file
	a := &applier{Stage: s, changed: flushList{}}
	if err := a.apply(p); err != nil {
		return err
	}
	if err := s.installManifest(p, a.changed); err != nil {
		return err
	}
	s.closeFolders() // the manifest is another
	if now, err = s.listedGeneration(); err != nil {
		return err
	}
	if now != p.new {
		return s.unusable("what it adds to the manifest does not fit")
	}
	return nil
}

// retire ends a commit whose steps are all taken and flushed: it becomes a stage, which
// the end of a build clears.
func (s *Stage) retire() error {
	err := s.root.RemoveAll(stageDir)
	if err == nil {
		err = s.root.Rename(commitDir, stageDir)
	}
	if err == nil {
		err = s.flushed(stateDir, fsutil.Flush)
	}
	if err != nil {
		return problem("clear", commitDir, err)
	}
	return nil
}

// installManifest makes the record of changes and then the manifest, which says that all is
// done, those of the new snapshot, and flushes all that was changed.
func (s *Stage) installManifest(p *pending, changed flushList) error {
	if err := s.root.Rename(commitDir+"/"+changesFile, changesFile); fsutil.IgnoreMissing(err) != nil {
		return problem("write", changesFile, err)
	}
	if !p.rewrite {
		segment, err := s.root.readUpTo(commitDir+"/"+manifestLog, manifestLimit)
		if err == nil {
			err = s.writeLog(p.logSize, segment)
		}
		if err != nil {
			return problem("write", manifestLog, err)
		}
		changed.add(manifestLog)
	} else {
		if err := s.root.Rename(commitDir+"/"+manifest, manifest); fsutil.IgnoreMissing(err) != nil {
			return problem("write", manifest, err)
		}
	}
	changed.add(stateDir)
	if err := s.flush(changed); err != nil {
		return err
	}
	if p.rewrite {
		s.root.Remove(manifestLog) // it belongs to the manifest before, and is passed over
	}
	return nil
}

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
