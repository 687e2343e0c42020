package generator

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/source"
)

// missingMedia is a rule of the preview alone: a build cannot tell where a site
// keeps its images.
var missingMedia = &diag.Rule{
	Name:     "missing-media",
	Doc:      "in the preview: an image, sound or film with a relative address lies in the content folder",
	Severity: diag.Warning,
}

// media are the images, sounds and films of a content folder, by the path that
// addresses have, in NFC. It does not change.
type media struct {
	files   map[string]source.File
	served  map[string]preview.MediaFile
	folders map[string]bool // that hold any
}

func newMedia(files []source.File) *media {
	m := &media{
		make(map[string]source.File, len(files)), make(map[string]preview.MediaFile, len(files)), make(map[string]bool),
	}
	for _, f := range files {
		name := norm.NFC.String(f.Path)
		m.files[name] = f
		m.served[name] = preview.MediaFile{Name: f.Path, Type: source.MediaType(f.Path)}
		m.folders[path.Dir(name)] = true
	}
	return m
}

// changes returns the paths of files that came, changed or went.
func (m *media) changes(before *media) map[string]bool {
	changed := make(map[string]bool)
	if m == before {
		return changed
	}
	for name, f := range m.files {
		if old, ok := before.files[name]; !ok || !isSameFile(&old, &f) {
			changed[name] = true
		}
	}
	for name := range before.files {
		if _, ok := m.files[name]; !ok {
			changed[name] = true
		}
	}
	return changed
}

// mediaLink is a place in a body that shows an image, a sound or a film.
type mediaLink struct {
	path     string // as in media
	position diag.Position
}

// mediaLinks returns those of a body.
func mediaLinks(files []markup.File, position func(offset int) diag.Position) []mediaLink {
	var links []mediaLink
	for _, f := range files {
		if name, err := url.PathUnescape(f.Path); err == nil && source.MediaType(name) != "" {
			links = append(links, mediaLink{norm.NFC.String(strings.TrimPrefix(name, "/")), position(f.Offset)})
		}
	}
	return links
}

// judgeMedia reports what is shown in bodies and is not there. Where other files are
// asked from an address of assets, it may well be there; then only folders count
// that hold such files.
func (r *run) judgeMedia() {
	m := r.trace.media
	for _, links := range r.trace.mediaLinks {
		for _, l := range links {
			if _, ok := m.files[l.path]; ok || r.site.Assets != "" && !m.folders[path.Dir(l.path)] {
				continue
			}
			why, hint := r.whyNotServed(l.path)
			if r.site.Assets != "" {
				hint += "; as it is, it is asked from " + r.site.Assets
			}
			r.report(missingMedia.At(l.position, "the file %s is not %s", diag.Quote(l.path), why).WithHint("%s", hint))
		}
	}
}

// whyNotServed returns what a file is not that the preview does not serve, and what
// to do.
func (r *run) whyNotServed(name string) (why, hint string) {
	if why, hint := r.site.LeavesOut(name); why != "" {
		return "served: " + why, hint
	}
	if info, err := fs.Lstat(r.fsys, name); err == nil && !info.Mode().IsRegular() {
		return "served: it is neither a regular file nor a symlink to one that is served", "put the file itself in its place"
	}
	return "in the content folder", "put it there, or correct the address"
}

// changedMedia returns the ids of records in the view that show a file which is not
// the one that the run before found.
func (r *run) changedMedia(v *View) []uuid.UUID {
	if r.before == nil {
		return nil
	}
	changed := r.trace.media.changes(r.before.trace.media)
	var ids []uuid.UUID
	for place, links := range r.trace.mediaLinks {
		if slices.ContainsFunc(links, func(l mediaLink) bool { return changed[l.path] }) && v.isShown(place) {
			ids = append(ids, v.pages.pages[place].ID)
		}
	}
	return ids
}

// servedMedia returns the files as the preview serves them.
func (r *run) servedMedia() preview.Media {
	if r.site == nil {
		return preview.Media{}
	}
	return preview.Media{Assets: r.site.Assets, Files: r.trace.media.served, Open: r.openMedia()}
}

// openMedia returns what opens a file of the content folder, also when the run has
// ended.
func (r *run) openMedia() func(name string) (fs.File, error) {
	if fsys := r.FS; fsys != nil {
		return fsys.Open
	}
	content := r.Content
	return func(name string) (fs.File, error) {
		folder, err := source.OpenFolder(content)
		if err != nil {
			return nil, fmt.Errorf("cannot show %s: %w", diag.Quote(name), err)
		}
		defer folder.Close() // the file stays open
		return folder.Open(name)
	}
}
