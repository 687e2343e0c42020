package source

import (
	"path"
	"slices"
	"strings"

	"example.org/sivu/generator/page"
)

// Format is a format of source pages: how a page's head and body are found in a
// file.
type Format struct {
	Name    string   // lower case, as messages show it
	Doc     string   // one sentence for people
	Endings []string // of file names, in lower case with their dot; the first is that of a new page

	Syntax *page.Syntax // of bodies

	// read sets the head of a reading: the fields, and the place of the body. It
	// reports problems of the syntax, not of what fields mean.
	read func(*reading)

	// heading returns the text of the first level-1 heading of a body, or "".
	heading func(body []byte) string
}

// Formats are all formats, the one of new pages first. A new format is a file
// with its value, and a line here.
var Formats = []*Format{
	markdownFormat,
	htmlFormat,
}

// FormatOfFile returns the format that a file's name ends in, whatever its
// letter case, or nil where it is no source page.
func FormatOfFile(name string) *Format {
	ending := strings.ToLower(path.Ext(name))
	i := slices.IndexFunc(Formats, func(f *Format) bool { return slices.Contains(f.Endings, ending) })
	if i < 0 {
		return nil
	}
	return Formats[i]
}
