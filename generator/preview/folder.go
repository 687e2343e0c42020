package preview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
)

// maxFile is how many bytes a file of a snapshot may have to be shown.
const maxFile = 64 << 20

// Folder is a snapshot on disk, with another base address in its links. Nothing
// outside the folder is read, whatever symlinks it holds. A snapshot that has no
// api variants, because its host makes them, gets them here too. A file whose links are
// not those of the first list page, as one that is kept of an older snapshot, is served as
// it is; one that is not JSON is an error. When the snapshot is built again, the new one is
// served, also where another folder takes its place.
type Folder struct {
	dir  string // as the caller named it
	base string
}

var (
	firstList           = api.FirstListPath(api.Plain).String()
	firstListAPIVariant = api.FirstListPath(api.API).String()
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
		_, err = findLinks(first)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is missing", firstList)
		}
		return nil, &Error{fmt.Sprintf("%q holds no snapshot", dir), hint, fsutil.Reason(err)}
	}
	return &Folder{dir, base}, nil
}

// goneError says that the snapshot in a folder is gone.
type goneError string

// Error names the folder and the cure.
func (dir goneError) Error() string {
	return fmt.Sprintf("snapshot folder %q is gone; build it again", string(dir))
}

// Is makes the error one of those that say that there are no answers.
func (goneError) Is(target error) bool { return target == errNoAnswers }

// Answer returns the bytes of a file with the folder's base address.
func (f *Folder) Answer(file string) ([]byte, error) {
	answer, ok := api.ParseAnswer(file)
	if !ok {
		return nil, fmt.Errorf("%q is no file of an answer", file)
	}
	root, err := os.OpenRoot(f.dir) // another folder may have taken its place
	var first []byte
	if err == nil {
		defer root.Close()
		first, err = readFile(root, firstList)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, goneError(f.dir)
	}
	if err != nil {
		return nil, fsutil.Reason(err)
	}
	possible, err := findLinks(first)
	if err != nil {
		return nil, err
	}
	source := answer.Variant()
	if source == api.API {
		switch _, err := root.Stat(firstListAPIVariant); {
		case errors.Is(err, fs.ErrNotExist):
			source, file = api.Plain, plainVariant(file)
		case err != nil:
			return nil, fsutil.Reason(err)
		}
	}
	body, err := readFile(root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || possible[0].Base == "" { // no record is listed; one that is kept stays as it is
		return body, err
	}
	if rebased, ok := rebase(body, source, possible, answer, f.base); ok {
		return rebased, nil
	}
	if json.Valid(body) {
		return body, nil // one that is kept may have another base address or link style
	}
	return nil, fmt.Errorf("%s is not JSON; sivu verify %q says where", file, f.dir)
}

// rebase returns an answer with links to another base address, given the body of its
// file in a variant, plain or its own, and the links which that can have. It reports
// false where it has others.
func rebase(body []byte, source api.Variant, possible []api.Links, answer api.Path, base string) ([]byte, bool) {
	const content = `,"content":"`
	for _, old := range slices.Backward(possible) { // api variants that are made carry the query where that is open
		links := api.Links{Base: base, Style: old.Style}
		if answer.IsList() {
			if list, ok := old.SplitEnvelope(body, max(answer.Number(), 1), source, nil); ok {
				return links.AppendEnvelope(nil, list, answer.Variant()), true
			}
			continue
		}
		address := old.AppendDetail(nil, nil, []byte(content), answer.ID(), source)
		at := bytes.LastIndex(body, address) // meta, which may hold the same, comes before it; strings have their quotation marks escaped
		if at >= 0 && json.Valid(body) {
			suffix := body[at+len(address)-len(content):]
			return links.AppendDetail(nil, body[:at], suffix, answer.ID(), answer.Variant()), true
		}
	}
	return nil, false
}

// plainVariant returns the file of the plain variant, given that of the api variant.
func plainVariant(file string) string { return strings.TrimSuffix(file, ".api.json") + ".json" }

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

// findLinks returns the links that a snapshot can have, given its first list page.
func findLinks(first []byte) ([]api.Links, error) {
	possible, err := api.FindLinks(first)
	if err != nil {
		return nil, errNoList
	}
	if len(possible) == 0 { // there are no records, and no links
		possible = []api.Links{{}}
	}
	if _, ok := possible[0].SplitEnvelope(first, 1, api.Plain, nil); !ok {
		return nil, errNoList
	}
	return possible, nil
}
