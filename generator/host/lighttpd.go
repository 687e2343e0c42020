package host

// lighttpd needs no modules but those of its own package. It answers OPTIONS
// itself, so that its answer to that has no body; with mod_magnet, which is
// another package, it could have one.
var lighttpd = &Host{
	Name:   "lighttpd",
	Title:  "lighttpd",
	Level:  Routing,
	Styles: allStyles,
	Uses:   ownServer,
	Tried:  "lighttpd 1.4 runs it in the conformance test, alone and below the settings of Debian, with and without a path prefix",
	Cannot: []Exception{
		{"options-body", "it answers OPTIONS without a body"},
		{"not-found-status", "it answers 400 where the address has an escaped control character, as in page=1%0A"},
	},

	Configure: func(c *Config) ([]File, error) {
		s, err := newServer(c, "lighttpd", quoteLighttpd)
		if err != nil {
			return nil, err
		}
		name := "50-sivu" + s.Tag + ".conf"
		return fillServer(s,
			part{template: "lighttpd/sivu.conf", name: "conf-available/" + name,
				where: "/etc/lighttpd/conf-available/" + name + "; then lighty-enable-mod sivu" + s.Tag + "; it sets server.http-parseopts, for the whole server"},
			part{template: "lighttpd/lighttpd.conf", name: "lighttpd.conf",
				where: "nowhere: lighttpd -D -f lighttpd.conf tries the other file"},
		)
	},
	Upload: rsyncPlan("lighttpd", "lighttpd").upload,
}

// quoteLighttpd returns a path as a lighttpd string.
func quoteLighttpd(path string) (string, string) {
	return `"` + path + `"`, obstacle(path, `"\$`)
}
