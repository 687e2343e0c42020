package source

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// mediaTypes are the types of images, sounds and films, and of their text tracks
// (IANA media types), by the ending of the file. They are those that browsers show.
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

// MediaType returns the type of an image, a sound or a film by its name, or "" where
// the file is none.
func MediaType(name string) string { return mediaTypes[strings.ToLower(path.Ext(name))] }

// LeavesOut returns why [Walk] passes over a path, or a folder that it lies in, as
// "names that begin with a dot are left out"; and what to do. It returns "" where
// Walk does not.
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

// isMedia reports whether a file is an image, a sound or a film, and so is what it
// leads to where it is a symlink: no source is one under another name. Where that
// cannot be told, it is none.
func (w *folderWalk) isMedia(name string) bool {
	for range maxSymlinks {
		if MediaType(name) == "" || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
			return false
		}
		info, err := fs.Lstat(w.fsys, name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return err == nil
		}
		target, err := fs.ReadLink(w.fsys, name)
		if err != nil {
			return false
		}
		name = path.Join(path.Dir(name), filepath.ToSlash(target))
	}
	return false
}
