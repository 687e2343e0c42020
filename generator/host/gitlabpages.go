package host

import "strings"

// gitlabPages serves files from a job. It compresses nothing, and sends
// precompressed variants.
var gitlabPages = &Host{
	Name:       "gitlab-pages",
	Title:      "GitLab Pages",
	Level:      Walkable,
	Codings:    []string{"gz", "br"},
	TestedWith: "from what its maker says; the conformance test walks a plain file server",
	Limits:     Limits{Files: 200_000, Source: "GitLab's limit of entries per Pages site"},
	Cannot: filesOnly(
		Exception{"content-type", "GitLab Pages may add the parameter charset=utf-8"},
		Exception{"compression", "GitLab Pages sends precompressed files without Vary: Accept-Encoding"},
		Exception{"cors-header", "GitLab Pages sends it only as its administrator decides"},
	),

	InRoot: []Part{notFoundPage},
	Deploy: Deploy{
		Mount:  gitlabFolder,
		AtRoot: []string{"404.html"},
		OnlyCI: "gitlab",
	},
}

// gitlabFolder returns where the snapshot lies in the site. Sites of projects
// are mounted at the path of the project by GitLab itself.
func gitlabFolder(c *Config) string {
	if strings.HasSuffix(c.Base.Hostname, ".gitlab.io") {
		return ""
	}
	return c.Prefix()
}
