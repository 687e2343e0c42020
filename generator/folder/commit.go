package folder

import (
	"context"
	"errors"
	"fmt"

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
