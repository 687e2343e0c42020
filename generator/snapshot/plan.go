package snapshot

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// plan is what a commit will do, in the order of publication.
type plan struct {
	moves    []*entry // added and changed files
	removals []key    // files of the old snapshot that are no longer due
	tree     bool     // pages as a whole is moved in, and its files are not in moves
	changes  *Changes
}

// plan compares the staged snapshot with the old one. It writes the manifest
// into the stage, unless the run is dry.
func (s *Stage) plan() (*plan, error) {
	old, err := s.oldFiles()
	if err != nil {
		return nil, err
	}
	defer old.close()
	write, finish, err := s.stageManifest()
	if err != nil {
		return nil, err
	}
	p, err := s.merge(old, write)
	if err := errors.Join(err, finish()); err != nil {
		return nil, err
	}
	slices.SortFunc(p.moves, publishOrder)
	slices.SortFunc(p.removals, removeOrder)
	return p, nil
}

// merge walks the new and the old files together, both in order of path.
func (s *Stage) merge(old *oldFiles, write func(*entry)) (*plan, error) {
	c := &Changes{
		Added:   Paths{runs: s.runs, in: state.isAdded},
		Changed: Paths{runs: s.runs, in: func(st state) bool { return st == changed }},
	}
	m := &merger{stage: s, old: old, plan: &plan{changes: c}}
	for e := range s.runs.all() {
		if err := m.take(e); err != nil {
			return nil, err
		}
		write(e)
	}
	if _, err := m.stale(key{0: 0xff}); err != nil {
		return nil, err
	}
	if len(m.foreign) > 0 {
		return nil, m.refuse()
	}
	c.Removed = Paths{count: len(m.removed), keys: m.removed}
	return m.plan, nil
}

// merger makes a plan of the new files, given in order of path.
type merger struct {
	stage   *Stage
	old     *oldFiles
	plan    *plan
	last    key
	answer  *entry   // the last that is not a sibling
	removed []key    // in order of path
	foreign []string // in-root files in the place of which others lie
}

func (m *merger) take(e *entry) error {
	if e.key == m.last {
		return fmt.Errorf("%s was written twice in one build; two pages must not have one id", e.key.path())
	}
	isKnown, err := m.stale(e.key)
	if err != nil {
		return err
	}
	if e.state == changed && e.key.isInRoot() && !isKnown && !(m.stage.dryRun && m.stage.suspect) {
		m.foreign = append(m.foreign, fmt.Sprintf("%q", e.key.path()))
	}
	m.count(e)
	if e.key.coding() == 0 {
		m.answer = e
	}
	e.fresh = m.answer != nil && m.answer.state.isAdded()
	switch p := m.plan; {
	case e.state == unchanged:
	case m.stage.pages.isThere() || e.key.isTop():
		p.moves = append(p.moves, e)
	default:
		p.tree = true
	}
	return nil
}

func (m *merger) count(e *entry) {
	c := m.plan.changes
	c.Files++
	c.Bytes += int64(e.size)
	if int64(e.size) > c.Largest {
		c.Largest, c.LargestFile = int64(e.size), e.key.path()
	}
	if e.key.isList() || e.key.class() == classRecord && e.key.folder() != m.last.folder() {
		c.InFolder++
	}
	m.last = e.key
	switch {
	case e.state == unchanged:
		c.Unchanged++
	case e.state == changed:
		c.Changed.count++
	default:
		c.Added.count++
	}
}

// stale plans the removal of the old files before next, and passes over next.
// It reports whether that is an old file too.
func (m *merger) stale(next key) (isKnown bool, err error) {
	for {
		k, err := m.old.peek()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, problem("read", manifest, err)
		}
		order := k.compare(next)
		if order > 0 {
			return false, nil
		}
		if order < 0 && m.stage.isFile(k) {
			m.remove(k)
		}
		m.old.skip()
		if order == 0 {
			return true, nil
		}
	}
}

// remove plans the removal of an old file. A sibling goes together with the
// change of its answer, if that stays.
func (m *merger) remove(k key) {
	m.removed = append(m.removed, k)
	if a := m.answer; k.coding() != 0 && a != nil && k.coded(0) == a.key {
		m.plan.moves = append(m.plan.moves, &entry{key: k, state: gone, fresh: a.state.isAdded()})
		return
	}
	m.plan.removals = append(m.plan.removals, k)
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
// behind a symlink.
func (s *Stage) isFile(k key) bool {
	if k.class() == classRecord {
		info, err := s.root.Lstat(k.folder().path())
		if err != nil || !info.IsDir() {
			return false
		}
	}
	info, err := s.root.Lstat(k.path())
	return err == nil && info.Mode().IsRegular()
}

// stageManifest begins the new manifest. It returns what takes the entries in
// order, and what ends it.
func (s *Stage) stageManifest() (write func(*entry), finish func() error, err error) {
	if s.dryRun {
		return func(*entry) {}, func() error { return nil }, nil
	}
	const name = stageDir + "/" + manifest
	if err := s.root.MkdirAll(stageDir+"/"+stateDir, folderMode); err != nil {
		return nil, nil, problem("make", name, err)
	}
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, nil, problem("write", manifest, err)
	}
	w := newManifestWriter(f)
	return w.add, func() error {
		if err := errors.Join(w.close(), f.Close()); err != nil {
			return problem("write", manifest, err)
		}
		return nil
	}, nil
}
