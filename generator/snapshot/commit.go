package snapshot

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// Commit moves the staged files in, adds to the manifest, removes the files that
// are no longer due, and ends the stage. If nothing differs, nothing is written.
// If anything fails, all of it is undone, and the error says so. If ctx is done
// before the last step, all of it is undone, and the error is the cause of that.
// Once the new snapshot stands there is no error: what could not be cleared is in
// [Changes].Leftover.
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
	if p.isNothing() {
		s.newState = false
		return s.end(p), nil
	}
	m := &mover{stage: s, ctx: ctx}
	defer m.closePlaces()
	err = m.publish(p)
	if err == nil {
		// From here on the new snapshot stands: what lies in trash is never put back.
		err = m.finish()
	}
	if err != nil {
		return nil, s.takeBack(m, err)
	}
	leftover := s.clearTrash()
	if p.rewrite {
		s.root.Remove(manifestLog) // it belongs to the manifest before, and is passed over
	}
	s.newState, s.made = false, nil
	if p.records {
		leftover = errors.Join(leftover, s.settleRecord())
	}
	c := s.end(p)
	c.Leftover = errors.Join(leftover, c.Leftover)
	return c, nil
}

// end clears up when the new snapshot stands.
func (s *Stage) end(p *plan) *Changes {
	s.callThen(p.changes)
	var err error
	if !s.keepRest {
		err = s.removeEmpty()
	}
	p.changes.Leftover = errors.Join(err, s.markSure(), s.discard())
	return p.changes
}

// clearTrash removes the backup of a commit that has come to its end. What cannot be
// removed goes at the next build. Of many list pages every processor removes some:
// the system gives back their memory or blocks one by one.
func (s *Stage) clearTrash() error {
	const many = 1000
	if lists, err := openFolder(s.root, trashDir+"/"+pagesDir); err == nil {
		names, _ := lists.names()
		var removing sync.WaitGroup
		for some := range slices.Chunk(names, max(many, len(names)/runtime.GOMAXPROCS(0)+1)) {
			removing.Go(func() {
				for _, name := range some {
					lists.remove(name) // fails for folders of records, which RemoveAll takes
				}
			})
		}
		removing.Wait()
		lists.close()
	}
	if err := s.root.RemoveAll(trashDir); err != nil {
		return problem("clear", trashDir, err)
	}
	return nil
}

// Then has f called by Commit when the new snapshot stands, or is there already, and
// before another build can begin: for what has to be in step with the snapshot. A
// dry run does not call it.
func (s *Stage) Then(f func(*Changes)) { s.then = f }

func (s *Stage) callThen(c *Changes) {
	if s.then != nil {
		s.then(c)
	}
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

// removeEmpty removes folders of records that are not due and hold nothing: those
// that a folder which was adopted had, or someone emptied.
func (s *Stage) removeEmpty() error {
	var there []key
	err := s.eachInPages(func(name string) {
		if k := (key{0: classRecord}); parseID(k[1:17], name) {
			there = append(there, k)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(there, key.compare)
	for e := range s.runs.all() {
		for len(there) > 0 && there[0].compare(e.key.group()) < 0 {
			if err := s.removeFolder(there[0]); err != nil {
				return err
			}
			there = there[1:]
		}
		if len(there) > 0 && there[0] == e.key.group() {
			there = there[1:]
		}
	}
	for _, k := range there {
		if err := s.removeFolder(k); err != nil {
			return err
		}
	}
	return nil
}
