package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Writer takes the files of a snapshot. One goroutine uses it; a stage has as
// many writers as it likes.
type Writer struct {
	stage    *Stage
	run      []tree.Entry
	buffer   []byte // for reading files of the old snapshot
	variants *Variants
	closed   bool
}

// runSize is how many entries a writer gathers before it sorts them and hands
// them over.
const runSize = 4096

// NewWriter returns a writer. It must be closed before Commit.
func (s *Stage) NewWriter() *Writer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers++
	return &Writer{stage: s, variants: NewVariants(s.codings)}
}

// target is where files are compared and staged.
type target struct {
	live    *disk  // nil where it does not exist
	dir     string // its path, with a slash at the end
	record  string // the folder of a record that has to be made in the stage, or ""
	differs bool   // what lies in live is known to have other bytes
}

// WriteFolder stages the files of a record's folder, pages/<uuid>, and their precompressed
// variants. An error means that the snapshot cannot be committed.
func (w *Writer) WriteFolder(dir string, files ...api.File) error {
	id, ok := strings.CutPrefix(dir, pagesDir+"/")
	if _, isRecord := api.ParseRecordFolder(id); !ok || !isRecord {
		return w.fail(fmt.Errorf("%s is not the folder of a record", strconv.Quote(dir)))
	}
	var live *disk
	if w.stage.pages != nil {
		var err error
		if live, err = w.stage.pages.sub(id); err != nil {
			return w.fail(problem("compare", dir, err))
		}
	}
	defer live.Close()
	in := &target{live: live, dir: dir + "/", record: dir}
	for _, f := range files {
		p, ok := api.ParsePath(dir + "/" + f.Name)
		if !ok || p.Coding() != 0 {
			return w.fail(fmt.Errorf("%s is not a file of a snapshot", strconv.Quote(dir+"/"+f.Name)))
		}
		if err := w.writeAnswer(in, f.Name, p, f.Data); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// WriteFile stages a list page and its precompressed variants, an error body or a host
// file. An error means that the snapshot cannot be committed.
func (w *Writer) WriteFile(path string, data []byte) error {
	return w.writeFile(path, data, false)
}

// Replace is WriteFile for a file that is known to differ from the old one, if there is
// one: the bytes are not compared.
func (w *Writer) Replace(path string, data []byte) error {
	return w.writeFile(path, data, true)
}

func (w *Writer) writeFile(path string, data []byte, differs bool) error {
	p, ok := api.ParsePath(path)
	if !ok || p.Coding() != 0 {
		return w.fail(fmt.Errorf("%s is not a file of a snapshot", strconv.Quote(path)))
	}
	var err error
	switch s := w.stage; {
	case p.Class() == api.ClassRecord:
		i := strings.LastIndexByte(path, '/')
		return w.WriteFolder(path[:i], api.File{Name: path[i+1:], Data: data})
	case p.IsList():
		err = w.writeAnswer(&target{live: s.pages, dir: pagesDir + "/", differs: differs}, path[len(pagesDir+"/"):], p, data)
	default:
		// Error bodies are too short to gain, and no client fetches host files.
		err = w.write(&target{live: s.root, differs: differs}, path, p, data)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// writeAnswer writes an answer, and its precompressed variants as far as they are smaller.
func (w *Writer) writeAnswer(in *target, name string, p api.Path, data []byte) error {
	if err := w.write(in, name, p, data); err != nil {
		return err
	}
	return w.variants.Each(data, func(coding int, data []byte) error {
		return w.write(in, name+"."+api.Codings[coding-1], p.WithCoding(coding), data)
	})
}

// write compares one file with that in the folder, and stages it if they differ.
func (w *Writer) write(in *target, name string, p api.Path, data []byte) error {
	e, old, err := w.compare(in, name, p, data)
	if err != nil {
		return err
	}
	if e.Op == tree.Add && p.Class() == api.ClassRecord && in.live == nil {
		e.Op = tree.AddFolder
	}
	if e.Op != tree.Keep && !w.stage.DryRun {
		if in.record != "" {
			if err := w.stage.staged.createFolder(in.record); err != nil {
				return problem("stage", p.String(), err)
			}
			in.record = ""
		}
		err := w.stage.staged.create(in.dir+name, data, old)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s was written twice in one build; two pages must not have one id", p)
		}
		if err != nil {
			return problem("write", p.String(), err)
		}
	}
	if len(w.run) == runSize {
		w.flush()
		w.run = make([]tree.Entry, 0, runSize)
	}
	w.run = append(w.run, e)
	return nil
}

// compare returns the entry of a file and the time of the one that is there.
func (w *Writer) compare(in *target, name string, p api.Path, data []byte) (tree.Entry, time.Time, error) {
	if int64(len(data)) > math.MaxUint32 {
		return tree.Entry{}, time.Time{}, fmt.Errorf("cannot write %s: it has %d bytes; at most %d fit", p, len(data), uint32(math.MaxUint32))
	}
	e := tree.Entry{Path: p, Op: tree.Add, Sum: tree.SumOf(data)}
	found, same, modified, err := in.live.compare(name, data, &w.buffer, in.differs)
	switch {
	case err != nil:
		return e, modified, problem("compare", p.String(), err)
	case same:
		e.Op = tree.Keep
	case found:
		e.Op = tree.Change
	}
	return e, modified, nil
}

func (w *Writer) flush() {
	tree.SortRun(w.run)
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

// Close hands the entries over to the stage. It may be called more than once.
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
