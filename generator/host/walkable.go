package host

// allStyles are the link styles of hosts that route on the query.
var allStyles = []string{"query", "file+query", "file"}

// fileStyles are the link styles of hosts that ignore the query.
var fileStyles = []string{"file+query", "file"}

// ignoresQuery are the rules that no host keeps that maps a path to a file and
// does not look at the query.
var ignoresQuery = []Exception{
	{"page-query", "it ignores the query"},
	{"format-query", "it ignores the query"},
}

// firstCounts are the rules that hosts break whose conditions on the query are
// not sure to look at the last value of a repeated parameter.
var firstCounts = []Exception{
	{"page-query", "of a repeated parameter another than the last may count"},
	{"format-query", "of a repeated parameter another than the last may count"},
}

// noHeaders are the rules that take headers of one's own.
var noHeaders = []Exception{
	{"allow-header", "headers cannot be set"},
	{"vary-header", "headers cannot be set"},
	{"error-headers", "headers cannot be set"},
}

// ownMethods are the rules that take answers to other methods than GET and HEAD.
var ownMethods = []Exception{
	{"method-status", "it answers other methods in its own way"},
	{"method-body", "it answers other methods in its own way"},
	{"options-status", "it answers OPTIONS in its own way"},
	{"options-body", "it answers OPTIONS in its own way"},
	{"preflight", "it answers OPTIONS in its own way"},
}
