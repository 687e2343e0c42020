package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"example.org/sivu/generator/fsutil"
)

// takeLock makes .sivu where it is missing and locks the folder. A dry run
// makes nothing: it only makes sure that no build is at work.
func (s *Stage) takeLock() error {
	err := s.tryLock()
	if s.Wait == nil || !errors.Is(err, ErrLocked) {
		return err
	}
	const longest = 500 * time.Millisecond
	ctx := s.Wait()
	for pause := 10 * time.Millisecond; errors.Is(err, ErrLocked); pause = min(2*pause, longest) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		err = s.tryLock()
	}
	return err
}

func (s *Stage) tryLock() error {
	const attempts = 10
	flags := os.O_RDWR | os.O_CREATE
	if s.DryRun {
		flags = os.O_RDONLY
	}
	for range attempts {
		if !s.DryRun {
			if err := s.makeState(); err != nil {
				return err
			}
		}
		f, err := s.root.OpenFile(lockFile, flags, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			if s.DryRun {
				return nil
			}
			continue // an aborted first build took .sivu away in between
		}
		if err != nil {
			return problem("open", fmt.Sprintf("%s in %q", lockFile, s.name), err)
		}
		if err := fsutil.TryLock(f, s.DryRun); err != nil {
			f.Close()
			if err == fsutil.ErrLocked {
				return s.locked()
			}
			return problem("lock", fmt.Sprintf("%s in %q", lockFile, s.name), err)
		}
		isThere, err := s.isStillThere(f)
		if err == nil && isThere {
			s.lock = f
			return nil
		}
		fsutil.Unlock(f)
		if err != nil {
			return problem("look at", fmt.Sprintf("%s in %q", lockFile, s.name), err)
		}
	}
	return s.locked()
}

func (s *Stage) locked() error {
	return fmt.Errorf("the output folder %q is in use: %w; wait until it ends, or let --wait do so", s.name, ErrLocked)
}

func (s *Stage) makeState() error {
	err := s.root.Mkdir(stateDir, stateMode)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return problem("make", fmt.Sprintf("%s in %q", stateDir, s.name), err)
	}
	// A cache may have brought .sivu back with another mode.
	if info, err := s.root.Lstat(stateDir); err == nil && info.Mode().Perm() != stateMode {
		s.root.root.Chmod(stateDir, stateMode)
	}
	return nil
}

// isStillThere reports whether the locked file is the one that its name leads
// to, so that nobody can hold a lock on another.
func (s *Stage) isStillThere(f *os.File) (bool, error) {
	locked, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := s.root.Lstat(lockFile)
	return err == nil && os.SameFile(locked, named), fsutil.IgnoreMissing(err)
}

// unlock ends the lock. If last, it removes .sivu, which then is empty.
func (s *Stage) unlock(last bool) {
	switch {
	case s.lock == nil:
	case last && !s.DryRun:
		fsutil.RemoveLocked(s.lock, func() error { return s.root.Remove(lockFile) })
		s.root.Remove(stateDir)
	default:
		fsutil.Unlock(s.lock)
	}
	s.lock = nil
}

// Hold takes the lock of an output folder, shared with other readers, so that
// no build changes it until release is called. The error wraps [ErrLocked] where a build
// is at work, and [ErrPending] where one was cut off in its commit. A folder without
// sivu's lock, as an upload leaves it, or whose .sivu this user must not read, is not
// held.
func Hold(out string) (release func(), err error) {
	s, err := hold(out)
	if err != nil {
		return nil, err
	}
	return s.release, nil
}

// hold opens a folder only for reading.
func hold(out string) (*Stage, error) {
	root, err := openDisk(out, nil)
	if err != nil {
		return nil, problem("open", fmt.Sprintf("%q", out), err)
	}
	s := &Stage{name: out, root: root, Options: Options{DryRun: true}}
	err = s.tryLock()
	if err == nil {
		var pending bool
		if pending, err = root.exists(commitDir); pending {
			err = errPending(out)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		s.release()
		return nil, err
	}
	return s, nil
}

func (s *Stage) release() {
	s.unlock(false)
	s.root.Close()
}
