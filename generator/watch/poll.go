package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Where polling takes long, it waits longer, so that it takes a tenth of the time.
const (
	pollFiles  = 100 * time.Millisecond // between looks at files that the system does not notify of
	pollFolder = time.Second            // between looks at the whole folder
	pollShare  = 10
)

// stamp tells the states of a file apart. That of a folder is its mode; the zero
// stamp is that of no file.
type stamp struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
}

// stampOf returns the stamp of what a name leads to, else of the symlink itself.
func stampOf(full string) stamp {
	info, err := os.Stat(full)
	if err != nil {
		info, err = os.Lstat(full)
	}
	switch {
	case err != nil:
		return stamp{}
	case info.IsDir():
		return stamp{mode: info.Mode()}
	}
	return stamp{info.Mode(), info.Size(), info.ModTime()}
}

// pollDue returns a channel on which it is time to poll; nil where there is
// nothing to poll.
func (w *Watcher) pollDue() <-chan time.Time {
	if w.notify != nil && len(w.polled) == 0 {
		return nil
	}
	return time.After(time.Until(w.nextPoll))
}

// lookAgain polls, or looks for a content folder that is gone. It returns the
// paths that changed.
func (w *Watcher) lookAgain() ([]string, error) {
	if w.notify != nil || w.Polls() != nil {
		return w.poll(), nil
	}
	w.nextPoll = time.Now().Add(pollFiles)
	err := w.start()
	if w.notify == nil {
		return nil, err
	}
	return []string{anyPath}, err
}

// poll returns the paths that changed since the last call: of the polled files,
// or of the whole folder.
func (w *Watcher) poll() []string {
	begin, interval := time.Now(), pollFiles
	before := w.polled
	w.polled = make(map[string]stamp, len(before))
	if w.notify == nil {
		interval = pollFolder
		w.findSite()
		w.walk(w.content, func(path, full string, _ fs.DirEntry) error {
			w.polled[path] = stampOf(full)
			return nil
		})
		delete(w.polled, "") // the content folder
		w.polled[SitePath] = stampOf(w.site)
	} else {
		for path := range before {
			w.polled[path] = stampOf(w.full(path))
		}
	}
	var changed []string
	for path, now := range w.polled {
		if now != before[path] {
			changed = append(changed, path)
		}
	}
	for path := range before {
		if _, ok := w.polled[path]; !ok {
			changed = append(changed, path)
		}
	}
	if w.notify != nil {
		if slices.Contains(changed, SitePath) {
			w.findSite()
		}
		changed = slices.DeleteFunc(changed, w.leadsOut)
	}
	w.nextPoll = time.Now().Add(max(interval, pollShare*time.Since(begin)))
	return changed
}

// leadsOut reports whether a polled symlink leads out of the content folder: that
// is a problem of the page, and what is there is not followed.
func (w *Watcher) leadsOut(path string) bool {
	content, err := filepath.EvalSymlinks(w.content)
	target, targetErr := filepath.EvalSymlinks(w.full(path))
	return path != SitePath && err == nil && targetErr == nil && !isBelow(target, content)
}
