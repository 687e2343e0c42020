package snapshot

import "slices"

// RootNames are the names that a host's files may have in the folder of a
// snapshot itself, in order. Of these a build takes over only what the manifest
// says is sivu's, for people write files of such names too.
var RootNames = []string{
	".assetsignore",
	".htaccess",
	".nojekyll",
	"404.html",
	"_headers",
	"_redirects",
	"_routes.json",
	"_worker.js",
	"index.html",
	"staticwebapp.config.json",
}

// errorBodies are the files of the folder itself that every snapshot has.
var errorBodies = []string{"404.json", "405.json"}

// topNames are all names of files in the folder itself, in order.
var topNames = slices.Sorted(slices.Values(slices.Concat(errorBodies, RootNames)))
