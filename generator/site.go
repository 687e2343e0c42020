package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// readSite reads site.yaml. Without one, a site has the defaults; but one that
// was asked for by name has to be there. Where it cannot be understood at all,
// r.site stays nil: what would be said of pages without it would mislead.
func (r *run) readSite() error {
	fsys, file := r.fsys, source.SiteFile
	shown := filepath.ToSlash(filepath.Join(r.Content, source.SiteFile))
	if r.SiteFile != "" {
		fsys, file = os.DirFS(filepath.Dir(r.SiteFile)), filepath.Base(r.SiteFile)
		shown = filepath.ToSlash(r.SiteFile)
	}
	_, err := fs.Stat(fsys, file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.SiteFile == "":
		r.site = source.DefaultSite()
		return nil
	case err != nil:
		var inFile *fs.PathError
		if errors.As(err, &inFile) {
			err = inFile.Err
		}
		return fmt.Errorf("cannot read the site's settings in %s: %w", diag.Quote(shown), err)
	}
	var loader source.Loader
	defer loader.Close()
	text, ok := loader.Load(fsys, &source.File{Path: file}, func(d diag.Diagnostic) {
		d.Pos.File = shown
		r.diagnostics.Add(d)
	})
	if !ok {
		return nil
	}
	r.site = source.ReadSite(text, shown, Rules(), func(d diag.Diagnostic) { r.diagnostics.Add(d) })
	if r.site != nil {
		r.diagnostics.Override(r.site.Rules)
	}
	return nil
}

// linkStyle returns the links of the snapshot: what the options say goes over
// what site.yaml says.
func (r *run) linkStyle() (api.Links, error) {
	if r.site == nil {
		return api.Links{}, nil
	}
	base := r.site.BaseURL
	if r.BaseURL != "" {
		var err error
		if base, err = baseurl.Parse(r.BaseURL); err != nil {
			return api.Links{}, err
		}
	}
	if base.IsZero() && r.diagnostics.Errors() == 0 {
		return api.Links{}, errors.New("no base address: give base_url in site.yaml, SIVU_BASE_URL or --base-url")
	}
	name := r.Links
	if name == "" {
		name = r.site.Links
	}
	if name == "" {
		name = api.Styles[0].Name
	}
	style, ok := api.StyleNamed(name)
	if !ok {
		return api.Links{}, fmt.Errorf("unknown link style %s: the styles are query, file and file+query", diag.Quote(name))
	}
	return api.Links{Base: base.String(), Style: style}, nil
}
