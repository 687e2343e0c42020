package snapshot

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// takeBack undoes what m did because of err, and ends the stage.
func (s *Stage) takeBack(m *mover, err error) error {
	if lost := m.rollBack(); len(lost) > 0 {
		s.isCutOff = true
		s.discard()
		return fmt.Errorf("%w; and the old snapshot could not be put back whole: %s; the next build into %q, or sivu recover, puts it back",
			err, strings.Join(lost, ", "), s.name)
	}
	if !errors.Is(err, context.Cause(m.ctx)) {
		err = fmt.Errorf("%w (%s)", err, asItWas)
	}
	s.root.Remove(nextRecord) // passed over where it stays
	return errors.Join(err, s.dropBackup(), s.discard())
}

// dropBackup ends a commit that was undone, or never began: once the backup has
// another name, nothing is put back from it any more.
func (s *Stage) dropBackup() error {
	isThere, err := s.root.exists(backupDir)
	if err == nil && !isThere {
		return nil
	}
	if err == nil {
		err = s.root.Rename(backupDir, trashDir)
	}
	if err == nil {
		err = s.root.RemoveAll(trashDir)
	}
	if err != nil {
		return problem("clear", backupDir, err)
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
		name := step.key.path()
		switch failures++; {
		case failures > shown:
		case step.isNew:
			lost = append(lost, fmt.Sprintf("%s is new and stays (%v)", name, Reason(err)))
		default:
			lost = append(lost, fmt.Sprintf("%s lies in %s/%s (%v)", name, backupDir, name, Reason(err)))
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
	if step.key == logKey {
		return m.stage.cutLog(m.logSize)
	}
	if k := step.key; k.class() == classRecord && !step.isNew {
		if err := m.pages.live.mkdir(path.Base(k.folder().path())); err != nil {
			return err
		}
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
