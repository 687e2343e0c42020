// Package author writes sources: fresh pages, and ids into pages that have none.
// A file is written whole or not at all, and a fresh page never replaces a file.
package author

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// NewPage describes pages to be written by [AddPages].
type NewPage struct {
	Path         string // LANGUAGE/PATH below the content folder; without an ending it gets .md
	Kind         string // default: the first of page.Kinds
	AllLanguages bool   // a page for each language of the site; but for that of Path, a draft to be translated
}

// Added is a page that [AddPages] was asked for.
type Added struct {
	Path    string // of the source, below the content folder
	Existed bool   // another source of this page was there; nothing was written
}

// AddPages writes fresh source pages into a content folder, each with an id of
// its own and the keys of its kind. With an error it returns the pages written
// before it.
func AddPages(content string, site *source.Site, n NewPage) ([]Added, error) {
	kind := page.Kinds[0]
	if n.Kind != "" {
		if kind = page.KindNamed(n.Kind); kind == nil {
			return nil, fmt.Errorf("unknown kind %s: the kinds are %s", diag.Quote(n.Kind), strings.Join(page.KindNames(), ", "))
		}
	}
	language, name, err := splitPath(site, n.Path)
	if err != nil {
		return nil, err
	}
	languages := []string{language}
	if n.AllLanguages {
		languages = site.Languages
	}
	root, err := os.OpenRoot(content)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var added []Added
	for _, l := range languages {
		a, err := addPage(root, site, name, kind, l, l != language)
		if err != nil {
			return added, err
		}
		added = append(added, a)
	}
	return added, nil
}

// Untranslated returns the paths of the pages that a language of the site lacks
// and another language has, sorted, without the language. It goes by the names
// of files, and reads none of them.
func Untranslated(fsys fs.FS, site *source.Site, language string) (paths []string) {
	exists := map[string]bool{}
	for _, file := range source.Walk(fsys, site, func(diag.Diagnostic) {}).Files {
		of, name := site.LanguageOf(file.Path)
		if of == language {
			exists[name] = true
			continue
		}
		if format := site.FormatOf(file.Path); format != source.Formats[0] {
			name += format.Endings[0]
		}
		paths = append(paths, name)
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(name string) bool {
		return exists[name] || exists[strings.TrimSuffix(name, path.Ext(name))] && source.FormatOfFile(name) != nil
	})
}

// splitPath splits LANGUAGE/PATH and gives the path an ending.
func splitPath(site *source.Site, text string) (language, name string, err error) {
	language, name, _ = strings.Cut(norm.NFC.String(text), "/")
	i := slices.IndexFunc(site.Languages, func(l string) bool { return strings.EqualFold(l, language) })
	if i < 0 {
		return "", "", fmt.Errorf("%s is not one of the site's languages: %s; give LANGUAGE/PATH, as in %s/moving",
			diag.Quote(language), strings.Join(site.Languages, ", "), site.Languages[0])
	}
	if source.FormatOfFile(name) == nil {
		name += ".md"
	}
	for segment := range strings.SplitSeq(name, "/") {
		stem := strings.TrimSuffix(segment, path.Ext(segment))
		if stem == "" || strings.HasPrefix(segment, ".") || strings.ContainsFunc(segment, isUnfit) {
			return "", "", fmt.Errorf("%s is no name for a page: give LANGUAGE/PATH, with no empty or hidden part in the path", diag.Quote(text))
		}
	}
	suffix := path.Ext(strings.TrimSuffix(name, path.Ext(name)))
	if slices.ContainsFunc(site.Languages, func(l string) bool { return strings.EqualFold("."+l, suffix) }) {
		return "", "", fmt.Errorf("%s ends in %q, and so would be a page in that language: give LANGUAGE/PATH without it", diag.Quote(text), suffix)
	}
	return site.Languages[i], name, nil
}

// isUnfit reports characters that a path cannot have on every machine.
func isUnfit(c rune) bool {
	return unicode.IsControl(c) || strings.ContainsRune(`\:*?"<>|`, c)
}

func addPage(root *os.Root, site *source.Site, name string, kind *page.Kind, language string, draft bool) (Added, error) {
	file := language + "/" + name
	stem := strings.TrimSuffix(file, path.Ext(file))
	for _, format := range source.Formats {
		for _, ending := range format.Endings {
			_, err := root.Lstat(stem + ending)
			if err == nil {
				return Added{Path: stem + ending, Existed: true}, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return Added{}, err
			}
		}
	}
	if like := spelledLike(root, file); like != "" {
		return Added{}, fmt.Errorf("%s is there already, and differs from %s only in letter case or Unicode form: give the page another name",
			diag.Quote(like), diag.Quote(file))
	}
	if err := root.MkdirAll(path.Dir(file), 0o755); err != nil {
		return Added{}, err
	}
	text, err := PageText(source.FormatOfFile(file), site, language, kind, path.Base(stem), uuid.New(), time.Now(), draft)
	if err != nil {
		return Added{}, err
	}
	err = writeFresh(root, file, text, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Added{Path: file, Existed: true}, nil
	}
	return Added{Path: file}, err
}

// spelledLike returns another spelling of the file or of one of its folders that
// exists and that many file systems take for the same, as source.Walk does not
// allow; else "".
func spelledLike(root *os.Root, file string) string {
	folder := "."
	for name := range strings.SplitSeq(file, "/") {
		entries, err := fs.ReadDir(root.FS(), folder)
		if err != nil {
			return "" // the folder does not exist
		}
		for _, entry := range entries {
			if other := entry.Name(); other != name && strings.EqualFold(norm.NFC.String(other), name) {
				return path.Join(folder, other)
			}
		}
		folder = path.Join(folder, name)
	}
	return ""
}

// writeFresh writes a file that was not there, whole or not at all.
func writeFresh(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = cmp.Or(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		root.Remove(name)
	}
	return err
}
