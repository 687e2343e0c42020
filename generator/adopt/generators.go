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

// config is the configuration of a generator: the values of YAML, TOML or JSON, whose
// names are in lower case, or the text of JavaScript and TypeScript.
type config struct {
	file   string // its name
	values table
	script string
}

// table is a map of a configuration. Its methods give zero values where there is no such
// value.
type table map[string]any

func (t table) text(name string) string {
	text, _ := t[name].(string)
	return text
}

func (t table) table(name string) table {
	below, _ := t[name].(table)
	return below
}

func (t table) list(name string) (texts []string) {
	items, _ := t[name].([]any)
	for _, item := range items {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// tables returns the maps of a list, or the one map.
func (t table) tables(name string) (all []table) {
	items, isList := t[name].([]any)
	if !isList {
		items = []any{t[name]}
	}
	for _, item := range items {
		if one, ok := item.(table); ok {
			all = append(all, one)
		}
	}
	return all
}

// maxConfig is how many bytes of a configuration are read.
const maxConfig = 1 << 20

// readConfig reads the configuration of a generator in the root of a site, and returns
// nil where it has none there.
func readConfig(root string, g *generator) *config {
	c := &config{values: table{}}
	fsys := os.DirFS(root)
	for _, pattern := range g.configs {
		names, _ := fs.Glob(fsys, pattern)
		for _, name := range names {
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
			values, _ := lowered(data).(table)
			base := strings.TrimSuffix(path.Base(name), path.Ext(name))
			if base == "config" && len(g.has) > 0 && !slices.ContainsFunc(g.has, func(key string) bool { return values[key] != nil }) {
				continue
			}
			if strings.Contains(pattern, "_default/*") && base != "hugo" && base != "config" {
				values = table{strings.ToLower(base): values} // languages.toml has the value of "languages"
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
		t := make(table, len(value))
		for name, below := range value {
			t[strings.ToLower(name)] = lowered(below)
		}
		return t
	case []any:
		for i := range value {
			value[i] = lowered(value[i])
		}
	case bool:
		return fmt.Sprint(value)
	}
	return value
}

// contentFolders returns the folders that the configuration gives for the pages.
func (c *config) contentFolders(g *generator) (folders []string) {
	switch g.name {
	case page.Hugo:
		languages := c.values.table("languages")
		for _, language := range slices.Sorted(maps.Keys(languages)) {
			folders = append(folders, path.Dir(path.Clean(filepath.ToSlash(languages.table(language).text("contentdir")))))
		}
		folders = append(folders, c.values.text("contentdir"))
	case page.MkDocs:
		folders = []string{c.values.text("docs_dir")}
	case page.Eleventy:
		folders = []string{c.literal(`\binput\s*:`)}
	case page.VitePress:
		folders = []string{c.literal(`\bsrcDir\s*:`)}
	}
	return slices.DeleteFunc(folders, func(f string) bool { return f == "" || f == "." || !filepath.IsLocal(f) })
}

// literal returns the string that a script has after a pattern.
func (c *config) literal(after string) string {
	found := regexp.MustCompile(after + `\s*["']([^"'\n]+)["']`).FindStringSubmatch(c.script)
	if found == nil {
		return ""
	}
	return found[1]
}

// known is what a configuration says of a site.
type known struct {
	web        string            // where it is served
	languages  []string          // as folders and files name them
	folders    map[string]string // language by the name of its folder
	reference  string            // the default language; "" where it is not said
	prefixed   bool              // the reference language's addresses have a prefix, too
	pretty     bool              // addresses of pages end with a slash
	permalinks map[string]string
	timezone   string
	unrendered []string // names of folders that are never rendered
}

// facts returns what a configuration says.
func (w *place) facts() (k known) {
	c, v := &w.config, w.config.values
	k.folders = map[string]string{}
	if w.generator == nil {
		return k
	}
	k.pretty = true
	switch w.generator.name {
	case page.Hugo:
		k.web, k.timezone, k.prefixed = v.text("baseurl"), v.text("timezone"), v.text("defaultcontentlanguageinsubdir") == "true"
		k.pretty = v.text("uglyurls") != "true"
		k.languages = slices.Sorted(maps.Keys(v.table("languages")))
		k.reference = cmp.Or(v.text("defaultcontentlanguage"), before(v.text("languagecode"), "-"), "en")
		for _, language := range k.languages {
			if dir := v.table("languages").table(language).text("contentdir"); dir != "" {
				k.folders[path.Base(filepath.ToSlash(dir))] = language
			}
		}
		k.permalinks = hugoPermalinks(v.table("permalinks"))
		k.unrendered = hugoUnrendered(v)
	case page.Jekyll:
		k.web, k.timezone = v.text("url")+v.text("baseurl"), v.text("timezone")
		k.languages = v.list("languages")
		k.reference = cmp.Or(v.text("default_lang"), v.text("lang"), v.text("locale"), first(k.languages))
		k.pretty = v.text("permalink") == "pretty" || strings.HasSuffix(v.text("permalink"), "/")
	case page.MkDocs:
		k.web, k.pretty = v.text("site_url"), false // its links name files
		for _, plugin := range v.tables("plugins") {
			for _, language := range plugin.table("i18n").tables("languages") {
				k.languages = append(k.languages, language.text("locale"))
				if language.text("default") == "true" {
					k.reference = language.text("locale")
				}
			}
		}
		k.reference = cmp.Or(k.reference, v.table("theme").text("language"))
	default:
		k.web = cmp.Or(c.literal(`\b(?:site|url|hostname)\s*:`), c.literal(`\bsite\s*=[^;\n]*?`))
		k.pretty = w.generator.name != page.VitePress && (w.generator.name != page.Docusaurus || strings.Contains(c.script, "trailingSlash: true"))
		if k.reference = c.literal(`\bdefaultLocale\s*:`); k.reference == "root" { // Starlight: without a folder
			k.reference = ""
		}
		k.reference = cmp.Or(k.reference, c.literal(`\broot\s*:\s*\{[^}]*?\blang\s*:`), c.literal(`\blang\s*:`))
		if found := regexp.MustCompile(`\blocales\s*:\s*\[([^\]]*)\]`).FindStringSubmatch(c.script); found != nil {
			k.languages = anyName.FindAllString(found[1], -1)
		}
	}
	return k
}

var anyName = regexp.MustCompile(`[\w-]+`)

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func before(text, separator string) string {
	text, _, _ = strings.Cut(text, separator)
	return text
}

// hugoTokens are those of Hugo's permalinks that sivu has, too.
var hugoTokens = strings.NewReplacer(":year", "{year}", ":month", "{month}", ":day", "{day}",
	":slugorcontentbasename", "{slug}", ":slugorfilename", "{slug}", ":slug", "{slug}", ":contentbasename", "{slug}", ":filename", "{slug}", ":title", "{title}", ":sections", "{section}", ":section", "{section}")

// hugoPermalinks returns the patterns of the addresses of pages, by folder.
func hugoPermalinks(t table) map[string]string {
	if pages := t.table("page"); pages != nil {
		t = pages
	}
	patterns := make(map[string]string)
	for folder := range t {
		if pattern := strings.Trim(hugoTokens.Replace(t.text(folder)), "/"); pattern != "" && !strings.Contains(pattern, ":") {
			patterns[folder] = pattern
		}
	}
	return patterns
}

// hugoUnrendered returns the names in the paths of "cascade" whose pages are never rendered.
func hugoUnrendered(v table) (names []string) {
	for _, one := range v.tables("cascade") {
		if one.table("build").text("render") == "never" {
			target := one.table("target").text("path") + one.table("_target").text("path")
			names = append(names, anyName.FindAllString(target, -1)...)
		}
	}
	return names
}
