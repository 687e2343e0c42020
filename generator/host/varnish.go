package host

// varnish stands in front of any plain file server or bucket that has the
// snapshot at its root, and needs nothing of it but the files.
var varnish = &Host{
	Name:       "varnish",
	Title:      "Varnish Cache",
	Level:      Full,
	Flags:      []string{"listen", "origin"},
	TestedWith: "Varnish 7.1 runs it in the conformance test in front of a plain file server, with and without a path prefix, also after a new upload",

	Configure: []Part{
		{Template: "varnish/sivu.vcl", Name: "sivu.vcl",
			Where: "/etc/varnish/default.vcl; varnishd -F -a [[.Listen.Address]] -f \"$PWD/sivu.vcl\" tries it"},
	},
	Deploy: purgingDeploy("varnish/forget.sh", nil, []string{"CACHE"}),
}
