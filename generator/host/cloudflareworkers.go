package host

// cloudflareWorkers is a Worker with static assets: the code of Cloudflare Pages,
// unchanged, and its settings.
var cloudflareWorkers = &Host{
	Name:       "cloudflare-workers",
	Title:      "Cloudflare Workers with static assets",
	Level:      Full,
	Styles:     allStyles,
	Edge:       true,
	TestedWith: "the worker runs under Node in the conformance test, with a stand-in for the store, and in wrangler 4.164.0 (make emulators)",
	Limits:     cloudflareLimits,

	InRoot: []Part{{Name: ".assetsignore", Text: ".sivu\n.assetsignore\n", Where: inSnapshot}, notFoundPage},
	Configure: []Part{
		{Template: "cloudflare-pages/_worker.js", Name: "worker.js",
			Where: "your repository, in deploy/; upload.sh takes it along"},
		{Template: "cloudflare-workers/wrangler.jsonc", Name: "wrangler.jsonc",
			Where: "your repository, in deploy/; the name of the Worker is in it"},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		AtRoot:  []string{"404.html", ".assetsignore"},
		Beside:  []string{"worker.js", "wrangler.jsonc"},
		Script:  "cloudflare-workers/upload.sh",
		Secrets: []string{"CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"},
		Tools:   []string{"npm"},
	},
}
