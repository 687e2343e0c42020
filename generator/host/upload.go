package host

import (
	"fmt"
	"slices"
)

// plan is how a snapshot gets to a host that does not read it from a folder of
// its own: what is put together for it, and by which commands it is sent.
type plan struct {
	name   string
	title  string
	styles []string               // link styles that work, the default first
	cache  string                 // Cache-Control of good answers
	folder func(c *Config) string // where in the site the snapshot lies; nil: at its root
	Folder string                 // what folder returned, with a slash before it

	Forget  string   // template of the function forget, by which a cache before the server drops what it has
	codings []string // endings of compressed siblings that the host sends
	AtRoot  []string // files of the host that lie at the root of the site
	Beside  []string // files of the host that lie beside the site
	script  string   // template of upload.sh; "" where CI deploys the folder that site.sh makes, or publishes
	publish bool     // sivu publish brings the snapshot to a bucket
	Secrets []string // variables that hold what is secret
	Vars    []string // further variables that the script needs
	Tools   []string // Debian packages that the script needs
	AWS     bool     // whether it talks to AWS
	OnlyCI  string   // the one CI that can deploy there: "github" or "gitlab"; "" is both
}

// inPrefix is the folder of hosts that map the path of an address to a file: the
// path of the base address.
func inPrefix(c *Config) string { return c.Prefix() }

// upload returns the script that brings a snapshot there, and samples for CI.
func (p *plan) upload(c *Config) ([]File, error) {
	const executable = 0o755
	if p.publish {
		return p.fill(c, p.samples()...)
	}
	parts := []part{{"upload/site.sh", "site.sh", "your repository, in deploy/; makes the folder to publish: sh deploy/site.sh public site", executable}}
	if p.script != "" {
		parts[0] = part{p.script, "upload.sh", "your repository, in deploy/; run it after a build: sh deploy/upload.sh public", executable}
	}
	return p.fill(c, slices.Concat(parts, p.samples())...)
}

// Scripted reports whether there is a command that uploads.
func (p *plan) Scripted() bool { return p.script != "" || p.publish }

// Command returns the command that uploads, or makes the folder to be uploaded.
func (p *plan) Command() string {
	switch {
	case p.publish:
		return p.publishCommand(`"$BUCKET"`)
	case p.script != "":
		return "sh deploy/upload.sh public"
	}
	return "sh deploy/site.sh public site"
}

// Publish returns the command that publishes what was built to the bucket BUCKET.
func (p *plan) Publish() string { return p.publishCommand("BUCKET") }

func (p *plan) publishCommand(bucket string) string {
	command := "sivu publish " + p.Target(bucket) + fmt.Sprintf(" --from public --keep-removed %ds", longestKept)
	if p.Forget != "" {
		command += " --on-change 'sh deploy/forget.sh'"
	}
	return command
}

// Target returns the address of the snapshot in a bucket.
func (p *plan) Target(bucket string) string { return "s3://" + bucket + p.Folder }
