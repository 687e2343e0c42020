package generator

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
)

// sharedCorpus is a real site. What is expected of it is found in its files by plain
// means that share no code with the generator.
type sharedCorpus struct {
	name      string
	languages string            // its folders named after languages
	root      string            // the language of pages outside of those
	namespace string            // as its site.yaml has it
	leftOut   string            // a folder that is not built
	ignored   []string          // fields that are no meta
	renamed   map[string]string // fields of its pages that are a meta key of another name
	created   string            // the field with the date of creation
	modified  string
	base      string
	styles    []string // of links that it is built with
	pages     int
	stubs     int

	// odd checks what makes this corpus worth building.
	odd func(t *testing.T, records []clientRecord, expected map[string]*expectedPage)
}

var corpora = []*sharedCorpus{
	{
		name: "letsencrypt",
		languages: "ca cs da de el en es fa fi fr he hr hu id it ja ko pl pt-br ru si sr sv ta th tr uk uz vi " +
			"zh-cn zh-tw",
		namespace: "5d5e2b6c-9f0a-4a53-8f3b-0a3f6f4e1c11",
		leftOut:   "base-l10n",
		ignored:   []string{"menu", "aliases", "url", "untranslated", "slug", "date", "lastmod"},
		created:   "date",
		modified:  "lastmod",
		base:      "https://letsencrypt.example.org",
		styles:    []string{"query"},
		odd:       oddLetsEncrypt,
		pages:     837,
		stubs:     607,
	},
	{
		name: "learnxinyminutes",
		languages: "ar be bg ca cs da de el es fa fi fr he hi hu id it ja ko lt ms nl no pl pt-br pt-pt ro ru sk sl " +
			"sv ta th tr uk vi zh-cn zh-tw",
		root:      "en",
		namespace: "8a1f3e52-0c6b-4d6f-9d0b-2d1f6f2a7c22",
		ignored:   []string{"contributors", "translators"},
		renamed:   map[string]string{"name": "title"},
		base:      "https://learnx.example.org",
		styles:    []string{"query", "file", "file+query"},
		odd:       oddLearnX,
		pages:     876,
	},
}

// corpusFolder returns where the pages of a corpus lie. Without the corpora the
// test is skipped, unless that is forbidden.
func (c *sharedCorpus) folder(t *testing.T) string {
	t.Helper()
	root := cmp.Or(os.Getenv("SIVU_CORPORA"), filepath.Join("..", "shared", "corpora"))
	if !filepath.IsAbs(root) {
		root = filepath.Join("..", root) // seen from the top of the repository
	}
	dir := filepath.Join(root, c.name, "content")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			t.Fatalf("the real corpora are required: %v", err)
		}
		t.Skipf("SKIPPED: the real corpora are not there (%v); SIVU_CORPORA names their folder", err)
	}
	return dir
}

func (c *sharedCorpus) siteFile() string { return filepath.Join("testdata", "corpora", c.name+".yaml") }

// datedFS shows every file with a modification time of its own, the same on
// every machine, and leaves the files as they are.
type datedFS struct{ fs.FS }

type datedFile struct {
	fs.File
	name string
}

type datedEntry struct {
	fs.DirEntry
	name string
}

type datedInfo struct {
	fs.FileInfo
	at time.Time
}

// dateOf returns the time of a file: later than all dates in the corpora, to
// the nanosecond, and not in UTC.
func dateOf(name string) time.Time {
	n := int64(crc32.ChecksumIEEE([]byte(name)))
	return time.Date(2026, 8, 1, 0, 0, 0, 0, time.FixedZone("", 3*3600)).Add(time.Duration(n) * 1_000_003)
}

func (f *datedFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &datedFile{file, name}, nil
}

func (f *datedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	for i, e := range entries {
		entries[i] = datedEntry{e, path.Join(name, e.Name())}
	}
	return entries, err
}

func (f *datedFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return datedInfo{info, dateOf(f.name)}, err
}

func (e datedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	return datedInfo{info, dateOf(e.name)}, err
}

func (i datedInfo) ModTime() time.Time { return i.at }

// expectedPage is what a source page has to become.
type expectedPage struct {
	path     string // of the source
	language string
	meta     []string // as clientMeta prints it
	created  string
	modified string
	body     string
	html     bool
	crlf     bool
	slug     string
}

var (
	frontMatter = regexp.MustCompile(`^\s*---\n((?s:.*?)\n)---[ \t]*(?:\n|$)`)
	fieldLine   = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):[ \t]*(.*)$`)
)

// expect reads all sources of a corpus and returns the pages it has to have, by
// id, and the number of stubs.
func (c *sharedCorpus) expect(t *testing.T, dir string) (pages map[string]*expectedPage, stubs int) {
	t.Helper()
	pages = map[string]*expectedPage{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, _ := filepath.Rel(dir, name)
		below = filepath.ToSlash(below)
		hidden := strings.HasPrefix(d.Name(), ".") && below != "."
		if d.IsDir() && (hidden || below == c.leftOut) {
			return fs.SkipDir
		}
		ending := path.Ext(below)
		if d.IsDir() || hidden || !slices.Contains([]string{".md", ".markdown", ".html", ".htm"}, ending) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		language, rest, _ := strings.Cut(below, "/")
		if !slices.Contains(strings.Fields(c.languages), language) {
			language, rest = c.root, below
		}
		stem := strings.TrimSuffix(rest, ending)
		p := c.page(t, below, language, stem, strings.ReplaceAll(string(text), "\r\n", "\n"))
		if p == nil {
			stubs++
			return nil
		}
		p.crlf = bytes.Contains(text, []byte("\r\n"))
		id := uuid.NewSHA1(uuid.MustParse(c.namespace), []byte(language+"/"+stem)).String()
		if pages[id] != nil {
			t.Errorf("%s and %s have one id", below, pages[id].path)
		}
		pages[id] = p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages, stubs
}

// page returns what one source has to become; nil for a stub.
func (c *sharedCorpus) page(t *testing.T, name, language, stem, text string) *expectedPage {
	t.Helper()
	match := frontMatter.FindStringSubmatchIndex(text)
	if match == nil {
		t.Fatalf("%s: no front matter", name)
	}
	p := &expectedPage{path: name, language: language, body: text[match[1]:], html: path.Ext(name) == ".html"}
	fields, order := scanFields(text[match[2]:match[3]])
	if fields["untranslated"] == "1" {
		return nil
	}
	titled := false
	for _, field := range order {
		if slices.Contains(c.ignored, field) {
			continue
		}
		key := field
		if renamed, ok := c.renamed[field]; ok {
			key = renamed
		}
		titled = titled || key == "title"
		p.meta = append(p.meta, fmt.Sprintf("%s: %q", key, fields[field]))
	}
	if !titled {
		p.meta = append(p.meta, fmt.Sprintf("title: %q", p.findTitle(t, stem)))
	}
	url := language
	if last := path.Base(stem); last != "index" && last != "_index" {
		url += "/" + stem
	} else if folder := path.Dir(stem); folder != "." {
		url += "/" + folder
	}
	if p.slug = fields["slug"]; p.slug != "" && url != language {
		url = path.Dir(url) + "/" + p.slug
	} else if p.slug != "" {
		url += "/" + p.slug
	}
	p.meta = append(p.meta, fmt.Sprintf("url: %q", url))
	mtime := dateOf(name).UTC().Truncate(time.Microsecond).Format("2006-01-02T15:04:05.000000Z")
	p.created, p.modified = corpusDate(fields[c.created]), corpusDate(fields[c.modified])
	if p.modified == "" {
		p.modified = cmp.Or(p.created, mtime)
	}
	if p.created == "" {
		p.created = p.modified
	}
	return p
}

// scanFields returns the fields of front matter that have a text, in order.
func scanFields(text string) (fields map[string]string, order []string) {
	fields = map[string]string{}
	field := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		match := fieldLine.FindStringSubmatch(line)
		if match == nil {
			if rest := strings.TrimSpace(line); rest != "" && fields[field] != "" { // a plain text goes on in the next line
				fields[field] += " " + rest
			}
			continue
		}
		field = match[1]
		value := strings.TrimSpace(match[2])
		switch {
		case len(value) > 1 && value[0] == '"':
			value = strings.ReplaceAll(value[1:len(value)-1], `\"`, `"`)
		case len(value) > 1 && value[0] == '\'':
			value = strings.ReplaceAll(value[1:len(value)-1], `''`, `'`)
		}
		fields[field] = value
		order = append(order, field)
	}
	return fields, order
}

// corpusDate turns the two forms of dates that the corpora have into the
// contract's.
func corpusDate(date string) string {
	switch {
	case len(date) == len("2006-01-02"):
		return date + "T00:00:00.000000Z"
	case strings.HasSuffix(date, "Z"):
		return strings.TrimSuffix(date, "Z") + ".000000Z"
	}
	return date
}

// findTitle returns the text of the first h1 of the body, else the end of the
// path.
func (p *expectedPage) findTitle(t *testing.T, stem string) string {
	t.Helper()
	for _, n := range p.rendered(t) {
		for h := range n.Descendants() {
			if title := strings.Join(strings.Fields(textOf([]*html.Node{h})), " "); h.Data == "h1" && title != "" {
				return title
			}
		}
	}
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, "/index"), "/_index")
	return path.Base(stem)
}

// plainMarkdown is goldmark as it comes, with the extensions that templates/help/bodies.md names.
var plainMarkdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM, extension.Footnote),
	goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()),
)

// rendered returns the page's body as a browser would have it that knew no
// cleaning, in a single div.
func (p *expectedPage) rendered(t *testing.T) []*html.Node {
	t.Helper()
	var out strings.Builder
	out.WriteString("<div>")
	if p.html {
		out.WriteString(p.body)
	} else if err := plainMarkdown.Convert([]byte(p.body), &out); err != nil {
		t.Fatal(err)
	}
	out.WriteString("</div>")
	return parseHTML(t, out.String())
}

// gone are the elements that are removed with what they hold.
var gone = strings.Fields("script style template svg title xmp plaintext iframe")

var headingID = regexp.MustCompile(`[ \t]*\{#[\w-]+\}$`)

// textOf returns the text that readers see, with boxes as characters.
func textOf(nodes []*html.Node) string {
	var b strings.Builder
	var write func(n *html.Node)
	write = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type != html.ElementNode || slices.Contains(gone, n.Data):
			return
		case n.Data == "input":
			box := "☐"
			if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
				box = "☑"
			}
			b.WriteString(box)
		}
		start := b.Len()
		for c := range n.ChildNodes() {
			write(c)
		}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Type == html.ElementNode {
			text := headingID.ReplaceAllString(b.String()[start:], "")
			rest := b.String()[:start]
			b.Reset()
			b.WriteString(rest + text)
		}
	}
	for _, n := range nodes {
		write(n)
	}
	return b.String()
}

// skeleton returns the elements that carry the meaning of a body, in order.
func skeleton(nodes []*html.Node) (names []string) {
	for _, top := range nodes {
		for n := range top.Descendants() {
			if slices.ContainsFunc(slices.Collect(n.Ancestors()), func(a *html.Node) bool { return slices.Contains(gone, a.Data) }) {
				continue
			}
			switch n.Data {
			case "h1", "h2", "h3", "h4", "h5", "h6", "li", "table", "tr", "td", "th", "img", "pre", "code", "blockquote", "a", "em", "strong":
				if n.Type == html.ElementNode {
					names = append(names, n.Data)
				}
			}
		}
	}
	return names
}

func TestCorpora(t *testing.T) {
	for _, c := range corpora {
		t.Run(c.name, func(t *testing.T) {
			dir := c.folder(t)
			t.Parallel()
			expected, stubs := c.expect(t, dir)
			if len(expected) != c.pages || stubs != c.stubs {
				t.Errorf("the corpus has %d pages and %d stubs, want %d and %d", len(expected), stubs, c.pages, c.stubs)
			}
			styles := c.styles
			if os.Getenv("SIVU_ALL") == "" {
				styles = styles[:1]
			}
			for _, style := range styles {
				out := t.TempDir()
				result := c.build(t, Options{Content: dir, SiteFile: c.siteFile(), Out: out, FS: &datedFS{os.DirFS(dir)}, Links: style})
				if result.Records != len(expected) || result.Skipped != stubs || !result.MTimeDates {
					t.Errorf("%d records, %d skipped, mtime %v", result.Records, result.Skipped, result.MTimeDates)
				}
				records := walkSnapshot(t, out, c.base, style)
				if len(records) != len(expected) {
					t.Errorf("%s: met %d records, want %d", style, len(records), len(expected))
				}
				if style == "query" {
					c.compare(t, records, expected)
					c.odd(t, records, expected)
					c.logCounts(t, records, stubs)
				}
			}
		})
	}
}

func (c *sharedCorpus) build(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed || result.Report.Errors > 0 {
		t.Fatalf("the build failed: %v", result.Report.Diagnostics[:1])
	}
	return result
}

// compare compares a snapshot with what the sources ask for.
func (c *sharedCorpus) compare(t *testing.T, records []clientRecord, expected map[string]*expectedPage) {
	t.Helper()
	missing := maps.Clone(expected)
	for i := range records {
		r := &records[i]
		p := missing[r.id]
		if p == nil {
			t.Errorf("the record %s (%s) has no source", r.id, r.Meta)
			continue
		}
		delete(missing, r.id)
		if r.Language != p.language || r.Created != p.created || r.Modified != p.modified {
			t.Errorf("%s is %s, %s, %s, want %s, %s, %s", p.path,
				r.Language, r.Created, r.Modified, p.language, p.created, p.modified)
		}
		var meta []string
		for _, m := range r.meta {
			meta = append(meta, m.String())
		}
		if diff := gocmp.Diff(p.meta, meta); diff != "" {
			t.Errorf("%s: meta (-want +got):\n%s", p.path, diff)
		}
		compareBodies(t, p, *r.Content)
	}
	for id, p := range missing {
		t.Errorf("%s (%s) is missing", p.path, id)
	}
}

// compareBodies compares a content with the page's body, as readers see both.
func compareBodies(t *testing.T, p *expectedPage, got string) {
	t.Helper()
	want, have := p.rendered(t), parseHTML(t, got)
	trim := func(nodes []*html.Node) string { return strings.TrimSpace(textOf(nodes)) }
	if diff := gocmp.Diff(trim(want), trim(have)); diff != "" {
		t.Errorf("%s: text (-want +got):\n%.2000s", p.path, diff)
	}
	if diff := gocmp.Diff(skeleton(want), skeleton(have)); diff != "" {
		t.Errorf("%s: elements (-want +got):\n%.1000s", p.path, diff)
	}
}

func (c *sharedCorpus) logCounts(t *testing.T, records []clientRecord, stubs int) {
	counts := map[string]int{}
	for _, r := range records {
		counts[r.Language]++
	}
	var list []string
	for _, language := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", language, counts[language]))
	}
	t.Logf("%s: %d records in %d languages, %d stubs left out: %s", c.name, len(records), len(counts), stubs, strings.Join(list, ", "))
}

// oddLetsEncrypt checks that shortcodes, which sivu knows nothing of, are left
// as text.
func oddLetsEncrypt(t *testing.T, records []clientRecord, expected map[string]*expectedPage) {
	pages, shortcodes := 0, 0
	for _, r := range records {
		p := expected[r.id]
		if p == nil {
			continue
		}
		want, got := countShortcodes(p.body), countShortcodes(html.UnescapeString(*r.Content))
		if got != want {
			t.Errorf("%s: %d shortcodes are left of %d", p.path, got, want)
		}
		if want > 0 {
			pages++
			shortcodes += want
		}
	}
	if pages == 0 {
		t.Error("no page has a shortcode")
	}
	t.Logf("letsencrypt: %d shortcodes on %d pages are text", shortcodes, pages)
}

func countShortcodes(text string) int { return strings.Count(text, "{{<") + strings.Count(text, "{{%") }

// oddLearnX checks a language that YAML 1.1 takes for false, English at the
// root, a file with CRLF, and addresses of scripts that are only talked about.
func oddLearnX(t *testing.T, records []clientRecord, expected map[string]*expectedPage) {
	byPath := map[string]clientRecord{}
	scripts := 0
	for _, r := range records {
		p := expected[r.id]
		if p == nil {
			continue
		}
		byPath[p.path] = r
		if strings.Contains(*r.Content, "\r") {
			t.Errorf("%s: a carriage return is left", p.path)
		}
		if n := strings.Count(strings.ToLower(p.body), "javascript:"); n > 0 {
			scripts++
			if got := strings.Count(strings.ToLower(textOf(parseHTML(t, *r.Content))), "javascript:"); got != n {
				t.Errorf("%s: says javascript: %d times, want %d", p.path, got, n)
			}
		}
	}
	if scripts < 20 {
		t.Errorf("only %d pages talk of javascript:", scripts)
	}
	t.Logf("learnxinyminutes: %d pages say javascript: and keep it", scripts)
	for name, want := range map[string]string{"no/bash.md": "no no/bash bash", "no/json.md": "no no/json json", "python.md": "en en/python Python"} {
		r := byPath[name]
		if r.id == "" {
			t.Fatalf("%s is missing", name)
		}
		if got := r.Language + " " + r.text(t, "url") + " " + r.text(t, "title"); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if r := byPath["scheme.md"]; r.id == "" || !expected[r.id].crlf {
		t.Error("scheme.md is not the file with CRLF any more")
	}
	fennel := byPath["fennel.md"]
	if got := fennel.text(t, "language"); got != "fennel" {
		t.Errorf("the meta key language of fennel.md is %q", got)
	}
}

// Three pages of Let's Encrypt share one slug: that is a warning for each after
// the first, and nothing else of the kind is found.
func TestCorporaDuplicateSlug(t *testing.T) {
	c := corpora[0]
	dir := c.folder(t)
	site, err := os.ReadFile(c.siteFile())
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "site.yaml")
	const only = "\nrules: {html-removed: off, broken-link: off, missing-translation: off, asset-address: off, html-cosmetic: off, empty-body: off, image-alt: off}\n"
	if err := os.WriteFile(name, append(site, only...), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := Check(t.Context(), Options{Content: dir, SiteFile: name, FS: &datedFS{os.DirFS(dir)}})
	if err != nil {
		t.Fatal(err)
	}
	expected, _ := c.expect(t, dir)
	bySlug := map[string][]string{}
	for _, p := range expected {
		url := p.meta[len(p.meta)-1]
		bySlug[url] = append(bySlug[url], p.path)
	}
	var want []string
	for url, paths := range bySlug {
		slices.Sort(paths)
		for _, p := range paths[1:] {
			want = append(want, fmt.Sprintf("%s:1:1 duplicate-url meta.%s is also that of %q",
				path.Join(filepath.ToSlash(dir), p), strings.Replace(url, ": ", " ", 1), paths[0]))
		}
	}
	slices.Sort(want)
	var got []string
	for _, d := range result.Report.Diagnostics {
		got = append(got, fmt.Sprintf("%s %s %s", d.Pos, d.Rule.Name, d.Message))
	}
	if diff := gocmp.Diff(want, got); diff != "" || len(want) != 2 {
		t.Errorf("%d warnings expected (-want +got):\n%s", len(want), diff)
	}
}
