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
	links      []string           // where its links lead, of a page that is no rendered one
	language   string
	rest       string // its path without the language and the ending
	address    string // on the site
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
	if s.generator == nil || s.rendered {
		return
	}
	for _, pattern := range append(s.generator.aside, beside...) {
		found, _ := fs.Glob(os.DirFS(s.content), pattern)
		if strings.Contains(pattern, "/") || s.content == s.root && len(found) > 0 {
			s.exclude = append(s.exclude, item{value: pattern, why: s.generator.name + " makes no pages of it"})
		}
	}
	for _, name := range s.known.unrendered {
		s.exclude = append(s.exclude, item{value: "**/" + name + "/**", why: s.config.file + " says that these pages are never rendered"})
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
	} else {
		text = text[body.Start:body.End]
		if hugoMarker.Match(text) {
			s.marked++
		}
		for _, link := range linkTarget.FindAllSubmatch(text, -1) {
			p.links = append(p.links, string(link[1]))
		}
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
		for i := 0; i < len(s.pages) && (i < 100 || len(found) > 0); i++ { // a site has them from the beginning or not at all
			name := strings.TrimSuffix(s.pages[i].path, path.Ext(s.pages[i].path)) + ending
			if text, ok := loader.Load(folder, &source.File{Path: name}, func(diag.Diagnostic) {}); ok {
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
			p.fields = append(p.fields, slices.DeleteFunc(fields, func(f source.HeadField) bool { return p.field(f.Name, false) != nil })...)
		}
		return
	}
}

// isHugo reports whether the letter case of fields' names does not matter.
func (s *survey) isHugo() bool { return s.generator != nil && s.generator.name == page.Hugo }
