package adopt

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v4"

	"example.org/sivu/generator/page"
)

// generator is what is known of a generator of sites.
type generator struct {
	name    string
	configs []string // patterns of its configuration, below the site's root
	has     []string // keys of which one is in a configuration whose file's name says nothing
	content []string // folders of its pages, below the site's root
	aside   []string // patterns of what lies beside the pages and is none
	signs   []string // patterns of paths in a content folder without configuration
	render  string   // the command that renders a site, into the folder output
	output  string
	known   known                 // where no configuration says otherwise
	read    func(*known, *config) // reads a configuration
}

// generators are those that sivu knows, by page.Generators.
var generators = []*generator{
	{
		name:    page.Docusaurus,
		configs: []string{"docusaurus.config.*"},
		render:  "npm run build", output: "build",
		content: []string{"."},
		aside:   []string{"static", "build", "src/components", "src/theme", "**/_*"},
		signs:   []string{"i18n/*/docusaurus-plugin-content-docs"},
		read: func(k *known, c *config) {
			readScript(k, c)
			k.atFiles = !strings.Contains(c.script, "trailingSlash: true")
		},
	}, {
		name:    page.Astro,
		configs: []string{"astro.config.*"},
		render:  "npm run build", output: "dist",
		content: []string{"src/content/docs", "src/content", "src/pages"},
		aside:   []string{"**/_*"},
		read:    readScript,
	}, {
		name:    page.VitePress,
		configs: []string{".vitepress/config.*", ".vitepress/config/index.*", "docs/.vitepress/config.*", "docs/.vitepress/config/index.*"},
		render:  "npx vitepress build docs", output: "docs/.vitepress/dist",
		content: []string{"docs", "."},
		aside:   []string{"public"},
		known:   known{atFiles: true},
		read:    readScript,
	}, {
		name:    page.Eleventy,
		configs: []string{".eleventy.js", "eleventy.config.*", ".eleventy.cjs"},
		render:  "npx @11ty/eleventy", output: "_site",
		content: []string{"src", "content", "."},
		aside:   []string{"_includes", "_data", "_site", "_layouts"},
		read:    readScript,
	}, {
		name:    page.MkDocs,
		configs: []string{"mkdocs.yml", "mkdocs.yaml"},
		render:  "mkdocs build", output: "site",
		content: []string{"docs"},
		known:   known{atRoot: true, atFiles: true},
		read:    readMkDocs,
	}, {
		name:    page.Jekyll,
		configs: []string{"_config.yml", "_config.yaml", "_config.toml"},
		render:  "bundle exec jekyll build", output: "_site",
		content: []string{"."},
		aside:   []string{"_site", "_layouts", "_includes", "_data", "_sass", "_drafts", "_plugins", "assets", "admin"},
		signs:   []string{"_posts", "_layouts"},
		read:    readJekyll,
	}, {
		name: page.Hugo,
		configs: []string{
			"hugo.yaml", "hugo.yml", "hugo.toml", "hugo.json", "config/_default/*.yaml", "config/_default/*.yml", "config/_default/*.toml", "config/_default/*.json",
			"config.yaml", "config.yml", "config.toml", "config.json",
		},
		has:    []string{"baseurl", "theme", "languages", "defaultcontentlanguage"},
		render: "hugo", output: "public",
		content: []string{"content"},
		signs:   []string{"_index.md", "*/_index.md", "_index.*.md", "*/_index.*.md"},
		known:   known{atRoot: true},
		read:    readHugo,
	},
}

// config is the configuration of a generator: the values of YAML, TOML or JSON, whose
// names are in lower case, or the text of JavaScript and TypeScript.
type config struct {
	file   string // its name
	values map[string]any
	script string
}

// at returns the value below some names, or nil.
func at(value any, names ...string) any {
	for _, name := range names {
		below, _ := value.(map[string]any)
		value = below[name]
	}
	return value
}

// text returns the text below some names, or "".
func text(value any, names ...string) string {
	text, _ := at(value, names...).(string)
	return text
}

// list returns the items of a list, or the one value.
func list(value any) []any {
	if items, isList := value.([]any); isList {
		return items
	}
	return []any{value}
}

// names returns the names in a map, in their order.
func names(value any) []string {
	below, _ := value.(map[string]any)
	return slices.Sorted(maps.Keys(below))
}

// maxConfig is how many bytes of a configuration are read.
const maxConfig = 1 << 20

// readConfig reads the configuration of a generator in the root of a site, and returns
// nil where it has none there.
func readConfig(root string, g *generator) *config {
	c := &config{values: map[string]any{}}
	fsys := os.DirFS(root)
	for _, pattern := range g.configs {
		found, _ := fs.Glob(fsys, pattern)
		for _, name := range found {
			info, err := fs.Stat(fsys, name)
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
				continue
			}
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				continue
			}
			var data any
			switch path.Ext(name) { // where one of these fails, the folders tell
			case ".yaml", ".yml", ".json":
				yaml.Unmarshal(text, &data)
			case ".toml":
				toml.Unmarshal(text, &data)
			default:
				c.script += string(text)
			}
			values, _ := lowered(data).(map[string]any)
			base := strings.TrimSuffix(path.Base(name), path.Ext(name))
			if base == "config" && len(g.has) > 0 && !slices.ContainsFunc(g.has, func(key string) bool { return values[key] != nil }) {
				continue
			}
			if strings.Contains(pattern, "_default/*") && base != "hugo" && base != "config" {
				values = map[string]any{strings.ToLower(base): values} // languages.toml has the value of "languages"
			}
			maps.Copy(c.values, values)
			c.file = cmp.Or(c.file, name)
		}
	}
	if c.file == "" {
		return nil
	}
	return c
}

// lowered returns a value of a configuration with names in lower case: Hugo and Jekyll do
// not tell them apart, and no other generator has two that differ in nothing else.
func lowered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		below := make(map[string]any, len(value))
		for name, v := range value {
			below[strings.ToLower(name)] = lowered(v)
		}
		return below
	case []any:
		for i := range value {
			value[i] = lowered(value[i])
		}
	case bool:
		return fmt.Sprint(value)
	}
	return value
}

// known is what a configuration says of a site.
type known struct {
	content    []string          // folders of the pages
	web        string            // where it is served
	languages  []string          // as folders and files name them
	folders    map[string]string // language by the name of its folder
	reference  string            // the default language; "" where it is not said
	atRoot     bool              // the reference language's addresses have no prefix
	atFiles    bool              // relative links start at files: addresses of pages have no slash at their end
	permalinks map[string]string
	timezone   string
	unrendered []string // names of folders that are never rendered
}

// facts returns what a configuration says, which may be nil.
func (g *generator) facts(c *config) *known {
	k := g.known
	if c != nil {
		g.read(&k, c)
	}
	k.content = slices.DeleteFunc(append(k.content, g.content...), func(f string) bool { return f == "" || !filepath.IsLocal(f) })
	return &k
}

func readHugo(k *known, c *config) {
	v := c.values
	k.web, k.timezone, k.atRoot = text(v, "baseurl"), text(v, "timezone"), text(v, "defaultcontentlanguageinsubdir") != "true"
	k.atFiles = text(v, "uglyurls") == "true"
	k.languages, k.folders = names(v["languages"]), make(map[string]string)
	k.reference = cmp.Or(text(v, "defaultcontentlanguage"), before(text(v, "languagecode"), "-"), "en")
	for _, language := range k.languages {
		if dir := filepath.ToSlash(text(v, "languages", language, "contentdir")); dir != "" {
			k.folders[path.Base(dir)] = language
			k.content = append(k.content, path.Dir(path.Clean(dir)))
		}
	}
	k.content = append(k.content, text(v, "contentdir"))
	permalinks := v["permalinks"]
	if pages := at(permalinks, "page"); text(permalinks, "page") == "" && pages != nil {
		permalinks = pages
	}
	k.permalinks = make(map[string]string)
	for _, folder := range names(permalinks) {
		if pattern := strings.Trim(hugoTokens.Replace(text(permalinks, folder)), "/"); pattern != "" && !strings.Contains(pattern, ":") {
			k.permalinks[folder] = pattern
		}
	}
	for _, one := range list(v["cascade"]) {
		if text(one, "build", "render") == "never" {
			k.unrendered = append(k.unrendered, anyName.FindAllString(text(one, "target", "path")+text(one, "_target", "path"), -1)...)
		}
	}
}

// hugoTokens are those of Hugo's permalinks that sivu has, too.
var hugoTokens = strings.NewReplacer(":year", "{year}", ":month", "{month}", ":day", "{day}",
	":slugorcontentbasename", "{slug}", ":slugorfilename", "{slug}", ":slug", "{slug}", ":contentbasename", "{slug}", ":filename", "{slug}", ":title", "{title}", ":sections", "{section}", ":section", "{section}")

func readJekyll(k *known, c *config) {
	v := c.values
	k.web, k.timezone = text(v, "url")+text(v, "baseurl"), text(v, "timezone")
	for _, item := range list(v["languages"]) {
		if name, ok := item.(string); ok {
			k.languages = append(k.languages, name)
		}
	}
	k.reference = cmp.Or(append([]string{text(v, "default_lang"), text(v, "lang"), text(v, "locale")}, k.languages...)...)
	k.atFiles = text(v, "permalink") != "pretty" && !strings.HasSuffix(text(v, "permalink"), "/")
}

func readMkDocs(k *known, c *config) {
	v := c.values
	k.web, k.content = text(v, "site_url"), []string{text(v, "docs_dir")}
	for _, plugin := range list(v["plugins"]) {
		for _, language := range list(at(plugin, "i18n", "languages")) {
			if locale := text(language, "locale"); locale != "" {
				k.languages = append(k.languages, locale)
				if text(language, "default") == "true" {
					k.reference = locale
				}
			}
		}
	}
	k.reference = cmp.Or(k.reference, text(v, "theme", "language"))
}

// readScript reads what literals of JavaScript or TypeScript tell.
func readScript(k *known, c *config) {
	literal := func(after string) string {
		found := regexp.MustCompile(after + `\s*["']([^"'\n]+)["']`).FindStringSubmatch(c.script)
		if found == nil {
			return ""
		}
		return found[1]
	}
	k.content = []string{literal(`\b(?:dir\s*:\s*\{[^}]*?\binput|srcDir)\s*:`)}
	k.web = cmp.Or(literal(`\b(?:site|url|hostname)\s*:`), literal(`\bsite\s*=[^;\n]*?`))
	if k.reference = literal(`\bdefaultLocale\s*:`); k.reference == "root" { // Starlight: without a folder
		k.reference = ""
	}
	k.reference = cmp.Or(k.reference, literal(`\broot\s*:\s*\{[^}]*?\blang\s*:`), literal(`\blang\s*:`))
	if found := regexp.MustCompile(`\blocales\s*:\s*\[([^\]]*)\]`).FindStringSubmatch(c.script); found != nil {
		k.languages = anyName.FindAllString(found[1], -1)
	}
}

var anyName = regexp.MustCompile(`[\w-]+`)

func before(text, separator string) string {
	text, _, _ = strings.Cut(text, separator)
	return text
}
