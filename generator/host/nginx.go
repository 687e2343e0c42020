package host

// nginx writes a tree that mirrors /etc/nginx: the maps for the http level, the
// locations for any server block, and a server block that includes them. Beside
// it is a whole configuration that serves the same files for a trial.
var nginx = &Host{
	Name:    "nginx",
	Title:   "nginx",
	Level:   Full,
	Styles:  allStyles,
	Codings: []string{"gz", "br"},
	Auto:    []string{"gz"},
	Uses:    ownServer,
	Tried:   "nginx 1.22 runs it in the conformance test, with and without a path prefix",

	Configure: func(c *Config) ([]File, error) {
		s, err := newServer(c, "nginx", quoteNginx)
		if err != nil {
			return nil, err
		}
		return fillServer(s,
			part{template: "nginx/maps.conf", name: "conf.d/sivu-maps.conf",
				where: "/etc/nginx/conf.d/sivu-maps.conf, or any other place at the http level; one copy is enough for several snapshots"},
			part{template: "nginx/server.conf", name: "snippets/sivu" + s.Tag + ".conf",
				where: "/etc/nginx/snippets/sivu" + s.Tag + ".conf; a server block includes it; for .br files install libnginx-mod-http-brotli-static, and take the # before brotli_static in it away"},
			part{template: "nginx/site.conf", name: "sites-available/sivu" + s.Tag + ".conf",
				where: "/etc/nginx/sites-available/sivu" + s.Tag + ".conf, with a link to it in sites-enabled; not where a server block of yours includes the snippet"},
			part{template: "nginx/nginx.conf", name: "nginx.conf",
				where: "nowhere: nginx -p \"$PWD\" -c nginx.conf tries the other files in this folder"},
		)
	},
	Upload: rsyncPlan("nginx", "nginx").upload,
}

// quoteNginx returns a path as an nginx string. nginx has no way to write a
// dollar sign that is none of its variables.
func quoteNginx(path string) (string, string) {
	return `"` + escaped(path, `"\`) + `"`, obstacle(path, "$")
}
