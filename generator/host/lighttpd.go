package host

// lighttpd needs no modules but those of its own package. It answers OPTIONS
// itself, so that its answer to that has no body; with mod_magnet, which is
// another package, it could have one.
var lighttpd = &Host{
	Name:       "lighttpd",
	Title:      "lighttpd",
	Level:      Routing,
	Flags:      ownServer,
	TestedWith: "lighttpd 1.4 runs it in the conformance test, alone and below the settings of Debian, with and without a path prefix",
	Cannot: []Exception{
		{"options-body", "it answers OPTIONS without a body"},
		{"not-found-status", "it answers 400 where the address has an escaped control character, as in page=1%0A"},
	},

	Configure: []Part{
		{Template: "lighttpd/sivu.conf", Name: "conf-available/50-sivu[[.Tag]].conf",
			Where: "/etc/lighttpd/conf-available/50-sivu[[.Tag]].conf; then lighty-enable-mod sivu[[.Tag]]; it sets server.http-parseopts, for the whole server"},
		{Template: "lighttpd/lighttpd.conf", Name: "lighttpd.conf", Where: "nowhere: lighttpd -D -f lighttpd.conf tries the other file"},
	},
	quoting: &quoting{cannot: `"\$`},
	Deploy:  rsyncDeploy,
}
