package source

import "example.org/sivu/generator/page"

var markdownFormat = &Format{
	Name:    "markdown",
	Doc:     "Markdown with YAML or TOML front matter",
	Endings: []string{".md", ".markdown"},
	Syntax:  page.Markdown,
	read:    (*reading).readFrontMatter,
	heading: markdownHeading,
}
