package host

// fastly is the logic of the configuration for Varnish in Fastly's dialect of VCL.
var fastly = &Host{
	Name:       "fastly",
	Title:      "Fastly (VCL)",
	Level:      Full,
	TestedWith: "not run: it says the same as the configuration for Varnish, which is",

	Configure: []Part{
		{Template: "fastly/main.vcl", Name: "main.vcl",
			Where: "a Fastly service, as its main custom VCL; the host of its backend is the bucket or file server that has the snapshot at its root"},
	},
	Deploy: purgingDeploy("fastly/forget.sh", []string{"FASTLY_API_TOKEN"}, []string{"FASTLY_SERVICE_ID"}),
}
