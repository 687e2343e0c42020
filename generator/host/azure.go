package host

import "slices"

var azurePlan = &plan{
	name: "azure", title: "Azure Static Web Apps", styles: fileStyles,
	cache: cacheDeploy, folder: inPrefix,
	AtRoot:  []string{"404.html", "index.html", "staticwebapp.config.json"},
	script:  "azure/upload.sh",
	Secrets: []string{"SWA_CLI_DEPLOYMENT_TOKEN"},
	Tools:   []string{"npm"},
}

// azure sets headers, and knows which file answers for the list. Its client takes
// no folder without index.html at the root, which rules keep from being seen.
var azure = &Host{
	Name:   azurePlan.name,
	Title:  azurePlan.title,
	Level:  Walkable,
	Styles: azurePlan.styles,
	Tried: "a simulator of the rules in the conformance test, and the emulator of @azure/static-web-apps-cli 2.0.10 (make emulators), which differs: " +
		"all files have the same ETag (conditional-request), redirects to folders are 301 without the query (slash-redirect), " +
		"below a path prefix only the first 404 has the error body (not-found-body), " +
		"other methods get 405 as the rules say (method-status), and OPTIONS gets 204, which needs no body (options-body)",
	Limits: Limits{Files: 15_000, Bytes: 250 << 20, Source: "Azure's quotas, free plan; 500 MB on the standard plan"},
	Cannot: slices.Concat(ignoresQuery, ownMethods, []Exception{
		{"error-headers", "Azure sets no headers on what it answers by itself"},
		{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		{"cors-header", "Azure sets no headers on what it answers by itself"},
	}),

	InRoot: func(c *Config) ([]File, error) {
		files, err := azurePlan.fill(c, part{"azure/staticwebapp.config.json", "staticwebapp.config.json", inSnapshot, 0})
		index := notFoundPage()
		index.Name = "index.html"
		return append([]File{notFoundPage(), index}, files...), err
	},
	Upload: azurePlan.upload,
}
