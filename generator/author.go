package generator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/google/uuid"

	"example.org/sivu/generator/author"
	"example.org/sivu/generator/diag"
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
}

// AddPages writes fresh source pages: see [author.AddPages]. Problems of site.yaml
// are in the report; then nothing is written.
func AddPages(o Options, n NewPage) (diag.Report, []Added, error) {
	r, err := newRun(o)
	if err != nil {
		return diag.Report{}, nil, err
	}
	defer r.close()
	if report := r.diagnostics.Report(); report.Errors > 0 {
		return report, nil, nil
	}
	added, err := author.AddPages(o.Content, r.site, n)
	if err != nil {
		return diag.Report{}, added, err
	}
	return r.diagnostics.Report(), added, nil
}

// Untranslated returns the languages of the site and, where language is one of
// them, the paths of the pages that it lacks: see [author.Untranslated].
func Untranslated(o Options, language string) (languages, paths []string, err error) {
	r, err := newRun(o)
	if err != nil {
		return nil, nil, err
	}
	defer r.close()
	if r.site == nil {
		return nil, nil, errors.New("the site's settings cannot be read")
	}
	if slices.Contains(r.site.Languages, language) {
		paths = author.Untranslated(r.fsys, r.site, language)
	}
	return r.site.Languages, paths, nil
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
		if err := author.WriteID(root, r.site, derived.Path, derived.ID); err != nil {
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
