package source

var markdownFormat = &Format{
	Name:    "markdown",
	Doc:     "Markdown with YAML or TOML front matter",
	Endings: []string{".md", ".markdown"},
	syntax:  Markdown,
	read:    (*reading).readFrontMatter,
	heading: markdownHeading,
	place:   placeInFrontMatter,
	write:   writeMarkdown,
}
