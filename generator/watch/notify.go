package watch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

const separator = string(filepath.Separator)

// start asks the system for notifications of all folders, from the beginning. A
// content folder that is not there is looked for later.
func (w *Watcher) start() error {
	w.Close()
	clear(w.polled)
	if info, err := os.Stat(w.content); err != nil || !info.IsDir() {
		return nil
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return watchError(err)
	}
	w.notify = notify
	// Adding a watch must not wait for errors to be read.
	go func() {
		for range notify.Errors {
			select {
			case w.overflow <- struct{}{}:
			default:
			}
		}
	}()
	w.findSite()
	if w.siteGiven {
		w.polled[SitePath] = stampOf(w.site)
	}
	_, err = w.enter(w.content)
	return err
}

// watchError returns a [LimitError] where the system has no room for a watch.
func watchError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return &LimitError{"raise the limit: sysctl fs.inotify.max_user_watches=524288"}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &LimitError{"raise the limit of open files, or of watchers: sysctl fs.inotify.max_user_instances=512"}
	}
	return err
}

// enter watches a folder and those below it, and returns the paths of the files
// in them. A file that comes in between is either listed, or notified of.
func (w *Watcher) enter(folder string) (paths []string, err error) {
	err = w.walk(folder, func(path, full string, entry fs.DirEntry) error {
		if entry.IsDir() {
			return w.add(full)
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			w.polled[path] = stampOf(full)
		}
		paths = append(paths, path)
		return nil
	})
	return paths, err
}

// add watches a folder. One that is gone again, or unreadable, is for the reader
// of pages to report.
func (w *Watcher) add(folder string) error {
	err := w.notify.Add(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return nil
	case err != nil:
		return watchError(err)
	}
	w.folders[folder] = struct{}{}
	return nil
}

// walk visits a folder and all below it that is reported: each folder before it is
// read. The path of the content folder is "".
func (w *Watcher) walk(folder string, visit func(path, full string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(folder+separator, func(full string, entry fs.DirEntry, err error) error { // which may be a symlink
		if err != nil { // for the reader of pages to report
			return nil
		}
		full = filepath.Clean(full)
		path := w.reported(full)
		switch {
		case path != "", full == w.content:
			return visit(path, full, entry)
		case entry.IsDir():
			return fs.SkipDir
		}
		return nil
	})
}

// notified returns the paths that an event changed, and follows folders and symlinks
// that come and go.
func (w *Watcher) notified(event fsnotify.Event) (paths []string, err error) {
	if event.Name == "" { // of a watch that is gone
		return nil, nil
	}
	full := filepath.Clean(event.Name)
	isGone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	path := w.reported(full)
	switch {
	case full == w.content && isGone:
		w.Close() // a folder that was moved away goes on to send events
		return []string{anyPath}, nil
	case path == "":
		return nil, nil
	case isGone, event.Has(fsnotify.Create):
		w.unwatch(full) // also a folder that was here before, under the same name
	}
	if event.Has(fsnotify.Create) {
		switch info, goneAgain := os.Lstat(full); {
		case goneAgain != nil:
		case info.IsDir():
			paths, err = w.enter(full)
		case info.Mode()&fs.ModeSymlink != 0:
			w.polled[path] = stampOf(full)
		}
	}
	return append(paths, path), err
}

// unwatch forgets a path and all below it: a folder that was moved would else go
// on to send events under its old name.
func (w *Watcher) unwatch(gone string) {
	delete(w.polled, w.reported(gone))
	if _, ok := w.folders[gone]; !ok {
		return
	}
	for folder := range w.folders {
		if folder == gone || isBelow(folder, gone) {
			w.notify.Remove(folder) // which may have happened by itself
			delete(w.folders, folder)
		}
	}
	maps.DeleteFunc(w.polled, func(path string, _ stamp) bool { return isBelow(w.full(path), gone) })
}

func isBelow(full, folder string) bool {
	return strings.HasPrefix(full, strings.TrimSuffix(folder, separator)+separator)
}

// findSite finds the path of the settings below the content folder, whatever
// symlinks the two names lead through.
func (w *Watcher) findSite() {
	w.sitePath = ""
	content, err := filepath.EvalSymlinks(w.content)
	folder, folderErr := filepath.EvalSymlinks(filepath.Dir(w.site))
	if err != nil || folderErr != nil {
		return
	}
	if path, err := filepath.Rel(content, filepath.Join(folder, filepath.Base(w.site))); err == nil && filepath.IsLocal(path) {
		w.sitePath = filepath.ToSlash(path)
	}
}

// reported returns the path under which changes of a file or folder below the
// content folder are reported, or "" where they are not.
func (w *Watcher) reported(full string) string {
	path, err := filepath.Rel(w.content, full)
	if err != nil {
		return ""
	}
	path = filepath.ToSlash(path)
	switch {
	case strings.HasPrefix(path, "."), strings.Contains(path, "/."): // hidden, or the content folder itself
		return ""
	case path == w.sitePath && !w.siteGiven:
		return SitePath
	case path == w.sitePath, path == "site.yaml": // the first is polled
		return ""
	}
	return path
}

// full is the inverse of reported.
func (w *Watcher) full(path string) string {
	if path == SitePath {
		return w.site
	}
	return filepath.Join(w.content, filepath.FromSlash(path))
}
