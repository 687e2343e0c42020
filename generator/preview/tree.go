package preview

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxDepth is how deeply folders are watched; pages may not lie deeper.
const maxDepth = 64

// tree is a content folder with a watch on each of its folders, and on those
// where the settings, and files that symlinks lead to, lie. It is for one
// goroutine.
type tree struct {
	notify    *fsnotify.Watcher
	failures  chan struct{} // holds a token when events were lost
	content   string        // clean, as events name it
	siteFile  string        // as the caller named it, or ""
	folders   map[string]struct{}
	elsewhere map[string]struct{} // those of them that are watched for links alone
	links     symlinks
	lost      bool                // the content folder is gone
	missing   map[string]struct{} // folders that links lead to, and that are not there
	look      time.Time           // when it is time to look for what is gone
}

func newTree(content, siteFile string) (*tree, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, watchError(content, err)
	}
	t := &tree{
		notify: notify, failures: make(chan struct{}, 1),
		content: filepath.Clean(content), siteFile: siteFile,
		folders: map[string]struct{}{}, elsewhere: map[string]struct{}{}, missing: map[string]struct{}{},
	}
	// Whoever adds a watch must not wait for one who has an error to tell.
	go func() {
		for range notify.Errors {
			select {
			case t.failures <- struct{}{}:
			default:
			}
		}
	}()
	return t, nil
}

func (t *tree) close() error { return t.notify.Close() }

// start watches all folders from the beginning. A content folder that is not
// there is looked for later.
func (t *tree) start() error {
	t.unwatchAll()
	t.look = time.Now().Add(comeback)
	info, err := os.Stat(t.content)
	t.lost = err != nil || !info.IsDir()
	if t.lost {
		return nil
	}
	t.links = newSymlinks(t.content, t.siteFile)
	if _, err := t.enter(t.content, 0); err != nil {
		return err
	}
	return t.watchElsewhere()
}

// enter watches a folder and those below it, and returns the paths of the files
// in them. A file that comes in between is either listed, or an event.
func (t *tree) enter(folder string, depth int) ([]string, error) {
	if err := t.watch(folder); err != nil || depth > maxDepth {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil // it is gone again, or unreadable; that is for the reader of pages to tell
	}
	var paths []string
	for _, entry := range entries {
		full := filepath.Join(folder, entry.Name())
		switch {
		case isHidden(entry.Name()):
		case entry.IsDir():
			below, err := t.enter(full, depth+1)
			if err != nil {
				return nil, err
			}
			paths = append(paths, below...)
		default:
			if entry.Type()&fs.ModeSymlink != 0 {
				t.links.follow(full)
			}
			paths = append(paths, t.told(full)...)
		}
	}
	return paths, nil
}

// watch watches one folder. That it is gone by now is no error.
func (t *tree) watch(folder string) error {
	err := t.notify.Add(folder)
	switch {
	case err == nil:
		t.folders[folder] = struct{}{}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return nil
	default:
		return watchError(t.content, err)
	}
	return nil
}

// watchElsewhere watches the folders where the settings and the files lie that
// symlinks lead to, and notes those that are not there.
func (t *tree) watchElsewhere() error {
	clear(t.missing)
	for _, folder := range t.links.folders() {
		if _, ok := t.folders[folder]; ok {
			continue
		}
		if err := t.watch(folder); err != nil {
			return err
		}
		if _, ok := t.folders[folder]; ok {
			t.elsewhere[folder] = struct{}{}
			continue
		}
		t.missing[folder] = struct{}{}
	}
	return nil
}

// leaveElsewhere stops to watch what links lead to at or below a folder that is
// gone. It reports whether there was any.
func (t *tree) leaveElsewhere(gone string) bool {
	some := false
	for folder := range t.elsewhere {
		if _, isBelow := below(folder, gone); folder == gone || isBelow {
			t.unwatch(folder)
			some = true
		}
	}
	if some {
		t.look = time.Now() // it may have been replaced
		t.missing[gone] = struct{}{}
	}
	return some
}

// lookAgain looks for the folders that are gone, and reports whether one of them
// is there again.
func (t *tree) lookAgain() (came bool, err error) {
	if t.lost {
		err = t.start()
		return !t.lost, err
	}
	t.look = time.Now().Add(comeback)
	before := len(t.elsewhere)
	t.links.followSite()
	err = t.watchElsewhere()
	return len(t.elsewhere) > before, err
}

func (t *tree) unwatch(folder string) {
	t.notify.Remove(folder) // which may have happened by itself
	delete(t.folders, folder)
	delete(t.elsewhere, folder)
}

func (t *tree) unwatchAll() {
	for folder := range t.folders {
		t.unwatch(folder)
	}
	clear(t.missing)
}

// leave stops to watch a folder that is gone, and all below it: a folder that was
// moved would else go on to send events under its old name.
func (t *tree) leave(gone string) {
	if _, ok := t.folders[gone]; !ok {
		return
	}
	for folder := range t.folders {
		if _, isBelow := below(folder, gone); folder == gone || isBelow {
			t.unwatch(folder)
		}
	}
}

// changed returns the paths that an event concerns, or that any may have changed,
// and follows folders that come and go.
func (t *tree) changed(event fsnotify.Event) (paths []string, all bool, err error) {
	if event.Name == "" { // of a watch that is gone
		return nil, false, nil
	}
	full := filepath.Clean(event.Name)
	isGone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if full == t.content {
		if isGone {
			t.lost = true
			t.unwatchAll() // what was moved away goes on to send events
		}
		return nil, isGone, nil
	}
	if isGone {
		all = t.leaveElsewhere(full)
		t.leave(full)
	}
	paths = t.told(full)
	if !event.Has(fsnotify.Create) {
		return paths, all, nil
	}
	if len(t.links.to(full)) > 0 {
		t.links.followAgain(full)
		err = t.watchElsewhere()
	}
	if err == nil && t.shows(full) {
		var came []string
		came, err = t.came(full)
		paths = append(paths, came...)
	}
	return paths, all, err
}

// came returns the paths of a new folder, and learns where a new symlink leads.
func (t *tree) came(full string) ([]string, error) {
	info, err := os.Lstat(full)
	switch {
	case err != nil:
		return nil, nil // it is gone again
	case info.Mode()&fs.ModeSymlink != 0:
		t.links.follow(full)
		return nil, t.watchElsewhere()
	case !info.IsDir():
		return nil, nil
	}
	t.leave(full) // what was here before may be watched under this name
	paths, err := t.enter(full, strings.Count(full, string(filepath.Separator))-strings.Count(t.content, string(filepath.Separator)))
	if err == nil {
		err = t.watchElsewhere()
	}
	return paths, err
}

// told returns the paths under which a change of a file is told: its own, where
// pages may have it, and those of symlinks to it.
func (t *tree) told(full string) []string {
	paths := slices.Clone(t.links.to(full))
	if t.shows(full) {
		paths = append(paths, t.relative(full))
	}
	return paths
}

// shows reports whether a path is one that pages, or folders of pages, may have.
func (t *tree) shows(full string) bool {
	path := t.relative(full)
	if path == "" || path == "site.yaml" || t.links.isSite(full) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path, "/"), isHidden)
}

// relative returns a path below the content folder, or "".
func (t *tree) relative(full string) string { return t.links.relative(full) }

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// retry returns a channel on which it is time to look again for folders that are
// gone.
func (t *tree) retry() <-chan time.Time {
	if !t.lost && len(t.missing) == 0 {
		return nil
	}
	return time.After(time.Until(t.look))
}

// limitError says that there is no room for watches.
type limitError struct{ hint string }

// Error says what is done about it.
func (*limitError) Error() string {
	return "the system watches no more folders: changes are looked for every second, less often in large folders"
}

// watchError puts into words why there is no watching.
func watchError(content string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return &limitError{"raise the limit: sysctl fs.inotify.max_user_watches=524288"}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &limitError{"raise the limit of open files, or of watchers: sysctl fs.inotify.max_user_instances=512"}
	}
	return &Error{fmt.Sprintf("content folder %q cannot be watched", content), "", withoutPath(err)}
}
