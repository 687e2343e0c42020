package host

// apache writes its rules twice: as .htaccess for a snapshot that lies below
// a document root, and in a virtual host, where they are read once and
// not for each request.
var apache = &Host{
	Name:       "apache",
	Title:      "Apache httpd",
	Level:      Full,
	Codings:    []string{"gz", "br", "zst"},
	Flags:      ownServer,
	TestedWith: "Apache 2.4 runs it in the conformance test, as .htaccess and as a virtual host, with and without a path prefix",

	InRoot: []Part{{Template: "apache/htaccess", Name: ".htaccess", Where: inSnapshot}},
	Configure: []Part{
		{Template: "apache/vhost.conf", Name: "sivu[[.Tag]].conf",
			Where: "/etc/apache2/sites-available/sivu[[.Tag]].conf; then a2enmod rewrite headers mime alias, and a2ensite sivu[[.Tag]]; one such file for each name: a second snapshot of the same name has its .htaccess"},
	},
	// The argument of <Directory> is a pattern, and "${" would be looked up.
	quoting: &quoting{escaped: `"`, cannot: `$*?[]\`},
	Deploy:  rsyncDeploy,
}
