package adopt

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
)

// survey is what is known of a folder before anything is proposed.
type survey struct {
	*place
	known   known
	pages   []sourcePage
	exclude []item         // what lies beside the pages
	webs    map[string]int // rendered pages by where the site is served, as they say
	marked  int            // pages with what may be markers of Hugo
	sidecar string         // the ending of files with metadata beside the pages
}

// sourcePage is what init remembers of a page.
type sourcePage struct {
	path       string
	fields     []source.HeadField // of its head and its sidecar
	empty      bool               // its body is
	isRedirect bool               // it only leads to another page of a rendered site
}

// field returns the field of that name, or nil.
func (p *sourcePage) field(name string, fold bool) *source.HeadField {
	for i := range p.fields {
		if f := &p.fields[i]; f.Name == name || fold && strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// look reads the head of every page.
func look(where *place) (*survey, error) {
	s := &survey{place: where, known: where.facts(), webs: map[string]int{}}
	folder, err := source.OpenFolder(where.content)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	s.leaveAside()
	site := &source.Site{}
	for _, item := range s.exclude {
		site.Exclude = append(site.Exclude, item.value)
	}
	ignore := func(diag.Diagnostic) {} // the check finds all problems
	listing := source.Walk(folder, site, ignore)
	var loader source.Loader
	for i := range listing.Files {
		file := &listing.Files[i]
		if text, ok := loader.Load(folder, file, ignore); ok {
			s.readPage(file.Path, text)
		}
	}
	s.guessHugo()
	s.findSidecars(folder, &loader)
	return s, nil
}

// leaveAside excludes what lies in the content folder and is no page of it.
func (s *survey) leaveAside() {
	entries, _ := os.ReadDir(s.content)
	names := func(pattern string) (found []string) {
		for _, entry := range entries {
			if ok, _ := path.Match(pattern, entry.Name()); ok {
				found = append(found, entry.Name())
			}
		}
		return found
	}
	isRoot := s.generator != nil && s.content == s.root
	if isRoot {
		for _, pattern := range beside {
			for _, name := range names(pattern) {
				s.exclude = append(s.exclude, item{value: escapePattern(name), why: "lies beside the pages of a site, and is none"})
			}
		}
	}
	if s.generator == nil || s.rendered {
		return
	}
	for _, pattern := range s.generator.aside {
		if strings.Contains(pattern, "/") {
			if found, _ := doublestar.Glob(os.DirFS(s.content), pattern); len(found) > 0 {
				s.exclude = append(s.exclude, item{value: pattern, why: s.generator.name + " makes no pages of such files"})
			}
		} else if found := names(pattern); isRoot && len(found) > 0 {
			s.exclude = append(s.exclude, item{value: pattern, why: s.generator.name + " makes no pages of it"})
		}
	}
	for _, name := range s.known.unrendered {
		if found, _ := doublestar.Glob(os.DirFS(s.content), "**/"+name+"/**"); len(found) > 0 {
			s.exclude = append(s.exclude, item{value: "**/" + name + "/**", why: s.config.file + " says that these pages are never rendered"})
		}
	}
}

// readPage adds a page.
func (s *survey) readPage(file string, text []byte) {
	fields, body := source.Survey(text, source.FormatOfFile(file))
	p := sourcePage{path: file, fields: fields}
	p.empty = len(bytes.TrimSpace(text[body.Start:body.End])) == 0
	if s.rendered {
		s.findSite(file, text)
		p.isRedirect = refresh.Match(text[:min(len(text), 4<<10)])
	} else if hugoMarker.Match(text[body.Start:body.End]) {
		s.marked++
	}
	s.pages = append(s.pages, p)
}

// refresh matches what leads from a rendered page to another.
var refresh = regexp.MustCompile(`(?i)http-equiv=["']?refresh`)

var (
	canonicalLink = regexp.MustCompile(`(?i)<link\s[^>]*rel=["']?canonical[^>]*>|<meta\s[^>]*property=["']?og:url[^>]*>`)
	webAddress    = regexp.MustCompile(`https?://[^\s"'<>]+`)
)

// findSite counts the addresses where the site is served, as rendered pages have their own.
func (s *survey) findSite(file string, text []byte) {
	own := strings.TrimSuffix(webAddress.FindString(string(canonicalLink.Find(text[:min(len(text), 32<<10)]))), "/")
	address := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "index")
	if site, ok := strings.CutSuffix(strings.TrimSuffix(own, ".html"), strings.TrimSuffix("/"+address, "/")); ok && site != "" {
		if s.webs[site]++; s.webs[site] > s.webs[s.known.web] {
			s.known.web = site
		}
	}
}

// hugoMarker matches what no text has that was not written for Hugo, or about it.
var hugoMarker = regexp.MustCompile(`\{\{[<%] ?/?[a-zA-Z]`)

// guessHugo takes a folder without a configuration for Hugo's where its markers stand on
// many pages.
func (s *survey) guessHugo() {
	if s.generator == nil && s.marked >= 3 && 50*s.marked >= len(s.pages) {
		i := slices.IndexFunc(generators, func(g *generator) bool { return g.name == page.Hugo })
		s.generator, s.sign = generators[i], fmt.Sprintf("markers such as {{< ref >}} stand on %s", count(s.marked, "page"))
	}
}

// sidecars are the endings that files with metadata have.
var sidecars = []string{".json", ".yaml", ".yml"}

// findSidecars finds files of metadata beside the pages, and adds their fields, where
// at least half of the pages have one.
func (s *survey) findSidecars(folder *source.Folder, loader *source.Loader) {
	for _, ending := range sidecars {
		found := make(map[int][]source.HeadField)
		for i := range s.pages {
			p := &s.pages[i]
			name := strings.TrimSuffix(p.path, path.Ext(p.path)) + ending
			text, ok := loader.Load(folder, &source.File{Path: name}, func(diag.Diagnostic) {})
			if !ok {
				if i >= 100 && len(found) == 0 {
					break // no site has them at its end only
				}
				continue
			}
			// JSON is YAML, and so can be front matter.
			found[i], _ = source.Survey([]byte("---\n"+string(text)+"\n---\n"), source.FormatOfFile("sidecar.md"))
		}
		if len(found) == 0 || 2*len(found) < len(s.pages) {
			continue
		}
		s.sidecar = ending
		for i, fields := range found {
			for _, f := range fields {
				if s.pages[i].field(f.Name, false) == nil {
					s.pages[i].fields = append(s.pages[i].fields, f)
				}
			}
		}
		return
	}
}

// isHugo reports whether the letter case of fields' names does not matter.
func (s *survey) isHugo() bool { return s.generator != nil && s.generator.name == page.Hugo }
