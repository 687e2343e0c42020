package adopt

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// survey is what is known of a folder before anything is proposed.
type survey struct {
	*place
	pages   []sourcePage
	exclude []item // what lies beside the pages
	sidecar string // the ending of files with metadata beside the pages
}

// sourcePage is what init remembers of a page.
type sourcePage struct {
	path       string
	fields     []source.HeadField // of its head and its sidecar
	empty      bool               // its body is
	isRedirect bool               // it only leads to another page of a rendered site
	links      []string           // where its links lead, of a page that is no rendered one
	spots      []spot             // see findSpots
	language   string             // its code, see findLanguages
	rest       string             // its path without the language and the ending
	address    string             // on the site
}

// valueOf returns the text of a page's field, or "".
func (s *survey) valueOf(p *sourcePage, name string) string {
	for i := range p.fields {
		f := &p.fields[i]
		if text, _ := f.Value.(string); strings.TrimSpace(text) != "" && (f.Name == name || s.isHugo() && strings.EqualFold(f.Name, name)) {
			return text
		}
	}
	return ""
}

// isHugo reports whether the letter case of fields' names does not matter.
func (s *survey) isHugo() bool { return s.generator != nil && s.generator.name == page.Hugo }

func ignore(diag.Diagnostic) {} // the check finds all problems

// hugoMarker matches what no text has that was not written for Hugo, or about it.
var hugoMarker = regexp.MustCompile(`\{\{[<%] ?/?[a-zA-Z]`)

// look reads every page.
func look(where *place) (*survey, error) {
	s := &survey{place: where}
	folder, err := source.OpenFolder(where.content)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	site := &source.Site{Exclude: s.leaveAside()}
	listing := source.Walk(folder, site, ignore)
	var loader source.Loader
	marked, webs := 0, make(map[string]int)
	for i := range listing.Files {
		file := &listing.Files[i]
		text, ok := loader.Load(folder, file, ignore)
		if !ok {
			continue
		}
		fields, body := source.Survey(text, source.FormatOfFile(file.Path))
		p := sourcePage{path: file.Path, fields: fields}
		if s.rendered {
			p.isRedirect = refresh.Match(text[:min(len(text), 4<<10)])
			webs[servedAt(file.Path, text)]++
		} else {
			text = text[body.Start:body.End]
			p.empty = len(bytes.TrimSpace(text)) == 0
			for _, link := range linkTarget.FindAllSubmatch(text, -1) {
				p.links = append(p.links, string(link[1]))
			}
			if hugoMarker.Match(text) {
				marked++
			}
		}
		s.pages = append(s.pages, p)
	}
	delete(webs, "")
	s.known.web += most(webs) // the other is empty
	if s.generator == nil && marked >= 3 && 50*marked >= len(s.pages) {
		s.generator = generators[slices.IndexFunc(generators, func(g *generator) bool { return g.name == page.Hugo })]
		s.known, s.sign = s.generator.facts(nil), fmt.Sprintf("markers such as {{< ref >}} stand on %s", diag.Plural(marked, "page"))
	}
	s.findSidecars(folder, &loader)
	return s, nil
}

// leaveAside excludes what lies in the content folder and is no page of it.
func (s *survey) leaveAside() (patterns []string) {
	if s.generator == nil {
		return nil
	}
	exclude := func(pattern, why string) {
		patterns = append(patterns, pattern)
		s.exclude = append(s.exclude, item{"", quoted(pattern), why})
	}
	for _, pattern := range slices.Concat(s.generator.aside, beside) {
		found, _ := fs.Glob(os.DirFS(s.content), pattern)
		if strings.Contains(pattern, "/") || s.atRoot && len(found) > 0 {
			exclude(pattern, s.generator.name+" makes no pages of it")
		}
	}
	for _, name := range s.known.unrendered {
		exclude("**/"+name+"/**", s.config+" says that these pages are never rendered")
	}
	return patterns
}

// findSidecars finds files of metadata beside the pages, and adds their fields, where
// at least half of the pages have one.
func (s *survey) findSidecars(folder *source.Folder, loader *source.Loader) {
	for _, ending := range []string{".json", ".yaml", ".yml"} {
		found := make(map[int][]source.HeadField)
		for i := 0; i < len(s.pages) && (i < 100 || len(found) > 0); i++ { // a site has them from the beginning or not at all
			name := strings.TrimSuffix(s.pages[i].path, path.Ext(s.pages[i].path)) + ending
			if text, ok := loader.Load(folder, &source.File{Path: name}, ignore); ok {
				// JSON is YAML, and so can be front matter.
				found[i], _ = source.Survey([]byte("---\n"+string(text)+"\n---\n"), source.Formats[0])
			}
		}
		if len(found) == 0 || 2*len(found) < len(s.pages) {
			continue
		}
		s.sidecar = ending
		for i, fields := range found {
			p := &s.pages[i]
			isOwn := func(f source.HeadField) bool {
				return slices.ContainsFunc(p.fields, func(own source.HeadField) bool { return own.Name == f.Name })
			}
			p.fields = append(p.fields, slices.DeleteFunc(fields, isOwn)...)
		}
		return
	}
}
