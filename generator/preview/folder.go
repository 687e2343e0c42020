package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
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
}

// linkForm is the form of the links in a snapshot.
type linkForm struct {
	base  []byte // as it stands in JSON; nil where there are no links
	query bool   // links of the api variant carry format=api
}

var (
	firstList           = api.Folder + "/" + api.IndexName(api.Plain)
	firstListAPIVariant = api.Folder + "/" + api.IndexName(api.API)
)

// OpenFolder returns the snapshot in a folder, which is to be served at a base
// address. The error is an [*Error].
func OpenFolder(dir, base string) (*Folder, error) {
	const hint = "sivu build writes a snapshot; name the folder that it was given with --out"
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{fmt.Sprintf("snapshot folder %q does not exist", dir), hint, nil}
	case err == nil && !info.IsDir():
		return nil, &Error{fmt.Sprintf("%q is not a folder", dir), hint, nil}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &Error{fmt.Sprintf("snapshot folder %q cannot be opened", dir), "", fsutil.Reason(err)}
	}
	defer root.Close()
	first, err := readFile(root, firstList)
	if err == nil {
		_, err = readLinkForm(first)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is missing", firstList)
		}
		return nil, &Error{fmt.Sprintf("%q holds no snapshot", dir), hint, fsutil.Reason(err)}
	}
	return &Folder{dir, inJSON(base)}, nil
}

// goneError says that there is no snapshot any more where one was.
type goneError struct{ dir string }

// Error names the folder and the cure.
func (e *goneError) Error() string {
	return fmt.Sprintf("snapshot folder %q is gone; build it again", e.dir)
}

// Answer returns the bytes of a file with the folder's base address.
func (f *Folder) Answer(file string) ([]byte, error) {
	root, err := os.OpenRoot(f.dir) // another folder may have taken its place
	var first []byte
	if err == nil {
		defer root.Close()
		first, err = readFile(root, firstList)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &goneError{f.dir}
	}
	if err != nil {
		return nil, fsutil.Reason(err)
	}
	links, err := readLinkForm(first)
	if err != nil {
		return nil, err
	}
	r := rewriter{from: links.base, to: f.base, query: links.query}
	if plain := plainVariant(file); plain != "" {
		switch _, err := root.Stat(firstListAPIVariant); {
		case errors.Is(err, fs.ErrNotExist):
			file, r.apiVariant = plain, true
		case err != nil:
			return nil, fsutil.Reason(err)
		}
	}
	body, err := readFile(root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || links.base == nil {
		return body, err
	}
	if body, err = r.rewrite(body); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return body, nil
}

// plainVariant returns the file that a file is the api variant of, or "".
func plainVariant(file string) string {
	if name, ok := strings.CutSuffix(file, ".api.json"); ok {
		return name + ".json"
	}
	return ""
}

func readFile(root *os.Root, file string) ([]byte, error) {
	info, err := root.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MB", file, maxFile>>20)
	}
	return root.ReadFile(file)
}

var errNoList = errors.New(firstList + " is no list page")

// readLinkForm finds the base address and the form of links in the first list
// page: in its first record, else in the address of the next page. Where it is the
// only list page, links to files do not tell whether they come with a query; then
// they do.
func readLinkForm(body []byte) (linkForm, error) {
	var list struct {
		Count   *int
		Next    string
		Results []struct{ URL string }
	}
	if json.Unmarshal(body, &list) != nil || list.Count == nil {
		return linkForm{}, errNoList
	}
	next, _, hasQuery := strings.Cut(list.Next, "?")
	links := linkForm{query: hasQuery || path.Ext(next) != ".json"}
	link := list.Next
	if len(list.Results) > 0 {
		link = list.Results[0].URL
	}
	if link == "" {
		return links, nil
	}
	end := strings.LastIndex(link, "/"+api.Folder+"/")
	if end < 0 {
		return linkForm{}, errNoList
	}
	links.base = inJSON(link[:end])
	return links, nil
}
