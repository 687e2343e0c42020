package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Commit moves the staged files in, replaces the manifest, removes the files
// that are no longer due, and ends the stage. If anything fails, all of it is
// undone, and the error says so. If ctx is done before the last step, all of it
// is undone, and the error is the cause of that.
func (s *Stage) Commit(ctx context.Context) (*Changes, error) {
	if s.ended {
		return nil, errors.New("the snapshot was committed or aborted before")
	}
	p, err := s.ready(ctx)
	if err != nil {
		return nil, errors.Join(err, s.discard())
	}
	if s.dryRun {
		return p.changes, s.discard()
	}
	m := &mover{stage: s, ctx: ctx}
	defer m.close()
	err = m.publish(p)
	if err == nil {
		// From here on the new snapshot stands: what lies in trash is never put back.
		err = m.finish()
	}
	if err != nil {
		return nil, s.takeBack(m, err)
	}
	s.removeEmptied(p.removals)
	s.root.RemoveAll(trashDir) // what cannot be cleared goes at the next build
	s.suspect, s.newState, s.made = false, false, nil
	return p.changes, s.discard()
}

// Review returns what Commit will do, for a last look before it. Nothing may be
// written after it.
func (s *Stage) Review(ctx context.Context) (*Changes, error) {
	if s.ended {
		return nil, errors.New("the snapshot was committed or aborted before")
	}
	p, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	return p.changes, nil
}

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
	}
	if s.planned != nil {
		return s.planned, nil
	}
	p, err := s.plan()
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, asItWas)
	}
	s.planned = p
	return p, nil
}

// takeBack undoes what m did because of err, and ends the stage.
func (s *Stage) takeBack(m *mover, err error) error {
	if lost := m.rollBack(); len(lost) > 0 {
		s.suspect = true
		s.discard()
		return fmt.Errorf("%w; and the old snapshot could not be put back whole: %s; the next build into %q puts back what it can",
			err, strings.Join(lost, ", "), s.name)
	}
	if !s.suspect {
		s.root.RemoveAll(backupDir)
	}
	if !errors.Is(err, context.Cause(m.ctx)) {
		err = fmt.Errorf("%w (%s)", err, asItWas)
	}
	return errors.Join(err, s.discard())
}

// removeEmptied removes the folders of removed records. One that holds a file
// that is not sivu's stays.
func (s *Stage) removeEmptied(removals []key) {
	var last key
	for _, k := range removals {
		if k.class() != classRecord || k.folder() == last {
			continue
		}
		last = k.folder()
		if info, err := s.root.Lstat(last.path()); err == nil && info.IsDir() {
			s.root.Remove(last.path())
		}
	}
}
