package corpus

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/markup"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// MediaLink is a use of an image, a sound or a film in a body.
type MediaLink struct {
	Path     string // below the root of the site, in NFC
	position page.Position
}

// Media returns the media that the body of a page shows.
func (p *Page) Media() []MediaLink { return p.body.media }

// newMedia returns the images, sounds and films of a content folder by the paths that
// addresses have, in NFC, and the folders that hold any, with a slash at their end.
func newMedia(files []source.File, site *source.Site) map[string]bool {
	media := make(map[string]bool, len(files))
	for _, f := range files {
		name := norm.NFC.String(site.MediaPath(f.Path))
		media[name], media[path.Dir(name)+"/"] = true, true
	}
	return media
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

// checkMedia reports files that bodies show and the content folder does not hold, once all
// bodies are rendered. A build cannot tell where a site keeps its other images, so only
// folders that hold media count; in a view, which shows them, only where all others may be
// under assets.
func (c *Corpus) checkMedia() {
	for i := range c.Pages {
		p := &c.Pages[i]
		for _, l := range p.body.media {
			isAnywhere := c.options.Live && c.settings.Site.Assets == ""
			if c.media[l.Path] || !isAnywhere && !c.media[path.Dir(l.Path)+"/"] {
				continue
			}
			if why, hint := c.whyNotServed(l.Path); why != "" {
				c.Add(settings.MissingMedia.At(p.at(l.position), "the file %s is not %s", diag.Quote(l.Path), why).WithHint("%s", hint))
			}
		}
	}
}

// whyNotServed returns the end of the message "the file is not", for a file that the
// content folder does not hold, and a hint; none for a build where it is left out.
func (c *Corpus) whyNotServed(name string) (why, hint string) {
	site := c.settings.Site
	why, hint = site.LeavesOut(name)
	switch {
	case why != "" && !c.options.Live:
		return "", ""
	case why != "":
		why = "served: " + why
	case c.options.Live && isIrregular(c.settings.Files, name):
		why, hint = "served: it is neither a regular file nor a symlink to one that is served", "put the file itself in its place"
	default:
		why, hint = "in the content folder", "put it there, or correct the address"
	}
	if site.Assets != "" {
		hint += "; as it is, it is asked from " + site.Assets
	}
	return why, hint
}

func isIrregular(files fs.FS, name string) bool {
	info, err := fs.Lstat(files, name)
	return err == nil && !info.Mode().IsRegular()
}
