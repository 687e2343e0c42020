package snapshot

import (
	"fmt"
	"io"
	"slices"
)

// merger makes a plan of the new files, group by group in order of path.
type merger struct {
	stage    *Stage
	old      *oldFiles
	plan     *plan
	removals []key    // of those asked for, what is left
	due      []*entry // of a group, before it is taken
	olds     []entry  // of the group that is taken
	removed  []key
	foreign  []string // in-root files in the place of which others lie

	largestGone bool // the largest file of the old snapshot is not there, or smaller
}

// takeDue takes the group that was gathered, after all groups before it.
func (m *merger) takeDue() error {
	if len(m.due) == 0 {
		return nil
	}
	group := m.due[0].key.group()
	if err := m.takeBefore(group); err != nil {
		return err
	}
	err := m.takeGroup(group)
	m.due = m.due[:0]
	return err
}

// takeBefore takes the groups before next of which nothing was written.
func (m *merger) takeBefore(next key) error {
	due := m.due
	m.due = nil
	defer func() { m.due = due }()
	for {
		group := next
		if m.stage.keepRest {
			if len(m.removals) > 0 {
				group = m.removals[0].group()
			}
		} else {
			e, err := m.old.peek()
			if err != nil && err != io.EOF {
				return problem("read", manifest, err)
			}
			if err == nil {
				group = e.key.group()
			}
		}
		if group.compare(next) >= 0 {
			return nil
		}
		if err := m.takeGroup(group); err != nil {
			return err
		}
	}
}

// takeGroup plans what happens to the files of one record, or of one list page.
func (m *merger) takeGroup(group key) (err error) {
	if m.stage.keepRest {
		m.old.seek(group)
	}
	if m.olds, err = m.old.group(group, m.olds[:0]); err != nil {
		return problem("read", manifest, err)
	}
	var removals []key
	for len(m.removals) > 0 && m.removals[0].group() == group {
		removals, m.removals = append(removals, m.removals[0]), m.removals[1:]
	}
	rest := 0 // old files that stay as they are
	var stale []*entry
	for i := range m.olds {
		o := &m.olds[i]
		switch {
		case m.isDue(o.key):
			m.count(o, -1)
		case m.stage.keepRest && !m.isTouched(o.key, removals):
			rest++
		default:
			m.count(o, -1)
			stale = append(stale, o)
		}
	}
	if err := m.takeNew(); err != nil {
		return err
	}
	m.countFolder(group, rest)
	return m.takeStale(stale, rest == 0 && len(m.due) == 0)
}

// isDue reports whether a file of the group was written.
func (m *merger) isDue(k key) bool {
	return slices.ContainsFunc(m.due, func(e *entry) bool { return e.key == k })
}

// isTouched reports whether the answer that a file is, or is a sibling of, was
// written or removed.
func (m *merger) isTouched(k key, removals []key) bool {
	return m.isDue(k.coded(0)) || slices.Contains(removals, k.coded(0))
}

// takeNew takes the files of the group that were written.
func (m *merger) takeNew() error {
	var answer, last *entry
	for _, e := range m.due {
		if last != nil && last.key == e.key {
			return fmt.Errorf("%s was written twice in one build; two pages must not have one id", e.key.path())
		}
		last = e
		i := slices.IndexFunc(m.olds, func(o entry) bool { return o.key == e.key })
		if i < 0 && e.state == changed && e.key.isInRoot() && !(m.stage.dryRun && m.stage.suspect) {
			m.foreign = append(m.foreign, fmt.Sprintf("%q", e.key.path()))
		}
		if i < 0 || !m.old.knows() || m.olds[i].size != e.size || m.olds[i].sum != e.sum {
			m.list(listing{e.key, e})
		}
		m.count(e, 1)
		if e.key.coding() == 0 {
			answer = e
		}
		e.fresh = answer != nil && answer.state.isAdded()
		switch c := m.plan.changes; {
		case e.state == changed:
			c.Changed.count++
		case e.state.isAdded():
			c.Added.count++
		}
		switch p := m.plan; {
		case e.state == unchanged:
		case m.stage.pages.isThere() || e.key.isTop():
			p.moves = append(p.moves, e)
		default:
			p.tree = true
		}
	}
	return nil
}

// takeStale takes old files that are no longer due. Where nothing of their group
// is left, they may stay for a while.
func (m *merger) takeStale(stale []*entry, whole bool) error {
	for _, o := range stale {
		m.list(listing{key: o.key})
		isThere, err := m.stage.isFile(o.key)
		switch {
		case err != nil:
			return err
		case !isThere:
		case whole && m.stage.keepRemoved > 0 && !o.key.isTop():
			f := leftFile{o.key, m.stage.now.Unix()}
			m.plan.left, m.plan.newLeft = append(m.plan.left, f), append(m.plan.newLeft, f)
		default:
			m.remove(o.key)
		}
	}
	return nil
}

// remove plans the removal of an old file. A sibling goes together with the
// change of its answer, if that stays.
func (m *merger) remove(k key) {
	m.removed = append(m.removed, k)
	for _, e := range m.due {
		if k.coding() != 0 && k.coded(0) == e.key {
			m.plan.moves = append(m.plan.moves, &entry{key: k, state: gone, fresh: e.state.isAdded()})
			return
		}
	}
	m.plan.removals = append(m.plan.removals, k)
}

// list notes a change of the manifest. Of a whole snapshot at most so many are
// noted as make a new manifest worth while, which is then made of all its files.
func (m *merger) list(l listing) {
	const most = 1 << 16
	if p := m.plan; m.stage.keepRest || m.old.isCurrent() && len(p.listed) <= most {
		p.listed = append(p.listed, l)
	} else {
		p.rewrite = true
	}
}

// count adds a file to the totals, or takes an old one out of those that the
// manifest had.
func (m *merger) count(e *entry, by int64) {
	t := &m.plan.totals
	if by < 0 && !m.stage.keepRest {
		return // they were not in
	}
	t.files += by
	t.bytes += by * int64(e.size)
	switch size := int64(e.size); {
	case t.largest < 0: // as little as before
	case by < 0 && e.key == t.largestKey:
		m.largestGone = true
	case by > 0 && (size > t.largest || size == t.largest && m.largestGone || t.files == 1):
		t.largest, t.largestKey, m.largestGone = size, e.key, false
	}
}

// countFolder counts the entries of pages that a group makes, and made.
func (m *merger) countFolder(group key, rest int) {
	t, now, before := &m.plan.totals, rest+len(m.due), len(m.olds)
	switch {
	case group.isTop():
		return
	case group.class() == classRecord:
		now, before = min(now, 1), min(before, 1)
	}
	t.inFolder += int64(now)
	if m.stage.keepRest {
		t.inFolder -= int64(before)
	}
}

// findLargest looks for the largest file among all, which is needed only where
// the one that was largest is gone.
func (m *merger) findLargest() error {
	m.plan.sortListed()
	t := &m.plan.totals
	t.largest, t.largestKey = -1, key{}
	return m.stage.eachListed(m.plan, m.old, func(e *entry) {
		if int64(e.size) > t.largest {
			t.largest, t.largestKey = int64(e.size), e.key
		}
	})
}
