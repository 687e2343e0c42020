package host

// fileServer is any server that maps the path of an address to a file, and no more.
var fileServer = &Host{
	Name:       "files",
	Title:      "any file server",
	Level:      Walkable,
	TestedWith: "the conformance test walks a plain file server",
	Cannot: filesOnly(
		Exception{"cors-header", "headers cannot be set"},
		Exception{"not-found-body", "it has a page of its own for files that are missing"},
		Exception{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		Exception{"slash-redirect", "it redirects to folders in its own way"},
		Exception{"redirect", "it redirects to folders in its own way"},
		Exception{"content-type", "its list of the files in a folder is no JSON"},
	),

	Deploy: Deploy{Mount: (*Config).Prefix},
}
