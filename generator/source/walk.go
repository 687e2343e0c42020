package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
)

// maxFolderDepth is how deeply folders may nest below the content folder.
const maxFolderDepth = 64

// foreignEndings are of formats that people write pages in, and that sivu does
// not read.
var foreignEndings = []string{".adoc", ".mdx", ".njk", ".rst"}

// Listing is what a content folder holds.
type Listing struct {
	Files    []File // the source pages, sorted by path
	Other    int    // files that are no source pages, without those of foreign formats
	Excluded int    // files and folders that "exclude" leaves out, a folder as one
}

// Walk lists the source pages of a content folder. It passes over names that
// begin with a dot, and over site.yaml. It follows symlinks to files inside the
// folder; symlinks that lead elsewhere, FIFOs and their like, and names that
// cannot be a page's go to report, and the walk goes on. No file is opened.
func Walk(fsys fs.FS, site *Site, report func(diag.Diagnostic)) *Listing {
	w := &folderWalk{fsys: fsys, exclude: site.Exclude, report: report, foreign: make(map[string]foreignFiles)}
	w.folder(".", 0)
	w.reportForeign()
	slices.SortFunc(w.listing.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return &w.listing
}

// Refresh brings the size and the time of a file that was listed before up to
// date. It reports whether there still is a file.
func (f *File) Refresh(fsys fs.FS) bool {
	info, err := fs.Stat(fsys, f.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f.Size, f.ModTime = info.Size(), info.ModTime().UnixMicro()
	return true
}

type folderWalk struct {
	fsys    fs.FS
	exclude []string
	report  func(diag.Diagnostic)
	foreign map[string]foreignFiles // by ending
	listing Listing
}

// foreignFiles are the files of one ending.
type foreignFiles struct {
	count int
	first string // the path that sorts first
}

// folder lists a folder and those below it.
func (w *folderWalk) folder(name string, depth int) {
	if depth > maxFolderDepth {
		w.report(ruleFileKind.At(diag.Position{File: name}, "folders are nested more than %d levels deep", maxFolderDepth))
		return
	}
	entries, err := fs.ReadDir(w.fsys, name)
	if err != nil {
		w.report(ruleUnreadable.At(diag.Position{File: name}, "the folder cannot be read: %s", diag.Clean(cause(err).Error())))
	}
	var kept []string // names of pages and folders
	paths := joiner(name, entries)
	for _, entry := range entries {
		full := paths(entry.Name())
		if w.passes(full, entry) && w.entry(full, entry, depth) {
			kept = append(kept, entry.Name())
		}
	}
	w.checkAlike(name, kept)
}

// joiner returns what joins the name of a folder and those of its entries. All that
// come out share one piece of memory, as those of a large site would be hundreds of
// thousands.
func joiner(folder string, entries []fs.DirEntry) func(name string) string {
	prefix := folder + "/"
	if folder == "." {
		prefix = ""
	}
	size := 0
	for _, entry := range entries {
		size += len(prefix) + len(entry.Name())
	}
	var all strings.Builder
	all.Grow(size)
	return func(name string) string {
		start := all.Len()
		all.WriteString(prefix)
		all.WriteString(name)
		return all.String()[start:]
	}
}

// passes reports whether a name asks to be looked at.
func (w *folderWalk) passes(full string, entry fs.DirEntry) bool {
	name := entry.Name()
	if strings.HasPrefix(name, ".") || full == SiteFile {
		return false
	}
	for _, pattern := range w.exclude {
		if doublestar.MatchUnvalidated(pattern, full) {
			w.listing.Excluded++
			return false
		}
	}
	problem := ""
	if c, found := controlIn(name); !utf8.ValidString(name) {
		problem = "is not UTF-8"
	} else if found {
		problem = "holds the control character " + diag.Quote(string(c))
	} else if strings.Contains(name, `\`) {
		problem = "holds a backslash"
	}
	if problem == "" {
		return true
	}
	w.report(ruleFileName.At(diag.Position{File: full}, "the name %s %s", diag.Quote(name), problem).WithHint("give it another name"))
	return false
}

// entry lists one entry of a folder. It reports whether that is a page or a
// folder.
func (w *folderWalk) entry(full string, entry fs.DirEntry, depth int) bool {
	at := diag.Position{File: full}
	info, err := entry.Info()
	if err == nil && entry.Type()&fs.ModeSymlink != 0 {
		if info = w.follow(full); info == nil {
			return false
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since the folder was read
		return false
	case err != nil:
		w.report(ruleUnreadable.At(at, "the file cannot be read: %s", diag.Clean(cause(err).Error())))
		return false
	case info.IsDir():
		w.folder(full, depth+1)
		return true
	case !info.Mode().IsRegular():
		w.report(ruleFileKind.At(at, "this is %s, not a file", kindOfFile(info.Mode())).
			WithHint("take it out of the content folder, or name it under \"exclude\" in site.yaml"))
		return false
	}
	return w.file(full, info)
}

// file lists one file, and reports whether it is a page.
func (w *folderWalk) file(full string, info fs.FileInfo) bool {
	if FormatOfFile(full) != nil {
		w.listing.Files = append(w.listing.Files, File{full, info.Size(), info.ModTime().UnixMicro()})
		return true
	}
	ending := strings.ToLower(path.Ext(full))
	if !slices.Contains(foreignEndings, ending) {
		w.listing.Other++
		return false
	}
	files, ok := w.foreign[ending]
	if !ok || full < files.first {
		files.first = full
	}
	files.count++
	w.foreign[ending] = files
	return false
}

func (w *folderWalk) reportForeign() {
	for ending, files := range w.foreign {
		what := "1 file ends"
		if files.count > 1 {
			what = fmt.Sprintf("%d files end", files.count)
		}
		w.report(ruleForeign.At(diag.Position{File: files.first}, "%s in %q, a format that sivu does not read", what, ending).
			WithHint("turn such pages into Markdown or HTML, or name them under \"exclude\" in site.yaml"))
	}
}

// checkAlike reports names of one folder that some file systems or readers
// would take for the same.
func (w *folderWalk) checkAlike(folder string, names []string) {
	if !slices.ContainsFunc(names, needsFolding) {
		return
	}
	fold := cases.Fold()
	first := make(map[string]string, len(names))
	for _, name := range names {
		composed := norm.NFC.String(name)
		folded := norm.NFC.String(fold.String(composed))
		other, ok := first[folded]
		if !ok {
			first[folded] = name
			continue
		}
		how, quote := "letter case", diag.Quote
		if norm.NFC.String(other) == composed {
			how, quote = "how Unicode composes their letters", strconv.QuoteToASCII
		}
		w.report(ruleFileName.At(diag.Position{File: path.Join(folder, name)}, "the names %s and %s differ only in %s", quote(other), quote(name), how).
			WithHint("give one of the two another name"))
	}
}

// needsFolding reports whether a name could equal another one after folding:
// no two names can that are all in lower-case ASCII.
func needsFolding(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' })
}
