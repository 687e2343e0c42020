package generator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/author"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// The types of package author that callers of this package need.
type (
	NewPage = author.NewPage
	Added   = author.Added
)

// DerivedID is the id of a page that gives none: it changes when the page moves.
type DerivedID struct {
	Path string // of the source, below the content folder
	ID   uuid.UUID

	url   string // meta.url
	moved string // the meta.url under which ids.yaml has the id of a page that moved; "" for none
}

// AddPages writes fresh source pages: see [author.AddPages]. Problems of site.yaml
// are in the report; then nothing is written.
func AddPages(o Options, n NewPage) (diag.Report, []Added, error) {
	s, err := settings.Resolve(o)
	if err != nil {
		return diag.Report{}, nil, err
	}
	defer s.Close()
	var problems diag.Collector
	problems.Add(s.Problems...)
	if report := problems.Report(); report.Errors > 0 {
		return report, nil, nil
	}
	if s.Site.Rendered != nil {
		return diag.Report{}, nil, errors.New("the pages of a rendered site are written by its generator: start the page there, and render the site again")
	}
	added, err := author.AddPages(o.Content, s.Site, n)
	if err != nil {
		return diag.Report{}, added, err
	}
	return problems.Report(), added, nil
}

// SiteBase returns the base address in site.yaml, and "" where that gives none, or the
// placeholder.
func SiteBase(o Options) (string, error) {
	s, err := settings.Resolve(o)
	if err != nil {
		return "", err
	}
	defer s.Close()
	if s.Site == nil || s.Site.BaseURL.String() == baseurl.Placeholder {
		return "", nil
	}
	return s.Site.BaseURL.String(), nil
}

// Untranslated returns the languages of the site and, where language is one of
// them, the paths of the pages that it lacks: see [author.Untranslated].
func Untranslated(o Options, language string) (languages, paths []string, err error) {
	s, err := settings.Resolve(o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	if s.Site == nil {
		return nil, nil, errors.New("the site's settings cannot be read")
	}
	if slices.Contains(s.Site.Languages, language) {
		paths = author.Untranslated(s.Files, s.Site, language)
	}
	return s.Site.Languages, paths, nil
}

// DerivedIDs returns the pages that give no id, by path, and the id each has.
// Where pages have errors, they are in the result and the list is empty.
func DerivedIDs(ctx context.Context, o Options) (*Result, []DerivedID, error) {
	return derivedIDs(ctx, o, func(*settings.Settings, []DerivedID) (int, error) { return 0, nil })
}

// WriteIDs is DerivedIDs, and writes each id into its source, in the field that
// the site's pages use. Nothing else in a source changes, and each source is
// replaced whole. With an error it returns those that were written before it.
func WriteIDs(ctx context.Context, o Options) (*Result, []DerivedID, error) {
	return derivedIDs(ctx, o, func(s *settings.Settings, ids []DerivedID) (written int, err error) {
		if s.Site.Rendered != nil {
			return len(ids), writeIDsFile(s, ids)
		}
		root, err := os.OpenRoot(o.Content)
		if err != nil {
			return 0, err
		}
		defer root.Close()
		if len(ids) > 0 {
			s.Progress.Begin("writing ids", len(ids))
		}
		for i, derived := range ids {
			if ctx.Err() != nil {
				return i, context.Cause(ctx)
			}
			s.Progress.Step()
			if err := author.WriteID(root, s.Site, derived.Path, derived.ID); err != nil {
				return i, fmt.Errorf("%s stays as it was: %w", path.Join(o.Content, derived.Path), err)
			}
		}
		return len(ids), nil
	})
}

// writeIDsFile writes the ids of rendered pages into the file beside site.yaml. A page
// takes over the id of an address that leads on to it.
func writeIDsFile(s *settings.Settings, ids []DerivedID) error {
	if len(ids) == 0 {
		return nil
	}
	kept := make(map[string]uuid.UUID)
	maps.Copy(kept, s.Site.Rendered.IDs)
	for _, derived := range ids {
		if derived.moved != "" {
			delete(kept, derived.moved)
		}
		if derived.url != "" { // else it is a page that no link leads to
			kept[derived.url] = derived.ID
		}
	}
	name := filepath.Join(s.Content, source.IDsFile)
	if s.SiteFile != "" {
		name = filepath.Join(filepath.Dir(s.SiteFile), source.IDsFile)
	}
	const mode = 0o644
	f, err := fsutil.Create(name, ".sivu-"+source.IDsFile, mode)
	if err != nil {
		return err
	}
	if _, err := f.Write(author.IDsText(kept)); err != nil {
		f.Abort()
		return err
	}
	return f.Commit(true)
}

// derivedIDs finds the pages that give no id, and calls write with them. Where that
// fails, those are returned that were written.
func derivedIDs(ctx context.Context, o Options, write func(*settings.Settings, []DerivedID) (int, error)) (*Result, []DerivedID, error) {
	started := time.Now()
	s, err := settings.Resolve(o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	c, err := corpus.Scan(ctx, s, corpus.Options{})
	if err != nil {
		return nil, nil, err
	}
	c.Lint()
	var ids []DerivedID
	for i := range c.Pages {
		if p := &c.Pages[i]; p.Derived && c.Errors() == 0 {
			derived := DerivedID{p.Path, p.ID, p.URL, s.Site.MovedID(p.Aliases)}
			if derived.moved != "" {
				derived.ID = s.Site.Rendered.IDs[derived.moved]
			}
			ids = append(ids, derived)
		}
	}
	if written, err := write(s, ids); err != nil {
		return nil, ids[:written], err
	}
	return new(Result).finish(s, c, started), ids, nil
}
