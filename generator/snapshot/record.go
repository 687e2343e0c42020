package snapshot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"example.org/sivu/generator/state"
)

// A record holds what changed since the last report was written: for each file one
// of these. It is a state of package state. Its meta is the generation of the snapshot
// that it leads to, and recLost if it is not all.
const (
	recAdded   = 'a'
	recChanged = 'c'
	recRemoved = 'r'

	recLost = 'l'
)

// change is one file in a record.
type change struct {
	key key
	op  byte
}

// SinceReport is what changed since the last report was written. A file that was
// there in between counts as one that changed or was removed, also if it was new:
// caches may hold it.
type SinceReport struct {
	Added, Changed, Removed Paths
	Unchanged               int  // files that stayed as they were
	Incomplete              bool // more may have changed: the record of it was damaged, lost or never made
}

// readRecord returns the record in a file of that name, and its meta. The error wraps
// fs.ErrNotExist or ErrDamaged.
func (s *Stage) readRecord(name string) (list []change, meta string, err error) {
	data, err := s.root.readUpTo(name, manifestLimit)
	if err != nil {
		return nil, "", err
	}
	stored, err := state.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return nil, "", damage(err)
	}
	for c := stored.From(""); ; {
		text, value, ok := c.Next()
		if !ok {
			return list, string(stored.Meta()), damage(c.Err())
		}
		k, ok := parseStored(text)
		if !ok || len(value) != 1 || !bytes.Contains([]byte{recAdded, recChanged, recRemoved}, value) {
			return nil, "", ErrDamaged
		}
		list = append(list, change{k, value[0]})
	}
}

// findRecord finds what changed since the last report. A commit has its own record
// beside the one of the snapshot before, until it is done; the generation of the
// manifest tells which holds. Where that is not known, the new one does: to report
// too much harms nobody. So where the new one is damaged, it counts as one that held.
func (s *Stage) findRecord() error {
	if s.root == nil {
		return nil
	}
	listed, _ := hex.DecodeString(s.listedGeneration())
	list, meta, err := s.readRecord(nextRecord)
	isNext := err == nil && strings.HasPrefix(meta, string(listed))
	isDamaged := errors.Is(err, ErrDamaged)
	switch {
	case err != nil && !isDamaged && !errors.Is(err, fs.ErrNotExist):
		return problem("read", nextRecord, err)
	case err == nil && !isNext && !s.dryRun:
		s.root.Remove(nextRecord) // passed over where it stays
	}
	if !isNext {
		list, meta, err = s.readRecord(recordFile)
	}
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		return problem("read", recordFile, err)
	}
	var generation [len(totals{}.generation)]byte
	copy(generation[:], listed)
	s.record = list
	s.hasRecord = isDamaged || !errors.Is(err, fs.ErrNotExist)
	s.recordLost = isDamaged || errors.Is(err, ErrDamaged) || strings.HasSuffix(meta[min(len(meta), len(generation)):], string(recLost))
	switch {
	case s.dryRun:
		return nil
	case isNext:
		return s.settleRecord()
	case isDamaged:
		return s.replaceRecord(slices.Values(list), s.recordMeta(generation))
	}
	return nil
}

// sinceReport adds the changes of a plan to those that were not reported yet.
func (s *Stage) sinceReport(p *plan) {
	c := p.changes
	since := SinceReport{Added: c.Added, Changed: c.Changed, Removed: c.Removed}
	p.records = s.hasRecord || s.report
	if len(s.record) > 0 {
		since = SinceReport{}
		for r := range s.recorded(c) {
			list := &since.Changed
			switch r.op {
			case recAdded:
				list = &since.Added
			case recRemoved:
				list = &since.Removed
			}
			list.keys, list.count = append(list.keys, r.key), list.count+1
		}
	}
	since.Unchanged, since.Incomplete = c.Files-since.Added.count-since.Changed.count, s.recordLost
	c.SinceReport = since
}

// recorded returns what is recorded of all changes since the last report, in order.
// What was there for a while may be in caches: if it was new, it is one that changed,
// or was removed.
func (s *Stage) recorded(c *Changes) iter.Seq[change] {
	return func(yield func(change) bool) {
		old := s.record
		for now := range s.changed(c) {
			for len(old) > 0 && old[0].key.compare(now.key) < 0 {
				if !yield(old[0]) {
					return
				}
				old = old[1:]
			}
			if len(old) > 0 && old[0].key == now.key {
				if old = old[1:]; now.op != recRemoved {
					now.op = recChanged
				}
			}
			if !yield(now) {
				return
			}
		}
		for _, left := range old {
			if !yield(left) {
				return
			}
		}
	}
}

// changed returns the changes of a build in order.
func (s *Stage) changed(c *Changes) iter.Seq[change] {
	return func(yield func(change) bool) {
		removed := c.Removed.keys
		removedBefore := func(k key) bool {
			for ; len(removed) > 0 && removed[0].compare(k) < 0; removed = removed[1:] {
				if !yield(change{removed[0], recRemoved}) {
					return false
				}
			}
			return true
		}
		for e := range s.runs.all() {
			op := byte(recChanged)
			if e.state.isAdded() {
				op = recAdded
			}
			if e.state != unchanged && !(removedBefore(e.key) && yield(change{e.key, op})) {
				return
			}
		}
		removedBefore(key{0: 0xff})
	}
}

// writeRecord writes a record beside the one that holds.
func (s *Stage) writeRecord(record iter.Seq[change], meta []byte) error {
	f, err := s.root.create(nextRecord, os.O_TRUNC, 0o600)
	if err != nil {
		return problem("write", nextRecord, err)
	}
	w := state.NewWriter(f, meta)
	for c := range record {
		w.Put(c.key.stored(), []byte{c.op})
	}
	if err := errors.Join(w.Finish(), f.Close()); err != nil {
		return problem("write", nextRecord, err)
	}
	return nil
}

// settleRecord puts the record of a commit that is done in the place of the one
// before. The next build does so, too.
func (s *Stage) settleRecord() error {
	if err := s.root.Rename(nextRecord, recordFile); err != nil {
		return problem("rename", nextRecord, err)
	}
	return nil
}

// replaceRecord puts another record in the place of the one that holds.
func (s *Stage) replaceRecord(record iter.Seq[change], meta []byte) error {
	if err := s.writeRecord(record, meta); err != nil {
		return err
	}
	if err := s.flushFile(nextRecord); err != nil {
		return problem("flush", nextRecord, err)
	}
	return s.settleRecord()
}

// recordMeta returns the meta of a record that leads to a generation.
func (s *Stage) recordMeta(generation [len(totals{}.generation)]byte) []byte {
	if s.recordLost {
		return append(generation[:], recLost)
	}
	return generation[:]
}

// Reported says that a report was written of all that changed up to a generation:
// the next one begins there. From then on every build records what it changes. Where
// another build is at work or was since, nothing is done, and the next report tells
// of these changes again.
func Reported(out, generation string) error {
	id, err := hex.DecodeString(generation)
	if err != nil || generation == "" {
		return nil // of no snapshot
	}
	root, err := openDisk(out, nil)
	if err != nil {
		return problem("open", out, err)
	}
	s := &Stage{name: out, root: root}
	defer root.Close()
	if err := s.tryLock(); err != nil {
		if errors.Is(err, ErrLocked) {
			return nil
		}
		return err
	}
	defer s.unlock(false)
	if s.listedGeneration() != generation {
		return nil
	}
	defer s.closeFolders()
	return s.replaceRecord(s.recorded(new(Changes)), id) // nothing
}
