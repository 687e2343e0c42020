package preview

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
)

// SitePath is how a [Watcher] names the file with the site's settings, wherever
// it lies. No path below a content folder begins with a slash.
const SitePath = "/site.yaml"

// How long a burst of changes is waited for.
const (
	quiet    = 10 * time.Millisecond  // without a change
	longest  = 250 * time.Millisecond // from the first one, in a steady stream
	comeback = 100 * time.Millisecond // between looks for a folder that is gone
)

// maxPaths is how many changed paths are told one by one.
const maxPaths = 10_000

// Watcher tells of changes in a content folder. It watches from when it is made,
// so that nothing is missed which happens before [Watcher.Run].
//
// Paths are those below the content folder, separated by slashes. The path of a
// file was added, changed or removed, or maybe only touched. A path that is no
// file, because it is a folder or is gone, stands for all that lies or lay below
// it; of a folder that came, the files in it are told too. What is told are the
// paths of the symlinks that lead to a changed file, beside its own. No paths at
// all, that is nil, mean that anything may have changed.
//
// As for pages, names that begin with a dot are passed over, and symlinks to
// folders are not followed. site.yaml at the top of the content folder is passed
// over too where the settings lie elsewhere.
//
// Where the system has no room for as many watches, the watcher looks at the whole
// folder again and again, about every second. Then a folder that was replaced is
// told by what is in it.
type Watcher struct {
	content, siteFile string

	tree    *tree   // nil where it polls
	poller  *poller // nil where it watches
	polls   atomic.Pointer[Error]
	changes changes
	failure error // why changes are not seen any more
}

// Watch tells of changes until ctx is done; see [Watcher]. It is for callers that
// need not know when the watching begins.
func Watch(ctx context.Context, content, siteFile string, settled func(paths []string)) error {
	w, err := NewWatcher(content, siteFile)
	if err != nil {
		return err
	}
	defer w.Close()
	return w.Run(ctx, settled)
}

// NewWatcher watches a content folder, which may itself be a symlink, and the
// file with the site's settings, which need not be there; "" is site.yaml in the
// content folder. The error is an [*Error].
func NewWatcher(content, siteFile string) (*Watcher, error) {
	info, err := os.Stat(content)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("it does not exist")
	case err == nil && !info.IsDir():
		err = errors.New("it is not a folder")
	}
	if err != nil {
		return nil, &Error{fmt.Sprintf("content folder %q cannot be watched", content), "", withoutPath(err)}
	}
	w := &Watcher{content: filepath.Clean(content), siteFile: siteFile}
	if w.tree, err = newTree(content, siteFile); err == nil {
		err = w.tree.start()
	}
	if err = w.pollInstead(err); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// pollInstead begins to poll if an error says that there is no room for watches.
// It returns any other error.
func (w *Watcher) pollInstead(err error) error {
	var limit *limitError
	if !errors.As(err, &limit) {
		return err
	}
	w.Close() // others may need the room
	w.tree, w.poller = nil, newPoller(w.content, w.siteFile)
	w.polls.Store(&Error{Problem: limit.Error(), Hint: limit.hint})
	return nil
}

// Polls returns why the watcher polls, or nil where the system tells it of changes.
// It may be called at any time.
func (w *Watcher) Polls() *Error { return w.polls.Load() }

// Close ends the watching. Run must have ended.
func (w *Watcher) Close() error {
	if w.tree == nil {
		return nil
	}
	return w.tree.close()
}

// Run calls settled with the changed paths, sorted, once they have come to rest:
// nothing has changed for 10 ms, or the first change is 250 ms ago. While
// settled runs, changes are gathered; it is never called twice at a time. Run
// ends with nil when ctx is done and settled has returned. Otherwise the error
// is an [*Error], and changes are not seen any more.
func (w *Watcher) Run(ctx context.Context, settled func(paths []string)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	idle := make(chan struct{}, 1) // holds a token while settled is not running
	idle <- struct{}{}
	for {
		timer.Stop()
		var ready <-chan struct{} // idle, where there are changes that have come to rest
		if due, some := w.changes.due(time.Now()); some && due <= 0 {
			ready = idle
		} else if some {
			timer.Reset(due)
		}
		from := w.sources()
		select {
		case <-ctx.Done():
			<-idle
			return nil
		case <-timer.C:
		case <-ready:
			paths := w.changes.take()
			go func() {
				settled(paths)
				idle <- struct{}{}
			}()
		case event, ok := <-from.events:
			if !ok {
				<-idle
				return &Error{Problem: "the watching was ended"}
			}
			w.note(w.tree.changed(event))
		case <-from.failures:
			w.note(nil, true, w.tree.start())
		case <-from.retry:
			came, err := w.tree.lookAgain()
			w.note(nil, came, err)
		case <-from.due:
			w.note(w.poller.look(), false, nil)
		}
		if w.failure != nil {
			<-idle
			return w.failure
		}
	}
}

// sources are where a watcher learns of changes; nil where it does not.
type sources struct {
	events     <-chan fsnotify.Event
	failures   <-chan struct{} // events were lost
	retry, due <-chan time.Time
}

func (w *Watcher) sources() sources {
	if w.poller != nil {
		return sources{due: w.poller.due()}
	}
	return sources{events: w.tree.notify.Events, failures: w.tree.failures, retry: w.tree.retry()}
}

// note takes in changed paths, or that anything may have changed, and a failure
// of the watching.
func (w *Watcher) note(paths []string, all bool, err error) {
	watched := w.tree != nil
	w.failure = w.pollInstead(err)
	began := watched && w.tree == nil // what changed meanwhile is not known
	w.changes.add(paths, all || began, time.Now())
}

// changes are the paths that wait to be told.
type changes struct {
	paths       map[string]struct{}
	all         bool
	first, last time.Time // when they came
}

func (c *changes) add(paths []string, all bool, now time.Time) {
	if len(paths) == 0 && !all {
		return
	}
	if len(c.paths) == 0 && !c.all {
		*c = changes{paths: map[string]struct{}{}, first: now}
	}
	c.last = now
	c.all = c.all || all
	for _, path := range paths {
		if len(c.paths) < maxPaths {
			c.paths[path] = struct{}{}
		} else if _, ok := c.paths[path]; !ok {
			c.all = true
		}
	}
}

// due returns how long they still have to come to rest, if there are any.
func (c *changes) due(now time.Time) (time.Duration, bool) {
	rest, end := c.last.Add(quiet), c.first.Add(longest)
	if end.Before(rest) {
		rest = end
	}
	return rest.Sub(now), c.all || len(c.paths) > 0
}

// take returns the paths, or nil for any.
func (c *changes) take() []string {
	var paths []string
	if !c.all {
		paths = slices.Sorted(maps.Keys(c.paths))
	}
	*c = changes{}
	return paths
}
