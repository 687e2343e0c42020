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

// named is a language as a layout has it in paths.
type named struct{ layout, name string }

// spot is a place in a path with the name of a language.
type spot struct {
	named
	rest string // the path without the name and the ending
}

// spotsOf returns the places in a path where a language may stand and one is named.
func (s *survey) spotsOf(file string) (spots []spot) {
	found := func(layout, name, rest string) {
		if s.tagOf(name) != "" {
			spots = append(spots, spot{named{layout, name}, rest})
		}
	}
	rest := stem(file)
	folder, base := path.Split(rest)
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		found(bySuffix, base[dot+1:], folder+base[:dot])
	}
	if parts := pluginPath.FindStringSubmatch(rest); parts != nil {
		found(byPlugin, parts[1], parts[2]+"/"+parts[3])
		return spots
	}
	layout := byFolder
	for at := 0; ; layout = bySection {
		name, below, isFolder := strings.Cut(rest[at:], "/")
		if !isFolder {
			return spots
		}
		found(layout, name, rest[:at]+below)
		at += len(name) + 1
	}
}

// pluginPath matches the paths of translations that Docusaurus has.
var pluginPath = regexp.MustCompile(`^i18n/([^/]+)/docusaurus-plugin-content-([^/]+)/(?:current/)?(.+)$`)

func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

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
	tag := strings.ReplaceAll(name, "_", "-")
	if slices.Contains(s.known.languages, name) && name != "root" {
		return tag
	}
	if !shortTag.MatchString(name) {
		return ""
	} else if _, err := language.Parse(tag); err != nil {
		return ""
	}
	return tag
}

// findLanguages finds where the site's languages are named, and the language of each page.
func (s *survey) findLanguages() *languages {
	l := &languages{names: map[string]string{}, pages: map[string]int{}}
	if s.rendered {
		l.fromDocuments(s)
		return l
	}
	isLanguage := s.findSpots()
	for at := range isLanguage {
		l.names[at.name] = s.tagOf(at.name)
	}
	l.findField(s)
	// A name that is a tag itself sets the spelling for the others.
	spelling := make(map[string]string)
	for _, name := range slices.SortedFunc(maps.Keys(l.names), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "_"), strings.Count(b, "_")), strings.Compare(a, b))
	}) {
		key := strings.ToLower(l.names[name])
		spelling[key] = cmp.Or(spelling[key], l.names[name])
		l.names[name] = spelling[key]
	}
	l.count(s, isLanguage)
	l.chooseReference(s)
	return l
}

// fromDocuments finds the languages of a rendered site: the first folder, and where that is
// none, <html lang>.
func (l *languages) fromDocuments(s *survey) {
	atRoot := make(map[string]int)
	for i := range s.pages {
		p := &s.pages[i]
		if p.language = s.languageOf(p); p.isRedirect {
			continue
		}
		if p.language != "" {
			l.pages[p.language]++
		}
		if !strings.HasPrefix(p.path, p.language+"/") {
			l.bare = append(l.bare, p.path)
			atRoot[p.language]++
		}
	}
	l.codes, l.why = ranked(l.pages), "pages without a folder of a language are in it"
	slices.SortStableFunc(l.codes, func(a, b string) int { return cmp.Compare(atRoot[b], atRoot[a]) })
	if len(l.codes) == 0 {
		l.codes, l.why, l.isGuess = []string{"en"}, "no page names its language", true
	}
}

// languageOf returns the language of a rendered page: its first folder if <html lang> is that
// language, or is missing, else <html lang> without its region.
func (s *survey) languageOf(p *sourcePage) string {
	tag := ""
	for _, f := range p.fields {
		if f.Name == "lang" && f.Own {
			text, _ := f.Value.(string)
			tag = strings.ToLower(before(strings.ReplaceAll(text, "_", "-"), "-"))
		}
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

// findSpots returns the names in layouts that are languages: those that the configuration
// knows, and those where a tenth of the pages have their path with another language, or
// without any.
func (s *survey) findSpots() map[named]bool {
	seen, plain, allInFolders := make(map[spot]int), make(map[string]bool), true
	for i := range s.pages {
		p := &s.pages[i]
		p.rest, p.spots = stem(p.path), s.spotsOf(p.path)
		plain[p.rest] = true
		for _, at := range p.spots {
			at.name = "" // any
			seen[at]++
		}
		allInFolders = allInFolders && slices.ContainsFunc(p.spots, func(at spot) bool { return at.layout == byFolder })
	}
	pages, pairs := make(map[named]int), make(map[named]int)
	for i := range s.pages {
		for _, at := range s.pages[i].spots {
			pages[at.named]++
			isIndex := slices.Contains([]string{"index", "_index", "README"}, path.Base(at.rest)) // every folder has one
			if !isIndex && (seen[spot{named{layout: at.layout}, at.rest}] > 1 || plain[at.rest]) {
				pairs[at.named]++
			}
		}
	}
	sure := make(map[named]bool)
	for at, n := range pages {
		if pairs[at] > 0 && 10*pairs[at] >= n || at.layout == byFolder && allInFolders || slices.Contains(s.known.languages, at.name) || s.known.folders[at.name] != "" {
			sure[at] = true
		}
	}
	return sure
}

// findField finds the field that names the language of pages: sivu's own, or one that most
// pages have.
func (l *languages) findField(s *survey) {
	for i, name := range []string{"language", "lang", "locale"} {
		tags, texts, good := make(map[string]string), 0, 0
		for i := range s.pages {
			value := s.valueOf(&s.pages[i], name)
			if value != "" {
				texts++
			}
			if shortTag.MatchString(value) && s.tagOf(value) != "" {
				tags[value] = s.tagOf(value)
				good++
			}
		}
		if 2*good > texts && (2*texts >= len(s.pages) || i == 0) {
			l.field = name
			maps.Copy(l.names, tags)
			return
		}
	}
}

// count finds and counts the pages of each language.
func (l *languages) count(s *survey, isLanguage map[named]bool) {
	used := make(map[string]bool)
	for i := range s.pages {
		p := &s.pages[i]
		if l.field != "" {
			p.language = l.names[s.valueOf(p, l.field)]
		}
		for _, at := range p.spots {
			if p.language == "" && isLanguage[at.named] {
				p.language, p.rest = l.names[at.name], at.rest
				used[at.layout] = true
			}
		}
		if p.language == "" {
			l.bare = append(l.bare, p.path)
		} else {
			l.pages[p.language]++
		}
	}
	l.layouts = slices.DeleteFunc([]string{byPlugin, byFolder, bySuffix, bySection}, func(layout string) bool { return !used[layout] })
}

// chooseReference puts the languages in order.
func (l *languages) chooseReference(s *survey) {
	l.codes = ranked(l.pages)
	reference := strings.ReplaceAll(s.known.reference, "_", "-")
	i := slices.IndexFunc(l.codes, func(code string) bool { return strings.EqualFold(code, reference) })
	switch {
	case i >= 0:
		reference, l.why = l.codes[i], s.config+" makes it the default"
	case reference != "" && source.IsLanguage(reference) && len(l.bare) > 0:
		l.why = s.config + " makes it the default"
	case 10*len(l.bare) > len(s.pages) && !slices.Contains(l.codes, "en"):
		reference, l.why, l.isGuess = "en", "pages outside of the folders of languages name none", true
	case len(l.codes) > 0:
		reference, l.why, l.isGuess = l.codes[0], fmt.Sprintf("it has the most pages, %d", l.pages[l.codes[0]]), len(l.codes) > 1
	default:
		reference, l.why, l.isGuess = "en", "nothing names the language", true
	}
	for i := range s.pages {
		s.pages[i].language = cmp.Or(s.pages[i].language, reference)
	}
	l.codes = append([]string{reference}, slices.DeleteFunc(l.codes, func(code string) bool { return code == reference })...)
}
