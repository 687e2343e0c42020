package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// mover makes the moves of a commit and remembers how to undo them.
type mover struct {
	stage *Stage
	ctx   context.Context
	done  []move

	hadManifest bool
	logSize     int64 // of the manifest's log before the commit

	top, pages, state places // of what lies in the folder itself, in pages, in .sivu
	record            places // of the record that was moved last,
	current           key    // which is this
}

// move is a step that was taken, in a form that stays small for hundreds of
// thousands of them.
type move struct {
	key   key
	isNew bool // nothing was there before; else it lies in the backup
}

// publish does everything but the last step of a commit. The package comment says
// why in this order.
func (m *mover) publish(p *plan) error {
	if err := m.prepare(p); err != nil {
		return err
	}
	if p.tree {
		if err := m.add(treeKey); err != nil {
			return err
		}
	}
	if err := m.publishFiles(p.moves); err != nil {
		return err
	}
	if len(p.removals) > 0 {
		if err := m.flush("renames", p.renamed()); err != nil {
			return err
		}
	}
	for _, k := range p.removals {
		if err := m.remove(k); err != nil {
			return err
		}
	}
	if err := m.removeFolders(p.removals); err != nil {
		return err
	}
	if err := m.publishManifest(p); err != nil {
		return err
	}
	last, err := m.stage.emptied(p)
	if err != nil {
		return err
	}
	if len(p.removals) == 0 {
		last = p.renamed()
	}
	return m.flush("moves", last.with(manifestPlaces(p)))
}

// prepare makes the backup: a second name for every file that is replaced or
// removed, and the journal. Once they are on the disk it gets its name, which says
// that a commit has begun.
func (m *mover) prepare(p *plan) error {
	if err := m.openPlaces(prepareDir); err != nil {
		return err
	}
	var err error
	if m.hadManifest, err = m.stage.root.exists(manifest); err != nil {
		return problem("look at", manifest, err)
	}
	m.logSize = p.logSize
	for _, e := range p.moves {
		if e.state.isAdded() {
			continue
		}
		if err := m.backUp(e.key); err != nil {
			return err
		}
	}
	for _, k := range p.removals {
		if err := m.backUp(k); err != nil {
			return err
		}
	}
	if p.rewrite && m.hadManifest {
		if err := m.backUp(manifestKey); err != nil {
			return err
		}
	}
	if err := m.writeJournal(p); err != nil {
		return err
	}
	if p.records {
		if err := m.stage.writeRecord(m.stage.recorded(p.changes), m.stage.recordMeta(p.totals.generation)); err != nil {
			return err
		}
	}
	m.closePlaces()
	if err := m.flush("stage", p.staged(m.hadManifest)); err != nil {
		return err
	}
	if err := m.step("begin", backupDir); err != nil {
		return err
	}
	err = m.stage.root.Rename(prepareDir, backupDir)
	if err == nil {
		err = m.stage.flushFolder(stateDir)
	}
	if err != nil {
		return problem("make", backupDir, err)
	}
	return m.openPlaces(backupDir)
}

func (m *mover) publishManifest(p *plan) error {
	switch {
	case !p.rewrite:
		return m.addToLog(p)
	case m.hadManifest:
		return m.replace(manifestKey)
	}
	return m.add(manifestKey)
}

// addToLog adds to the log of the manifest. What an undone commit leaves there is
// cut off again.
func (m *mover) addToLog(p *plan) error {
	if err := m.step("write", manifestLog); err != nil {
		return err
	}
	m.done = append(m.done, move{key: logKey})
	f, err := m.stage.root.create(manifestLog, 0, fileMode)
	if err != nil {
		return problem("write", manifestLog, err)
	}
	err = f.Truncate(p.logSize)
	if err == nil {
		_, err = f.Seek(p.logSize, 0)
	}
	if err == nil {
		_, err = f.Write(p.segment)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return problem("write", manifestLog, err)
	}
	return nil
}

// cutLog takes back what addToLog did. A log that is shorter stays: a journal may
// be wrong.
func (s *Stage) cutLog(size int64) error {
	if size == 0 {
		err := s.root.Remove(manifestLog)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	if info, err := s.root.Lstat(manifestLog); err != nil || info.Size() <= size {
		return err
	}
	f, err := s.root.OpenFile(manifestLog, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Close())
}

// finish is the step that cannot be undone.
func (m *mover) finish() error {
	if err := m.step("finish", manifest); err != nil {
		return err
	}
	if err := m.stage.root.Rename(backupDir, trashDir); err != nil {
		return problem("rename", backupDir, err)
	}
	if err := m.stage.flushFolder(stateDir); err != nil {
		err = problem("flush", stateDir, err)
		return errors.Join(err, m.stage.root.Rename(trashDir, backupDir))
	}
	return nil
}

func (m *mover) publishFiles(moves []*entry) error {
	var last key
	for _, e := range moves {
		var err error
		switch e.state {
		case changed:
			err = m.replace(e.key)
		case gone:
			err = m.remove(e.key)
		case added:
			err = m.add(e.key)
		case addedWithFolder:
			if folder := e.key.folder(); folder != last {
				last = folder
				err = m.add(folder)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add moves in a file or folder that is not there yet.
func (m *mover) add(k key) error {
	return m.move("write", k, true, func(at places, name string) error {
		return at.staged.rename(name, at.live)
	})
}

// replace moves a file over the old one, which has a second name in the backup:
// at no moment is the file missing.
func (m *mover) replace(k key) error {
	return m.move("write", k, false, func(at places, name string) error {
		return at.staged.rename(name, at.live)
	})
}

// remove removes a file, which has a second name in the backup.
func (m *mover) remove(k key) error {
	return m.move("remove", k, false, func(at places, name string) error {
		return at.live.remove(name)
	})
}

// removeFolders removes the folders of removed records. It is done before the commit
// ends, so that no folder is left behind which no build knows of any more; undoing
// makes them anew.
func (m *mover) removeFolders(removals []key) error {
	m.leaveRecord()
	var last key
	for _, k := range removals {
		if k.class() != classRecord || k.folder() == last {
			continue
		}
		last = k.folder()
		if err := m.step("remove", last.path()); err != nil {
			return err
		}
		if err := m.stage.removeFolder(k); err != nil {
			return err
		}
	}
	return nil
}

// removeFolder removes the folder of a record, unless something lies there: a file
// that is not sivu's, or one that stays for a while.
func (s *Stage) removeFolder(k key) error {
	name := k.folder().path()
	isFolder, err := s.isMode(name, fs.FileMode.IsDir)
	if err != nil || !isFolder {
		return err
	}
	// "Not empty" counts as "exists".
	if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return problem("remove", name, err)
	}
	return nil
}

// move takes one step, and remembers it.
func (m *mover) move(verb string, k key, isNew bool, rename func(at places, name string) error) error {
	if err := m.step(verb, k.path()); err != nil {
		return err
	}
	at, name, err := m.at(k)
	if err == nil {
		err = rename(at, name)
	}
	if err != nil {
		return problem(verb, k.path(), err)
	}
	m.done = append(m.done, move{k, isNew})
	return nil
}

// backUp gives the old file a second name, or where the file system has no
// links, makes a copy of the same bytes, mode and time.
func (m *mover) backUp(k key) error {
	path := k.path()
	if err := m.step("back up", path); err != nil {
		return err
	}
	at, name, err := m.at(k)
	if err != nil {
		return problem("back up", path, err)
	}
	if err = m.try("link", path); err == nil {
		err = at.live.link(name, at.backup)
	}
	if err == nil {
		return nil
	}
	if err := copyFile(m.stage.root, path, prepareDir+"/"+path); err != nil {
		return problem("back up", path, err)
	}
	return nil
}

// try is where a test makes a step fail.
func (m *mover) try(op, name string) error {
	if m.stage.hook == nil {
		return nil
	}
	return m.stage.hook(op, name)
}

// step is done before each move: a commit can be stopped between any two.
func (m *mover) step(op, name string) error {
	if m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	if err := m.try(op, name); err != nil {
		return problem(op, name, err)
	}
	return nil
}
