package archive

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example.org/sivu/generator/fsutil"
)

// withCure returns the reason of an error, with the cure where one is known.
func withCure(err error) error {
	err = fsutil.Reason(err)
	switch {
	case fsutil.IsFull(err):
		return fmt.Errorf("%w; free some space there and build again", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; make the folder writable for the user who runs sivu", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; choose another place", err)
	}
	return err
}

// discard ends the use of a temporary file.
func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// target is where an archive is written: a pipe, or a temporary file beside the one that
// it replaces.
type target struct {
	io.Writer
	name   string // as messages have it
	path   string // absolute, and no symlink
	mode   fs.FileMode
	exists bool     // a file is replaced, and its mode kept
	temp   *os.File // nil for a pipe, and after the end
}

func openTarget(name string, format *Format, o Options) (*target, error) {
	t := &target{Writer: o.To, name: name, mode: entryMode}
	if name == Pipe {
		if o.To == nil {
			return nil, errors.New("nobody takes what goes down the pipe")
		}
		return t, nil
	}
	err := t.find(format, o.Content)
	if err == nil {
		t.removeLeft()
		t.temp, err = t.create()
		t.Writer = t.temp
	}
	if err != nil {
		return nil, t.problem(err)
	}
	return t, nil
}

// find finds the file that is to be replaced, through symlinks, and checks that it may be.
func (t *target) find(format *Format, content string) error {
	info, err := os.Stat(t.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(t.name); err == nil {
			return errors.New("it is a symlink that leads nowhere; remove it")
		}
		if _, err := os.Stat(filepath.Dir(t.name)); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %q is not there; make it first", filepath.Dir(t.name))
		}
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return fmt.Errorf("it is no file; give %s to write to standard output", Pipe)
	default:
		t.mode, t.exists = info.Mode().Perm(), true
		if info.Size() > 0 {
			if err := checkArchive(t.name, format); err != nil {
				return err
			}
		}
	}
	if t.path, err = fsutil.Resolve(t.name); err != nil || content == "" {
		return err
	}
	real, err := fsutil.Resolve(content)
	if err != nil {
		return fmt.Errorf("cannot find the content folder %q: %w", content, err)
	}
	isInside, err := fsutil.LiesIn(t.path, real)
	if isInside {
		return errors.New("it lies in the content folder; choose another place")
	}
	return err
}

// checkArchive refuses to replace what is not an archive of the format.
func checkArchive(path string, format *Format) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fits, err := format.fits(f)
	if err == nil && !fits {
		err = fmt.Errorf("what lies there is no %s archive; move it away, or choose another name", format.Ending)
	}
	return err
}

// prefix begins the names of temporary files beside the archive. A random text follows.
func (t *target) prefix() string { return "." + filepath.Base(t.path) + ".sivu-" }

// create makes a temporary file beside the archive, and locks it.
func (t *target) create() (*os.File, error) {
	const attempts = 10
	for range attempts {
		name := filepath.Join(filepath.Dir(t.path), t.prefix()+rand.Text())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, t.mode)
		if err != nil {
			return nil, err
		}
		if fsutil.TryLock(f, false) != fsutil.ErrLocked {
			if _, err := os.Lstat(name); err == nil {
				return f, nil
			}
		}
		f.Close() // another build has taken it for one that was left, and removed it
	}
	return nil, errors.New("other builds write it at this moment; wait until they end")
}

// removeLeft removes the temporary files of builds that were killed: nobody locks them.
func (t *target) removeLeft() {
	dir := filepath.Dir(t.path)
	list, _ := os.ReadDir(dir) // where that fails, create does, too
	for _, entry := range list {
		random, ok := strings.CutPrefix(entry.Name(), t.prefix())
		if !ok || len(random) != len(rand.Text()) || !entry.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, entry.Name())
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			if fsutil.TryLock(f, false) == nil {
				fsutil.RemoveLocked(f, func() error { return os.Remove(name) })
			}
			f.Close()
		}
	}
}

// scratch returns a new file without a name, beside the archive if it is a file.
func (t *target) scratch() (f *os.File, err error) {
	if t.temp == nil {
		return scratchFile()
	}
	if f, err = t.create(); err != nil {
		return nil, t.problem(err)
	}
	os.Remove(f.Name()) // where that fails, as on Windows, discard does it
	return f, nil
}

// scratchFile returns a new file without a name in the folder for temporary files.
func scratchFile() (*os.File, error) {
	f, err := os.CreateTemp("", "sivu-*")
	if err != nil {
		return nil, fmt.Errorf("cannot make a file in %q, the folder for temporary files: %w", os.TempDir(), withCure(err))
	}
	os.Remove(f.Name())
	return f, nil
}

// commit flushes the temporary file, renames it to the archive, and flushes its name.
func (t *target) commit() error {
	if t.temp == nil {
		return nil
	}
	err := t.temp.Sync()
	if err == nil && t.exists {
		err = t.temp.Chmod(t.mode) // whatever the umask is
	}
	if err == nil {
		// It is locked until its new name is its own, where an open file can be renamed.
		if err = os.Rename(t.temp.Name(), t.path); err != nil {
			t.temp.Close()
			err = fsutil.Retry(func() error { return os.Rename(t.temp.Name(), t.path) })
		}
	}
	if err != nil {
		return err
	}
	t.temp.Close() // all of it is on the disk
	t.temp = nil
	fsutil.FlushFolder(filepath.Dir(t.path)) // as far as that is possible
	return nil
}

// abort removes the temporary file.
func (t *target) abort() error {
	if t.temp == nil {
		return nil
	}
	name := t.temp.Name()
	t.temp.Close()
	t.temp = nil
	if err := fsutil.IgnoreMissing(os.Remove(name)); err != nil {
		return fmt.Errorf("cannot remove %q: %w", name, fsutil.Reason(err))
	}
	return nil
}

// problem says that the archive could not be written, and why. It returns nil for nil.
func (t *target) problem(err error) error {
	switch {
	case err == nil:
		return nil
	case t.name == Pipe:
		return fmt.Errorf("cannot write the archive: %w", withCure(err))
	}
	if _, missing := os.Lstat(t.name); missing != nil {
		return fmt.Errorf("cannot write the archive %q: %w", t.name, withCure(err))
	}
	return fmt.Errorf("cannot write the archive %q: %w (the archive is as it was)", t.name, withCure(err))
}
