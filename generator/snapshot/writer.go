package snapshot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// File is a file to write.
type File struct {
	Name string // in its folder
	Data []byte
}

// Writer takes the files of a snapshot. One goroutine uses it; a stage has as
// many writers as it likes.
type Writer struct {
	stage   *Stage
	run     []entry
	buffer  []byte // for reading what is there
	packers []packer
	packed  []byte
	closed  bool
}

// NewWriter returns a writer. It must be closed before Commit.
func (s *Stage) NewWriter() *Writer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers++
	return &Writer{stage: s}
}

// place is where a file is compared and staged.
type place struct {
	live, staged folder
	inStaged     string // before its name in staged; ends with a slash unless it is ""
	record       string // the folder in staged that is made for it; "" for none
	differs      bool   // what lies in live is known to have other bytes
}

// WriteFolder stages the files of a record's folder, pages/<uuid>, and their
// siblings. An error means that the snapshot cannot be committed.
func (w *Writer) WriteFolder(dir string, files ...File) error {
	id, ok := strings.CutPrefix(dir, pagesDir+"/")
	if !ok || !parseID(make([]byte, 16), id) {
		return w.fail(fmt.Errorf("%s is not the folder of a record", strconv.Quote(dir)))
	}
	live, err := w.stage.pages.sub(id)
	if err != nil {
		return w.fail(problem("compare", dir, err))
	}
	defer live.close()
	at := &place{live: live, staged: w.stage.stagedPage, inStaged: id + "/", record: id}
	for _, f := range files {
		k, ok := recordKey(id, f.Name)
		if !ok || k.coding() != 0 {
			return w.fail(fmt.Errorf("%s is not a file of a snapshot", strconv.Quote(dir+"/"+f.Name)))
		}
		if err := w.takeAnswer(at, f.Name, k, f.Data); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// WriteFile stages a list page and its siblings, an error body or an in-root
// file. An error means that the snapshot cannot be committed.
func (w *Writer) WriteFile(path string, data []byte) error {
	return w.writeFile(path, data, false)
}

// Replace is WriteFile for a file that is known to differ from what lies there, if
// anything does: the bytes are not compared.
func (w *Writer) Replace(path string, data []byte) error {
	return w.writeFile(path, data, true)
}

func (w *Writer) writeFile(path string, data []byte, differs bool) error {
	k, ok := parsePath(path)
	if !ok || k.coding() != 0 {
		return w.fail(fmt.Errorf("%s is not a file of a snapshot", strconv.Quote(path)))
	}
	var err error
	switch s := w.stage; k.class() {
	case classRecord:
		i := strings.LastIndexByte(path, '/')
		return w.WriteFolder(path[:i], File{path[i+1:], data})
	case classIndex, classList:
		err = w.takeAnswer(&place{live: s.pages, staged: s.stagedPage, differs: differs}, path[len(pagesDir+"/"):], k, data)
	default:
		// Error bodies are too short to gain, and no client fetches in-root files.
		err = w.take(&place{live: s.out, staged: s.staged, differs: differs}, path, k, data)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// takeAnswer takes an answer, and its siblings as far as they are smaller.
func (w *Writer) takeAnswer(at *place, name string, k key, data []byte) error {
	if err := w.take(at, name, k, data); err != nil {
		return err
	}
	for i, coding := range w.stage.coding {
		if i == len(w.packers) { // packers are large: only a writer of answers has them
			w.packers = append(w.packers, Codings[coding-1].newPacker())
		}
		var err error
		if w.packed, err = w.packers[i](w.packed[:0], data); err != nil {
			return problem("compress", k.path(), err)
		}
		if len(w.packed) >= len(data) {
			continue
		}
		if err := w.take(at, name+"."+Codings[coding-1].Name, k.coded(coding), w.packed); err != nil {
			return err
		}
	}
	return nil
}

// take compares one file with what is there, and stages it if they differ.
func (w *Writer) take(at *place, name string, k key, data []byte) error {
	e, old, err := w.compare(at, name, k, data)
	if err != nil {
		return err
	}
	if e.state == added && at.inStaged != "" && !at.live.isThere() {
		e.state = addedWithFolder
	}
	if e.state != unchanged && !w.stage.dryRun {
		if at.record != "" {
			if err := at.staged.mkdir(at.record); err != nil {
				return problem("stage", k.path(), err)
			}
			at.record = ""
		}
		if err := w.create(at.staged, at.inStaged+name, e, data, old); err != nil {
			return err
		}
	}
	w.add(e)
	return nil
}

// compare returns the entry of a file and the time of the one that is there.
func (w *Writer) compare(at *place, name string, k key, data []byte) (entry, time.Time, error) {
	if len(data) > math.MaxUint32 {
		return entry{}, time.Time{}, fmt.Errorf("cannot write %s: it has %d bytes; at most %d fit", k.path(), len(data), math.MaxUint32)
	}
	e := entry{key: k, size: uint32(len(data)), sum: sha256.Sum256(data), state: added}
	var found, same bool
	var modified time.Time
	var err error
	if at.differs {
		found, modified, err = at.live.modified(name)
	} else if at.live.isThere() {
		if w.buffer == nil {
			w.buffer = make([]byte, 32<<10)
		}
		found, same, modified, err = at.live.compare(name, data, w.buffer)
	}
	switch {
	case err != nil:
		return entry{}, time.Time{}, problem("compare", k.path(), err)
	case same:
		e.state = unchanged
	case found:
		e.state = changed
	}
	return e, modified, nil
}

// create stages a file that differs from what is there. The time old is that
// of the one that is there, or zero.
func (w *Writer) create(d folder, name string, e entry, data []byte, old time.Time) error {
	err := d.create(name, data, old)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s was written twice in one build; two pages must not have one id", e.key.path())
	}
	if err != nil {
		return problem("write", e.key.path(), err)
	}
	return nil
}

func (w *Writer) add(e entry) {
	if len(w.run) == runSize {
		w.flush()
		w.run = make([]entry, 0, runSize)
	}
	w.run = append(w.run, e)
}

func (w *Writer) flush() {
	sortRun(w.run)
	w.stage.mu.Lock()
	defer w.stage.mu.Unlock()
	w.stage.runs = append(w.stage.runs, w.run)
}

// fail keeps the first error, so that nothing can be committed after it.
func (w *Writer) fail(err error) error {
	w.stage.mu.Lock()
	defer w.stage.mu.Unlock()
	err = fmt.Errorf("%w (%s)", err, asItWas)
	if w.stage.failed == nil {
		w.stage.failed = err
	}
	return err
}

// Close hands over what the writer took. It may be called more than once.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	w.flush()
	w.run = nil
	w.stage.mu.Lock()
	defer w.stage.mu.Unlock()
	w.stage.writers--
	return nil
}
