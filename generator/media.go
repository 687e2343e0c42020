package generator

import (
	"fmt"
	"io/fs"
	"maps"
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
// addresses have, in NFC.
type media map[string]source.File

func newMedia(files []source.File) media {
	m := make(media, len(files))
	for _, f := range files {
		m[norm.NFC.String(f.Path)] = f
	}
	return m
}

// changes returns the paths of files that came, changed or went.
func (m media) changes(before media) map[string]bool {
	changed := make(map[string]bool)
	for name, f := range m {
		if old, ok := before[name]; !ok || !isSameFile(&old, &f) {
			changed[name] = true
		}
	}
	for name := range before {
		if _, ok := m[name]; !ok {
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
	folders := map[string]bool{}
	for name := range r.trace.media {
		folders[path.Dir(name)] = true
	}
	for _, links := range r.trace.mediaLinks {
		for _, l := range links {
			_, ok := r.trace.media[l.path]
			if ok || r.site.Assets != "" && !folders[path.Dir(l.path)] {
				continue
			}
			d := missingMedia.At(l.position, "the file %s is not in the content folder", diag.Quote(l.path))
			if r.site.Assets != "" {
				d = d.WithHint("put it there, or correct the address; as it is, it is asked from %s", r.site.Assets)
			} else {
				d = d.WithHint("put it there, or correct the address")
			}
			r.report(d)
		}
	}
}

// changedMedia returns the ids of records that show a file which is not the one that
// the run before found.
func (r *run) changedMedia() []uuid.UUID {
	if r.before == nil {
		return nil
	}
	changed := r.trace.media.changes(r.before.trace.media)
	if len(changed) == 0 {
		return nil
	}
	var ids []uuid.UUID
	for _, place := range slices.Sorted(maps.Keys(r.trace.mediaLinks)) {
		if slices.ContainsFunc(r.trace.mediaLinks[place], func(l mediaLink) bool { return changed[l.path] }) {
			ids = append(ids, r.collection.pages[place].ID)
		}
	}
	return ids
}

// previewMedia returns the files as the preview serves them.
func (r *run) previewMedia() preview.Media {
	m := preview.Media{Files: make(map[string]preview.MediaFile, len(r.trace.media)), Open: r.openMedia()}
	if r.site != nil {
		m.Assets = r.site.Assets
	}
	for name, f := range r.trace.media {
		m.Files[name] = preview.MediaFile{Name: f.Path, Type: source.MediaType(f.Path)}
	}
	return m
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
