package host

import (
	"slices"
	"strings"
)

var gitlabPagesPlan = &plan{
	name: "gitlab-pages", title: "GitLab Pages", styles: fileStyles,
	folder: gitlabFolder,
	AtRoot: []string{"404.html"},
	OnlyCI: "gitlab",

	codings: []string{"gz", "br"},
}

// gitlabPages serves files from a job. It compresses nothing, and sends siblings
// that lie beside a file.
var gitlabPages = &Host{
	Name:    gitlabPagesPlan.name,
	Title:   gitlabPagesPlan.title,
	Level:   Walkable,
	Styles:  gitlabPagesPlan.styles,
	Codings: gitlabPagesPlan.codings,
	Tried:   "from what its maker says; the conformance test walks a plain file server",
	Limits:  Limits{Files: 200_000, Source: "GitLab's limit of entries per Pages site"},
	Cannot: slices.Concat(ignoresQuery, noHeaders, ownMethods, []Exception{
		{"content-type", "GitLab Pages may add the parameter charset=utf-8"},
		{"compression", "GitLab Pages sends compressed siblings without Vary: Accept-Encoding"},
		{"cors-header", "GitLab Pages sends it only as its administrator decides"},
	}),

	InRoot: func(*Config) ([]File, error) { return []File{notFoundPage()}, nil },
	Upload: gitlabPagesPlan.upload,
}

// gitlabFolder returns where the snapshot lies in the site. Sites of projects
// are mounted at the path of the project by GitLab itself.
func gitlabFolder(c *Config) string {
	if strings.HasSuffix(c.Base.Hostname(), ".gitlab.io") {
		return ""
	}
	return c.Prefix()
}
