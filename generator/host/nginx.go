package host

// nginx writes a tree that mirrors /etc/nginx: the maps for the http level, the
// locations for any server block, and a server block that includes them. Beside
// it is a whole configuration that serves the same files for a trial.
var nginx = &Host{
	Name:             "nginx",
	Title:            "nginx",
	Level:            Full,
	Codings:          []string{"gz", "br"},
	DefaultEncodings: []string{"gz"},
	Flags:            ownServer,
	TestedWith:       "nginx 1.22 runs it in the conformance test, with and without a path prefix",

	Configure: []Part{
		{Template: "nginx/maps.conf", Name: "conf.d/sivu-maps.conf",
			Where: "/etc/nginx/conf.d/sivu-maps.conf, or any other place at the http level; one copy is enough for several snapshots"},
		{Template: "nginx/server.conf", Name: "snippets/sivu[[.Tag]].conf",
			Where: "/etc/nginx/snippets/sivu[[.Tag]].conf; a server block includes it; for .br files install libnginx-mod-http-brotli-static, and take the # before brotli_static in it away"},
		{Template: "nginx/site.conf", Name: "sites-available/sivu[[.Tag]].conf",
			Where: "/etc/nginx/sites-available/sivu[[.Tag]].conf, with a link to it in sites-enabled; not where a server block of yours includes the snippet"},
		{Template: "nginx/nginx.conf", Name: "nginx.conf",
			Where: "nowhere: nginx -p \"$PWD\" -c nginx.conf tries the other files in this folder"},
	},
	// nginx has no way to write a dollar sign that does not begin a variable.
	quoting: &quoting{escaped: `"\`, cannot: "$"},
	Deploy:  rsyncDeploy,
}
