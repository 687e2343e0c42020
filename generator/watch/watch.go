// Package watch reports changes in a content folder, and in the file with the
// site's settings, while the folder is edited.
//
// Input is the name of the folder and of the file; output are calls with the
// paths that changed, once a burst of changes is over. The package reads names,
// sizes and times only; it depends neither on pages nor on HTTP.
//
// The system notifies of changes (inotify and its like). What it cannot notify of
// is polled: files that symlinks lead to and settings outside the content folder
// every tenth of a second, and the whole folder about every second where the
// system has no room for as many watches.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"example.org/sivu/generator/fsutil"
)

// SitePath is the path that a [Watcher] reports for the file with the site's
// settings, wherever it lies. No path below a content folder begins with a slash.
const SitePath = "/site.yaml"

// How long a burst of changes is waited for.
const (
	quiet   = 10 * time.Millisecond  // without a change
	longest = 250 * time.Millisecond // from the first one, in a steady stream
)

// maxPaths is how many changed paths are reported one by one.
const maxPaths = 10_000

// Watcher reports changes in a content folder. It watches from when it is made,
// so that nothing is missed which happens before [Watcher.Run].
//
// Paths are those below the content folder, separated by slashes. The path of a
// file was added, changed or removed, or maybe only touched. A path that is no
// file, because it is a folder or is gone, stands for all that lies or lay below
// it; of a new folder, the files in it are reported too. A symlink to a file in
// the content folder is reported when that file changes. No paths at all, that is
// nil, mean that anything may have changed.
//
// As for pages, names that begin with a dot are passed over, and symlinks to
// folders are not followed. site.yaml at the top of the content folder is passed
// over too where the settings lie elsewhere.
type Watcher struct {
	content   string // absolute, as events name it
	site      string // the file with the settings
	siteGiven bool   // by the caller; else it is site.yaml in the content folder
	sitePath  string // of the settings below the content folder; "" outside of it

	notify   *fsnotify.Watcher   // nil where the content folder is polled, or gone
	overflow chan struct{}       // holds a token when notifications were lost
	folders  map[string]struct{} // that are watched, by full path
	limit    atomic.Pointer[LimitError]

	polled   map[string]stamp // by the path that is reported
	nextPoll time.Time

	changes changes
}

// LimitError says that the system has no room for more watches, so that the
// content folder is polled.
type LimitError struct {
	Hint string // the cure
}

// Error says what the watcher does instead.
func (*LimitError) Error() string {
	return "the system watches no more folders: changes are looked for every second, less often in large folders"
}

// New watches a content folder, which may itself be a symlink, and the file with
// the site's settings, which need not exist; "" is site.yaml in the content
// folder. It fails where the folder does not exist or cannot be watched. The
// watcher is to be closed.
func New(content, siteFile string) (*Watcher, error) {
	info, err := os.Stat(content)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("it does not exist")
	case err == nil && !info.IsDir():
		err = errors.New("it is not a folder")
	}
	var w *Watcher
	if err == nil {
		w, err = newWatcher(content, siteFile)
	}
	if err == nil {
		err = w.pollOnLimit(w.start())
	}
	if err = fsutil.Reason(err); err != nil {
		return nil, fmt.Errorf("content folder %q cannot be watched: %w", content, err)
	}
	return w, nil
}

// newWatcher returns a watcher that neither watches nor polls yet.
func newWatcher(content, siteFile string) (*Watcher, error) {
	full, err := filepath.Abs(content)
	if err != nil {
		return nil, err
	}
	w := &Watcher{
		content: full, site: filepath.Join(full, "site.yaml"), siteGiven: siteFile != "",
		overflow: make(chan struct{}, 1), folders: map[string]struct{}{}, polled: map[string]stamp{},
	}
	if w.siteGiven {
		w.site, err = filepath.Abs(siteFile)
	}
	return w, err
}

// pollOnLimit begins to poll the whole folder if an error says that there is no
// room for watches. It returns any other error, with all watches closed.
func (w *Watcher) pollOnLimit(err error) error {
	var limit *LimitError
	if err == nil {
		return nil
	}
	w.Close() // for a limit too: others may need the room
	if !errors.As(err, &limit) {
		return err
	}
	w.limit.Store(limit)
	w.poll()
	return nil
}

// Polls returns why the whole folder is polled, or nil where the system notifies
// of changes. It may be called at any time.
func (w *Watcher) Polls() *LimitError { return w.limit.Load() }

// Close ends the watching. Run must have ended.
func (w *Watcher) Close() error {
	notify := w.notify
	if notify == nil {
		return nil
	}
	w.notify = nil
	clear(w.folders)
	return notify.Close()
}

// Run calls report with the changed paths, sorted, once they have come to rest:
// nothing has changed for 10 ms, or the first change is 250 ms ago. While report
// runs, changes are gathered; it is never called twice at a time. Run ends with
// nil when ctx is done and report has returned, and with an error when changes
// cannot be seen any more.
func (w *Watcher) Run(ctx context.Context, report func(paths []string)) error {
	idle := make(chan struct{}, 1) // holds a token while report is not running
	idle <- struct{}{}
	for {
		var ready <-chan struct{} // idle, where there are changes that have come to rest
		var rest <-chan time.Time
		if due, some := w.changes.due(time.Now()); some && due <= 0 {
			ready = idle
		} else if some {
			rest = time.After(due)
		}
		var events <-chan fsnotify.Event
		if w.notify != nil {
			events = w.notify.Events
		}
		var paths []string
		var err error
		select {
		case <-ctx.Done():
			<-idle
			return nil
		case <-rest:
		case <-ready:
			paths := w.changes.take()
			go func() {
				report(paths)
				idle <- struct{}{}
			}()
		case event, ok := <-events:
			if !ok {
				err = errors.New("the watching of the content folder was ended")
				break
			}
			paths, err = w.notified(event)
		case <-w.overflow:
			paths, err = []string{anyPath}, w.start()
		case <-w.pollDue():
			paths, err = w.lookAgain()
		}
		if err != nil { // changes since then are not known
			paths, err = []string{anyPath}, w.pollOnLimit(err)
		}
		if err != nil {
			<-idle
			return err
		}
		w.changes.add(paths, time.Now())
	}
}

// anyPath, among changed paths, says that anything may have changed.
const anyPath = ""

// changes are the paths that wait to be reported.
type changes struct {
	paths       map[string]struct{}
	first, last time.Time // when they came
}

func (c *changes) add(paths []string, now time.Time) {
	if len(paths) == 0 {
		return
	}
	if len(c.paths) == 0 {
		*c = changes{paths: map[string]struct{}{}, first: now}
	}
	c.last = now
	for _, path := range paths {
		if _, ok := c.paths[path]; !ok && len(c.paths) >= maxPaths {
			path = anyPath
		}
		c.paths[path] = struct{}{}
	}
}

// due returns how long they still have to come to rest, if there are any.
func (c *changes) due(now time.Time) (time.Duration, bool) {
	return min(c.last.Add(quiet).Sub(now), c.first.Add(longest).Sub(now)), len(c.paths) > 0
}

// take returns the paths, or nil for any.
func (c *changes) take() []string {
	var paths []string
	if _, all := c.paths[anyPath]; !all {
		paths = slices.Sorted(maps.Keys(c.paths))
	}
	*c = changes{}
	return paths
}
