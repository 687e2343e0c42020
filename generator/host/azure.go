package host

import "slices"

// azure sets headers, and answers the address of the list. Its client takes
// no folder without index.html at the root, which rules keep from being seen.
var azure = &Host{
	Name:  "azure",
	Title: "Azure Static Web Apps",
	Level: Walkable,
	TestedWith: "a simulator of the rules in the conformance test, and the emulator of @azure/static-web-apps-cli 2.0.10 (make emulators), which differs: " +
		"all files have the same ETag (conditional-request), redirects to folders are 301 without the query (slash-redirect), " +
		"below a path prefix only the first 404 has the error body (not-found-body), " +
		"other methods get 405 as the rules say (method-status), and OPTIONS gets 204, which needs no body (options-body)",
	Limits: Limits{Files: 15_000, Bytes: 250 << 20, Source: "Azure's quotas, free plan; 500 MB on the standard plan"},
	Cannot: slices.Concat(ignoresQuery, ownMethods, []Exception{
		{"error-headers", "Azure sets no headers on what it answers by itself"},
		{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		{"cors-header", "Azure sets no headers on what it answers by itself"},
	}),

	InRoot: []Part{
		notFoundPage,
		{Name: "index.html", Text: notFoundPage.Text, Where: inSnapshot},
		{Template: "azure/staticwebapp.config.json", Name: "staticwebapp.config.json", Where: inSnapshot},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		Mount:   (*Config).Prefix,
		AtRoot:  []string{"404.html", "index.html", "staticwebapp.config.json"},
		Script:  "azure/upload.sh",
		Secrets: []string{"SWA_CLI_DEPLOYMENT_TOKEN"},
		Tools:   []string{"npm"},
	},
}
