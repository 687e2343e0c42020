package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"example.org/sivu/generator/source"
)

// The places of a language in a path, as "layout" in site.yaml names them.
const (
	byFolder  = "{language}/{path}"
	bySuffix  = "{path}.{language}"
	bySection = "{section}/{language}/{path}"
	byPlugin  = "i18n/{language}/docusaurus-plugin-content-{section}/{path}"
)

// spot is a name in a path that may be that of a language.
type spot struct {
	layout, name string
	rest         string // the path without it and without the ending
}

// pluginPath matches the paths of translations that Docusaurus has.
var pluginPath = regexp.MustCompile(`^i18n/([^/]+)/docusaurus-plugin-content-([^/]+)/(?:current/)?(.+)$`)

// spots returns the names of a path that stand where a language may stand.
func spots(file string) (all []spot) {
	rest := strings.TrimSuffix(file, path.Ext(file))
	folder, base := path.Split(rest)
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		all = append(all, spot{bySuffix, base[dot+1:], folder + base[:dot]})
	}
	if parts := pluginPath.FindStringSubmatch(rest); parts != nil {
		return append(all, spot{byPlugin, parts[1], parts[2] + "/" + parts[3]})
	}
	layout := byFolder
	for at := 0; ; layout = bySection {
		name, below, isFolder := strings.Cut(rest[at:], "/")
		if !isFolder {
			return all
		}
		all = append(all, spot{layout, name, rest[:at] + below})
		at += len(name) + 1
	}
}

// languages is where the pages of a site have their languages.
type languages struct {
	codes   []string          // the reference language first
	names   map[string]string // code by the name of a folder or a suffix
	layouts []string
	pages   map[string]int // by code
	bare    []string       // paths of pages without a language, by place or field
	field   string         // the field that names the language
	why     string         // the reference language is the first
	isGuess bool
}

// shortTag matches the tags that folders have: those of three letters are more often words,
// such as "api" and "new".
var shortTag = regexp.MustCompile(`^[a-zA-Z]{2}([-_][a-zA-Z]{4})?([-_]([a-zA-Z]{2}|\d{3}))?$`)

// tagOf returns the language tag that a name means, or "".
func (s *survey) tagOf(name string) string {
	if code := s.known.folders[name]; code != "" {
		return code
	}
	if slices.Contains(s.known.languages, name) && name != "root" {
		return strings.ReplaceAll(name, "_", "-")
	}
	tag := strings.ReplaceAll(name, "_", "-")
	if _, err := language.Parse(tag); err != nil || !shortTag.MatchString(name) {
		return ""
	}
	return tag
}

// renderedLanguages finds the languages of a rendered site: the first folder, and where that
// is none, <html lang>.
func (s *survey) renderedLanguages() *languages {
	l := &languages{names: map[string]string{}, pages: map[string]int{}, why: "pages without a folder of a language are in it"}
	atRoot := make(map[string]int)
	for i := range s.pages {
		p := &s.pages[i]
		if p.isRedirect {
			continue
		}
		if code := s.languageOf(p); strings.HasPrefix(p.path, code+"/") {
			l.pages[code]++
		} else {
			l.bare = append(l.bare, p.path)
			atRoot[code]++
		}
	}
	for code, n := range atRoot {
		if code != "" {
			l.pages[code] += n
		}
	}
	l.codes = slices.SortedFunc(maps.Keys(l.pages), func(a, b string) int {
		return cmp.Or(cmp.Compare(atRoot[b], atRoot[a]), cmp.Compare(l.pages[b], l.pages[a]), strings.Compare(a, b))
	})
	if len(l.codes) == 0 {
		l.codes, l.why, l.isGuess = []string{"en"}, "no page names its language", true
	}
	return l
}

// languageOf returns the language of a rendered page: its first folder if <html lang> is that
// language, or is missing, else <html lang> without its region.
func (s *survey) languageOf(p *sourcePage) string {
	tag := ""
	if f := p.field("lang", false); f != nil && f.Own {
		tag = strings.ToLower(before(strings.ReplaceAll(f.Value, "_", "-"), "-"))
	}
	folder, _, isFolder := strings.Cut(p.path, "/")
	if base := strings.ToLower(before(folder, "-")); isFolder && shortTag.MatchString(folder) && source.IsLanguage(folder) && (tag == "" || tag == base) {
		return folder
	}
	if !source.IsLanguage(tag) {
		return ""
	}
	return tag
}

// findLanguages finds where the site's languages are named.
func (s *survey) findLanguages() *languages {
	if s.rendered {
		return s.renderedLanguages()
	}
	l := &languages{names: map[string]string{}, pages: map[string]int{}}
	isLanguage := s.findSpots()
	names := make([]string, 0, len(isLanguage))
	for at := range isLanguage {
		names = append(names, at.name)
	}
	// A name that is a tag itself sets the spelling for the others.
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "_"), strings.Count(b, "_")), strings.Compare(a, b))
	})
	for _, name := range names {
		l.addName(name, s.tagOf(name))
	}
	l.findField(s)
	l.count(s, isLanguage)
	l.chooseReference(s)
	return l
}

// findSpots returns the layouts and names that are languages: those that the configuration
// knows, and those where a tenth of the pages have their path with another language, or
// without any.
func (s *survey) findSpots() map[spot]bool {
	type key struct{ layout, rest string }
	seen, plain, allInFolders := make(map[key]int), make(map[string]bool), true
	for i := range s.pages {
		file := s.pages[i].path
		plain[strings.TrimSuffix(file, path.Ext(file))] = true
		folder, _, below := strings.Cut(file, "/")
		allInFolders = allInFolders && below && s.tagOf(folder) != ""
		for _, at := range spots(file) {
			if s.tagOf(at.name) != "" {
				seen[key{at.layout, at.rest}]++
			}
		}
	}
	pages, pairs, sure := make(map[spot]int), make(map[spot]int), make(map[spot]bool)
	for i := range s.pages {
		for _, at := range spots(s.pages[i].path) {
			if s.tagOf(at.name) == "" {
				continue
			}
			name := spot{layout: at.layout, name: at.name}
			pages[name]++
			isIndex := slices.Contains([]string{"index", "_index", "README"}, path.Base(at.rest)) // every folder has one
			if !isIndex && (seen[key{at.layout, at.rest}] > 1 || plain[at.rest]) {
				pairs[name]++
			}
			if at.layout == byFolder && allInFolders || slices.Contains(s.known.languages, at.name) || s.known.folders[at.name] != "" {
				sure[name] = true
			}
		}
	}
	for name, n := range pairs {
		if 10*n >= pages[name] {
			sure[name] = true
		}
	}
	return sure
}

// addName adds another name of a language, in the spelling that is there already.
func (l *languages) addName(name, code string) {
	for _, other := range l.names {
		if strings.EqualFold(other, code) {
			code = other
		}
	}
	l.names[name] = code
}

// languageFields are the names of fields that give a page's language.
var languageFields = []string{"language", "lang", "locale"}

// findField finds the field that names the language of pages: sivu's own, or one that most
// pages have.
func (l *languages) findField(s *survey) {
	for _, name := range languageFields {
		tags, texts, good := make(map[string]string), 0, 0
		for i := range s.pages {
			f := s.pages[i].field(name, s.isHugo())
			if f == nil || !f.IsText() {
				continue
			}
			texts++
			if tag := strings.ReplaceAll(f.Value, "_", "-"); shortTag.MatchString(f.Value) && s.tagOf(tag) != "" {
				tags[f.Value] = tag
				good++
			}
		}
		if 2*good > texts && (2*texts >= len(s.pages) || name == languageFields[0]) {
			l.field = name
			for _, value := range slices.Sorted(maps.Keys(tags)) {
				l.addName(value, tags[value])
			}
			return
		}
	}
}

// count counts the pages of each language.
func (l *languages) count(s *survey, isLanguage map[spot]bool) {
	used := make(map[string]bool)
	for i := range s.pages {
		p := &s.pages[i]
		code := ""
		if f := p.field(l.field, s.isHugo()); f != nil {
			code = l.names[f.Value]
		}
		for _, at := range spots(p.path) {
			if code == "" && isLanguage[spot{layout: at.layout, name: at.name}] {
				code = l.names[at.name]
				used[at.layout] = true
			}
		}
		if code == "" {
			l.bare = append(l.bare, p.path)
		} else {
			l.pages[code]++
		}
	}
	for _, layout := range []string{byPlugin, byFolder, bySuffix, bySection} {
		if used[layout] {
			l.layouts = append(l.layouts, layout)
		}
	}
}

// chooseReference puts the languages in order.
func (l *languages) chooseReference(s *survey) {
	l.codes = slices.SortedFunc(maps.Keys(l.pages), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.pages[b], l.pages[a]), strings.Compare(a, b))
	})
	reference := s.known.reference
	i := slices.IndexFunc(l.codes, func(code string) bool { return strings.EqualFold(code, strings.ReplaceAll(reference, "_", "-")) })
	switch {
	case i >= 0:
		reference, l.why = l.codes[i], s.config.file+" makes it the default"
	case reference != "" && source.IsLanguage(strings.ReplaceAll(reference, "_", "-")) && len(l.bare) > 0:
		reference, l.why = strings.ReplaceAll(reference, "_", "-"), s.config.file+" makes it the default"
	case 10*len(l.bare) > len(s.pages) && !slices.Contains(l.codes, "en"):
		reference, l.why, l.isGuess = "en", "pages outside of the folders of languages name none", true
	case len(l.codes) > 0:
		reference, l.why, l.isGuess = l.codes[0], fmt.Sprintf("it has the most pages, %d", l.pages[l.codes[0]]), len(l.codes) > 1
	default:
		reference, l.why, l.isGuess = "en", "nothing names the language", true
	}
	l.codes = append([]string{reference}, slices.DeleteFunc(l.codes, func(code string) bool { return code == reference })...)
}
