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
	"example.org/sivu/generator/source"
)

var (
	// beside are what lies in the root of a site beside its pages, whatever the generator.
	beside = []string{"node_modules", "vendor", "README*", "CONTRIBUTING*", "CHANGELOG*", "LICENSE*", "LICENCE*", "CODE_OF_CONDUCT*", "SECURITY*"}

	// commonFolders are where pages lie in sites whose generator is not known, and
	// renderedFolders where generators write to.
	commonFolders   = []string{"content", "src/content/docs", "src/content", "docs"}
	renderedFolders = []string{"public", "_site", "dist", "build", "site", "out"}
)

// place is where a site lies.
type place struct {
	root      string // the folder that was given
	atRoot    bool   // the content folder is that of the site, where other things lie beside pages
	content   string // the content folder
	generator *generator
	sign      string // by which the generator was found
	config    string // the name of its configuration; "" for none
	known     *known
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
	w := &place{root: folder, content: folder, atRoot: true, known: &known{}}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !isBeside(e) }) { // a new repository has a README
		w.empty, w.content = true, starterFolder(folder)
		return w, nil
	}
	if w.configured() {
		return w, nil
	}
	sources, documents := countPages(folder)
	switch {
	case sources+documents == 0:
		return nil, fmt.Errorf("no pages in %s: pages are Markdown, MDX or HTML files; name their folder, or an empty one for a starter", diag.Quote(folder))
	case documents > sources:
		w.rendered = true
		if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
			w.content = mostIn(folder, renderedFolders, sources+documents)
		}
		return w, nil
	}
	w.content = mostIn(folder, commonFolders, sources+documents)
	w.atRoot = w.content == folder
	for _, g := range generators {
		for _, sign := range g.signs {
			if found, _ := fs.Glob(os.DirFS(w.content), sign); w.generator == nil && len(found) > 0 {
				w.generator, w.sign, w.known = g, found[0]+" is one of its names", g.facts(nil)
			}
		}
	}
	return w, nil
}

// configured finds the configuration of a generator in the folder, or in one above it
// whose pages lie in the folder.
func (w *place) configured() bool {
	full, err := filepath.Abs(w.root)
	if err != nil {
		return false
	}
	for levels, root := 0, full; levels < 4; levels, root = levels+1, filepath.Dir(root) {
		for _, g := range generators {
			c := readConfig(root, g)
			if c == nil {
				continue
			}
			k := g.facts(c)
			for _, name := range k.content {
				content := filepath.Join(root, filepath.FromSlash(name))
				if levels > 0 && content != full {
					continue
				}
				if n, documents := countPages(content); n+documents > 0 {
					*w = place{root: w.root, content: filepath.Join(w.root, strings.TrimPrefix(content, full)), atRoot: content == root, generator: g, config: c.file, known: k, sign: "its configuration is " + c.file}
					return true
				}
			}
		}
	}
	return false
}

// mostIn returns the first of some folders in which at least half of all pages lie, or the
// one that they are in.
func mostIn(folder string, names []string, pages int) string {
	for _, name := range names {
		below := filepath.Join(folder, filepath.FromSlash(name))
		if n, m := countPages(below); 2*(n+m) >= pages {
			return below
		}
	}
	return folder
}

// countPages counts the pages of a folder: sources, and HTML documents with the layout of
// a site or a redirect, which a generator wrote.
func countPages(folder string) (sources, documents int) {
	start := make([]byte, 16<<10)
	fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || source.FormatOfFile(name) == nil:
			return nil
		}
		sources++
		if ending := strings.ToLower(path.Ext(name)); ending != ".html" && ending != ".htm" {
			return nil
		}
		if f, err := os.Open(filepath.Join(folder, filepath.FromSlash(name))); err == nil {
			n, _ := f.Read(start)
			f.Close()
			if document.Match(start[:n]) && layout.Match(start[:n]) {
				sources, documents = sources-1, documents+1
			}
		}
		return nil
	})
	return sources, documents
}

var (
	// document matches the beginning of an HTML document, and layout what those have that
	// a generator wrote.
	document = regexp.MustCompile(`(?i)^\s*(<!--[^>]*-->\s*)*<(!doctype|html)`)
	layout   = regexp.MustCompile(`(?i)rel=["']?stylesheet|<nav|http-equiv=["']?refresh|name=["']?generator|<script`)
)
