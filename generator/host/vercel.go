package host

import "slices"

// vercel runs the routing as middleware that names the file; Vercel answers with
// it, and with 404.html where there is none.
var vercel = &Host{
	Name:       "vercel",
	Title:      "Vercel with middleware",
	Level:      Full,
	Edge:       true,
	TestedWith: "the middleware runs under Node in the conformance test, with a stand-in for Vercel, and in the maker's edge-runtime 4.0.1 with the same stand-in around it (make emulators)",
	Cannot:     vercelCharset,

	InRoot: []Part{notFoundPage},
	Configure: []Part{
		{Template: "vercel/middleware.js", Name: "middleware.js", Where: vercelWhere},
		{Template: "vercel/vercel.json", Name: "vercel.json", Where: vercelWhere},
	},
	Deploy: vercelDeploy("middleware.js", "vercel.json"),
}

func vercelDeploy(beside ...string) Deploy {
	return Deploy{
		Cache:   cacheDeploy,
		AtRoot:  []string{"404.html"},
		Beside:  beside,
		Script:  "vercel/upload.sh",
		Secrets: []string{"VERCEL_TOKEN"},
		Vars:    []string{"VERCEL_ORG_ID", "VERCEL_PROJECT_ID"},
		Tools:   []string{"npm"},
	}
}

var vercelCharset = []Exception{
	{"content-type", "Vercel adds the parameter charset=utf-8 to the type of files"},
	{"error-headers", "Vercel adds the parameter charset=utf-8 to the type of its page for missing files"},
}

const vercelWhere = "your repository, in deploy/; upload.sh takes it along to the root of the project"

// vercelRewrites routes with the rules of vercel.json alone, on plans or in
// projects that have no middleware.
var vercelRewrites = &Host{
	Name:       "vercel-rewrites",
	Title:      "Vercel with rewrites",
	Level:      Routing,
	TestedWith: "a simulator of the rules in the conformance test; the maker's emulator ignores conditions on the query",
	Cannot:     slices.Concat(vercelCharset, firstCounts, onlyRules("Vercel")),

	InRoot: []Part{notFoundPage},
	Configure: []Part{
		{Template: "vercel-rewrites/vercel.json", Name: "vercel.json", Where: vercelWhere},
	},
	Deploy: vercelDeploy("vercel.json"),
}
