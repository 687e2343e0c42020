// Package verify is the conformance checker of the contract. Folder checks the files
// of a snapshot, URL the responses of a service; both return a Report of findings, each
// with the rule that is broken. It shares no code with the packages that write
// snapshots, so that it does not repeat their mistakes.
//
// # The walk
//
// The plain variant is walked first, then the api variant, which must have the same
// records in the same order. A walk follows next from list page to list page, opens
// every record, and follows previous back. Memory grows with records and not with
// bodies, of which it keeps hashes: verify stays below 200 MB (room in budget.go).
//
// After a wrong link the walk goes on at the address that is due, so that one mistake
// is one finding and does not hide the next. Links out of the base address are never
// followed. A walk that would not end, or uses up a budget (budget.go), is stopped, and
// Report.Stopped names the cause; Report.Hints say what to do.
//
// # Beyond the walk
//
// In a folder: the two names of list page 1, the error bodies, precompressed files, and
// files below pages that no list page leads to. Other files at the top are not sivu's.
// Files of Options.Kept may be unlisted, and their links are not checked. At an address:
// the request matrix (http_matrix.go).
//
// # Rules
//
// Rules lists all rules. A rule that only sivu decided is Loose: with Options.Lenient
// it is a note. So are the queries of the request matrix that the contract does not name.
package verify

import (
	"iter"
	"time"
)

// Rule is one sentence of the contract (templates/help/contract.md).
type Rule struct {
	Name    string // as in reports, and in Options.Cannot
	Section string // where the sentence stands, such as "sivu help contract, 2.4"
	Doc     string // the sentence, in short
	Loose   bool   // a note with Options.Lenient
}

// The link styles of a service (contract.md 10).
const (
	LinksQuery     = "query"
	LinksFile      = "file"
	LinksFileQuery = "file+query"
)

// Options configure a verification. The zero value checks everything, with the links of
// the contract.
type Options struct {
	BaseURL string            // of a folder; "" takes the base address of most records
	Links   string            // a link style; "" is LinksQuery
	Cannot  map[string]string // documented exceptions of a host: reasons by name of the rule
	Host    string            // its name, for hints
	Styles  []string          // link styles that it can serve; none: all
	Sample  int               // how many list pages and records to open, spread over all; 0 opens all
	Lenient bool              // breaking a loose rule is a note
	Jobs    int               // requests or files at once; 0 chooses

	// Of a folder.
	PlainOnly bool             // the host makes the api variant
	Kept      iter.Seq[string] // paths of files that a build keeps for clients of older lists; nil for none

	// Of an address. 0 chooses; the budgets then suffice for an honest service of any
	// size, see budget.go.
	Rate        float64       // maximum requests per second
	Timeout     time.Duration // of one request
	MaxRequests int64
	MaxBytes    int64 // received, and once more as decompressed
	MaxTime     time.Duration

	Progress func(stage string, done, total int) // called from any goroutine, with a total of 0 where it is unknown; may be nil
}

// Finding is a rule that is broken at one address.
type Finding struct {
	Rule    *Rule  `json:"-"`
	Address string `json:"address"`          // of the response, or the path of a file in the folder
	Request string `json:"request,omitzero"` // the method and headers, if not a plain GET, such as "HEAD" or "GET, Accept-Encoding: br"
	Due     string `json:"due"`
	Came    string `json:"came"`
	Note    bool   `json:"note,omitzero"`   // does not fail: see Options.Lenient
	Reason  string `json:"reason,omitzero"` // from Options.Cannot
}

// Report is the result of a verification. Findings are sorted. Of each rule a limited
// number is kept, and More counts the others by name of the rule. Texts of the service
// have no control characters.
type Report struct {
	Base     string // "" where no record of a folder has an address
	Count    int    // of the collection, as on the first list page; -1 where it is unknown
	Sample   int    // Options.Sample
	Records  int    // opened
	Lists    int    // list pages opened, in one variant
	Requests int    // made; 0 for a folder
	Kept     int    // files in the folder that Options.Kept names
	Findings []Finding
	More     map[string]int
	Stopped  string   // why the walk ended early, or ""
	Hints    []string // what to do about findings that have one cause

	// Unfinished says that a budget was used up: Stopped says what was not checked.
	Unfinished bool

	groups []*group // by outcome, then in the order of Rules
}

// Failed reports whether there is a finding that is neither excepted nor a note, or no
// list page was read.
func (r *Report) Failed() bool {
	failures, _, _ := r.Totals()
	return failures > 0 || r.Lists == 0
}
