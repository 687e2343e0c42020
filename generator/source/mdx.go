package source

import "example.org/sivu/generator/page"

var mdxFormat = &Format{
	Name:    "mdx",
	Doc:     "MDX, Markdown with imports and components, with YAML or TOML front matter",
	Endings: []string{".mdx"},
	Syntax:  page.MDX,
	read:    (*reading).readFrontMatter,
	heading: markdownHeading,
}
