package folder

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// few is up to how many files and folders are flushed one by one; beyond that
// the whole file system is, where it can be at once.
const few = 64

// flushList is what has to be on the disk before a commit goes on.
type flushList struct {
	names map[string]bool // of files and folders
	many  bool            // more than is worth to list
}

func (l *flushList) add(names ...string) {
	if l.names == nil {
		l.names = make(map[string]bool)
	}
	for _, name := range names {
		if !l.many {
			l.names[name] = true
			l.many = fsutil.CanFlushSystem && len(l.names) > few
		}
	}
}

// staged returns what is in the stage, and what was made for it elsewhere.
func (p *plan) staged() *flushList {
	l := &flushList{}
	l.add(stageDir, stageDir+"/"+stateDir, stageDir+"/"+pagesDir)
	add := func(name string) {
		l.add(stageDir+"/"+name, path.Join(stageDir, path.Dir(name)))
	}
	add(planFile)
	if p.records {
		add(changesFile)
	}
	if p.rewrite {
		add(manifest)
	} else {
		add(manifestLog)
		l.add(manifestLog, stateDir)
	}
	if p.tree {
		for e := range p.changes.Added.runs.All() {
			if l.many {
				return l
			}
			if e.Op != tree.Keep {
				add(e.Path.String())
			}
		}
		return l
	}
	for i := range p.steps {
		if l.many {
			return l
		}
		if !p.steps[i].Op.IsRemove() {
			add(p.steps[i].Path.String())
		}
	}
	return l
}

// flush waits until all of it is on the disk.
func (s *Stage) flush(l *flushList) error {
	if l.many {
		if err := s.flushed(stateDir, fsutil.FlushSystem); err != nil {
			return problem("flush", s.name, err)
		}
		return nil
	}
	for name := range l.names {
		if err := s.flushed(name, fsutil.Flush); err != nil {
			return problem("flush", name, err)
		}
	}
	if err := s.flushed(stateDir, fsutil.FlushDevice); err != nil {
		return problem("flush", s.name, err)
	}
	return nil
}

// flushed opens what has a name and flushes it.
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
