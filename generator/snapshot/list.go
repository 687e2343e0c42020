package snapshot

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"slices"

	"example.org/sivu/generator/state"
)

// listFiles plans how the manifest comes to list the new snapshot. If it has to
// be written whole, it is, into the stage.
func (s *Stage) listFiles(p *plan, old *oldFiles) error {
	p.sortListed()
	p.rewrite = p.rewrite || !old.isCurrent()
	p.changes.Generation = old.totals.name()
	isSame := len(p.listed)+len(p.newLeft)+len(p.unleft)+len(p.moves)+len(p.removals) == 0 && !p.tree
	if isSame && !p.rewrite {
		return nil
	}
	rand.Read(p.totals.generation[:])
	p.changes.Generation = p.totals.name()
	meta := p.totals.append(nil)
	if !p.rewrite {
		segment, fits := old.state.Segment(meta, p.stateChanges())
		if fits {
			p.segment, p.logSize = segment, old.state.LogSize()
			return nil
		}
		p.rewrite = true
	}
	if s.dryRun {
		return nil
	}
	return s.stageManifest(p, old, meta)
}

func (p *plan) sortListed() {
	slices.SortFunc(p.listed, func(a, b listing) int { return a.key.compare(b.key) })
}

// stateChanges returns how the manifest changes in the words of package state.
func (p *plan) stateChanges() []state.Change {
	changes := make([]state.Change, 0, len(p.listed)+len(p.newLeft)+len(p.unleft))
	for _, l := range p.listed {
		c := state.Change{Key: l.key.stored(), Remove: l.entry == nil}
		if l.entry != nil {
			c.Value = l.entry.value()
		}
		changes = append(changes, c)
	}
	for _, f := range p.unleft {
		changes = append(changes, state.Change{Key: f.stored(), Remove: true})
	}
	for _, f := range p.newLeft {
		changes = append(changes, state.Change{Key: f.stored(), Value: f.value()})
	}
	return changes
}

// stageManifest writes the whole manifest into the stage.
func (s *Stage) stageManifest(p *plan, old *oldFiles, meta []byte) error {
	const name = stageDir + "/" + manifest
	if err := s.root.MkdirAll(stageDir+"/"+stateDir, folderMode); err != nil {
		return problem("make", name, err)
	}
	f, err := s.root.create(name, os.O_EXCL, fileMode)
	if err != nil {
		return problem("write", manifest, err)
	}
	w := state.NewWriter(f, meta)
	err = s.eachListed(p, old, func(e *entry) { w.Put(e.key.stored(), e.value()) })
	for _, f := range p.left {
		w.Put(f.stored(), f.value())
	}
	if err == nil {
		err = w.Finish()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return problem("write", manifest, err)
	}
	return nil
}

// eachListed shows the files of the new snapshot in order.
func (s *Stage) eachListed(p *plan, old *oldFiles, visit func(*entry)) error {
	if !s.keepRest {
		for e := range s.runs.all() {
			visit(e)
		}
		return nil
	}
	listed := p.listed
	showBefore := func(next key) {
		for len(listed) > 0 && listed[0].key.compare(next) < 0 {
			if listed[0].entry != nil {
				visit(listed[0].entry)
			}
			listed = listed[1:]
		}
	}
	for c := old.state.From(""); ; {
		e, err := readEntry(c)
		if err == io.EOF {
			showBefore(key{0: 0xff})
			return nil
		}
		if err != nil {
			return err
		}
		showBefore(e.key)
		if len(listed) == 0 || listed[0].key != e.key {
			visit(&e)
			continue
		}
		if listed[0].entry != nil {
			visit(listed[0].entry)
		}
		listed = listed[1:]
	}
}
