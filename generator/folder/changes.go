package folder

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/state"
	"example.org/sivu/generator/tree"
)

// Changes are the result of a commit, or in a dry run that of the commit that would be made.
type Changes struct {
	Added, Changed, Removed Paths
	Unchanged               int    // files that stayed as they were
	Files                   int    // files of the new snapshot
	Bytes                   int64  // their size together
	Kept                    int    // files that left the snapshot, now or before, and are still there
	Generation              string // of the new snapshot: see [Stage.Generation]
	Adopted                 bool   // the folder had the files of a snapshot, and no manifest

	// SinceReport are the changes for a report: see [Reported].
	SinceReport SinceReport

	// Leftover is why something of a build that is done could not be cleared, or nil.
	// The next build clears it.
	Leftover error

	Largest     int64  // the size of the largest file, or -1 where it is not known and Options.Largest did not ask
	LargestFile string // its path
	InFolder    int    // entries of pages, the folder that has most
}

// Any reports whether the snapshot differs from the one before.
func (c *Changes) Any() bool {
	return c.Added.Len()+c.Changed.Len()+c.Removed.Len() > 0
}

// Paths is a list of files. Its zero value is empty.
type Paths struct {
	count int
	all   iter.Seq[api.Path] // in order
}

func pathsOf(list []api.Path) Paths { return Paths{len(list), slices.Values(list)} }

// Len returns how many files the list has.
func (p Paths) Len() int { return p.count }

// All returns the paths below the output folder, slash-separated and in order.
func (p Paths) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		if p.count == 0 {
			return
		}
		for path := range p.all {
			if !yield(path.String()) {
				return
			}
		}
	}
}

// changeRecord is the changes since the last report was written. On the disk it is a state of
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

// SinceReport is the changes since the last report was written. A file that was
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
		lists := map[byte][]api.Path{}
		for _, now := range s.sinceRecorded(c) {
			lists[now.op] = append(lists[now.op], now.path)
		}
		since = SinceReport{Added: pathsOf(lists[recordAdded]), Changed: pathsOf(lists[recordChanged]), Removed: pathsOf(lists[recordRemoved])}
	}
	since.Unchanged, since.Incomplete = c.Files-since.Added.count-since.Changed.count, s.recorded.lost
	c.SinceReport = since
}

// sinceRecorded returns the changes since the last report, in order, this build
// included. A file that was there for a while may be in caches: if it was new, it is one
// that changed, or was removed.
func (s *Stage) sinceRecorded(c *Changes) []change {
	list := slices.Clone(s.recorded.list)
	for e := range s.runs.All() {
		switch {
		case e.Op.IsAdd():
			list = append(list, change{e.Path, recordAdded})
		case e.Op != tree.Keep:
			list = append(list, change{e.Path, recordChanged})
		}
	}
	for p := range c.Removed.all {
		list = append(list, change{p, recordRemoved})
	}
	if byPath := func(a, b change) int { return a.path.Compare(b.path) }; !slices.IsSortedFunc(list, byPath) {
		slices.SortStableFunc(list, byPath)
	}
	merged := list[:0]
	for _, now := range list {
		if n := len(merged) - 1; n >= 0 && merged[n].path == now.path {
			if merged[n].op = now.op; now.op == recordAdded {
				merged[n].op = recordChanged
			}
			continue
		}
		merged = append(merged, now)
	}
	return merged
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

func writeRecord(to io.Writer, list []change, meta []byte) error {
	w := state.NewWriter(to, meta)
	for _, c := range list {
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
	if err := writeRecord(f, nil, id); err != nil {
		f.Abort()
		return problem("write", changesFile, err)
	}
	if err := f.Commit(true); err != nil {
		return problem("write", changesFile, err)
	}
	return nil
}
