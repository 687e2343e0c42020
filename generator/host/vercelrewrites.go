package host

import "slices"

var vercelRewritesPlan = &plan{
	name: "vercel-rewrites", title: "Vercel with rewrites", styles: allStyles,
	cache:   cacheDeploy,
	AtRoot:  []string{"404.html"},
	Beside:  []string{"vercel.json"},
	script:  "vercel/upload.sh",
	Secrets: []string{"VERCEL_TOKEN"},
	Vars:    []string{"VERCEL_ORG_ID", "VERCEL_PROJECT_ID"},
	Tools:   []string{"npm"},
}

// vercelRewrites routes with the rules of vercel.json alone, on plans or in
// projects that have no middleware.
var vercelRewrites = &Host{
	Name:   vercelRewritesPlan.name,
	Title:  vercelRewritesPlan.title,
	Level:  Routing,
	Styles: vercelRewritesPlan.styles,
	Tried:  "a simulator of the rules in the conformance test; the maker's emulator ignores conditions on the query",
	Cannot: slices.Concat(vercelCharset, firstCounts, []Exception{
		{"method-status", "rules cannot answer 405; Vercel answers other methods for a file in its own way"},
		{"method-body", "rules cannot give a body"},
		{"options-status", "rules cannot answer OPTIONS"},
		{"options-body", "rules cannot give a body"},
		{"preflight", "rules cannot answer OPTIONS"},
	}),

	InRoot: func(*Config) ([]File, error) { return []File{notFoundPage()}, nil },
	Configure: func(c *Config) ([]File, error) {
		return vercelRewritesPlan.fill(c, part{"vercel-rewrites/vercel.json", "vercel.json", vercelWhere, 0})
	},
	Upload: vercelRewritesPlan.upload,
}
