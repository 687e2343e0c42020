package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// mediaTypes are the IANA media types of images, sounds and films that browsers
// show, and of their text tracks, by the ending of the file.
var mediaTypes = map[string]string{
	".apng": "image/apng",
	".avif": "image/avif",
	".gif":  "image/gif",
	".ico":  "image/x-icon",
	".jpeg": "image/jpeg",
	".jpg":  "image/jpeg",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".webp": "image/webp",

	".aac":  "audio/aac",
	".flac": "audio/flac",
	".m4a":  "audio/mp4",
	".mp3":  "audio/mpeg",
	".oga":  "audio/ogg",
	".ogg":  "audio/ogg",
	".opus": "audio/ogg",
	".wav":  "audio/wav",

	".m4v":  "video/mp4",
	".mp4":  "video/mp4",
	".ogv":  "video/ogg",
	".webm": "video/webm",

	".vtt": "text/vtt", // WebVTT: the text tracks of sounds and films
}

// MediaType returns the media type of an image, a sound or a film by its name, or
// "" for another file.
func MediaType(name string) string { return mediaTypes[strings.ToLower(path.Ext(name))] }

// LeavesOut returns why [Walk] skips a path or a folder above it, and the cure; ""
// where it does not skip it.
func (s *Site) LeavesOut(name string) (why, hint string) {
	if !fs.ValidPath(name) {
		return "", ""
	}
	for ; name != "."; name = path.Dir(name) {
		switch {
		case strings.HasPrefix(path.Base(name), "."):
			return "names that begin with a dot are left out", "give it, or its folder, another name"
		case matchesAny(s.Exclude, name):
			return "\"exclude\" in site.yaml leaves it out", "put it elsewhere, or change \"exclude\""
		}
	}
	return "", ""
}

// matchesAny reports whether a path matches one of some doublestar patterns.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, name) })
}

// MediaPath returns the path that addresses of a file beside the pages have: where they
// start from the addresses of pages, the root language has no prefix.
func (s *Site) MediaPath(name string) string {
	if s.PageLinks && s.RootLanguage != "" {
		return strings.TrimPrefix(name, s.RootLanguage+"/")
	}
	return name
}
