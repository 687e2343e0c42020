package adopt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/page"
	"example.org/sivu/generator/source"
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
}

// beside are what lies in the root of a site beside its pages, whatever the generator.
var beside = []string{"node_modules", "vendor", "README*", "CONTRIBUTING*", "CHANGELOG*", "LICENSE*", "LICENCE*", "CODE_OF_CONDUCT*", "SECURITY*"}

// generators are those that sivu knows, by page.Generators.
var generators = []*generator{
	{
		name:    page.Docusaurus,
		configs: []string{"docusaurus.config.*"},
		render:  "npm run build", output: "build",
		content: []string{"."},
		aside:   []string{"static", "build", "src/components", "src/theme", "**/_*"},
		signs:   []string{"i18n/*/docusaurus-plugin-content-docs"},
	}, {
		name:    page.Astro,
		configs: []string{"astro.config.*"},
		render:  "npm run build", output: "dist",
		content: []string{"src/content/docs", "src/content", "src/pages"},
		aside:   []string{"**/_*"},
	}, {
		name:    page.VitePress,
		configs: []string{".vitepress/config.*", ".vitepress/config/index.*", "docs/.vitepress/config.*", "docs/.vitepress/config/index.*"},
		render:  "npx vitepress build docs", output: "docs/.vitepress/dist",
		content: []string{"docs", "."},
		aside:   []string{"public"},
	}, {
		name:    page.Eleventy,
		configs: []string{".eleventy.js", "eleventy.config.*", ".eleventy.cjs"},
		render:  "npx @11ty/eleventy", output: "_site",
		content: []string{"src", "content", "."},
		aside:   []string{"_includes", "_data", "_site", "_layouts"},
	}, {
		name:    page.MkDocs,
		configs: []string{"mkdocs.yml", "mkdocs.yaml"},
		render:  "mkdocs build", output: "site",
		content: []string{"docs"},
	}, {
		name:    page.Jekyll,
		configs: []string{"_config.yml", "_config.yaml", "_config.toml"},
		render:  "bundle exec jekyll build", output: "_site",
		content: []string{"."},
		aside:   []string{"_site", "_layouts", "_includes", "_data", "_sass", "_drafts", "_plugins", "assets", "admin"},
		signs:   []string{"_posts", "_layouts"},
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
	},
}

// commonFolders are where pages lie in sites whose generator is not known.
var commonFolders = []string{"content", "src/content/docs", "src/content", "docs"}

// renderedFolders are where generators write to.
var renderedFolders = []string{"public", "_site", "dist", "build", "site", "out"}

// place is where a site lies.
type place struct {
	root      string // of the site
	content   string // the content folder
	generator *generator
	sign      string // by which the generator was found
	config    config
	rendered  bool
	empty     bool // there is nothing but what lies beside pages
}

// locate finds the content folder of a site, and its generator.
func locate(folder string) (*place, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s does not exist; name that of a site or of its pages, or make an empty one", diag.Quote(folder))
	} else if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be read: %w", diag.Quote(folder), fsutil.Reason(err))
	}
	isBeside := func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || slices.ContainsFunc(beside, func(pattern string) bool { ok, _ := path.Match(pattern, e.Name()); return ok })
	}
	if entries = slices.DeleteFunc(entries, isBeside); len(entries) == 0 { // a new repository has a README
		return &place{content: starterFolder(folder), empty: true}, nil
	}
	w := &place{root: folder, content: folder}
	if w.configured(folder) {
		return w, nil
	}
	if sources, documents := countPages(folder); documents > sources {
		if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
			w.content = mostIn(folder, renderedFolders)
		}
		w.rendered = true
		return w, nil
	} else if sources+documents == 0 {
		return nil, fmt.Errorf("no pages in %s: pages are Markdown, MDX or HTML files; name their folder, or an empty one for a starter", diag.Quote(folder))
	}
	w.content = mostIn(folder, commonFolders)
	w.fromSigns()
	return w, nil
}

// configured finds the configuration of a generator in a folder, or in one above it
// whose pages lie in the folder.
func (w *place) configured(folder string) bool {
	full, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	for levels, root := 0, full; levels < 4; levels, root = levels+1, filepath.Dir(root) {
		for _, g := range generators {
			c := readConfig(root, g)
			if c == nil {
				continue
			}
			for _, name := range append(c.contentFolders(g), g.content...) {
				content := filepath.Join(root, filepath.FromSlash(name))
				if levels > 0 && content != full {
					continue
				}
				if n, documents := countPages(content); n+documents == 0 {
					continue
				}
				w.root, w.generator, w.config, w.sign = root, g, *c, "its configuration is "+c.file
				w.content = filepath.Join(folder, strings.TrimPrefix(content, full))
				return true
			}
		}
	}
	return false
}

// fromSigns finds the generator by the names of files.
func (w *place) fromSigns() {
	for _, g := range generators {
		for _, sign := range g.signs {
			if found, _ := fs.Glob(os.DirFS(w.content), sign); w.generator == nil && len(found) > 0 {
				w.generator, w.sign = g, found[0]+" is one of its names"
			}
		}
	}
}

// mostIn returns the first of some folders in which at least half of the pages lie, or the
// one that they are in.
func mostIn(folder string, names []string) string {
	sources, documents := countPages(folder)
	for _, name := range names {
		below := filepath.Join(folder, filepath.FromSlash(name))
		if n, m := countPages(below); 2*(n+m) >= sources+documents {
			return below
		}
	}
	return folder
}

// countPages counts the pages of a folder: sources, and HTML documents with the layout
// of a site, which a generator wrote.
func countPages(folder string) (sources, documents int) {
	fsys := os.DirFS(folder)
	fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || source.FormatOfFile(name) == nil:
		case isRendered(fsys, name):
			documents++
		default:
			sources++
		}
		return nil
	})
	return sources, documents
}

// isRendered reports whether a file is an HTML document with a layout or a redirect.
func isRendered(fsys fs.FS, name string) bool {
	if !slices.Contains([]string{".html", ".htm"}, strings.ToLower(path.Ext(name))) {
		return false
	}
	f, err := fsys.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 16<<10)
	n, _ := f.Read(start)
	return document.Match(start[:n]) && layout.Match(start[:n])
}

var (
	// document matches the beginning of an HTML document, and layout what those have that
	// a generator wrote.
	document = regexp.MustCompile(`(?i)^\s*(<!--[^>]*-->\s*)*<(!doctype|html)`)
	layout   = regexp.MustCompile(`(?i)rel=["']?stylesheet|<nav|http-equiv=["']?refresh|name=["']?generator|<script`)
)
