package view

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/corpus"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/source"
)

// media are the images, sounds and films of a content folder, by the path that
// addresses have, in NFC. It does not change.
type media struct {
	files  map[string]source.File
	served map[string]preview.MediaFile
}

func newMedia(c *corpus.Corpus) *media {
	m := &media{make(map[string]source.File, len(c.Media)), make(map[string]preview.MediaFile, len(c.Media))}
	for _, f := range c.Media {
		name := norm.NFC.String(c.Settings().Site.MediaPath(f.Path))
		m.files[name] = f
		m.served[name] = preview.MediaFile{Name: f.Path, Type: source.MediaType(f.Path)}
	}
	return m
}

// isChanged reports whether a file came, changed or went.
func (m *media) isChanged(before *media, name string) bool {
	now, ok := m.files[name]
	old, was := before.files[name]
	return ok != was || now.Size != old.Size || now.ModTime != old.ModTime || now.ChangeTime != old.ChangeTime
}

// changedMedia returns the ids of records in the view that show a changed file.
func (v *View) changedMedia(c *corpus.Corpus, before *media) []uuid.UUID {
	var ids []uuid.UUID
	if v.media == before {
		return nil
	}
	for k := range c.Pages {
		p := &c.Pages[k]
		if !slices.ContainsFunc(p.Media(), func(l corpus.MediaLink) bool { return v.media.isChanged(before, l.Path) }) {
			continue
		}
		if i, ok := v.findSource(p.Path); ok && v.isShown(int32(i)) {
			ids = append(ids, v.pages[i].ID)
		}
	}
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
