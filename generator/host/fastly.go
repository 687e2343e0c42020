package host

var fastlyPlan = cachePlan("fastly", "Fastly (VCL)", "fastly/forget.sh", []string{"FASTLY_API_TOKEN"}, []string{"FASTLY_SERVICE_ID"})

// fastly is the logic of the configuration for Varnish in Fastly's dialect of VCL.
var fastly = &Host{
	Name:   "fastly",
	Title:  "Fastly (VCL)",
	Level:  Full,
	Styles: allStyles,
	Tried:  "not run: it says the same as the configuration for Varnish, which is",

	Configure: func(c *Config) ([]File, error) {
		s, err := newServer(c, "Fastly", nil)
		if err != nil {
			return nil, err
		}
		return fillServer(s, part{template: "fastly/main.vcl", name: "main.vcl",
			where: "a Fastly service, as its main custom VCL; the host of its backend is the bucket or file server that has the snapshot at its root"})
	},
	Upload: fastlyPlan.upload,
}
