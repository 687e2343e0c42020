package host

import "example.org/sivu/generator/api"

// ObjectHeaders are the headers that an object store keeps with the files of a snapshot
// and sends with them: those of a file are the first whose Name is the end of its path.
// Other hosts send the same, from their configurations.
var ObjectHeaders = []struct{ Name, ContentType, CacheControl string }{
	{api.NotFoundFile, "application/json", cacheError},
	{api.MethodNotAllowedFile, "application/json", cacheError},
	{".json", "application/json", cacheMinute},
	{".html", "text/html; charset=utf-8", cacheError},
	{".js", "text/javascript; charset=utf-8", cacheDeploy},
	{"", "text/plain; charset=utf-8", cacheDeploy},
}
