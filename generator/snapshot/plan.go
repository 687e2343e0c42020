package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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
	slices.SortFunc(p.moves, func(a, b *entry) int { return publishOrder(a.key, b.key) })
	slices.SortFunc(p.removals, removeOrder)
	return p, nil
}

// merge walks the new and the old files together, both in order of path.
func (s *Stage) merge(old *oldFiles, write func(*entry)) (*plan, error) {
	c := &Changes{
		Added:   Paths{runs: s.runs, in: state.isAdded},
		Changed: Paths{runs: s.runs, in: func(st state) bool { return st == changed }},
	}
	p := &plan{changes: c}
	var last key
	for e := range s.runs.all() {
		if e.key == last {
			return nil, fmt.Errorf("%s was written twice in one build; two pages must not have one id", e.key.path())
		}
		last = e.key
		if err := s.stale(p, old, e.key); err != nil {
			return nil, err
		}
		c.Files++
		c.Bytes += int64(e.size)
		switch {
		case e.state == unchanged:
			c.Unchanged++
		case e.state == changed:
			c.Changed.count++
		default:
			c.Added.count++
		}
		switch {
		case e.state == unchanged:
		case s.pages.isThere() || e.key.class() == classError:
			p.moves = append(p.moves, e)
		default:
			p.tree = true
		}
		write(e)
	}
	if err := s.stale(p, old, key{0: 0xff}); err != nil {
		return nil, err
	}
	c.Removed = Paths{count: len(p.removals), keys: slices.Clone(p.removals)}
	return p, nil
}

// stale plans the removal of the old files before next, and passes over next.
func (s *Stage) stale(p *plan, old *oldFiles, next key) error {
	for {
		k, err := old.peek()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return problem("read", manifest, err)
		}
		order := k.compare(next)
		if order > 0 {
			return nil
		}
		if order < 0 && s.isFile(k) {
			p.removals = append(p.removals, k)
		}
		old.skip()
		if order == 0 {
			return nil
		}
	}
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

// publishOrder puts records before the lists that name them, later list pages
// before earlier ones, and the error bodies last. A client that follows next
// meets nothing that is not there yet.
func publishOrder(a, b key) int {
	rank := func(k key) int {
		return slices.Index([]byte{classRecord, classList, classIndex, classError}, k.class())
	}
	if order := cmp.Compare(rank(a), rank(b)); order != 0 || a.class() != classList {
		return cmp.Or(order, a.compare(b))
	}
	return cmp.Or(cmp.Compare(b.number(), a.number()), a.compare(b))
}

// removeOrder puts lists before the records that they name, later list pages
// first.
func removeOrder(a, b key) int {
	if aRecord, bRecord := a.class() == classRecord, b.class() == classRecord; aRecord != bRecord {
		if aRecord {
			return 1
		}
		return -1
	}
	return publishOrder(a, b)
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
