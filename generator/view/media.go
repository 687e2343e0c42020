package view

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// media are the images, sounds and films of a content folder, by the path that
// addresses have, in NFC. It does not change.
type media struct {
	files   map[string]source.File
	served  map[string]preview.MediaFile
	folders map[string]bool // that hold any
}

func newMedia(c *corpus.Corpus) *media {
	m := &media{
		make(map[string]source.File, len(c.Media)), make(map[string]preview.MediaFile, len(c.Media)), make(map[string]bool),
	}
	for _, f := range c.Media {
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
		old, ok := before.files[name]
		if !ok || f.Size != old.Size || f.ModTime != old.ModTime || f.ChangeTime != old.ChangeTime {
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

// check reports what is shown in bodies and is not there. Where other files are
// asked from an address of assets, it may well be there; then only folders count
// that hold such files.
func (m *media) check(s *settings.Settings, c *corpus.Corpus) {
	c.MediaLinks(func(_ *corpus.Page, links []corpus.MediaLink) {
		for _, l := range links {
			if _, ok := m.files[l.Path]; ok || s.Site.Assets != "" && !m.folders[path.Dir(l.Path)] {
				continue
			}
			why, hint := whyNotServed(s, l.Path)
			if s.Site.Assets != "" {
				hint += "; as it is, it is asked from " + s.Site.Assets
			}
			c.Add(settings.MissingMedia.At(l.Position, "the file %s is not %s", diag.Quote(l.Path), why).WithHint("%s", hint))
		}
	})
}

// whyNotServed returns what a file is not that the preview does not serve, and what
// to do.
func whyNotServed(s *settings.Settings, name string) (why, hint string) {
	if why, hint := s.Site.LeavesOut(name); why != "" {
		return "served: " + why, hint
	}
	if info, err := fs.Lstat(s.Files, name); err == nil && !info.Mode().IsRegular() {
		return "served: it is neither a regular file nor a symlink to one that is served", "put the file itself in its place"
	}
	return "in the content folder", "put it there, or correct the address"
}

// changedMedia returns the ids of records in the view that show a file which is not
// the one that it was.
func (v *View) changedMedia(c *corpus.Corpus, before *media) []uuid.UUID {
	changed := v.media.changes(before)
	var ids []uuid.UUID
	c.MediaLinks(func(p *corpus.Page, links []corpus.MediaLink) {
		if !slices.ContainsFunc(links, func(l corpus.MediaLink) bool { return changed[l.Path] }) {
			return
		}
		if i, ok := v.findSource(p.Path); ok && v.isShown(int32(i)) {
			ids = append(ids, v.pages[i].ID)
		}
	})
	return ids
}

// Media returns the images, sounds and films of the content folder, as the preview
// serves them.
func (v *View) Media() preview.Media {
	if v.settings.Site == nil {
		return preview.Media{}
	}
	return preview.Media{Assets: v.settings.Site.Assets, Files: v.media.served, Open: v.openMedia}
}

// openMedia opens a file of the content folder, also when the update has ended.
func (v *View) openMedia(name string) (fs.File, error) {
	if fsys := v.settings.FS; fsys != nil {
		return fsys.Open(name)
	}
	folder, err := source.OpenFolder(v.settings.Content)
	if err != nil {
		return nil, fmt.Errorf("cannot show %s: %w", diag.Quote(name), err)
	}
	defer folder.Close() // the file stays open
	return folder.Open(name)
}
