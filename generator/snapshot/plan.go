package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// plan is what a commit will do, in the order of publication.
type plan struct {
	moves    []*entry // added and changed files
	removals []key    // files of the old snapshot that are no longer due
	tree     bool     // pages as a whole is moved in, and its files are not in moves
	changes  *Changes

	totals  totals
	listed  []listing  // how the manifest changes, in order
	left    []leftFile // files that stay though they left the snapshot, in order
	newLeft []leftFile // those of them that left now
	unleft  []leftFile // those that stayed until now
	records bool       // what changed is recorded
	rewrite bool       // the manifest is written whole
	segment []byte     // or else this is added to its log, unless it is nil,
	logSize int64      // from there on
}

// listing is a change of the manifest: the new entry of a file, or nil where it
// has none any more.
type listing struct {
	key   key
	entry *entry
}

// isNothing reports whether the snapshot is there already.
func (p *plan) isNothing() bool {
	return len(p.moves)+len(p.removals) == 0 && !p.tree && !p.rewrite && p.segment == nil
}

// plan compares the staged snapshot with the old one. It writes the manifest
// into the stage, unless the run is dry or little changes.
func (s *Stage) plan() (*plan, error) {
	s.removed = sortedKeys(s.removed)
	old, err := s.oldFiles()
	if err != nil {
		return nil, err
	}
	if s.keepRest && !old.isCurrent() {
		return nil, fmt.Errorf("cannot keep the rest of the old snapshot: %w; build it whole", ErrDamaged)
	}
	p, err := s.merge(old)
	if errors.Is(err, ErrDamaged) && !s.keepRest {
		// A block of the manifest is damaged, which shows when it is read.
		if old, err = s.oldByShape(); err == nil {
			p, err = s.merge(old)
		}
	}
	if err != nil {
		return nil, err
	}
	var sorting sync.WaitGroup
	sorting.Go(func() {
		slices.SortFunc(p.moves, publishOrder)
		slices.SortFunc(p.removals, removeOrder)
	})
	err = s.listFiles(p, old)
	sorting.Wait()
	if err != nil {
		return nil, err
	}
	s.sinceReport(p)
	return p, nil
}

func sortedKeys(keys []key) []key {
	slices.SortFunc(keys, key.compare)
	return slices.Compact(keys)
}

// merge walks the new and the old files together, both in order of path.
func (s *Stage) merge(old *oldFiles) (*plan, error) {
	c := &Changes{
		Added:   Paths{runs: s.runs, in: fileState.isAdded},
		Changed: Paths{runs: s.runs, in: func(st fileState) bool { return st == changed }},
	}
	m := &merger{stage: s, old: old, plan: &plan{changes: c}, removals: s.removed}
	if s.keepRest {
		m.plan.totals = old.totals
	}
	for e := range s.runs.all() {
		if len(m.due) > 0 && e.key.group() != m.due[0].key.group() {
			if err := m.takeDue(); err != nil {
				return nil, err
			}
		}
		m.due = append(m.due, e)
	}
	if err := m.takeDue(); err != nil {
		return nil, err
	}
	if err := m.takeBefore(key{0: 0xff}); err != nil {
		return nil, err
	}
	if err := m.takeLeft(); err != nil {
		return nil, err
	}
	if len(m.foreign) > 0 {
		return nil, m.refuse()
	}
	if s.adopted {
		c.Adopted = true
		if err := m.refuseRest(); err != nil {
			return nil, err
		}
	}
	return m.plan, m.finish()
}

// finish fills in what is known only at the end.
func (m *merger) finish() error {
	p, t := m.plan, &m.plan.totals
	if m.largestGone {
		t.largest = -1
	}
	if t.largest < 0 && m.stage.findsLargest {
		if err := m.findLargest(); err != nil {
			return err
		}
	}
	slices.SortFunc(m.removed, key.compare)
	slices.SortFunc(p.left, leftFile.compare)
	c := p.changes
	c.Removed = Paths{count: len(m.removed), keys: m.removed}
	c.Kept = len(p.left)
	c.Files, c.Bytes, c.InFolder = int(t.files), t.bytes, int(t.inFolder)
	c.Unchanged = c.Files - c.Added.count - c.Changed.count
	if c.Unchanged < 0 || t.bytes < 0 || t.inFolder < 0 {
		return ErrDamaged // the totals of the manifest are not those of its files
	}
	if c.Largest = t.largest; t.files > 0 && t.largest >= 0 {
		c.LargestFile = t.largestKey.path()
	}
	return nil
}

// refuse says that in-root files would have to be written over.
func (m *merger) refuse() error {
	names, them := strings.Join(m.foreign, ", "), "it"
	if len(m.foreign) > 1 {
		them = "them"
	}
	return fmt.Errorf("cannot write %s into the output folder %q: sivu did not write what lies there; move %s away, or build for no host and keep %s",
		names, m.stage.name, them, them)
}

// isFile reports whether the file of k lies in the output folder, and not
// behind a symlink. A file that cannot be looked at is an error: taken for one
// that is not there, it would stay published.
func (s *Stage) isFile(k key) (bool, error) {
	if s.root == nil {
		return false, nil
	}
	if k.class() == classRecord {
		if ok, err := s.isMode(k.folder().path(), fs.FileMode.IsDir); !ok {
			return false, err
		}
	}
	return s.isMode(k.path(), fs.FileMode.IsRegular)
}

// isMode reports whether there is something of that name and such a mode.
func (s *Stage) isMode(name string, is func(fs.FileMode) bool) (bool, error) {
	info, err := s.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, problem("look at", name, err)
	}
	return is(info.Mode()), nil
}
