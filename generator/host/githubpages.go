package host

import "strings"

// githubPages serves files from a workflow.
var githubPages = &Host{
	Name:       "github-pages",
	Title:      "GitHub Pages",
	Level:      Walkable,
	TestedWith: "from what its maker says and live sites show; the conformance test walks a plain file server",
	Limits:     Limits{Bytes: 1 << 30, FileBytes: 100 << 20, Source: "GitHub's limits on Pages sites"},
	Cannot: filesOnly(
		Exception{"content-type", "GitHub Pages adds the parameter charset=utf-8"},
		Exception{"cors-header", "GitHub Pages sets it on files, not on its own responses"},
	),

	InRoot: []Part{{Name: ".nojekyll", Where: inSnapshot}, notFoundPage},
	Deploy: Deploy{
		Mount:  githubFolder,
		AtRoot: []string{"404.html", ".nojekyll"},
		OnlyCI: "github",
	},
}

// githubFolder returns where the snapshot lies in the site. Sites of projects
// are mounted at the name of the repository by GitHub itself.
func githubFolder(c *Config) string {
	if strings.HasSuffix(c.Base.Hostname, ".github.io") {
		_, rest, _ := strings.Cut(strings.TrimPrefix(c.Prefix(), "/"), "/")
		return strings.TrimSuffix("/"+rest, "/")
	}
	return c.Prefix()
}
