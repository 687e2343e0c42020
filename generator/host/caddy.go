package host

// caddy writes one Caddyfile, which runs as it is. Where no address to listen at
// is given, the site's address is the base address, and Caddy fetches a
// certificate for it.
var caddy = &Host{
	Name:       "caddy",
	Title:      "Caddy",
	Level:      Full,
	Codings:    []string{"gz", "br", "zst"},
	Flags:      ownServer,
	TestedWith: "Caddy 2.6 runs it in the conformance test, with and without a path prefix",

	Configure: []Part{
		{Template: "caddy/Caddyfile", Name: "Caddyfile",
			Where: "/etc/caddy/Caddyfile, or a file that yours imports; caddy run --config Caddyfile tries it"},
	},
	// Braces are placeholders, of the environment before anything is read.
	quoting: &quoting{escaped: `"`, cannot: "{}`\\"},
	Deploy:  rsyncDeploy,
}
