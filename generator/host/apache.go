package host

// apache writes its rules twice: as .htaccess for a snapshot that lies below
// somebody's document root, and in a virtual host, where they are read once and
// not for each request.
var apache = &Host{
	Name:    "apache",
	Title:   "Apache httpd",
	Level:   Full,
	Styles:  allStyles,
	Codings: []string{"gz", "br", "zst"},
	Uses:    ownServer,
	Tried:   "Apache 2.4 runs it in the conformance test, as .htaccess and as a virtual host, with and without a path prefix",

	InRoot: func(c *Config) ([]File, error) {
		s, err := newServer(c, "Apache", nil)
		if err != nil {
			return nil, err
		}
		return fillServer(s, part{template: "apache/htaccess", name: ".htaccess", where: inSnapshot})
	},
	Configure: func(c *Config) ([]File, error) {
		s, err := newServer(c, "Apache", quoteApache)
		if err != nil {
			return nil, err
		}
		name := "sivu" + s.Tag + ".conf"
		return fillServer(s, part{template: "apache/vhost.conf", name: name,
			where: "/etc/apache2/sites-available/" + name + "; then a2enmod rewrite headers mime alias, and a2ensite sivu" + s.Tag + "; one such file for each name: a second snapshot of the same name has its .htaccess"})
	},
	Upload: rsyncPlan("apache", "Apache httpd").upload,
}

// quoteApache returns a path as an Apache argument. The argument of <Directory>
// is a pattern, and "${" would be looked up.
func quoteApache(path string) (string, string) {
	return `"` + escaped(path, `"`) + `"`, obstacle(path, `$*?[]\`)
}
