// Package source turns a content folder into pages: it walks the folder, and reads
// site.yaml and the sources in all their formats.
//
// A source is read in two steps. [Loader.Load] reads a file as UTF-8 with LF line
// ends and without a byte order mark. [Reader.Read] then reads its head (front
// matter, or the head of an HTML document) and finds its body. Offsets count bytes
// of the loaded text, which has the lines and columns of the file.
package source

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

// The bounds of a source page.
const (
	MaxFileSize        = 16 << 20 // bytes of a source file
	MaxFrontMatterSize = 64 << 10 // bytes between the lines that delimit front matter
)

// Site has the settings of site.yaml. Its zero value is not useful: see
// [DefaultSite].
type Site struct {
	Name            string      // the file's name, as messages show it; "" where there is none
	BaseURL         baseurl.URL // zero where none is given
	Namespace       uuid.UUID
	Languages       []string // the first is the reference language
	DefaultLanguage string
	Dates           []string          // of "fields", "git" and "mtime", in order of preference
	Timezone        *time.Location    // of dates that name no zone
	Fields          map[string]string // sivu's name of a field to the pages' name; "" gives the name back to meta
	TitleFromPath   bool
	Ignore          []string            // fields that are neither sivu's nor meta
	SkipIf          []string            // fields that leave a page out when true
	Exclude         []string            // doublestar patterns of paths below the content folder
	Unprefixed      []string            // values of meta.url that need no language prefix
	Require         map[string][]string // kind to further meta keys that it must have
	Links           string              // link style, as the file gives it; "" where it does not
	TrustHTML       bool                // html: trusted
	Assets          string              // address that relative addresses are resolved against; "" for none
	Rules           map[string]diag.Severity
}

// File is one source page of a content folder. Times are in microseconds since
// 1970: a large site has many files, and a time.Time is three times as long.
type File struct {
	Path       string // slash-separated, below the content folder
	Size       int64  // in bytes
	ModTime    int64
	ChangeTime int64 // of the content or the inode (ctime); 0 where the system has none
}

// Format returns the format that the file's ending names.
func (f *File) Format() *Format { return FormatOfFile(f.Path) }

// Document is one source page as far as it could be understood.
type Document struct {
	Page page.Page

	// BodyStart and BodyEnd are offsets into the loaded text. Both are 0 where
	// the body's range is not known, as after front matter that does not end.
	BodyStart int
	BodyEnd   int

	Skip  bool // a draft, or left out by skip_if
	Valid bool // no error was found: Page is whole

	Derived bool // the id is derived: the source gives none
}

// Format is a format of source pages: how a page's head and body are found in a
// file.
type Format struct {
	Name    string   // lower case, as messages show it
	Doc     string   // one sentence for people
	Endings []string // of file names, in lower case with their dot; the first is that of a new page

	Syntax *page.Syntax // of bodies

	// read sets the head of a reading: the fields, and the range of the body. It
	// reports problems of the syntax, not of the meaning of fields.
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
