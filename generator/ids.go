package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/source"
)

// DerivedID is the id of a page that gives none: it changes when the page moves.
type DerivedID struct {
	Path string // of the source, below the content folder
	ID   uuid.UUID
}

// DerivedIDs returns the pages that give no id, by path, and the id each has.
// Where pages have errors, they are in the result and the list is empty.
func DerivedIDs(ctx context.Context, o Options) (*Result, []DerivedID, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, nil, err
	}
	defer r.close()
	ids, err := r.derivedIDs(ctx)
	return r.finish(), ids, err
}

// WriteIDs is DerivedIDs, and writes each id into its source, in the field that
// the site's pages use. Nothing else in a source changes, and each source is
// replaced whole. With an error it returns those that were written before it.
func WriteIDs(ctx context.Context, o Options) (*Result, []DerivedID, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, nil, err
	}
	defer r.close()
	ids, err := r.derivedIDs(ctx)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(o.Content)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if len(ids) > 0 {
		r.begin("writing ids", len(ids))
	}
	for i, derived := range ids {
		if ctx.Err() != nil {
			return nil, ids[:i], context.Cause(ctx)
		}
		r.Progress.step()
		if err := r.writeID(root, derived); err != nil {
			return nil, ids[:i], fmt.Errorf("%s stays as it was: %w", path.Join(o.Content, derived.Path), err)
		}
	}
	return r.finish(), ids, nil
}

func (r *run) derivedIDs(ctx context.Context) ([]DerivedID, error) {
	if err := r.readPages(ctx); err != nil || r.diagnostics.Errors() > 0 {
		return nil, err
	}
	var ids []DerivedID
	for i, p := range r.collection.pages {
		if r.collection.records[i].derived {
			ids = append(ids, DerivedID{p.Path, p.ID})
		}
	}
	return ids, nil
}

// writeID replaces one source by a copy with its id. Where dates come from
// mtime, the copy keeps it: an id is no change of the page.
func (r *run) writeID(root *os.Root, derived DerivedID) error {
	info, err := root.Lstat(derived.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a symlink, and so two pages would have one id; make it a file of its own")
	}
	text, err := root.ReadFile(derived.Path)
	if err != nil {
		return err
	}
	text, err = source.InsertID(text, source.FormatOfFile(derived.Path), r.site, derived.ID)
	if err != nil {
		return err
	}
	name := path.Join(path.Dir(derived.Path), ".sivu-"+uuid.NewString())
	if err := writeFresh(root, name, text, info.Mode().Perm()); err != nil {
		return err
	}
	if slices.Contains(r.site.Dates, source.DatesMtime) {
		err = root.Chtimes(name, info.ModTime(), info.ModTime())
	}
	if err == nil {
		err = root.Rename(name, derived.Path)
	}
	if err != nil {
		root.Remove(name)
	}
	return err
}

// writeFresh writes a file that was not there, whole or not at all.
func writeFresh(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		root.Remove(name)
	}
	return err
}
