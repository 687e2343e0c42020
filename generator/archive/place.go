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

// withCure says why something failed, and what to do about it.
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

// asItWas ends the message of every failure that left nothing behind.
const asItWas = "the archive is as it was"

// discardAside ends the use of a file that aside returned.
func discardAside(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// place is where an archive goes: a file, or a pipe, which has no path and no temp.
type place struct {
	to     io.Writer // for a file, the temporary one
	shown  string    // as messages name it
	path   string    // absolute, and no symlink
	prefix string    // of the names beside it
	mode   fs.FileMode
	there  bool     // a file is replaced, and its mode kept
	temp   *os.File // nil for a pipe, and after the end
}

func newPlace(name string, format *Format, o Options) (*place, error) {
	p := &place{shown: name, mode: entryMode}
	if name == Pipe {
		p.to = o.To
		if p.to == nil {
			return nil, errors.New("nobody takes what goes down the pipe")
		}
		return p, nil
	}
	err := p.find(format)
	if err == nil {
		err = checkOutside(p.path, o.Content)
	}
	if err == nil {
		p.prefix = "." + filepath.Base(p.path) + ".sivu-"
		p.clear()
		p.temp, err = p.create()
		p.to = p.temp
	}
	if err != nil {
		return nil, p.problem(err)
	}
	return p, nil
}

// find finds the file that is to be replaced, through symlinks.
func (p *place) find(format *Format) error {
	info, err := os.Stat(p.shown)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(p.shown); err == nil {
			return errors.New("it is a symlink that leads nowhere; remove it")
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(p.shown))
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder %q is not there; make it first", filepath.Dir(p.shown))
		}
		if err == nil {
			p.path, err = filepath.Abs(filepath.Join(dir, filepath.Base(p.shown)))
		}
		return err
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return fmt.Errorf("it is no file; give %s to write to standard output", Pipe)
	}
	p.mode, p.there = info.Mode().Perm(), true
	if p.path, err = filepath.EvalSymlinks(p.shown); err == nil {
		p.path, err = filepath.Abs(p.path)
	}
	if err != nil {
		return err
	}
	return checkArchive(p.path, format)
}

// checkArchive refuses to replace what is not such an archive.
func checkArchive(path string, format *Format) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fits, empty, err := format.fits(f)
	if err == nil && !fits && !empty {
		err = fmt.Errorf("what lies there is no %s archive; move it away, or choose another name", format.Ending)
	}
	return err
}

// checkOutside keeps archives out of the content folder.
func checkOutside(path, content string) error {
	if content == "" {
		return nil
	}
	real, err := fsutil.Resolve(content)
	if err != nil {
		return fmt.Errorf("cannot find the content folder %q: %w", content, err)
	}
	isInside, err := fsutil.LiesIn(path, real)
	if isInside {
		return errors.New("it lies in the content folder; choose another place")
	}
	return err
}

// create makes a file beside the archive that nobody else has, and holds it.
func (p *place) create() (*os.File, error) {
	const attempts = 10
	for range attempts {
		name := filepath.Join(filepath.Dir(p.path), p.prefix+rand.Text())
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, p.mode)
		if err != nil {
			return nil, err
		}
		if fsutil.TryLock(f, false) != fsutil.ErrLocked && isAt(f, name) {
			return f, nil
		}
		f.Close() // another build took it for one that was left
	}
	return nil, errors.New("other builds write it at this moment; wait until they end")
}

// isAt reports whether a name leads to an open file.
func isAt(f *os.File, name string) bool {
	opened, err := f.Stat()
	named, errNamed := os.Lstat(name)
	return err == nil && errNamed == nil && os.SameFile(opened, named)
}

// clear removes the files beside the archive that no build holds any more.
func (p *place) clear() {
	dir := filepath.Dir(p.path)
	list, _ := os.ReadDir(dir) // what cannot be listed cannot be written to either
	for _, entry := range list {
		random, ok := strings.CutPrefix(entry.Name(), p.prefix)
		if !ok || len(random) != len(rand.Text()) || !entry.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, entry.Name())
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			if fsutil.TryLock(f, false) == nil && isAt(f, name) {
				fsutil.RemoveLocked(f, func() error { return os.Remove(name) })
			}
			f.Close()
		}
	}
}

// aside returns a new file for what has to wait.
func (p *place) aside() (f *os.File, err error) {
	if p.temp == nil {
		if f, err = os.CreateTemp("", "sivu-*"); err != nil {
			return nil, fmt.Errorf("cannot make a file in %q, the folder for temporary files: %w", os.TempDir(), withCure(err))
		}
	} else if f, err = p.create(); err != nil {
		return nil, p.problem(err)
	}
	os.Remove(f.Name()) // where that fails, as on Windows, discardAside does it
	return f, nil
}

// commit makes what was written the archive: it renames the file when that is on the
// disk, and then sees to it that its name is, too.
func (p *place) commit() error {
	if p.temp == nil {
		return nil
	}
	err := p.temp.Sync()
	if err == nil && p.there {
		err = p.temp.Chmod(p.mode) // whatever the umask is
	}
	if err == nil {
		// It is held until its new name is its own, where an open file can be renamed.
		if err = os.Rename(p.temp.Name(), p.path); err != nil {
			p.temp.Close()
			err = fsutil.Retry(func() error { return os.Rename(p.temp.Name(), p.path) })
		}
	}
	if err != nil {
		return p.problem(err)
	}
	p.temp.Close() // all of it is on the disk
	p.temp = nil
	fsutil.FlushFolder(filepath.Dir(p.path)) // as far as that is possible
	return nil
}

// abort forgets what was written.
func (p *place) abort() error {
	if p.temp == nil {
		return nil
	}
	name := p.temp.Name()
	p.temp.Close()
	p.temp = nil
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove %q: %w", name, fsutil.Reason(err))
	}
	return nil
}

// problem says what could not be written, and why.
func (p *place) problem(err error) error {
	if p.shown == Pipe {
		return fmt.Errorf("cannot write the archive: %w", withCure(err))
	}
	return fmt.Errorf("cannot write the archive %q: %w (%s)", p.shown, withCure(err), asItWas)
}
