// Package adopt proposes the site.yaml of a folder that was not made for sivu: it looks
// at the pages and at the configuration of the generator that they were written for,
// which is data here and never run, and explains each setting.
//
// [Adopt] goes this way: place.go finds the content folder, generators.go reads the
// generator's configuration, and survey.go reads every page once. Propose.go makes
// settings of what languages.go, fields.go, links.go and rendered.go find, and text.go
// writes them. The proposal is then checked as a build would, and changed until no page
// has an error; pages that have one all the same are excluded with the reason.
package adopt

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// Options say what is to be adopted.
type Options struct {
	Folder string // of a site, or of its pages
	Force  bool   // replace a site.yaml that is there

	// Check finds the problems that a build would find in a content folder with the
	// settings in a file.
	Check func(content, siteFile string) (Checked, error)
}

// Checked is what [Options.Check] found.
type Checked struct {
	Report   diag.Report
	Records  int
	Skipped  int            // drafts, and pages under skip_if
	Warnings map[string]int // by rule

	Markers     []Marker // template markers that nobody decided about, by name
	MarkerPages int      // pages with any of them
}

// Marker is a template marker, and what becomes of it.
type Marker struct {
	Name, Treatment string
	Pages, Uses     int
}

// Adopted is a site.yaml, and what people should know about it.
type Adopted struct {
	Content string // the content folder
	Text    string // of site.yaml
	Rows    []Row  // the table; none for a starter
}

// Row is a row of the table: a label, and lines for it.
type Row struct {
	Label string
	Lines []string
}

// Adopt proposes the site.yaml of a folder and writes it. An empty folder gets a starter.
func Adopt(o Options) (*Adopted, error) {
	where, err := locate(o.Folder)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(where.content, source.SiteFile)
	if _, err := os.Lstat(file); err == nil && !o.Force {
		return nil, fmt.Errorf("%s is there already, and init replaces nothing; give --force to write it anew (its namespace is kept)", diag.Quote(file))
	}
	if where.empty {
		return writeStarter(where)
	}
	s, err := look(where)
	if err != nil {
		return nil, err
	}
	p := propose(s, namespace(file))
	checked, err := p.settle(o.Check)
	if err != nil {
		return nil, err
	}
	a := &Adopted{where.content, p.text(), p.table(checked)}
	return a, os.WriteFile(file, []byte(a.Text), 0o644)
}

// namespace returns that of a site.yaml that is replaced, so that ids stay, or a new one.
func namespace(file string) uuid.UUID {
	folder, name := filepath.Split(file)
	var loader source.Loader
	if text, ok := loader.Load(os.DirFS(cmp.Or(folder, ".")), &source.File{Path: name}, ignore); ok {
		if site := source.ReadSite(text, name, nil, ignore); site != nil && site.Namespace != uuid.Nil {
			return site.Namespace
		}
	}
	return uuid.New()
}

// maxRounds bounds how often a proposal is checked: what is excluded can break a page that
// needs it.
const maxRounds = 50

// settle checks a proposal, and changes it until no page has an error.
func (p *proposal) settle(check func(content, siteFile string) (Checked, error)) (Checked, error) {
	file, err := os.CreateTemp("", "sivu-init-*.yaml")
	if err != nil {
		return Checked{}, err
	}
	file.Close()
	defer os.Remove(file.Name())
	for range maxRounds {
		if err := os.WriteFile(file.Name(), []byte(p.text()), 0o600); err != nil {
			return Checked{}, err
		}
		checked, err := check(p.content, file.Name())
		switch {
		case err != nil:
			return checked, err
		case checked.Report.Errors > 0:
			if err := p.cure(checked.Report, filepath.ToSlash(file.Name())); err != nil {
				return checked, err
			}
		default:
			p.gatherMarkers(checked)
			return checked, nil
		}
	}
	return Checked{}, errors.New("the problems of the pages do not come to an end; sivu check lists them")
}

// looseRule is a rule that is as it has to be only where no folder is named like a language
// by chance.
const looseRule = "language-folder"

// unprefixed matches the problem of an address that a page gives itself.
var unprefixed = regexp.MustCompile(`^meta\.url "([^"\\]+)" does not begin with`)

// cure changes the proposal so that the errors of a report do not come back.
func (p *proposal) cure(r diag.Report, siteFile string) error {
	isChanged, undated := false, 0
	folder := path.Clean(filepath.ToSlash(p.content))
	for _, d := range r.Diagnostics {
		name := strings.TrimPrefix(d.Pos.File, folder+"/")
		if d.Severity != diag.Error || p.excluded[name] {
			continue
		}
		isSite := d.Pos.File == siteFile || d.Pos.File == folder || d.Pos.File == ""
		switch found := unprefixed.FindStringSubmatch(d.Message); {
		case d.Rule.Name == "no-pages" && len(p.exclude) > 0:
			first := p.exclude[len(p.exclude)-1]
			return fmt.Errorf("none of the pages in %s can be read: of %s, %s", diag.Quote(p.content), diag.Quote(strings.Trim(first.value, `"`)), first.why)
		case d.Rule.Name == "date" && isSite && slices.Contains(p.dates, source.DatesGit): // it cannot be asked
			p.dates = slices.DeleteFunc(p.dates, func(from string) bool { return from == source.DatesGit })
		case d.Rule.Name == looseRule && !p.loose:
			p.loose = true
			p.add("rules", "{"+looseRule+": off}", "folders have the names of languages, and pages in them are in another one")
		case isSite:
			return fmt.Errorf("no settings were found for these pages: %s", d.Message)
		case d.Rule.Name == "date" && strings.HasPrefix(d.Message, "no date") && !slices.Contains(p.dates, source.DatesMtime):
			undated++
		case found != nil:
			p.unprefixed = append(p.unprefixed, found[1])
		default:
			p.leaveOut(name, d.Message)
		}
		isChanged = true
	}
	if undated > 0 {
		p.dates, p.noDate = append(p.dates, source.DatesMtime), undated
	}
	if !isChanged {
		return errors.New("no settings were found for these pages; sivu check lists their problems")
	}
	return nil
}

// leaveOut excludes one file.
func (p *proposal) leaveOut(name, reason string) {
	pattern := escapePattern(name)
	if !p.excluded[name] && !p.excluded[pattern] { // those of two odd names can be the same
		p.exclude = append(p.exclude, item{"", quoted(pattern), reason})
		p.failed = append(p.failed, reason)
	}
	p.excluded[name], p.excluded[pattern] = true, true
}

// escapePattern returns a pattern that matches one path.
func escapePattern(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c == utf8.RuneError || unicode.IsControl(c): // settings hold neither
			c = '?'
		case strings.ContainsRune(`*?[]{}\`, c):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
