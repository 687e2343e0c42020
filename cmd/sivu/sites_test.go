package main

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/net/html"
)

// realSite is a real site of the corpora that nobody prepared for sivu.
type realSite struct {
	name    string
	content string // where sivu init finds the pages, below the site's folder

	languages string // as init says it
	excluded  int    // lines under exclude
	records   int    // at least

	// read reads the pages as the site's generator does, by means that share no code
	// with sivu. Nil where the site is rendered.
	read func(t *testing.T, dir string) []*sitePage

	shown map[string]int // markers that pages show on purpose: how often each
}

// sitePage is what a page of a site has to become.
type sitePage struct {
	file     string // below the content folder
	language string
	title    string // "" where the page gives none
	created  string // "" where the page gives no date
	modified string
	address  string   // on the site itself, with a slash at both ends
	aliases  []string // further addresses
	leftOut  string   // why the page is not published; "" where it is
	body     string
	isHTML   bool
	links    []string // that the body has, as the site resolves them
}

// siteRecord is one record of a snapshot.
type siteRecord struct {
	ID       string
	Language string            `json:"language"`
	Meta     map[string]string `json:"meta"`
	Created  string            `json:"created"`
	Modified string            `json:"modified"`
	Content  string            `json:"content"`

	text  []string // words of the content
	prose string   // without code
	links []string // addresses of its links
}

// built is a site that was built by the two commands of a new user.
type built struct {
	content string
	table   string // that sivu init printed
	site    string // its site.yaml
	pages   []*sitePage
	records map[string]*siteRecord
	byURL   map[string]*siteRecord
}

// Each of the real sites builds right the first time: sivu init, then sivu build. Those
// whose sources and rendered pages are both there say the same by either door.
func TestRealSites(t *testing.T) {
	all := map[string]*built{}
	for _, s := range realSites {
		t.Run(s.name, func(t *testing.T) {
			b := s.build(t)
			all[s.name] = b
			s.checkInit(t, b)
			s.compare(t, b)
		})
	}
	for _, d := range twoDoors {
		t.Run("doors of "+d.sources, func(t *testing.T) {
			if all[d.sources] == nil || all[d.rendered] == nil {
				t.Skip("one of the two was not built")
			}
			d.compare(t, all[d.sources], all[d.rendered])
		})
	}
}

// build runs sivu init on a copy of the site, and sivu build and sivu verify.
func (s *realSite) build(t *testing.T) *built {
	t.Helper()
	if os.Getenv("SIVU_ALL") == "" {
		t.Skip("real sites are built by make test-all")
	}
	from := filepath.Join(corporaFolder(t), s.name)
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	if err := os.CopyFS(site, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "public")
	b := &built{content: filepath.Join(site, filepath.FromSlash(s.content))}
	b.table = s.run(t, dir, "init", site)
	text, err := os.ReadFile(filepath.Join(b.content, "site.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.site = string(text)
	s.run(t, dir, "build", "--now", siteNow.Format("2006-01-02T15:04:05Z"), "--content", b.content, "--out", out, "--base-url", "https://api.example.org/v1", "--quiet")
	s.run(t, dir, "verify", out)
	b.read(t, out)
	return b
}

// run runs a command that must succeed, and returns what it prints.
func (s *realSite) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	program, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("sivu %s: %v\n%.4000s", args[0], err, text)
	}
	return string(text)
}

// read reads all records of a snapshot.
func (b *built) read(t *testing.T, out string) {
	t.Helper()
	b.records, b.byURL = map[string]*siteRecord{}, map[string]*siteRecord{}
	names, err := filepath.Glob(filepath.Join(out, "pages", "*-*-*-*-*", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := &siteRecord{ID: filepath.Base(filepath.Dir(name))}
		if err := json.Unmarshal(text, r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.parse(t)
		b.records[r.ID] = r
		b.byURL[r.Meta["url"]] = r
	}
	if len(names) == 0 {
		t.Fatal("the snapshot has no records")
	}
}

// parse finds the words and links of a content.
func (r *siteRecord) parse(t *testing.T) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(r.Content))
	if err != nil {
		t.Fatal(err)
	}
	var all, prose strings.Builder
	var visit func(n *html.Node, isCode bool)
	visit = func(n *html.Node, isCode bool) {
		switch n.Type {
		case html.TextNode:
			all.WriteString(n.Data)
			if !isCode {
				prose.WriteString(n.Data)
			}
		case html.ElementNode:
			isCode = isCode || slices.Contains([]string{"pre", "code", "samp", "kbd"}, n.Data)
			if n.Data != "a" {
				break
			}
			for _, a := range n.Attr {
				if a.Key == "href" {
					r.links = append(r.links, a.Val)
				}
			}
		}
		for c := range n.ChildNodes() {
			visit(c, isCode)
		}
		if n.Type == html.ElementNode && !slices.Contains(inlineElements, n.Data) {
			all.WriteByte(' ')
			prose.WriteByte(' ')
		}
	}
	visit(root, false)
	r.text, r.prose = strings.Fields(all.String()), prose.String()
}

// inlineElements do not end a word.
var inlineElements = strings.Fields("a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var wbr")

// checkInit checks what sivu init found and said.
func (s *realSite) checkInit(t *testing.T, b *built) {
	t.Helper()
	fitsScreen(t, b.table)
	if !strings.Contains(b.table, s.languages) {
		t.Errorf("init does not find %s:\n%s", s.languages, b.table)
	}
	if excluded := b.list("exclude"); len(excluded) != s.excluded {
		t.Errorf("%d lines under exclude, not %d: %q", len(excluded), s.excluded, excluded)
	}
	if len(b.records) < s.records {
		t.Errorf("%d records, and at least %d were expected", len(b.records), s.records)
	}
}

// fitsScreen checks that a text fits a screen of 24 lines and 80 columns. A command to be
// copied stays in one line, however long names of folders are.
func fitsScreen(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 23 { // and the prompt
		t.Errorf("the table has %d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if len([]rune(line)) > 80 && !strings.HasPrefix(line, "next") && !strings.HasPrefix(line, "written") {
			t.Errorf("a line has more than 80 columns: %s", line)
		}
	}
}

// markerForms are how template markers of all generators look in text.
var markerForms = regexp.MustCompile(`\{\{[<%][^}]*|\{%[^%]*%\}|(?m:^\s*:::+.*$)|\{\{[^}]*\}\}`)

// compare compares a snapshot with an independent reading of the site, and logs the
// counts.
func (s *realSite) compare(t *testing.T, b *built) {
	t.Helper()
	s.compareMarkers(t, b)
	if s.read == nil {
		return
	}
	pages := s.read(t, b.content)
	b.pages = pages
	excluded := b.list("exclude")
	namespace := b.text("namespace")
	leftOut := map[string]int{}
	var wrongTitle, wrongDate, missing []string
	byAddress := map[string]*sitePage{}
	records, byFile := map[*sitePage]*siteRecord{}, map[string]*siteRecord{}
	for _, p := range pages {
		id := derivedID(t, namespace, p)
		r := b.records[id]
		reason := p.leftOut
		if r == nil && reason == "" && slices.ContainsFunc(excluded, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, p.file) }) {
			reason = "under exclude"
		}
		switch {
		case r == nil && reason == "":
			missing = append(missing, p.file)
			continue
		case r == nil:
			leftOut[reason]++
			continue
		case reason != "":
			t.Errorf("%s is published, and is %s", p.file, reason)
		}
		records[p], byFile[p.file] = r, r
		byAddress[p.address] = p
		if p.title != "" && r.Meta["title"] != p.title {
			wrongTitle = append(wrongTitle, p.file+": "+r.Meta["title"]+", want "+p.title)
		}
		if p.created != "" && r.Created != p.created || p.modified != "" && r.Modified != p.modified {
			wrongDate = append(wrongDate, p.file+": "+r.Created+" "+r.Modified+", want "+p.created+" "+p.modified)
		}
	}
	few := func(list []string) string { return strings.Join(list[:min(len(list), 5)], "\n\t") }
	for what, list := range map[string][]string{"missing": missing, "titles": wrongTitle, "dates": wrongDate} {
		if len(list) > 0 {
			t.Errorf("%d %s:\n\t%s", len(list), what, few(list))
		}
	}
	if len(records) != len(b.records) {
		t.Errorf("%d records, of which %d have a page", len(b.records), len(records))
	}
	for _, p := range pages {
		for _, alias := range p.aliases {
			if byAddress[alias] == nil && records[p] != nil {
				byAddress[alias] = p
			}
		}
	}
	right, wrong := 0, []string(nil)
	for p, r := range records {
		for _, link := range p.links {
			// A link without a language means the page's own where that is translated.
			var want []string
			for _, address := range []string{path.Join("/", p.language, link) + "/", link} {
				if target := byAddress[address]; target != nil {
					want = append(want, "/"+records[target].Meta["url"])
					if own := byFile[p.language+"/"+strings.TrimPrefix(target.file, target.language+"/")]; own != nil {
						want = append(want, "/"+own.Meta["url"])
					}
				}
			}
			switch {
			case len(want) == 0: // the site has no page there
			case slices.Contains(want, "/"+r.Meta["url"]): // the page itself: an anchor alone is left
			case slices.ContainsFunc(r.links, func(l string) bool { return slices.Contains(want, withoutFragment(l)) }):
				right++
			default:
				wrong = append(wrong, p.file+": "+link+", want "+want[0])
			}
		}
	}
	slices.Sort(wrong)
	t.Logf("%s: %d pages, %d records, left out %v, links %d right, %d wrong", s.name, len(pages), len(b.records), leftOut, right, len(wrong))
	if len(wrong) > 0 {
		t.Errorf("%d links are wrong:\n\t%s", len(wrong), few(wrong))
	}
}

// compareMarkers finds template markers that are left outside of code.
func (s *realSite) compareMarkers(t *testing.T, b *built) {
	t.Helper()
	left := map[string]int{}
	where := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(b.records)) {
		r := b.records[id]
		for _, marker := range markerForms.FindAllString(r.prose, -1) {
			marker = strings.TrimSpace(marker)
			left[marker]++
			where[marker] = cmp.Or(where[marker], r.Meta["url"])
		}
	}
	for marker, n := range s.shown {
		if left[marker] == n {
			delete(left, marker)
		}
	}
	if len(left) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(left))
	for _, marker := range names[:min(len(names), 20)] {
		t.Errorf("the marker %.100q is left %d times, %d on purpose; first in %s", marker, left[marker], s.shown[marker], where[marker])
	}
	t.Errorf("%d different markers are left", len(names))
}

func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return strings.TrimSuffix(address, "/")
}

// resolveLinks resolves the links of a body from an address, as browsers do. Those
// that leave the site are dropped.
func resolveLinks(nodes []*html.Node, base, host string) (links []string) {
	from, err := url.Parse(base)
	if err != nil {
		return nil
	}
	for _, top := range nodes {
		for n := range top.Descendants() {
			if n.Type != html.ElementNode || n.Data != "a" {
				continue
			}
			for _, a := range n.Attr {
				if a.Key != "href" || a.Val == "" || strings.HasPrefix(a.Val, "#") {
					continue
				}
				u, err := url.Parse(strings.TrimSpace(a.Val))
				if err != nil {
					continue
				}
				if u.Host == host && (u.Scheme == "http" || u.Scheme == "https") {
					u.Scheme, u.Host = "", ""
				}
				if u = from.ResolveReference(u); u.Scheme != "" || u.Host != "" {
					continue
				}
				links = append(links, path.Join("/", u.Path)+"/")
			}
		}
	}
	return links
}

// eachFile calls f with the files below a folder with one of some endings.
func eachFile(t *testing.T, dir string, endings []string, f func(name string, text string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && full != dir {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !slices.Contains(endings, path.Ext(full)) {
			return err
		}
		text, err := os.ReadFile(full)
		if err == nil {
			name, _ := filepath.Rel(dir, full)
			f(filepath.ToSlash(name), strings.ReplaceAll(string(text), "\r\n", "\n"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
