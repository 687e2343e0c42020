package host

import (
	"slices"

	"example.org/sivu/generator/api"
)

// The values of Cache-Control. Hosts that drop everything on a new deploy are asked
// each time; others keep an answer for a minute, and use it for ten while they ask.
// An error is soon asked for again, as it may be a record that was just added.
const (
	cacheDeploy = "public, max-age=0, must-revalidate"
	cacheMinute = "public, max-age=60, stale-while-revalidate=600"
	cacheError  = "public, max-age=10"

	// longestKept is how many seconds caches may use an answer with cacheMinute, and
	// some more for clocks that differ.
	longestKept = 60 + 600 + 40
)

// ObjectHeaders are the headers that an object store keeps with the files of a snapshot
// and sends with them: those of a file are the first whose Name is the end of its path.
// Other hosts send the same, from their configurations.
var ObjectHeaders = []struct{ Name, ContentType, CacheControl string }{
	{api.NotFoundFile, "application/json", cacheError},
	{api.MethodNotAllowedFile, "application/json", cacheError},
	{".json", "application/json", cacheMinute},
	{".html", "text/html; charset=utf-8", cacheError},
	{".js", "text/javascript; charset=utf-8", cacheDeploy},
	{"", "text/plain; charset=utf-8", cacheDeploy},
}

// Deploy describes how a snapshot gets to a host: the files beside it, and the
// script that sends it.
type Deploy struct {
	Cache   string                 // Cache-Control of good answers
	Mount   func(c *Config) string // returns where in the site the snapshot lies; nil: at its root
	Script  string                 // template of upload.sh; "" where CI deploys the folder that site.sh makes, or publishes
	Bucket  bool                   // sivu publish brings the snapshot to a bucket
	Forget  string                 // template that purges a cache before the server: a function of upload.sh, or forget.sh
	AtRoot  []string               // in-root files that lie at the root of the site
	Beside  []string               // configuration files that lie beside the site
	Secrets []string               // variables that hold secrets
	Vars    []string               // further variables that the script needs
	Tools   []string               // Debian packages that the script needs
	AWS     bool                   // the script talks to AWS
	OnlyCI  string                 // the one CI that can deploy there: "github" or "gitlab"; "" is both
}

// rsyncDeploy copies a snapshot to a server. In the script the order
// is the publication order: a file comes before those that link to it.
var rsyncDeploy = Deploy{
	Cache:   cacheMinute,
	Script:  "upload/rsync.sh",
	Secrets: []string{"SSH_KEY"},
	Vars:    []string{"SSH_KNOWN_HOSTS", "TARGET"},
	Tools:   []string{"openssh-client", "rsync"},
}

// purgingDeploy is rsyncDeploy with a cache before the server, which must be
// purged: otherwise it answers with old and new list pages side by side. Forget
// is the template of the commands that do it.
func purgingDeploy(forget string, secrets, vars []string) Deploy {
	d := rsyncDeploy
	d.Forget = forget
	d.Secrets = slices.Concat(d.Secrets, secrets)
	d.Vars = slices.Concat(d.Vars, vars)
	d.Tools = slices.Concat(d.Tools, []string{"curl"})
	return d
}

// parts returns the script that uploads, and the samples for CI: the build with the
// whole history, from which dates come, the upload, and the check of the live address.
func (d Deploy) parts() (parts []Part) {
	switch {
	case d.Bucket:
	case d.Script == "":
		parts = []Part{{Template: "upload/site.sh", Name: "site.sh", Mode: 0o755,
			Where: "your repository, in deploy/; makes the folder to publish: sh deploy/site.sh public site"}}
	default:
		parts = []Part{{Template: d.Script, Name: "upload.sh", Mode: 0o755,
			Where: "your repository, in deploy/; run it after a build: sh deploy/upload.sh public"}}
	}
	if d.OnlyCI != "gitlab" {
		parts = append(parts, Part{Template: "upload/github.yml", Name: "github.yml", Where: "your repository, as .github/workflows/publish.yml"})
	}
	if d.OnlyCI != "github" {
		parts = append(parts, Part{Template: "upload/gitlab.yml", Name: "gitlab.yml", Where: "your repository, as .gitlab-ci.yml, or included there"})
	}
	return parts
}
