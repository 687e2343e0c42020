package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

// maxFolderDepth is how deeply folders may nest below the content folder.
const maxFolderDepth = 64

// foreignEndings are those of pages in formats that sivu does not read.
var foreignEndings = []string{".adoc", ".njk", ".rst"}

// Listing is the content of a content folder.
type Listing struct {
	Files    []File         // the source pages, sorted by path
	Media    []File         // images, sounds and films, in no order
	Other    int            // files that are no source pages, without those of foreign formats
	Excluded int            // files and folders that "exclude" leaves out, a folder as one
	Foreign  []ForeignFiles // by ending
}

// ForeignFiles are the files with one ending of a format that sivu does not read.
type ForeignFiles struct {
	Ending string
	Count  int
	first  string // the path that sorts first
}

// Walk lists the source pages of a content folder. Names that begin with a dot, and
// site.yaml, are skipped. Symlinks to files inside the folder are followed; other
// symlinks, FIFOs and their like, and names that no page can have are reported, in
// no order and one at a time, and the walk goes on. No file is opened. Folders are
// read in parallel, so fsys must be safe for concurrent use.
func Walk(fsys fs.FS, site *Site, report func(diag.Diagnostic)) *Listing {
	w := &folderWalk{fsys: fsys, site: site}
	w.report = func(d diag.Diagnostic) {
		w.mu.Lock()
		defer w.mu.Unlock()
		report(d)
	}
	w.others.SetLimit(runtime.GOMAXPROCS(0))
	w.folder(".", 0)
	w.others.Wait()
	all := &w.listing
	for i := range all.Files {
		if sidecar := w.sidecars[site.SidecarOf(all.Files[i].Path)]; sidecar != nil {
			all.Files[i].addSidecar(sidecar)
		}
	}
	slices.SortFunc(all.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(all.Foreign, func(a, b ForeignFiles) int { return strings.Compare(a.Ending, b.Ending) })
	for _, files := range all.Foreign {
		report(files.problem())
	}
	if len(w.dangling) > 0 {
		report(danglingProblem(w.dangling))
	}
	return all
}

// Refresh updates the size and the times of a listed file. It reports whether the
// file still exists.
func (f *File) Refresh(fsys fs.FS) bool {
	info, err := fs.Stat(fsys, f.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	*f = fileOf(f.Path, info)
	return true
}

func fileOf(path string, info fs.FileInfo) File {
	return File{Path: path, Size: info.Size(), ModTime: info.ModTime().UnixMicro(), ChangeTime: changeTime(info)}
}

// NoPages returns the problem of a content folder without a page to publish. The
// message counts the files of the listing, and leftOut pages that are drafts or under
// "skip_if".
func NoPages(listing *Listing, leftOut int) diag.Diagnostic {
	var found []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			found = append(found, "1 "+one)
		case n > 1:
			found = append(found, fmt.Sprintf("%d %s", n, many))
		}
	}
	for _, files := range listing.Foreign {
		add(files.Count, files.Ending+" file (not read by sivu)", files.Ending+" files (not read by sivu)")
	}
	add(leftOut, "page that is a draft or under \"skip_if\"", "pages that are drafts or under \"skip_if\"")
	add(listing.Excluded, "file or folder under \"exclude\"", "files and folders under \"exclude\"")
	add(listing.Other, "other file", "other files")
	if len(found) == 0 {
		found = []string{"no files"}
	}
	var endings []string
	for _, format := range Formats {
		endings = append(endings, format.Endings...)
	}
	slices.Sort(endings)
	return ruleNoPages.At(diag.Position{}, "no pages; found %s", strings.Join(found, ", ")).
		WithHint("pages are files that end in %s; \"sivu build --allow-empty\" publishes a site without any", strings.Join(endings, ", "))
}

// folderWalk is the state of one [Walk].
type folderWalk struct {
	fsys   fs.FS
	site   *Site
	report func(diag.Diagnostic)
	others errgroup.Group // further goroutines that read folders

	mu       sync.Mutex
	listing  Listing // of the folders that were read
	sidecars map[string]*File
	dangling []string // symlinks that lead to nothing
}

// folder lists a folder and those below it.
func (w *folderWalk) folder(name string, depth int) {
	if depth > maxFolderDepth {
		w.report(ruleFileKind.At(diag.Position{File: name}, "folders are nested more than %d levels deep", maxFolderDepth))
		return
	}
	entries, err := fs.ReadDir(w.fsys, name)
	if err != nil {
		w.report(ruleUnreadable.At(diag.Position{File: name}, "the folder cannot be read: %s", diag.Clean(fsutil.Reason(err).Error())))
	}
	var kept []string // names of pages and folders
	prefix := strings.TrimPrefix(name+"/", "./")
	for _, entry := range entries {
		full := prefix + entry.Name()
		if w.passes(full, entry.Name()) && w.entry(full, entry, depth) {
			kept = append(kept, entry.Name())
		}
	}
	w.checkAlike(name, kept)
}

// passes reports whether an entry is to be listed, by its name.
func (w *folderWalk) passes(full, name string) bool {
	if strings.HasPrefix(name, ".") || full == SiteFile || full == IDsFile && w.site.Rendered != nil {
		return false
	}
	if matchesAny(w.site.Exclude, full) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.listing.Excluded++
		return false
	}
	problem := ""
	if !utf8.ValidString(name) {
		problem = "is not UTF-8"
	} else if i := strings.IndexFunc(name, unicode.IsControl); i >= 0 {
		c, _ := utf8.DecodeRuneInString(name[i:])
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

// entry lists one entry of a folder, and reports whether it is a page or a folder.
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
		w.report(ruleUnreadable.At(at, "the file cannot be read: %s", diag.Clean(fsutil.Reason(err).Error())))
		return false
	case info.IsDir():
		below := func() error {
			w.folder(full, depth+1)
			return nil
		}
		if !w.others.TryGo(below) {
			below()
		}
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
	isPage, isMedia := w.site.FormatOf(full) != nil, w.isMedia(full)
	ending := strings.ToLower(path.Ext(full))
	w.mu.Lock()
	defer w.mu.Unlock()
	all := &w.listing
	switch {
	case isPage:
		all.Files = append(all.Files, fileOf(full, info))
	case slices.Contains(foreignEndings, ending):
		i := slices.IndexFunc(all.Foreign, func(f ForeignFiles) bool { return f.Ending == ending })
		if i < 0 {
			all.Foreign = append(all.Foreign, ForeignFiles{ending, 1, full})
			break
		}
		all.Foreign[i].Count++
		all.Foreign[i].first = min(all.Foreign[i].first, full)
	case w.site.Sidecar != "" && strings.HasSuffix(full, strings.TrimPrefix(w.site.Sidecar, "{path}")):
		if w.sidecars == nil {
			w.sidecars = make(map[string]*File)
		}
		sidecar := fileOf(full, info)
		w.sidecars[full] = &sidecar
	default:
		all.Other++
		if isMedia {
			all.Media = append(all.Media, fileOf(full, info))
		}
	}
	return isPage
}

func (f *ForeignFiles) problem() diag.Diagnostic {
	what := "1 file ends"
	if f.Count > 1 {
		what = fmt.Sprintf("%d files end", f.Count)
	}
	return ruleForeign.At(diag.Position{File: f.first}, "%s in %q, a format that sivu does not read", what, f.Ending).
		WithHint("turn such pages into Markdown or HTML, or name them under \"exclude\" in site.yaml")
}

// checkAlike reports names of one folder that are the same to some file systems
// or readers.
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

// needsFolding reports whether a name could equal another one after folding. Names
// in lower-case ASCII cannot.
func needsFolding(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' })
}

// kindOfFile names the type of a file that is neither regular nor a symlink.
func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// isMedia reports whether a file is an image, a sound or a film, and so is the
// target where it is a symlink: a source must not be served under another name.
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
