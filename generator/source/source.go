// Package source turns a content folder into pages: it walks the folder, and reads
// site.yaml and the sources in all their formats. The pages of a rendered site, the HTML
// files that a generator wrote, are sources too: [Rendered] says how they are read.
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
	Dates           []string            // of "fields", "git" and "mtime", in order of preference
	Timezone        *time.Location      // of dates that name no zone
	Fields          map[string]string   // sivu's name of a field to the pages' name; "" gives the name back to meta
	TitleFrom       []string            // where a title comes from: names of fields, TitleHeading, TitlePath
	Ignore          []string            // fields that are neither sivu's nor meta
	SkipIf          []string            // fields that leave a page out when true
	Exclude         []string            // doublestar patterns of paths below the content folder
	Unprefixed      []string            // values of meta.url that need no language prefix
	Require         map[string][]string // kind to further meta keys that it must have
	Links           string              // link style, as the file gives it; "" where it does not
	TrustHTML       bool                // html: trusted
	Assets          string              // address that relative addresses are resolved against; "" for none
	Rules           map[string]diag.Severity

	// How the pages' own site is made and served, which its links, its markers and its
	// names of files and fields rest on.
	Generator    string            // of page.Generators; "" where the pages were written for none
	Layout       []string          // patterns of paths, tried in order
	Aliases      map[string]string // language_aliases: a name of a language in paths and fields, in lower case, to that of Languages
	Web          string            // site: the address where the site itself is served, with a slash at its end; "" for none
	Permalinks   map[string]string // folder below the language to the pattern of its pages' addresses
	PageLinks    bool              // addresses: page: a relative link starts from the page's address, not from its file
	RootLanguage string            // the language whose addresses have no prefix on the site
	Fallback     bool              // fallback: reference: a link to a page that is not translated leads to the reference language's
	Sidecar      string            // pattern of the path of a file with further fields of a page; "" for none
	Join         map[string]string // fields whose lists become one text, and what stands between the items
	Markers      map[string]string // names of template markers, or "*", to "drop", "unwrap" or "keep"
	Rendered     *Rendered         // nil where the pages are sources
}

// Rendered says how the pages of a rendered site are read: HTML files that a
// generator wrote. Selectors are those of CSS.
type Rendered struct {
	Body   []string // selectors of a page's own text; the first that a page has counts
	Remove []string // selectors of what is left out of it
	Title  []string // selectors of the title, before <title>
	Pages  []string // doublestar patterns of addresses that are pages; nil for all but lists, tags, searches and redirects
	Dates  []string // sources of dates, in order of preference

	TitleSuffix []string             // what the titles of all pages end with, such as " – Example"
	IDs         map[string]uuid.UUID // those of ids.yaml, by meta.url
}

// File is one source page of a content folder. Times are in microseconds since
// 1970: a large site has many files, and a time.Time is three times as long.
type File struct {
	Path       string // slash-separated, below the content folder
	Size       int64  // in bytes
	ModTime    int64
	ChangeTime int64 // of the content or the inode (ctime); 0 where the system has none
}

// FormatOf returns the format of a file of the site by its name, or nil where it is no
// source page.
func (s *Site) FormatOf(name string) *Format {
	format := FormatOfFile(name)
	if s.Rendered == nil {
		return format
	}
	if format != htmlFormat {
		return nil
	}
	return renderedFormat
}

// Document is one source page as far as it could be understood.
type Document struct {
	Page page.Page

	// BodyStart and BodyEnd are offsets into the loaded text. Both are 0 where
	// the body's range is not known, as after front matter that does not end.
	BodyStart int
	BodyEnd   int

	Stub bool // a draft, or left out by skip_if
	Skip bool // a draft, left out by skip_if, or not in the time that it is for

	Period Period // in which the source comes to the same, by its dates of publication
	Valid  bool   // no error was found: Page is whole

	Derived bool // the id is derived: the source gives none

	// Of a rendered page.
	Removed  []Span // parts of the body that are left out, in order, none in another
	Redirect string // address on the site that the page leads on to; such a page is left out
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
	mdxFormat,
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
