package page

// The generators that pages may have been written for, by the names that site.yaml
// gives them.
const (
	Hugo       = "hugo"
	Jekyll     = "jekyll"
	Eleventy   = "eleventy"
	Docusaurus = "docusaurus"
	VitePress  = "vitepress"
	Astro      = "astro"
	MkDocs     = "mkdocs"
)

// Generators are all of them.
var Generators = []string{Hugo, Jekyll, Eleventy, Docusaurus, VitePress, Astro, MkDocs}
