package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"go.yaml.in/yaml/v4"
	"golang.org/x/net/html"
)

// siteNow is the time that the sites are built at: pages that had expired by then
// are left out.
var siteNow = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// realSites are the real sites of the corpora.
var realSites = []*realSite{
	{name: "letsencrypt", content: "content", languages: "31 languages: en,", excluded: 1, records: 837, read: letsEncrypt},
	{name: "learnxinyminutes", content: "content", languages: "39 languages: en,", excluded: 0, records: 876, read: learnX},
	{name: "opentelemetry", content: "content", languages: "11 languages: en,", excluded: 5, records: 1658, read: openTelemetry},
	{name: "digitalgov", content: "content", languages: "1 language: en", excluded: 1, records: 2191, read: digitalGov},
	{name: "astro-docs", content: "src/content/docs", languages: "14 languages: en,", excluded: 1, records: 2569, read: astroDocs},
	{name: "letsencrypt-rendered", content: ".", languages: "28 languages: en,", excluded: 0, records: 1350},
	{name: "digitalgov-rendered", content: ".", languages: "1 language: en", excluded: 0, records: 480},
}

func corporaFolder(t *testing.T) string {
	t.Helper()
	dir := cmp.Or(os.Getenv("SIVU_CORPORA"), filepath.Join("..", "..", "..", "shared", "corpora"))
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
			t.Fatalf("the real sites are required: %v", err)
		}
		t.Skipf("SKIPPED: the real sites are not there (%v); SIVU_CORPORA names their folder", err)
	}
	return dir
}

// siteReader reads the pages of a folder as a site's generator does.
type siteReader struct {
	endings   []string
	languages []string // of the folders
	root      string   // language of pages outside of them, and of addresses without one
	host      string
	isHugo    bool
	skip      func(name string) bool // files that are no pages

	// permalink returns the address below the language of a page that has one of its
	// own, or "".
	permalink func(p *sitePage, name string, fields map[string]any) string

	t     *testing.T
	pages []*sitePage
	files map[string]*sitePage // by path below the content folder, without ending
	bases map[string][]*sitePage
}

func (r *siteReader) read(t *testing.T, dir string) []*sitePage {
	t.Helper()
	r.t, r.files, r.bases = t, map[string]*sitePage{}, map[string][]*sitePage{}
	eachFile(t, dir, r.endings, func(name, text string) {
		if r.skip == nil || !r.skip(name) {
			r.page(name, text)
		}
	})
	for _, p := range r.pages {
		if p.leftOut == "" {
			r.findLinks(p)
		}
	}
	return r.pages
}

var siteFrontMatter = regexp.MustCompile(`^\s*---[ \t]*\n((?s:.*?)\n?)---[ \t]*(?:\n|$)`)

func (r *siteReader) page(name, text string) {
	p := &sitePage{file: name, language: r.root, body: text, isHTML: path.Ext(name) == ".html"}
	rest := name
	if first, below, ok := strings.Cut(name, "/"); ok && slices.Contains(r.languages, first) {
		p.language, rest = first, below
	}
	fields := map[string]any{}
	if m := siteFrontMatter.FindStringSubmatchIndex(text); m != nil {
		p.body = text[m[1]:]
		fields = r.fields(text[m[2]:m[3]])
	}
	text1 := func(name string) string {
		value, _ := fields[name].(string)
		return strings.TrimSpace(value)
	}
	p.title = cmp.Or(text1("title"), text1("display_name"))
	p.created, p.modified = siteDate(fields["date"]), siteDate(fields["lastmod"])
	p.leftOut = reasonLeftOut(fields)
	stem := strings.TrimSuffix(rest, path.Ext(rest))
	address := strings.TrimSuffix(strings.TrimSuffix("/"+stem, "/index"), "/_index")
	if slug := text1("slug"); slug != "" && r.isHugo && path.Base(stem) != "_index" {
		address = path.Join(path.Dir(address), slug)
	}
	if r.permalink != nil {
		address = cmp.Or(r.permalink(p, rest, fields), address)
	}
	if own := text1("url"); own != "" && r.isHugo {
		address = own
	}
	prefix := ""
	if p.language != r.root {
		prefix = "/" + p.language
	}
	p.address = path.Join("/", prefix, address) + "/"
	if aliases, ok := fields["aliases"].([]any); ok {
		for _, alias := range aliases {
			p.aliases = append(p.aliases, path.Join("/", prefix, fmt.Sprint(alias))+"/")
		}
	}
	r.pages = append(r.pages, p)
	r.files[strings.TrimSuffix(name, path.Ext(name))] = p
	r.bases[path.Base(stem)] = append(r.bases[path.Base(stem)], p)
}

// fields returns front matter with its names in lower case.
func (r *siteReader) fields(text string) map[string]any {
	var raw map[string]any
	fields := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &raw); err != nil {
		for line := range strings.Lines(text) { // of a page with keys that are given twice, what is plain
			if name, value, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(name, " ") {
				fields[strings.ToLower(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
			}
		}
		return fields
	}
	for name, value := range raw {
		if r.isHugo {
			name = strings.ToLower(name)
		}
		fields[name] = value
	}
	return fields
}

var siteDateLayouts = []string{
	time.RFC3339, "2006-01-02", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05-0700",
	"2006-01-02 15:04:05-07:00", "2006-01-02 15:04", "2006-01-02T15:04", "2006-1-2", "2006-01-02 15:04:05 -07:00",
}

// siteTime returns the time that a field gives.
func siteTime(value any) (time.Time, bool) {
	if t, ok := value.(time.Time); ok {
		return t, true
	}
	text, _ := value.(string)
	for _, layout := range siteDateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func siteDate(value any) string {
	if t, ok := siteTime(value); ok {
		return t.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	return ""
}

// reasonLeftOut returns why a generator does not publish a page of its own, or "".
func reasonLeftOut(fields map[string]any) string {
	isTrue := func(value any) bool { return value == true || value == 1 || value == "true" }
	build, _ := fields["build"].(map[string]any)
	expires, isDated := siteTime(fields["expirydate"])
	publish, isPublished := siteTime(fields["publishdate"])
	switch {
	case isTrue(fields["draft"]):
		return "a draft"
	case isTrue(fields["untranslated"]):
		return "untranslated"
	case build["render"] == "never" || build["render"] == "link" || build["render"] == false:
		return "not rendered"
	case isDated && !expires.After(siteNow):
		return "expired"
	case isPublished && publish.After(siteNow):
		return "not published yet"
	}
	return ""
}

var (
	siteMarkdown = goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()),
	)
	siteRef    = regexp.MustCompile(`\{\{[<%]\s*(?:rel)?ref\s+["` + "`" + `]?([^"` + "`" + `\s>%]+)["` + "`" + `]?[^>%]*[>%]\}\}`)
	siteMarker = regexp.MustCompile(`\{\{[<%].*?[>%]\}\}`)
)

const siteRefPrefix = "/ref-of-hugo/"

// findLinks finds where the links of a page lead.
func (r *siteReader) findLinks(p *sitePage) {
	body := p.body
	if r.isHugo {
		body = siteRef.ReplaceAllString(body, siteRefPrefix+"$1")
		body = siteMarker.ReplaceAllString(body, "")
	}
	var out strings.Builder
	if p.isHTML {
		out.WriteString(body)
	} else if err := siteMarkdown.Convert([]byte(body), &out); err != nil {
		r.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(out.String()))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, link := range resolveLinks([]*html.Node{root}, p.address, r.host) {
		if ref, ok := strings.CutPrefix(link, siteRefPrefix); ok {
			if target := r.ref(p, strings.TrimSuffix(ref, "/")); target != nil {
				p.links = append(p.links, target.address)
			}
			continue
		}
		if file := strings.TrimSuffix(link, "/"); path.Ext(file) == ".md" || path.Ext(file) == ".mdx" {
			continue // the address of a file: the site's own generator rewrites it
		}
		p.links = append(p.links, link)
	}
}

// ref returns the page that a ref of Hugo names, or nil.
func (r *siteReader) ref(p *sitePage, name string) *sitePage {
	name = strings.TrimSuffix(strings.Trim(name, "/"), ".md")
	for _, full := range []string{name, p.language + "/" + name, path.Join(path.Dir(p.file), name)} {
		for _, index := range []string{"", "/_index", "/index"} {
			if target := r.files[full+index]; target != nil && target.leftOut == "" {
				return target
			}
		}
	}
	if found := r.bases[path.Base(name)]; len(found) == 1 && found[0].leftOut == "" {
		return found[0]
	}
	return nil
}

// derivedID returns the id that sivu documents for a page of a namespace.
func derivedID(t *testing.T, namespace string, p *sitePage) string {
	t.Helper()
	name := strings.TrimPrefix(strings.TrimSuffix(p.file, path.Ext(p.file)), p.language+"/")
	space, err := uuid.Parse(namespace)
	if err != nil {
		t.Fatalf("namespace %q: %v", namespace, err)
	}
	return uuid.NewSHA1(space, []byte(p.language+"/"+name)).String()
}

// settings returns the keys of the site.yaml that sivu init wrote.
func (b *built) settings() map[string]any {
	var all map[string]any
	if err := yaml.Unmarshal([]byte(b.site), &all); err != nil {
		panic(err)
	}
	return all
}

func (b *built) text(key string) string { return fmt.Sprint(b.settings()[key]) }

func (b *built) list(key string) (texts []string) {
	items, _ := b.settings()[key].([]any)
	for _, item := range items {
		texts = append(texts, fmt.Sprint(item))
	}
	return texts
}

func letsEncrypt(t *testing.T, dir string) []*sitePage {
	return (&siteReader{
		endings: []string{".md", ".markdown", ".html"}, root: "en", host: "letsencrypt.org", isHugo: true,
		languages: strings.Fields("en ca cs da de el es fa fi fr he hr hu id it ja ko pl pt-br ru si sr sv ta th tr uk uz vi zh-cn zh-tw"),
		skip:      func(name string) bool { return strings.HasPrefix(name, "base-l10n/") },
	}).read(t, dir)
}

func learnX(t *testing.T, dir string) []*sitePage {
	return (&siteReader{
		endings: []string{".md"}, root: "en", // nothing there names its host
		languages: strings.Fields("ar be bg ca cs da de el es fa fi fr he hi hu id it ja ko lt ms nl no pl pt-br pt-pt ro ru sk sl sv ta th tr uk vi zh-cn zh-tw"),
	}).read(t, dir)
}

func openTelemetry(t *testing.T, dir string) []*sitePage {
	return (&siteReader{
		endings: []string{".md"}, root: "en", host: "opentelemetry.io", isHugo: true,
		languages: strings.Fields("en ja zh pt es fr ro bn uk pl ko"),
	}).read(t, dir)
}

func digitalGov(t *testing.T, dir string) []*sitePage {
	return (&siteReader{
		endings: []string{".md"}, root: "en", host: "digital.gov", isHugo: true,
		permalink: func(p *sitePage, name string, fields map[string]any) string {
			date, ok := siteTime(fields["date"])
			section, below, _ := strings.Cut(name, "/")
			if !ok || path.Base(name) == "_index.md" || section != "news" && section != "events" {
				return ""
			}
			slug, _ := fields["slug"].(string)
			slug = cmp.Or(slug, strings.TrimSuffix(path.Base(below), ".md"))
			if section == "events" {
				return "/event" + date.Format("/2006/01/02/") + slug
			}
			return date.Format("/2006/01/02/") + slug
		},
	}).read(t, dir)
}

func astroDocs(t *testing.T, dir string) []*sitePage {
	return (&siteReader{
		endings: []string{".mdx"}, host: "docs.astro.build",
		languages: strings.Fields("en fr ko zh-cn es pt-br ru ja de it zh-tw pl hi ar"),
	}).read(t, dir)
}
