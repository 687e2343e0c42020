package host

// cloudflarePages runs the routing as a worker in front of the files. The page
// 404.html keeps the store from answering with another page where a file is missing.
var cloudflarePages = &Host{
	Name:       "cloudflare-pages",
	Title:      "Cloudflare Pages with _worker.js",
	Level:      Full,
	Edge:       true,
	TestedWith: "the worker runs under Node in the conformance test, with a stand-in for the store, and in wrangler 4.164.0 (make emulators)",
	Limits:     cloudflareLimits,

	InRoot: []Part{
		notFoundPage,
		{Name: "_routes.json", Text: "{\"version\":1,\"include\":[\"/*\"],\"exclude\":[]}\n", Where: inSnapshot},
		{Template: "cloudflare-pages/_worker.js", Name: "_worker.js", Where: inSnapshot},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		AtRoot:  []string{"404.html", "_routes.json", "_worker.js"},
		Script:  "cloudflare-pages/upload.sh",
		Secrets: []string{"CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"},
		Vars:    []string{"CLOUDFLARE_PAGES_PROJECT"},
		Tools:   []string{"npm"},
	},
}

// cloudflareLimits are those of the free plan; paid plans take 100,000 files.
var cloudflareLimits = Limits{
	Files:     20_000,
	FileBytes: 25 << 20,
	Source:    "Cloudflare's limits, free plan; 100,000 files on paid plans",
}

// cloudflareWorkers is a Worker with static assets: the code of Cloudflare Pages,
// unchanged, and its settings.
var cloudflareWorkers = &Host{
	Name:       "cloudflare-workers",
	Title:      "Cloudflare Workers with static assets",
	Level:      Full,
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
