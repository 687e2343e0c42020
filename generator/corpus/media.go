package corpus

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// mediaSet are the images, sounds and films of a content folder, and the folders that
// hold any, as sorted hashes of the paths that addresses have, those of folders with a
// slash at the end. That a missing file passes for another by chance is one in a
// thousand millions.
type mediaSet []uint32

func newMediaSet(files []source.File, site *source.Site) mediaSet {
	var set mediaSet
	for _, f := range files {
		name := norm.NFC.String(site.MediaPath(f.Path))
		set = append(set, mediaHash(name), mediaHash(path.Dir(name)+"/"))
	}
	slices.Sort(set)
	return slices.Clip(slices.Compact(set))
}

func mediaHash(path string) uint32 { return uint32(source.Hash([]byte(path))) }

func (m mediaSet) has(hash uint32) bool {
	_, ok := slices.BinarySearch(m, hash)
	return ok
}

// mediaName returns the path of a file beside the pages, in NFC, if it is an image, a
// sound or a film, or "".
func mediaName(f markup.File) string {
	name, err := url.PathUnescape(f.Path)
	if err != nil || source.MediaType(name) == "" {
		return ""
	}
	return norm.NFC.String(strings.TrimPrefix(name, "/"))
}

// mediaLinks returns the links of a body to media.
func mediaLinks(files []markup.File, position func(offset int) diag.Position) []MediaLink {
	var links []MediaLink
	for _, f := range files {
		if name := mediaName(f); name != "" {
			links = append(links, MediaLink{name, position(f.Offset)})
		}
	}
	return links
}

// checkMedia adds problems of a body that shows a file which is not there, though its
// folder holds others. A build cannot tell where a site keeps its other images. What it
// looked for is a dependency of the body. A view has a check of its own.
func (b *bodyRenderer) checkMedia(result *markup.Result) {
	c := b.corpus
	if c.options.Live {
		return
	}
	for _, f := range result.Files {
		name := mediaName(f)
		if name == "" {
			continue
		}
		folder, file := mediaHash(path.Dir(name)+"/"), mediaHash(name)
		if b.hashes = append(b.hashes, folder); !c.media.has(folder) {
			continue
		}
		b.hashes = append(b.hashes, file)
		if why, _ := c.settings.Site.LeavesOut(name); why == "" && !c.media.has(file) {
			result.Problems = append(result.Problems, markup.Problem{
				Offset: f.Offset, Rule: settings.MissingMedia, Message: "the file " + diag.Quote(name) + " is not in the content folder",
				Hint: "put it there, or correct the address",
			})
		}
	}
}

// addMediaChanges adds the dependencies of bodies that change as media came or went since
// the previous corpus.
func (c *Corpus) addMediaChanges() {
	if c.previous == nil || slices.Equal(c.media, c.previous.media) {
		return
	}
	if c.changes == nil {
		c.changes = make(map[markup.Dependency]struct{})
	}
	for _, sets := range [][2]mediaSet{{c.media, c.previous.media}, {c.previous.media, c.media}} {
		for _, hash := range sets[0] {
			if !sets[1].has(hash) {
				c.changes[markup.Dependency(hash)] = struct{}{}
			}
		}
	}
}
