package host

// netlify runs the routing as an edge function.
var netlify = &Host{
	Name:       "netlify",
	Title:      "Netlify with an edge function",
	Level:      Full,
	Styles:     allStyles,
	Edge:       true,
	TestedWith: "the edge function runs under Node in the conformance test, with a stand-in for Netlify",
	Limits:     netlifyLimits,

	Configure: []Part{
		{Template: "netlify/sivu.js", Name: "netlify/edge-functions/sivu.js", Where: netlifyWhere},
		{Template: "netlify/netlify.toml", Name: "netlify.toml", Where: netlifyWhere},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		Beside:  []string{"netlify.toml", "netlify/edge-functions/sivu.js"},
		Script:  "netlify/upload.sh",
		Secrets: []string{"NETLIFY_AUTH_TOKEN"},
		Vars:    []string{"NETLIFY_SITE_ID"},
		Tools:   []string{"npm"},
	},
}

const netlifyWhere = "your repository, in deploy/; upload.sh takes it along to the root of the project"

var netlifyLimits = Limits{InFolder: 54_000, Source: "Netlify's limits"}
