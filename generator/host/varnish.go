package host

var varnishPlan = cachePlan("varnish", "Varnish Cache", "varnish/forget.sh", nil, []string{"CACHE"})

// varnish stands in front of any plain file server or bucket that has the
// snapshot at its root, and needs nothing of it but the files.
var varnish = &Host{
	Name:   "varnish",
	Title:  "Varnish Cache",
	Level:  Full,
	Styles: allStyles,
	Uses:   []string{"listen", "origin"},
	Tried:  "Varnish 7.1 runs it in the conformance test in front of a plain file server, with and without a path prefix, also after a new upload",

	Configure: func(c *Config) ([]File, error) {
		s, err := newServer(c, "Varnish", nil)
		if err != nil {
			return nil, err
		}
		return fillServer(s, part{template: "varnish/sivu.vcl", name: "sivu.vcl",
			where: "/etc/varnish/default.vcl; varnishd -F -a " + s.Listen.Address() + " -f \"$PWD/sivu.vcl\" tries it"})
	},
	Upload: varnishPlan.upload,
}
