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
		name := norm.NFC.String(c.Settings().Site.MediaPath(f.Path))
		m.files[name] = f
		m.served[name] = preview.MediaFile{Name: f.Path, Type: source.MediaType(f.Path)}
		m.folders[path.Dir(name)] = true
	}
	return m
}

// isChanged reports whether a file came, changed or went.
func (m *media) isChanged(before *media, name string) bool {
	now, ok := m.files[name]
	old, was := before.files[name]
	return ok != was || now.Size != old.Size || now.ModTime != old.ModTime || now.ChangeTime != old.ChangeTime
}

// check reports files that bodies show and the folder does not hold. With an address of
// assets, such a file may be there; then only those in folders that hold media count.
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

// whyNotServed returns the end of the message "the file is not", for a file that the
// preview does not serve, and a hint.
func whyNotServed(s *settings.Settings, name string) (why, hint string) {
	if why, hint := s.Site.LeavesOut(name); why != "" {
		return "served: " + why, hint
	}
	if info, err := fs.Lstat(s.Files, name); err == nil && !info.Mode().IsRegular() {
		return "served: it is neither a regular file nor a symlink to one that is served", "put the file itself in its place"
	}
	return "in the content folder", "put it there, or correct the address"
}

// changedMedia returns the ids of records in the view that show a changed file.
func (v *View) changedMedia(c *corpus.Corpus, before *media) []uuid.UUID {
	var ids []uuid.UUID
	if v.media == before {
		return nil
	}
	c.MediaLinks(func(p *corpus.Page, links []corpus.MediaLink) {
		if !slices.ContainsFunc(links, func(l corpus.MediaLink) bool { return v.media.isChanged(before, l.Path) }) {
			return
		}
		if i, ok := v.findSource(p.Path); ok && v.isShown(int32(i)) {
			ids = append(ids, v.pages[i].ID)
		}
	})
	return ids
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
