package generator

import (
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
	"example.org/sivu/generator/settings"
	"example.org/sivu/generator/source"
)

// NewPage is what [AddPages] is asked for.
type NewPage struct {
	Place        string // LANGUAGE/PATH below the content folder; without an ending it gets .md
	Kind         string // default: the first of page.Kinds
	AllLanguages bool   // a page for each language of the site, not only for that of Place
}

// Added is what became of a page that was asked for.
type Added struct {
	Path    string // of the source, below the content folder
	Existed bool   // another source of this page was there already; nothing was written
}

// AddPages writes fresh source pages, each with an id of its own and the keys
// of its kind. It never replaces a file. Problems of site.yaml are in the
// report; then nothing is written.
func AddPages(o Options, n NewPage) (diag.Report, []Added, error) {
	r, err := settings.Resolve(o)
	if err != nil {
		return diag.Report{}, nil, err
	}
	defer r.Close()
	var problems diag.Collector
	problems.Add(r.Problems...)
	if report := problems.Report(); report.Errors > 0 {
		return report, nil, nil
	}
	kind := page.Kinds[0]
	if n.Kind != "" {
		if kind = page.KindNamed(n.Kind); kind == nil {
			return diag.Report{}, nil, fmt.Errorf("unknown kind %s: the kinds are %s", diag.Quote(n.Kind), strings.Join(page.KindNames(), ", "))
		}
	}
	language, name, err := placeOf(r, n.Place)
	if err != nil {
		return diag.Report{}, nil, err
	}
	languages := []string{language}
	if n.AllLanguages {
		languages = r.Site.Languages
	}
	root, err := os.OpenRoot(o.Content)
	if err != nil {
		return diag.Report{}, nil, err
	}
	defer root.Close()
	var added []Added
	for _, language := range languages {
		a, err := addPage(r, root, language, name, kind)
		if err != nil {
			return diag.Report{}, added, err
		}
		added = append(added, a)
	}
	return problems.Report(), added, nil
}

// Untranslated returns the languages of the site and, where language is one of
// them, the paths of the pages that others have and it has not, sorted, as
// [NewPage] takes them. It goes by the names of files, and reads none of them.
func Untranslated(o Options, language string) (languages, paths []string, err error) {
	r, err := settings.Resolve(o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if r.Site == nil {
		return nil, nil, errors.New("the site's settings cannot be read")
	}
	if !slices.Contains(r.Site.Languages, language) {
		return r.Site.Languages, nil, nil
	}
	isThere := map[string]bool{}
	for _, file := range source.Walk(r.Files, r.Site, func(diag.Diagnostic) {}).Files {
		of, name := r.Site.LanguageOf(file.Path)
		if of == language {
			isThere[name] = true
			continue
		}
		if format := file.Format(); format != source.Formats[0] {
			name += format.Endings[0]
		}
		paths = append(paths, name)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(name string) bool {
		return isThere[name] || isThere[strings.TrimSuffix(name, path.Ext(name))] && source.FormatOfFile(name) != nil
	})
	return r.Site.Languages, paths, nil
}

// place splits LANGUAGE/PATH and gives the path an ending.
func placeOf(r *settings.Settings, place string) (language, name string, err error) {
	language, name, _ = strings.Cut(norm.NFC.String(place), "/")
	if i := slices.IndexFunc(r.Site.Languages, func(l string) bool { return strings.EqualFold(l, language) }); i >= 0 {
		language = r.Site.Languages[i]
	} else {
		return "", "", fmt.Errorf("%s is not one of the site's languages: %s; give LANGUAGE/PATH, as in %s/moving",
			diag.Quote(language), strings.Join(r.Site.Languages, ", "), r.Site.Languages[0])
	}
	if source.FormatOfFile(name) == nil {
		name += ".md"
	}
	for segment := range strings.SplitSeq(name, "/") {
		stem := strings.TrimSuffix(segment, path.Ext(segment))
		if stem == "" || strings.HasPrefix(segment, ".") || strings.ContainsFunc(segment, isUnfit) {
			return "", "", fmt.Errorf("%s is no name for a page: give LANGUAGE/PATH, with no empty or hidden part in the path", diag.Quote(place))
		}
	}
	suffix := path.Ext(strings.TrimSuffix(name, path.Ext(name)))
	isSuffix := func(l string) bool { return strings.EqualFold("."+l, suffix) }
	if slices.ContainsFunc(r.Site.Languages, isSuffix) {
		return "", "", fmt.Errorf("%s ends in %q, and so would be a page in that language: give LANGUAGE/PATH without it", diag.Quote(place), suffix)
	}
	return language, name, nil
}

// isUnfit reports characters that a path cannot have on every machine.
func isUnfit(c rune) bool {
	return unicode.IsControl(c) || strings.ContainsRune(`\:*?"<>|`, c)
}

func addPage(r *settings.Settings, root *os.Root, language, name string, kind *page.Kind) (Added, error) {
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
	text, err := source.NewPage(source.FormatOfFile(file), r.Site, language, kind, path.Base(stem), uuid.New(), time.Now())
	if err != nil {
		return Added{}, err
	}
	err = writeFresh(root, file, text, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Added{Path: file, Existed: true}, nil
	}
	return Added{Path: file}, err
}

// spelledLike returns a file or folder that many file systems would take for
// the file or one of its folders, as source.Walk does not allow; else "".
func spelledLike(root *os.Root, file string) string {
	folder := "."
	for name := range strings.SplitSeq(file, "/") {
		entries, err := fs.ReadDir(root.FS(), folder)
		if err != nil {
			return "" // there is nothing yet
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
