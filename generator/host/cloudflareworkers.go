package host

var cloudflareWorkersPlan = &plan{
	name: "cloudflare-workers", title: "Cloudflare Workers with static assets", styles: allStyles,
	cache:   cacheDeploy,
	AtRoot:  []string{"404.html", ".assetsignore"},
	Beside:  []string{"worker.js", "wrangler.jsonc"},
	script:  "cloudflare-workers/upload.sh",
	Secrets: []string{"CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"},
	Tools:   []string{"npm"},
}

// cloudflareWorkers is a Worker with static assets: the code of Cloudflare Pages,
// unchanged, and its settings.
var cloudflareWorkers = &Host{
	Name:   cloudflareWorkersPlan.name,
	Title:  cloudflareWorkersPlan.title,
	Level:  Full,
	Styles: cloudflareWorkersPlan.styles,
	Edge:   true,
	Tried:  "the worker runs under Node in the conformance test, with a stand-in for the store, and in wrangler 4.164.0 (make emulators)",
	Limits: cloudflareLimits,

	InRoot: func(*Config) ([]File, error) {
		ignored := File{Name: ".assetsignore", Data: []byte(".sivu\n.assetsignore\n"), Where: inSnapshot}
		return []File{ignored, notFoundPage()}, nil
	},
	Configure: func(c *Config) ([]File, error) {
		return cloudflareWorkersPlan.fill(c,
			part{"cloudflare-pages/_worker.js", "worker.js", "your repository, in deploy/; upload.sh takes it along", 0},
			part{"cloudflare-workers/wrangler.jsonc", "wrangler.jsonc", "your repository, in deploy/; the name of the Worker is in it", 0})
	},
	Upload: cloudflareWorkersPlan.upload,
}
