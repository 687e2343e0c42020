package host

var cloudflarePagesPlan = &plan{
	name: "cloudflare-pages", title: "Cloudflare Pages with _worker.js", styles: allStyles,
	cache:   cacheDeploy,
	AtRoot:  []string{"404.html", "_routes.json", "_worker.js"},
	script:  "cloudflare-pages/upload.sh",
	Secrets: []string{"CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"},
	Vars:    []string{"CLOUDFLARE_PAGES_PROJECT"},
	Tools:   []string{"npm"},
}

// cloudflarePages runs the routing as a worker in front of the files. The page
// 404.html keeps the store from answering what is missing with another page.
var cloudflarePages = &Host{
	Name:   cloudflarePagesPlan.name,
	Title:  cloudflarePagesPlan.title,
	Level:  Full,
	Styles: cloudflarePagesPlan.styles,
	Edge:   true,
	Tried:  "the worker runs under Node in the conformance test, with a stand-in for the store, and in wrangler 4.164.0 (make emulators)",
	Limits: cloudflareLimits,

	InRoot: func(c *Config) ([]File, error) {
		files, err := cloudflarePagesPlan.fill(c, part{"cloudflare-pages/_worker.js", "_worker.js", inSnapshot, 0})
		if err != nil {
			return nil, err
		}
		routes := File{Name: "_routes.json", Data: []byte("{\"version\":1,\"include\":[\"/*\"],\"exclude\":[]}\n"), Where: inSnapshot}
		return []File{notFoundPage(), routes, files[0]}, nil
	},
	Upload: cloudflarePagesPlan.upload,
}

// cloudflareLimits are those of the free plan; paid plans take 100,000 files.
var cloudflareLimits = Limits{
	Files:     20_000,
	FileBytes: 25 << 20,
	Source:    "Cloudflare's limits, free plan; 100,000 files on paid plans",
}
