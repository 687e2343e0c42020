package folder

import (
	"errors"
	"io/fs"
	"os"

	"example.org/sivu/generator/fsutil"
)

// few is up to how many files and folders are flushed one by one; beyond that
// the whole file system is, where it can be at once.
const few = 64

// flushList names files and folders that have to be on the disk before a commit goes on.
// It stops growing when it is long.
type flushList map[string]bool

func (l flushList) isLong() bool { return fsutil.CanFlushSystem && len(l) > few }

func (l flushList) add(names ...string) {
	for _, name := range names {
		if !l.isLong() {
			l[name] = true
		}
	}
}

// flushStaged flushes the stage, and the log of the manifest if that was lengthened.
func (s *Stage) flushStaged(p *plan) error {
	if fsutil.CanFlushSystem && p.changes.Added.count+p.changes.Changed.count > few {
		return s.flushSystem()
	}
	l := flushList{}
	if !p.rewrite {
		l.add(manifestLog, stateDir)
	}
	err := fs.WalkDir(s.root.root.FS(), stageDir, func(name string, _ fs.DirEntry, err error) error {
		l.add(name)
		return err
	})
	if err != nil {
		return problem("flush", stageDir, err)
	}
	return s.flush(l)
}

// flush waits until all of a list is on the disk.
func (s *Stage) flush(l flushList) error {
	if l.isLong() {
		return s.flushSystem()
	}
	for name := range l {
		if err := s.flushed(name, fsutil.Flush); err != nil {
			return problem("flush", name, err)
		}
	}
	if err := s.flushed(stateDir, fsutil.FlushDevice); err != nil {
		return problem("flush", s.name, err)
	}
	return nil
}

// flushSystem flushes the file system of the output folder.
func (s *Stage) flushSystem() error {
	if err := s.flushed(stateDir, fsutil.FlushSystem); err != nil {
		return problem("flush", s.name, err)
	}
	return nil
}

// flushed opens a file or folder and flushes it.
func (s *Stage) flushed(name string, flush func(*os.File) error) error {
	if err := s.root.at("sync", name); err != nil || s.unflushed {
		return err
	}
	f, err := s.root.root.Open(name)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() && !fsutil.CanFlushFolders {
		return f.Close()
	}
	err = flush(f)
	if errors.Is(err, fs.ErrPermission) { // some systems flush only what may be written to
		f.Close()
		if f, err = s.root.root.OpenFile(name, os.O_RDWR, 0); err != nil {
			return err
		}
		err = flush(f)
	}
	return errors.Join(err, f.Close())
}
