package folder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// plan is all that a commit will do.
type plan struct {
	planHead
	steps   []tree.Step // in the order of publication
	changes *Changes

	totals   tree.Totals
	listed   []tree.Edit     // how the manifest changes
	retained []tree.Retained // files that stay though they left the snapshot, in order
	records  bool            // the changes are recorded for a report
	segment  []byte          // new one of the manifest's log; nil where the manifest is written whole, or stays
}

// isNothing reports whether the snapshot is there already.
func (p *plan) isNothing() bool {
	return len(p.steps) == 0 && !p.tree && !p.rewrite && p.segment == nil
}

// plan compares the staged snapshot with the old one. It writes the manifest
// into the stage, unless the run is dry or little changes.
func (s *Stage) plan() (*plan, error) {
	s.removed = sorted(s.removed)
	old, err := s.previous()
	if err != nil {
		return nil, err
	}
	if s.incremental && !old.knows() {
		return nil, fmt.Errorf("cannot keep the rest of the old snapshot: %w; build it whole", ErrDamaged)
	}
	p, err := s.compare(old)
	if errors.Is(err, ErrDamaged) && !s.incremental {
		// A block of the manifest is damaged, which shows when it is read.
		if old, err = s.previousByShape(); err == nil {
			p, err = s.compare(old)
		}
	}
	if err != nil {
		return nil, err
	}
	sortedSteps := make(chan struct{})
	go func() {
		slices.SortFunc(p.steps, func(a, b tree.Step) int { return tree.Order(&a, &b) })
		close(sortedSteps)
	}()
	err = s.planManifest(p, old)
	<-sortedSteps
	if err != nil {
		return nil, err
	}
	s.sinceReport(p)
	return p, nil
}

// planner makes a plan, group by group in order of path: a group is the files of one
// record, or of one list page.
type planner struct {
	*plan
	stage    *Stage
	prev     *previous
	removals []api.Path    // of [Stage.Remove], not planned yet
	due      []*tree.Entry // of the group that is planned
	olds     []tree.Entry  // of the same
	removed  []api.Path
	foreign  []string // host files whose names are taken by files of others

	largestGone bool // the largest file of the old snapshot is gone, or smaller
}

// compare walks the new and the old files together.
func (s *Stage) compare(old *previous) (*plan, error) {
	// The files are not listed once more: there may be millions.
	with := func(is func(tree.Op) bool) Paths {
		return Paths{all: func(yield func(api.Path) bool) {
			for e := range s.runs.All() {
				if is(e.Op) && !yield(e.Path) {
					return
				}
			}
		}}
	}
	c := &Changes{Added: with(tree.Op.IsAdd), Changed: with(func(op tree.Op) bool { return op == tree.Change })}
	p := &planner{stage: s, prev: old, plan: &plan{changes: c, planHead: planHead{old: old.totals().Generation}}, removals: s.removed}
	if s.incremental {
		p.totals = old.totals()
	}
	if err := p.planGroups(); err != nil {
		return nil, err
	}
	if err := p.planRetained(); err != nil {
		return nil, err
	}
	if len(p.foreign) > 0 {
		return nil, p.refuse()
	}
	if s.adopted {
		c.Adopted = true
		if err := p.refuseRest(); err != nil {
			return nil, err
		}
	}
	return p.plan, p.finish()
}

// planGroups plans every group that was written, or that may have to go.
func (p *planner) planGroups() error {
	next, stop := iter.Pull(p.stage.runs.All())
	defer stop()
	due, isDue := next()
	for {
		group := api.LastPath
		switch {
		case !p.stage.incremental:
			e, err := p.prev.files.Peek()
			if err != nil && err != io.EOF {
				return err
			}
			if err == nil {
				group = e.Path.Group()
			}
		case len(p.removals) > 0:
			group = p.removals[0].Group()
		}
		if isDue && due.Path.Group().Compare(group) < 0 {
			group = due.Path.Group()
		}
		if group == api.LastPath {
			return nil
		}
		for p.due = p.due[:0]; isDue && due.Path.Group() == group; due, isDue = next() {
			p.due = append(p.due, due)
		}
		if err := p.planGroup(group); err != nil {
			return err
		}
	}
}

// planGroup plans the due files of a group, p.due, and those that the old snapshot has.
func (p *planner) planGroup(group api.Path) error {
	var err error
	p.prev.files.Seek(group)
	if p.olds, err = p.prev.files.Group(group, p.olds[:0]); err != nil {
		return err
	}
	var removals []api.Path
	for len(p.removals) > 0 && p.removals[0].Group() == group {
		removals, p.removals = append(removals, p.removals[0]), p.removals[1:]
	}
	rest := 0 // old files that stay as they are
	var stale []*tree.Entry
	for i := range p.olds {
		o := &p.olds[i]
		answer := o.Path.WithCoding(0)
		switch {
		case p.dueOf(o.Path) != nil:
			p.count(o, -1)
		case p.stage.incremental && p.dueOf(answer) == nil && !slices.Contains(removals, answer):
			rest++
		default:
			p.count(o, -1)
			stale = append(stale, o)
		}
	}
	if err := p.planWrites(); err != nil {
		return err
	}
	p.countFolder(group, rest)
	return p.planRemovals(stale, rest == 0 && len(p.due) == 0)
}

// dueOf returns the file of the group that was written to a path, or nil.
func (p *planner) dueOf(path api.Path) *tree.Entry {
	for _, e := range p.due {
		if e.Path == path {
			return e
		}
	}
	return nil
}

// planWrites plans the files of the group that were written.
func (p *planner) planWrites() error {
	var last *tree.Entry
	for _, e := range p.due {
		if last != nil && last.Path == e.Path {
			return fmt.Errorf("%s was written twice in one build; two pages must not have one id", e.Path)
		}
		last = e
		step := tree.Step{Path: e.Path, Op: e.Op, New: e.Sum}
		i := slices.IndexFunc(p.olds, func(o tree.Entry) bool { return o.Path == e.Path })
		if i < 0 && e.Op == tree.Change && e.Path.IsHostFile() {
			p.foreign = append(p.foreign, fmt.Sprintf("%q", e.Path.String()))
		}
		if i >= 0 {
			step.Old = p.olds[i].Sum
		}
		if i < 0 || !p.prev.knows() || step.Old != e.Sum {
			p.list(tree.Put(e.Path, e.Sum))
		}
		p.count(e, 1)
		if answer := p.dueOf(e.Path.WithCoding(0)); answer != nil {
			step.Fresh = answer.Op.IsAdd()
		}
		switch {
		case e.Op == tree.Keep:
			continue
		case e.Op == tree.Change:
			p.changes.Changed.count++
		default:
			p.changes.Added.count++
		}
		if p.stage.pages == nil && !e.Path.InRoot() {
			p.tree = true
		} else if err := p.addStep(step); err != nil {
			return err
		}
	}
	return nil
}

// addStep adds a step. Its old sum is that on the disk where the file is a host file.
func (p *planner) addStep(s tree.Step) error {
	if s.Path.IsHostFile() && !s.Op.IsAdd() {
		sum, err := p.stage.root.sum(s.Path.String())
		if err != nil {
			return problem("read", s.Path.String(), err)
		}
		s.Old = sum
	}
	p.steps = append(p.steps, s)
	return nil
}

// planRemovals plans old files that are no longer due. Where nothing of their group
// is left, they may stay for a while.
func (p *planner) planRemovals(stale []*tree.Entry, whole bool) error {
	for _, o := range stale {
		p.list(tree.Delete(o.Path))
		isThere, err := p.stage.isFile(o.Path)
		switch {
		case err != nil:
			return err
		case !isThere:
		case whole && p.stage.KeepRemoved > 0 && !o.Path.InRoot():
			r := tree.Retained{Path: o.Path, Since: p.stage.now.Unix()}
			p.retained = append(p.retained, r)
			p.list(tree.Retain(r))
		default:
			if err := p.remove(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove plans the removal of an old file. A precompressed variant goes together with
// the change of its answer, if that stays.
func (p *planner) remove(o *tree.Entry) error {
	p.removed = append(p.removed, o.Path)
	step := tree.Step{Path: o.Path, Op: tree.Remove, Old: o.Sum}
	if answer := p.dueOf(o.Path.WithCoding(0)); answer != nil {
		step.Op, step.Fresh = tree.RemoveVariant, answer.Op.IsAdd()
	}
	return p.addStep(step)
}

// planRetained goes through the files that left before. One that is due again is like
// any other. One beside files that are due again goes at once, as it may belong to
// older ones.
func (p *planner) planRetained() error {
	var list []tree.Retained
	if p.prev.knows() && p.prev.tree.Retained > 0 {
		var err error
		if list, err = p.prev.tree.RetainedFiles(); err != nil {
			return problem("read", manifest, err)
		}
	}
	for _, r := range list {
		switch runs := p.stage.runs; {
		case runs.Has(r.Path):
		case runs.HasGroup(r.Path), p.stage.isExpired(r):
			isThere, err := p.stage.isFile(r.Path)
			if err == nil && isThere {
				err = p.remove(&tree.Entry{Path: r.Path})
			}
			if err != nil {
				return err
			}
		default:
			p.retained = append(p.retained, r)
			continue
		}
		p.list(tree.Forget(r))
	}
	p.totals.Retained, p.totals.RetainedSince = int64(len(p.retained)), 0
	for i, r := range p.retained {
		if i == 0 || r.Since < p.totals.RetainedSince {
			p.totals.RetainedSince = r.Since
		}
	}
	return nil
}

// isExpired reports whether the time of a file is over. One from the future is not
// waited for: a clock was put right.
func (s *Stage) isExpired(r tree.Retained) bool {
	age := s.now.Sub(time.Unix(r.Since, 0))
	return age >= s.KeepRemoved || age < -time.Minute
}

// list notes a change of the manifest. Of a whole snapshot at most so many are
// noted as make a new manifest worth while, which is then made of all its files.
func (p *planner) list(c tree.Edit) {
	const most = 1 << 16
	if p.stage.incremental || p.prev.knows() && len(p.listed) <= most {
		p.listed = append(p.listed, c)
	} else {
		p.rewrite = true
	}
}

// count adds a file to the totals, or takes an old one out of those that the
// manifest had.
func (p *planner) count(e *tree.Entry, by int64) {
	t := &p.totals
	if by < 0 && !p.stage.incremental {
		return // they were not in
	}
	t.Files += by
	t.Bytes += by * int64(e.Size)
	switch size := int64(e.Size); {
	case t.Largest < 0: // as little as before
	case by < 0 && e.Path == t.LargestPath:
		p.largestGone = true
	case by > 0 && (size > t.Largest || size == t.Largest && p.largestGone || t.Files == 1):
		t.Largest, t.LargestPath, p.largestGone = size, e.Path, false
	}
}

// countFolder counts the entries of pages that a group makes, and made.
func (p *planner) countFolder(group api.Path, rest int) {
	now, before := rest+len(p.due), len(p.olds)
	switch {
	case group.InRoot():
		return
	case group.Class() == api.ClassRecord:
		now, before = min(now, 1), min(before, 1)
	}
	p.totals.InFolder += int64(now)
	if p.stage.incremental {
		p.totals.InFolder -= int64(before)
	}
}

// finish fills in the figures that are known only at the end.
func (p *planner) finish() error {
	t := &p.totals
	if p.largestGone {
		t.Largest = -1
	}
	if t.Largest < 0 && p.stage.Largest {
		t.LargestPath = api.Path{}
		err := p.stage.eachListed(p.plan, p.prev, func(e *tree.Entry) {
			if int64(e.Size) > t.Largest {
				t.Largest, t.LargestPath = int64(e.Size), e.Path
			}
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(p.retained, func(a, b tree.Retained) int { return a.Path.Compare(b.Path) })
	c := p.changes
	c.Removed = pathsOf(sorted(p.removed))
	c.Kept = len(p.retained)
	c.Files, c.Bytes, c.InFolder = int(t.Files), t.Bytes, int(t.InFolder)
	c.Unchanged = c.Files - c.Added.count - c.Changed.count
	if c.Unchanged < 0 || t.Bytes < 0 || t.InFolder < 0 {
		return ErrDamaged // the totals of the manifest are not those of its files
	}
	if c.Largest = t.Largest; t.Files > 0 && t.Largest >= 0 {
		c.LargestFile = t.LargestPath.String()
	}
	return nil
}

// refuse says that files of others would have to be written over.
func (p *planner) refuse() error {
	names, them := strings.Join(p.foreign, ", "), "it"
	if len(p.foreign) > 1 {
		them = "them"
	}
	return fmt.Errorf("cannot write %s into the output folder %q: sivu did not write what lies there; move %s away, or build for no host and keep %s",
		names, p.stage.name, them, them)
}

// planManifest plans how the manifest comes to list the new snapshot. If it has to
// be written whole, it is, into the stage.
func (s *Stage) planManifest(p *plan, old *previous) error {
	p.rewrite = p.rewrite || !old.knows()
	p.new = p.old
	p.changes.Generation = p.old.String()
	isSame := len(p.listed)+len(p.steps) == 0 && !p.tree
	if isSame && !p.rewrite {
		return nil
	}
	rand.Read(p.new[:])
	p.totals.Generation = p.new
	p.changes.Generation = p.new.String()
	if !p.rewrite {
		segment, fits := old.tree.Segment(p.totals, p.listed)
		if fits {
			p.segment, p.logSize = segment, old.tree.LogSize()
			return nil
		}
		p.rewrite = true
	}
	if s.DryRun {
		return nil
	}
	return s.stageManifest(p, old)
}

// stageManifest writes the whole manifest into the stage.
func (s *Stage) stageManifest(p *plan, old *previous) error {
	f, err := s.createInStage(manifest, fileMode)
	if err != nil {
		return err
	}
	w := tree.NewWriter(f, p.totals)
	err = s.eachListed(p, old, w.Put)
	if err == nil {
		err = w.Finish(p.retained)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return problem("write", manifest, err)
	}
	return nil
}

// createInStage creates a file that a commit moves into .sivu, or reads.
func (s *Stage) createInStage(name string, mode fs.FileMode) (*diskFile, error) {
	err := s.root.MkdirAll(stageDir+"/"+stateDir, folderMode)
	if err != nil {
		return nil, problem("make", stageDir+"/"+stateDir, err)
	}
	f, err := s.root.writer(stageDir+"/"+name, os.O_EXCL, mode)
	if err != nil {
		return nil, problem("write", name, err)
	}
	return f, nil
}

// eachListed shows the files of the new snapshot in order.
func (s *Stage) eachListed(p *plan, old *previous, visit func(*tree.Entry)) error {
	if !s.incremental {
		for e := range s.runs.All() {
			visit(e)
		}
		return nil
	}
	for c := old.tree.With(p.listed).Cursor(); ; c.Skip() {
		e, err := c.Peek()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		visit(e)
	}
}

// isFile reports whether the file lies in the output folder, and not
// behind a symlink. A file that cannot be looked at is an error: taken for one
// that does not exist, it would stay published.
func (s *Stage) isFile(p api.Path) (bool, error) {
	if s.root == nil {
		return false, nil
	}
	if p.Class() == api.ClassRecord {
		if ok, err := s.isMode(p.Folder(), fs.FileMode.IsDir); !ok {
			return false, err
		}
	}
	return s.isMode(p.String(), fs.FileMode.IsRegular)
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
