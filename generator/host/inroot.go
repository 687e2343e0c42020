package host

// InRootNames are the names of all files that hosts want in the snapshot
// itself, sorted: what InRoot functions return, and what the snapshot package
// takes at its top level beside its own files.
var InRootNames = []string{
	".assetsignore",            // Cloudflare Workers: what is not uploaded
	".htaccess",                // Apache
	".nojekyll",                // GitHub Pages: no Jekyll
	"404.html",                 // what hosts answer for addresses without a file
	"_headers",                 // Netlify
	"_redirects",               // Netlify
	"_routes.json",             // Cloudflare Pages: which addresses run _worker.js
	"_worker.js",               // Cloudflare Pages
	"index.html",               // Azure Static Web Apps: what its client looks for
	"staticwebapp.config.json", // Azure Static Web Apps
}
