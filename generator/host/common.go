package host

import (
	"slices"

	"example.org/sivu/generator/api"
)

// exceptions are rules that a host breaks for one reason.
func exceptions(why string, rules ...string) (list []Exception) {
	for _, rule := range rules {
		list = append(list, Exception{rule, why})
	}
	return list
}

// ignoresQuery are the rules that a host breaks that maps a path to a file and
// ignores the query.
var ignoresQuery = exceptions("it ignores the query", "page-query", "format-query")

// firstCounts are the rules that a host may break whose conditions on the query
// may look at another value of a repeated parameter than the last.
var firstCounts = exceptions("of a repeated parameter another than the last may count", "page-query", "format-query")

// noHeaders are the rules that need response headers.
var noHeaders = exceptions("headers cannot be set", "allow-header", "vary-header", "error-headers")

// ownMethods are the rules of other methods than GET and HEAD.
var ownMethods = slices.Concat(
	exceptions("it answers other methods in its own way", "method-status", "method-body"),
	exceptions("it answers OPTIONS in its own way", "options-status", "options-body", "preflight"),
)

// filesOnly are the exceptions of a host that maps a path to a file, and has no more
// settings.
func filesOnly(more ...Exception) []Exception {
	return slices.Concat(ignoresQuery, noHeaders, ownMethods, more)
}

// ownServer are the flags of a server that reads the files of the snapshot.
var ownServer = []string{"root", "listen"}

// inSnapshot is where in-root files go.
const inSnapshot = "the folder of the snapshot; sivu build --host puts it there"

// notFoundPage is the page that hosts show where a file is missing: the body of
// the contract. Without it, some answer with status 200 and a page of their own.
var notFoundPage = Part{Name: "404.html", Text: api.NotFoundBody, Where: inSnapshot}

// onlyRules are the rules that a host breaks that routes by rules and runs no code.
func onlyRules(maker string) []Exception {
	return []Exception{
		{"method-status", "rules cannot answer 405; " + maker + " answers other methods for a file in its own way"},
		{"method-body", "rules cannot give a body"},
		{"options-status", "rules cannot answer OPTIONS"},
		{"options-body", "rules cannot give a body"},
		{"preflight", "rules cannot answer OPTIONS"},
	}
}
