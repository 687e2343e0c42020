package host

var netlifyPlan = &plan{
	name: "netlify", title: "Netlify with an edge function", styles: allStyles,
	cache:   cacheDeploy,
	Beside:  []string{"netlify.toml", "netlify/edge-functions/sivu.js"},
	script:  "netlify/upload.sh",
	Secrets: []string{"NETLIFY_AUTH_TOKEN"},
	Vars:    []string{"NETLIFY_SITE_ID"},
	Tools:   []string{"npm"},
}

// netlify runs the routing as an edge function.
var netlify = &Host{
	Name:   netlifyPlan.name,
	Title:  netlifyPlan.title,
	Level:  Full,
	Styles: netlifyPlan.styles,
	Edge:   true,
	Tried:  "the edge function runs under Node in the conformance test, with a stand-in for Netlify",
	Limits: netlifyLimits,

	Configure: func(c *Config) ([]File, error) {
		return netlifyPlan.fill(c,
			part{"netlify/sivu.js", "netlify/edge-functions/sivu.js", netlifyWhere, 0},
			part{"netlify/netlify.toml", "netlify.toml", netlifyWhere, 0})
	},
	Upload: netlifyPlan.upload,
}

const netlifyWhere = "your repository, in deploy/; upload.sh takes it along to the root of the project"

var netlifyLimits = Limits{InFolder: 54_000, Source: "Netlify's limits"}
