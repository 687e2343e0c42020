package host

var vercelPlan = &plan{
	name: "vercel", title: "Vercel with middleware", styles: allStyles,
	cache:   cacheDeploy,
	AtRoot:  []string{"404.html"},
	Beside:  []string{"middleware.js", "vercel.json"},
	script:  "vercel/upload.sh",
	Secrets: []string{"VERCEL_TOKEN"},
	Vars:    []string{"VERCEL_ORG_ID", "VERCEL_PROJECT_ID"},
	Tools:   []string{"npm"},
}

// vercel runs the routing as middleware that names the file; Vercel answers with
// it, and with 404.html where there is none.
var vercel = &Host{
	Name:   vercelPlan.name,
	Title:  vercelPlan.title,
	Level:  Full,
	Styles: vercelPlan.styles,
	Edge:   true,
	Tried:  "the middleware runs under Node in the conformance test, with a stand-in for Vercel, and in the maker's edge-runtime 4.0.1 with the same stand-in around it (make emulators)",
	Cannot: vercelCharset,

	InRoot: func(*Config) ([]File, error) { return []File{notFoundPage()}, nil },
	Configure: func(c *Config) ([]File, error) {
		return vercelPlan.fill(c,
			part{"vercel/middleware.js", "middleware.js", vercelWhere, 0},
			part{"vercel/vercel.json", "vercel.json", vercelWhere, 0})
	},
	Upload: vercelPlan.upload,
}

var vercelCharset = []Exception{
	{"content-type", "Vercel adds the parameter charset=utf-8 to the type of files"},
	{"error-headers", "Vercel adds the parameter charset=utf-8 to the type of its page for missing files"},
}

const vercelWhere = "your repository, in deploy/; upload.sh takes it along to the root of the project"
