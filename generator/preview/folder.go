package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"example.org/sivu/generator/api"
)

// maxFile is how many bytes a file of a snapshot may have to be shown.
const maxFile = 64 << 20

// Folder is a snapshot on disk, with another base address in its links. Nothing
// outside the folder is read, whatever symlinks it holds. A snapshot that has no
// api variants, because its host makes them, gets them here too. When it is
// built again, what is new is served, also where another folder takes its place.
type Folder struct {
	dir  string // as the caller named it
	base []byte // as it stands in JSON

	use    sync.RWMutex // of root, which is exchanged while nobody reads
	root   *os.Root
	opened fs.FileInfo // of root, while it is open no other folder is the same

	mu    sync.Mutex
	seen  fileMark // of the first list page, as links was made of it
	links origin
}

// origin is what the first list page tells of the links in a snapshot.
type origin struct {
	base   []byte // as it stands in JSON; nil where there are no links
	query  bool   // links of the api variant carry format=api
	noTwin bool   // there are no api variants
}

// fileMark tells the states of a file apart.
type fileMark struct {
	size     int64
	modified time.Time
	twin     bool // its api variant is there
}

// OpenFolder opens a snapshot that is to be served at a base address. The error
// is an [*Error]. The folder is to be closed.
func OpenFolder(dir, base string) (*Folder, error) {
	const hint = "sivu build writes a snapshot; name the folder that it was given with --out"
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{fmt.Sprintf("snapshot folder %q does not exist", dir), hint, nil}
	case err == nil && !info.IsDir():
		return nil, &Error{fmt.Sprintf("%q is not a folder", dir), hint, nil}
	}
	f := &Folder{dir: dir, base: inJSON(base)}
	if err := f.open(); err != nil {
		return nil, &Error{fmt.Sprintf("snapshot folder %q cannot be opened", dir), "", withoutPath(err)}
	}
	if _, err := f.origin(); err != nil {
		f.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is missing", firstList)
		}
		return nil, &Error{fmt.Sprintf("%q holds no snapshot", dir), hint, err}
	}
	return f, nil
}

// open takes the folder that is there now in place of the one before.
func (f *Folder) open() error {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return err
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return err
	}
	if f.root != nil {
		f.root.Close()
	}
	f.root, f.opened, f.seen = root, info, fileMark{}
	return nil
}

// Close closes the folder.
func (f *Folder) Close() error {
	f.use.Lock()
	defer f.use.Unlock()
	return f.root.Close()
}

// goneError says that there is no snapshot any more where one was.
type goneError struct{ dir string }

// Error names the folder and the cure.
func (e *goneError) Error() string {
	return fmt.Sprintf("snapshot folder %q is gone; build it again", e.dir)
}

// keepUp opens the folder again where another one has taken its place.
func (f *Folder) keepUp() error {
	info, err := os.Stat(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &goneError{f.dir}
	}
	if err != nil {
		return withoutPath(err)
	}
	f.use.RLock()
	same := os.SameFile(info, f.opened)
	f.use.RUnlock()
	if same {
		return nil
	}
	f.use.Lock()
	defer f.use.Unlock()
	if os.SameFile(info, f.opened) { // another request was faster
		return nil
	}
	if err := f.open(); errors.Is(err, fs.ErrNotExist) {
		return &goneError{f.dir}
	} else if err != nil {
		return withoutPath(err)
	}
	return nil
}

var (
	firstList     = api.Folder + "/" + api.IndexName(api.Plain)
	firstListTwin = api.Folder + "/" + api.IndexName(api.API)
)

// Answer returns the bytes of a file with the folder's base address.
func (f *Folder) Answer(file string) ([]byte, error) {
	if err := f.keepUp(); err != nil {
		return nil, err
	}
	f.use.RLock()
	defer f.use.RUnlock()
	from, err := f.origin()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &goneError{f.dir}
	}
	if err != nil {
		return nil, err
	}
	b := rebasing{from: from.base, to: f.base}
	if name := twinOf(file); name != "" && from.noTwin {
		b.twin, b.query = true, from.query
		file = name
	}
	body, err := f.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || from.base == nil {
		return body, err
	}
	body, err = b.apply(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return body, nil
}

// twinOf returns the file that a file is the api variant of, or "".
func twinOf(file string) string {
	const twin, plain = ".api.json", ".json"
	if name, ok := strings.CutSuffix(file, twin); ok {
		return name + plain
	}
	return ""
}

// read returns the bytes of a file.
func (f *Folder) read(file string) ([]byte, error) {
	info, err := f.root.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MB", file, maxFile>>20)
	}
	opened, err := f.root.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return io.ReadAll(io.LimitReader(opened, maxFile))
}

// origin reads the first list page, unless it is as it was.
func (f *Folder) origin() (origin, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := f.root.Stat(firstList)
	if err != nil {
		return origin{}, withoutPath(err)
	}
	_, err = f.root.Stat(firstListTwin)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return origin{}, withoutPath(err)
	}
	mark := fileMark{info.Size(), info.ModTime(), err == nil}
	if mark == f.seen {
		return f.links, nil
	}
	body, err := f.read(firstList)
	if err != nil {
		return origin{}, withoutPath(err)
	}
	links, err := readOrigin(body)
	if err != nil {
		return origin{}, fmt.Errorf("%s %w", firstList, err)
	}
	links.noTwin = !mark.twin
	f.seen, f.links = mark, links
	return links, nil
}

var errNoList = errors.New("is no list page")

// readOrigin finds the base address and the link style in the first list page:
// in its first record, else in the address of the next page. Where it is the
// only list page, file links do not tell whether they come with a query; then
// they do.
func readOrigin(body []byte) (origin, error) {
	var list struct {
		Count   *int
		Next    *string
		Results []struct{ URL string }
	}
	if json.Unmarshal(body, &list) != nil || list.Count == nil {
		return origin{}, errNoList
	}
	link := ""
	if list.Next != nil {
		link = *list.Next
	}
	isFile, hasQuery := isFileLink(link)
	links := origin{query: list.Next == nil || hasQuery || !isFile}
	if len(list.Results) > 0 {
		link = list.Results[0].URL
	}
	if link == "" {
		return links, nil
	}
	end := strings.LastIndex(link, "/"+api.Folder+"/")
	if end < 0 {
		return origin{}, errNoList
	}
	links.base = inJSON(link[:end])
	return links, nil
}

// isFileLink reports whether a link names a file, and whether it has a query.
func isFileLink(link string) (file, query bool) {
	link, _, query = strings.Cut(link, "?")
	return path.Ext(link) == ".json", query
}

// withoutPath returns what lies below the path and the operation of a file
// system's error.
func withoutPath(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
