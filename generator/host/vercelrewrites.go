package host

import "slices"

// vercelRewrites routes with the rules of vercel.json alone, on plans or in
// projects that have no middleware.
var vercelRewrites = &Host{
	Name:       "vercel-rewrites",
	Title:      "Vercel with rewrites",
	Level:      Routing,
	Styles:     allStyles,
	TestedWith: "a simulator of the rules in the conformance test; the maker's emulator ignores conditions on the query",
	Cannot: slices.Concat(vercelCharset, firstCounts, []Exception{
		{"method-status", "rules cannot answer 405; Vercel answers other methods for a file in its own way"},
		{"method-body", "rules cannot give a body"},
		{"options-status", "rules cannot answer OPTIONS"},
		{"options-body", "rules cannot give a body"},
		{"preflight", "rules cannot answer OPTIONS"},
	}),

	InRoot: []Part{notFoundPage},
	Configure: []Part{
		{Template: "vercel-rewrites/vercel.json", Name: "vercel.json", Where: vercelWhere},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		AtRoot:  []string{"404.html"},
		Beside:  []string{"vercel.json"},
		Script:  "vercel/upload.sh",
		Secrets: []string{"VERCEL_TOKEN"},
		Vars:    []string{"VERCEL_ORG_ID", "VERCEL_PROJECT_ID"},
		Tools:   []string{"npm"},
	},
}
