package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/settings"
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
	started := time.Now()
	s, c, ids, err := derivedIDs(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	return new(Result).finish(s, c, started), ids, nil
}

// WriteIDs is DerivedIDs, and writes each id into its source, in the field that
// the site's pages use. Nothing else in a source changes, and each source is
// replaced whole. With an error it returns those that were written before it.
func WriteIDs(ctx context.Context, o Options) (*Result, []DerivedID, error) {
	started := time.Now()
	s, c, ids, err := derivedIDs(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	root, err := os.OpenRoot(o.Content)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if len(ids) > 0 {
		s.Progress.Begin("writing ids", len(ids))
	}
	for i, derived := range ids {
		if ctx.Err() != nil {
			return nil, ids[:i], context.Cause(ctx)
		}
		s.Progress.Step()
		if err := writeID(s, root, derived); err != nil {
			return nil, ids[:i], fmt.Errorf("%s stays as it was: %w", path.Join(o.Content, derived.Path), err)
		}
	}
	return new(Result).finish(s, c, started), ids, nil
}

func derivedIDs(ctx context.Context, o Options) (*settings.Settings, *corpus.Corpus, []DerivedID, error) {
	s, err := settings.Resolve(o)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := corpus.Scan(ctx, s, corpus.Options{})
	if err != nil {
		s.Close()
		return nil, nil, nil, err
	}
	c.Lint()
	var ids []DerivedID
	for i := range c.Pages {
		if p := &c.Pages[i]; p.Derived && c.Errors() == 0 {
			ids = append(ids, DerivedID{p.Path, p.ID})
		}
	}
	return s, c, ids, nil
}

// writeID replaces one source by a copy with its id. Where dates come from
// mtime, the copy keeps it: an id is no change of the page.
func writeID(s *settings.Settings, root *os.Root, derived DerivedID) error {
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
	text, err = source.InsertID(text, source.FormatOfFile(derived.Path), s.Site, derived.ID)
	if err != nil {
		return err
	}
	name := path.Join(path.Dir(derived.Path), ".sivu-"+uuid.NewString())
	if err := writeFresh(root, name, text, info.Mode().Perm()); err != nil {
		return err
	}
	if slices.Contains(s.Site.Dates, source.DatesMtime) {
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
