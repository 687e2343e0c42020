package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// few is up to how many files and folders are flushed one by one; beyond that
// the whole file system is, where it can be at once.
const few = 64

// toFlush is what has to be on the disk before a commit goes on.
type toFlush struct {
	files, folders map[string]bool
	many           bool // more than is worth to list
}

func (t *toFlush) add(set *map[string]bool, name string) {
	if *set == nil {
		*set = make(map[string]bool)
	}
	(*set)[name] = true
	if canFlushSystem && len(t.files)+len(t.folders) > few {
		t.many = true
	}
}

func (t *toFlush) file(name string)   { t.add(&t.files, name) }
func (t *toFlush) folder(name string) { t.add(&t.folders, name) }

func (t *toFlush) with(other *toFlush) *toFlush {
	for name := range other.files {
		t.file(name)
	}
	for name := range other.folders {
		t.folder(name)
	}
	t.many = t.many || other.many
	return t
}

// staged returns what must not be lost once the first file is moved: the new files
// and the backup. Of folders in the stage only those matter that are moved whole.
func (p *plan) staged(hadManifest bool) *toFlush {
	t := &toFlush{many: p.tree && canFlushSystem}
	t.file(prepareDir + "/journal")
	t.folder(prepareDir)
	if p.records {
		t.file(nextRecord)
		t.folder(stateDir)
	}
	if p.tree {
		return t.withTree(p)
	}
	for _, e := range p.moves {
		if t.many {
			return t
		}
		name := e.key.path()
		if e.state != gone {
			t.file(stageDir + "/" + name)
		}
		if e.state == addedWithFolder {
			t.folder(stageDir + "/" + path.Dir(name))
		}
		if !e.state.isAdded() {
			t.backup(name)
		}
	}
	for _, k := range p.removals {
		if t.many {
			return t
		}
		t.backup(k.path())
	}
	if p.rewrite {
		t.file(stageDir + "/" + manifest)
		if hadManifest {
			t.backup(manifest)
		}
	}
	return t
}

func (t *toFlush) withTree(p *plan) *toFlush {
	for e := range p.changes.Added.runs.all() {
		if t.many {
			return t
		}
		name := e.key.path()
		if e.state != unchanged {
			t.file(stageDir + "/" + name)
			t.folder(stageDir + "/" + path.Dir(name))
		}
	}
	if p.rewrite {
		t.file(stageDir + "/" + manifest)
	}
	return t
}

// backup adds the second name of a file. The file is flushed too, for it may be a
// copy; the folders above it were made for it.
func (t *toFlush) backup(name string) {
	t.file(prepareDir + "/" + name)
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		t.folder(path.Join(prepareDir, dir))
		if dir == "." {
			return
		}
	}
}

// renamed returns the folders that files were moved into.
func (p *plan) renamed() *toFlush {
	t := &toFlush{}
	if p.tree {
		t.folder(".")
	}
	for _, e := range p.moves {
		if t.many {
			break
		}
		dir := path.Dir(e.key.path())
		t.folder(dir)
		if e.state == addedWithFolder {
			t.folder(pagesDir)
		}
	}
	return t
}

// emptied returns the folders that files were removed from. Those of records may
// be gone themselves.
func (s *Stage) emptied(p *plan) (*toFlush, error) {
	t := &toFlush{}
	for _, k := range p.removals {
		if t.many {
			break
		}
		dir := path.Dir(k.path())
		if k.class() == classRecord {
			t.folder(pagesDir)
			isThere, err := s.root.exists(dir)
			if err != nil {
				return nil, problem("look at", dir, err)
			}
			if !isThere {
				continue
			}
		}
		t.folder(dir)
	}
	return t, nil
}

func manifestPlaces(p *plan) *toFlush {
	t := &toFlush{}
	t.folder(stateDir)
	if !p.rewrite {
		t.file(manifestLog)
	}
	return t
}

// flush waits until all of it is on the disk.
func (m *mover) flush(what string, t *toFlush) error {
	if err := m.step("flush", what); err != nil {
		return err
	}
	err := m.stage.flush(t)
	var opening *openError
	if errors.As(err, &opening) {
		what, err = opening.name, opening.error
	}
	if err != nil {
		return problem("flush", what, err)
	}
	return nil
}

// openError is why a file could not be opened to flush it, and the name of the file in
// the snapshot: a backup is a second name of it.
type openError struct {
	name string
	error
}

func (e *openError) Unwrap() error { return e.error }

func (s *Stage) flush(t *toFlush) error {
	if t.many {
		return s.flushSystem()
	}
	for name := range t.files {
		if err := s.flushFile(name); err != nil {
			return err
		}
	}
	for name := range t.folders {
		if err := s.flushFolder(name); err != nil {
			return err
		}
	}
	return s.flushDevice()
}

// flushUndone flushes folders that files were put back into or taken out of, those
// that are still there, and the log of the manifest, which may have been cut.
func (s *Stage) flushUndone(folders map[string]bool) error {
	t := &toFlush{}
	for name := range folders {
		isThere, err := s.root.exists(name)
		if err != nil {
			return err
		}
		if isThere {
			t.folder(name)
		}
	}
	isThere, err := s.root.exists(manifestLog)
	if err != nil {
		return err
	}
	if isThere {
		t.file(manifestLog)
	}
	return s.flush(t)
}

func (s *Stage) flushFile(name string) error {
	if err := s.root.fault.at("sync", name); err != nil || s.unflushed {
		return err
	}
	// Some systems flush only what may be written to.
	f, err := s.root.root.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = s.root.root.Open(name)
	}
	if err != nil {
		return &openError{strings.TrimPrefix(name, prepareDir+"/"), err}
	}
	return errors.Join(canNot(flushFile(f)), f.Close())
}

func (s *Stage) flushFolder(name string) error {
	if err := s.root.fault.at("sync", name); err != nil || s.unflushed {
		return err
	}
	if !canFlushFolders {
		return nil
	}
	f, err := s.root.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(canNot(flushFile(f)), f.Close())
}

func (s *Stage) flushSystem() error {
	if err := s.root.fault.at("sync", "."); err != nil || s.unflushed {
		return err
	}
	f, err := s.root.root.Open(stateDir)
	if err != nil {
		return err
	}
	return errors.Join(canNot(flushSystem(f)), f.Close())
}

// flushDevice makes the device itself flush, where flushing a file does not.
func (s *Stage) flushDevice() error {
	if !mustFlushDevice {
		return nil
	}
	f, err := s.root.root.Open(stateDir)
	if err != nil {
		return err
	}
	return errors.Join(canNot(f.Sync()), f.Close())
}

// Flush flushes an open file, as far as its file system can.
func Flush(f *os.File) error { return canNot(flushFile(f)) }

// FlushFolder flushes a folder, as far as its file system can. One that this user must
// not read cannot be.
func FlushFolder(name string) error {
	if !canFlushFolders {
		return nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(Flush(f), f.Close())
}

// canNot passes over the errors of file systems that cannot flush such a thing.
func canNot(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
