// Package settings resolves the options of a build, the site's settings in site.yaml
// and the host that a snapshot is for into one value, [Settings], that does not
// change while a site is built.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/lint"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/source"
	"example.org/sivu/generator/work"
)

// Options are the flags of a build. Only Content is needed by a check; a build also
// needs Out, and a base address from here or from site.yaml.
type Options struct {
	Content  string // the content folder; messages name its files below it
	SiteFile string // default: site.yaml in the content folder, if it is there
	Out      string // the output folder
	BaseURL  string // in place of base_url in site.yaml
	Links    string // name of a link style, in place of links in site.yaml
	Jobs     int    // pages worked on at once; default: two per processor
	Strict   bool   // warnings stop a build as errors do
	DryRun   bool   // find out what would change, and write nothing

	Now time.Time // for pages that are published, or expire, at an instant; default: the clock

	AllowEmpty bool // a site without pages is no error

	Archive   string    // the file that gets the snapshot, in place of Out: see package archive; archive.Pipe for ArchiveTo
	ArchiveTo io.Writer // takes the archive that has no file

	Host        *host.Host    // that the snapshot is for: its files, link style and limits; nil for none
	Edge        bool          // leave out the api variants, which Host makes
	KeepRemoved time.Duration // how long files of records and list pages that left the snapshot stay
	OnWait      func()        // called once if another build is at work on Out, whose end is then waited for; nil makes that an error

	Report       bool // a report will be written, and folder.Reported called then
	Full         bool // read and render everything, without the cache of the previous build
	VerifyOutput bool // make sure that the output folder is as the last build left it; if not, build everything

	Precompress []string // of api.Codings: answers get precompressed variants in them, where these are smaller

	// Only are the paths of sources, below the content folder. Where there are any, a check
	// reports their problems and those of the site, and no others.
	Only []string

	// FS is read instead of the folder Content, if it is not nil. Dates from
	// git still come from that folder.
	FS fs.FS

	// Progress is kept up to date during the build, if it is not nil.
	Progress *work.Progress
}

// Settings are the options of a build, with their defaults filled in, and the values
// that were resolved from them.
type Settings struct {
	Options

	Site     *source.Site      // nil where site.yaml cannot be understood
	Problems []diag.Diagnostic // of site.yaml
	SiteName string            // how messages name site.yaml
	Files    fs.FS             // the content folder

	// What follows is set by ResolveOutput only.
	Base     baseurl.URL
	API      api.Links // the links of the snapshot
	Variants []api.Variant

	folder *source.Folder // that Files reads; nil where Options.FS is read
}

// Resolve opens the content folder and reads site.yaml. Problems in that are in the
// settings; an error means that one of them cannot be read.
func Resolve(o Options) (*Settings, error) {
	if o.Jobs <= 0 {
		o.Jobs = 2 * runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = new(work.Progress)
	}
	o.Progress.Reset()
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	s := &Settings{Options: o, Files: o.FS}
	if s.Files == nil {
		folder, err := source.OpenFolder(o.Content)
		if err != nil {
			return nil, err
		}
		s.Files, s.folder = folder, folder
	}
	if err := s.readSite(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ResolveOutput is Resolve, and finds out the links and variants of the snapshot. The
// error is a [host.Refusal] where the host cannot serve it.
func ResolveOutput(o Options) (*Settings, error) {
	s, err := Resolve(o)
	if err != nil {
		return nil, err
	}
	if err := s.resolveOutput(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close ends the use of the content folder.
func (s *Settings) Close() {
	if s.folder != nil {
		s.folder.Close()
	}
}

// WithSite returns the same settings for another site.yaml.
func (s *Settings) WithSite(site *source.Site) *Settings {
	other := *s
	other.Site = site
	return &other
}

// Shown returns how messages name a file below the content folder.
func (s *Settings) Shown(name string) string { return path.Join(filepath.ToSlash(s.Content), name) }

// UsesDates reports whether dates of pages come from git or mtime: see source.DatesGit.
func (s *Settings) UsesDates(from string) bool { return slices.Contains(s.Site.Dates, from) }

// Fails reports whether so many problems forbid to write a snapshot.
func (s *Settings) Fails(errors, warnings int) bool { return errors > 0 || s.Strict && warnings > 0 }

// readSite reads site.yaml. Without one, a site has the defaults; but one that
// was asked for by name has to be there. Where it cannot be understood at all,
// Site stays nil: problems of pages without it would mislead.
func (s *Settings) readSite() error {
	fsys, file := s.Files, source.SiteFile
	shown := filepath.ToSlash(filepath.Join(s.Content, source.SiteFile))
	if s.SiteFile != "" {
		fsys, file = os.DirFS(filepath.Dir(s.SiteFile)), filepath.Base(s.SiteFile)
		shown = filepath.ToSlash(s.SiteFile)
	}
	s.SiteName = shown
	_, err := fs.Stat(fsys, file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.SiteFile == "":
		s.Site = source.DefaultSite()
		return nil
	case err != nil:
		if inFile, ok := errors.AsType[*fs.PathError](err); ok {
			err = inFile.Err
		}
		return fmt.Errorf("cannot read the site's settings in %s: %w", diag.Quote(shown), err)
	}
	report := func(d diag.Diagnostic) {
		d.Pos.File = shown
		s.Problems = append(s.Problems, d)
	}
	var loader source.Loader
	if text, ok := loader.Load(fsys, &source.File{Path: file}, report); ok {
		s.Site = source.ReadSite(text, shown, Rules(), report)
	}
	if s.Site != nil && s.Site.Rendered != nil {
		shown, file = path.Join(path.Dir(shown), source.IDsFile), source.IDsFile
		if text, err := fs.Stat(fsys, file); err == nil && text.Mode().IsRegular() {
			if text, ok := loader.Load(fsys, &source.File{Path: file}, report); ok {
				s.Site.Rendered.IDs = source.ReadIDs(text, shown, report)
			}
		}
	}
	return nil
}

// resolveOutput finds out the links and variants of the snapshot, and refuses options that
// the host cannot serve.
func (s *Settings) resolveOutput() (err error) {
	s.Variants = api.Variants[:]
	if s.Edge {
		s.Variants = api.Variants[:api.API]
	}
	if s.Host == nil && s.Edge {
		return &host.Refusal{
			Problem: "api variants that are left out have to be made by a host, and none is named",
			Hint:    "name it with --host, or leave out --variants edge",
		}
	}
	for _, name := range s.Precompress {
		if s.Host != nil && !slices.Contains(s.Host.Codings, name) {
			return &host.Refusal{
				Problem: fmt.Sprintf("%s never sends .%s files: they would only take up space", s.Host.Name, name),
				Hint:    "give --precompress auto for what it sends, or leave it out",
			}
		}
	}
	if s.Site == nil {
		return nil
	}
	name := s.linkStyle()
	style, ok := api.StyleNamed(name)
	if ok && s.Host != nil {
		if err := s.Host.Check(&host.Config{Links: name, Edge: s.Edge}); err != nil {
			return err
		}
	}
	s.Base = s.Site.BaseURL
	if s.BaseURL != "" {
		if s.Base, err = baseurl.Parse(s.BaseURL); err != nil {
			return err
		}
	}
	if s.BaseURL == "" && s.Base.String() == baseurl.Placeholder {
		return fmt.Errorf("base_url in %s is the placeholder that sivu init writes: give the address of the API there, in SIVU_BASE_URL or with --base-url", s.Site.Name)
	}
	isError := func(d diag.Diagnostic) bool { return d.Severity == diag.Error }
	if s.Base.IsZero() && !slices.ContainsFunc(s.Problems, isError) {
		return errors.New("no base address: give base_url in site.yaml, SIVU_BASE_URL or --base-url")
	}
	if !ok {
		return fmt.Errorf("unknown link style %s: the styles are query, file and file+query", diag.Quote(name))
	}
	s.API = api.Links{Base: s.Base.String(), Style: style}
	return nil
}

// linkStyle returns the name of the link style: the first that is given, by the
// options, by site.yaml, by the host.
func (s *Settings) linkStyle() string {
	name := cmp.Or(s.Links, s.Site.Links)
	if name == "" && s.Host != nil {
		name = s.Host.Styles()[0]
	}
	return cmp.Or(name, api.Styles[0].Name)
}

// InRootFiles returns the files that the host wants in a snapshot of so many list
// pages. The host has to want any: see [host.Host].
func (s *Settings) InRootFiles(listPages int) ([]host.File, error) {
	return s.Host.RootFiles(&host.Config{Base: s.Base, Links: s.API.Style.Name, Edge: s.Edge, ListPages: listPages})
}

// HostLimit is checked before anyone uploads: most hosts refuse such a snapshot only
// when all of it is there.
var HostLimit = &diag.Rule{
	Name:     "host-limit",
	Doc:      "a snapshot stays within what the host that it is for takes",
	Severity: diag.Warning,
}

// MissingMedia is kept by the preview, and by a build in folders that hold media: it
// cannot tell where a site keeps its other images.
var MissingMedia = &diag.Rule{
	Name:     "missing-media",
	Doc:      "an image, sound or film with a relative address lies in the content folder, save in folders without any; in the preview, everywhere",
	Severity: diag.Warning,
}

// Rules returns all rules that site.yaml can name.
func Rules() []*diag.Rule {
	rules := append(slices.Concat(source.Rules, markup.Rules), HostLimit, MissingMedia)
	for _, rule := range lint.Rules {
		rules = append(rules, rule.Rule)
	}
	return rules
}
