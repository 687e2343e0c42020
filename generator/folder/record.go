package folder

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/state"
	"example.org/sivu/generator/tree"
)

// changeRecord is what changed since the last report was written. On the disk it is a state of
// package state, of which each key is a path and each value one of the letters below. Its
// meta is the generation of the snapshot that it leads to, followed by recordLost if it is
// not all.
type changeRecord struct {
	exists bool
	lost   bool // more may have changed
	list   []change
}

const (
	recordAdded   = 'a'
	recordChanged = 'c'
	recordRemoved = 'r'

	recordLost = "l"
)

// change is one file in a record.
type change struct {
	path api.Path
	op   byte
}

// SinceReport is what changed since the last report was written. A file that was
// there in between counts as one that changed or was removed, also if it was new:
// caches may hold it.
type SinceReport struct {
	Added, Changed, Removed Paths
	Unchanged               int  // files that stayed as they were
	Incomplete              bool // more may have changed: the record of it was damaged, lost or never made
}

// readRecord reads the record of the snapshot in the folder. One that is damaged, or that
// leads to another snapshot, is not all that changed; and there is nothing to be told
// where there is none and the folder is empty.
func (s *Stage) readRecord() (r changeRecord, err error) {
	data, err := s.root.readUpTo(changesFile, manifestLimit)
	if errors.Is(err, fs.ErrNotExist) {
		isFirst, err := isEmpty(s.root)
		if err != nil {
			return r, problem("read the output folder", strconv.Quote(s.name), err)
		}
		return changeRecord{lost: !isFirst}, nil
	}
	if err != nil && !errors.Is(err, ErrDamaged) {
		return r, problem("read", changesFile, err)
	}
	r.exists = true
	generation, _ := s.listedGeneration()
	if err != nil || !r.decode(data, generation) {
		r.lost = true
	}
	return r, nil
}

// decode reports whether data is a whole record of a snapshot.
func (r *changeRecord) decode(data []byte, generation tree.Generation) bool {
	stored, err := state.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return false
	}
	for c := stored.From(""); ; {
		text, value, ok := c.Next()
		if !ok {
			return c.Err() == nil && string(stored.Meta()) == string(generation[:])
		}
		p, ok := api.ParseStored(text)
		if !ok || len(value) != 1 || !strings.Contains("acr", string(value)) {
			return false
		}
		r.list = append(r.list, change{p, value[0]})
	}
}

// sinceReport adds the changes of a plan to those that were not reported yet.
func (s *Stage) sinceReport(p *plan) {
	c := p.changes
	since := SinceReport{Added: c.Added, Changed: c.Changed, Removed: c.Removed}
	p.records = s.recorded.exists || s.Report
	if len(s.recorded.list) > 0 {
		lists := map[byte]*Paths{recordAdded: &since.Added, recordChanged: &since.Changed, recordRemoved: &since.Removed}
		for _, list := range lists {
			*list = Paths{}
		}
		for now := range s.sinceRecorded(c) {
			list := lists[now.op]
			list.paths, list.count = append(list.paths, now.path), list.count+1
		}
	}
	since.Unchanged, since.Incomplete = c.Files-since.Added.count-since.Changed.count, s.recorded.lost
	c.SinceReport = since
}

// sinceRecorded returns what changed since the last report, in order, this build
// included. What was there for a while may be in caches: if it was new, it is one that
// changed, or was removed.
func (s *Stage) sinceRecorded(c *Changes) iter.Seq[change] {
	written := func(yield func(change) bool) {
		for e := range s.runs.All() {
			op := byte(recordChanged)
			if e.Op.IsAdd() {
				op = recordAdded
			}
			if e.Op != tree.Keep && !yield(change{e.Path, op}) {
				return
			}
		}
	}
	removed := make([]change, len(c.Removed.paths))
	for i, p := range c.Removed.paths {
		removed[i] = change{p, recordRemoved}
	}
	return merge(merge(written, removed), s.recorded.list)
}

// merge yields two lists in order. Of a path that both have, what changed is that of the
// first; it was there before, and is not new.
func merge(list iter.Seq[change], other []change) iter.Seq[change] {
	return func(yield func(change) bool) {
		rest := other
		for c := range list {
			for ; len(rest) > 0 && rest[0].path.Compare(c.path) < 0; rest = rest[1:] {
				if !yield(rest[0]) {
					return
				}
			}
			if len(rest) > 0 && rest[0].path == c.path {
				if rest = rest[1:]; c.op == recordAdded {
					c.op = recordChanged
				}
			}
			if !yield(c) {
				return
			}
		}
		for _, c := range rest {
			if !yield(c) {
				return
			}
		}
	}
}

// stageRecord writes the record of a commit into the stage.
func (s *Stage) stageRecord(p *plan) error {
	f, err := s.createInStage(changesFile, 0o600)
	if err != nil {
		return err
	}
	meta := p.new[:]
	if s.recorded.lost {
		meta = append(meta, recordLost...)
	}
	if err := errors.Join(writeRecord(f, s.sinceRecorded(p.changes), meta), f.Close()); err != nil {
		return problem("write", changesFile, err)
	}
	return nil
}

func writeRecord(to io.Writer, list iter.Seq[change], meta []byte) error {
	w := state.NewWriter(to, meta)
	for c := range list {
		w.Put(c.path.Stored(), []byte{c.op})
	}
	return w.Finish()
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
	defer root.Close()
	s := &Stage{name: out, root: root}
	if err := s.tryLock(); err != nil {
		if errors.Is(err, ErrLocked) {
			return nil
		}
		return err
	}
	defer s.unlock(false)
	defer s.closeFolders()
	pending, err := root.exists(commitDir)
	if now, _ := s.listedGeneration(); err != nil || pending || now.String() != generation {
		return err
	}
	f, err := fsutil.Create(filepath.Join(out, filepath.FromSlash(changesFile)), "changes.new", 0o600)
	if err != nil {
		return problem("write", changesFile, err)
	}
	if err := writeRecord(f, func(func(change) bool) {}, id); err != nil {
		f.Abort()
		return problem("write", changesFile, err)
	}
	if err := f.Commit(true); err != nil {
		return problem("write", changesFile, err)
	}
	return nil
}
