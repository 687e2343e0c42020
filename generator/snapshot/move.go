package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// mover makes the moves of a commit and remembers how to undo them.
type mover struct {
	stage *Stage
	ctx   context.Context
	done  []move

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

func (m *mover) publish(p *plan) error {
	if err := m.makeBackup(); err != nil {
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
	for _, k := range p.removals {
		if err := m.remove(k); err != nil {
			return err
		}
	}
	if _, err := m.stage.root.Lstat(manifest); errors.Is(err, fs.ErrNotExist) {
		return m.add(manifestKey)
	}
	return m.replace(manifestKey)
}

// finish is the step that cannot be undone.
func (m *mover) finish() error {
	if err := m.step("finish", manifest); err != nil {
		return err
	}
	if err := m.stage.root.Rename(backupDir, trashDir); err != nil {
		return problem("rename", backupDir, err)
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
	if k.isInRoot() {
		if err := m.mark(k); err != nil {
			return err
		}
	}
	return m.move("write", k, true, func(at places, name string) error {
		return at.staged.rename(name, at.live)
	})
}

// replace moves a file over the old one, which gets a second name in the
// backup first: at no moment is the file missing.
func (m *mover) replace(k key) error {
	if err := m.backUp(k); err != nil {
		return err
	}
	return m.move("write", k, false, func(at places, name string) error {
		return at.staged.rename(name, at.live)
	})
}

// remove moves a file into the backup.
func (m *mover) remove(k key) error {
	return m.move("remove", k, false, func(at places, name string) error {
		return at.live.rename(name, at.backup)
	})
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
	if err := copyFile(m.stage.root, path, backupDir+"/"+path); err != nil {
		return problem("back up", path, err)
	}
	return nil
}

// rollBack undoes the moves, the last one first, and returns what it could not
// put back.
func (m *mover) rollBack() (lost []string) {
	const shown = 10
	failures := 0
	for _, step := range slices.Backward(m.done) {
		err := m.undo(step)
		if err == nil {
			continue
		}
		path := step.key.path()
		switch failures++; {
		case failures > shown:
		case step.isNew:
			lost = append(lost, fmt.Sprintf("%s is new and stays (%v)", path, reason(err)))
		default:
			lost = append(lost, fmt.Sprintf("%s lies in %s/%s (%v)", path, backupDir, path, reason(err)))
		}
	}
	if failures > shown {
		lost = append(lost, fmt.Sprintf("and %d more", failures-shown))
	}
	return lost
}

func (m *mover) undo(step move) error {
	if err := m.try("undo", step.key.path()); err != nil {
		return err
	}
	at, name, err := m.at(step.key)
	switch {
	case err != nil:
		return err
	case step.isNew:
		return at.live.rename(name, at.staged)
	}
	return at.backup.rename(name, at.live)
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
