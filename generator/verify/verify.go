// Package verify is the conformance checker: it reads a snapshot in a folder, or
// the answers of an address, as a client would, and names every sentence of the
// contract that is not kept. It shares no code with what writes snapshots, so
// that a mistake there is not made here again.
//
// # The walk
//
// The plain variant is walked first, then the api variant, which must have the
// same records in the same order. Each walk goes from list page to list page by
// next, and back by previous, and opens every record meanwhile. Of what it opens
// it keeps hashes, so memory grows with records and not with bodies. Of records of
// a service that are large, one is read at a time. A record may have 32 MiB, and
// 4 MiB where a service has shown more than 300,000 records (room.go): what is kept
// of the records and what one body takes together stay below 200 MB.
//
// A link that is wrong is a finding, and the walk goes on at the address that is
// due, so that one mistake is one finding and does not hide the next. Links out
// of the base address are never followed. A walk that would not end is ended, and
// Report.Stopped names the cause: next leads back, another list page has the
// same bytes because the host ignores the query, there are more list pages than
// count allows, or a budget is used up (budget.go). At an address that has no list
// page to begin with, nothing more is tried than what names the cause; Report.Hints
// say what to do.
//
// # What else is looked at
//
// In a folder: the two names of list page 1, the bodies of errors, precompressed
// siblings, and whether below pages lies anything that nothing leads to. Other
// files at the top are somebody else's. Files that a build keeps for clients of
// older lists are no surplus, if Options.Kept names them: they have to be sound
// in themselves, and where their links lead is not asked. At an address: the
// request matrix, see http_matrix.go.
//
// # Rules
//
// Rules names every sentence that is checked. A sentence that only DESIGN.md has
// is Loose: a note, where the service is not one that sivu made. So are those
// queries of the request matrix that the contract does not name.
package verify

import (
	"iter"
	"time"
)

// Rule is one sentence that is checked.
type Rule struct {
	Name    string // as in reports, and in what a host cannot keep
	Section string // where the sentence stands, such as "contract.md 2.4"
	Doc     string // the sentence, in short

	// Loose: a note with Options.Lenient. So is whatever only DESIGN.md says,
	// and what services that sivu did not make do in another way.
	Loose bool
}

// The link styles that a service can have (DESIGN.md, link styles).
const (
	LinksQuery     = "query"
	LinksFile      = "file"
	LinksFileQuery = "file+query"
)

// Options say what is due. The zero value checks all of it, with the contract's
// own addresses.
type Options struct {
	BaseURL string            // of a folder; "" takes the one that all urls have in common
	Links   string            // one of the link styles; "" is LinksQuery
	Cannot  map[string]string // reasons why a host cannot keep rules, by name of the rule
	Sample  int               // how many list pages and records to open, spread over all; 0 opens all
	Lenient bool              // further keys and another page size are notes
	NoTwins bool              // of a folder: the api variants are made by the host
	Kept    iter.Seq[string]  // of a folder: paths of files that left the lists and stay for a while; nil for none
	Jobs    int               // requests at once; 0 chooses
	Rate    float64           // requests a second at most; 0 chooses
	Timeout time.Duration     // of one request; 0 chooses

	// What the verification of an address may cost as a whole. 0 chooses: enough
	// for an honest service of any size, see budget.go.
	MaxRequests int64
	MaxBytes    int64 // as they come in, and once more as they are unpacked
	MaxTime     time.Duration

	Progress func(stage string, done, total int) // called from any goroutine, may be nil
}

// Finding is one sentence that was not kept at one address.
type Finding struct {
	Rule    *Rule
	Address string // of the answer, or the path of a file in the folder
	Request string // how it was asked for where that was no plain GET, such as "HEAD" or "GET, Accept-Encoding: br"
	Due     string
	Came    string
	Reason  string // why this host cannot keep the rule; "" where it should
	Note    bool   // worth a look, and no finding: see Options.Lenient
}

// Report is what was found. Findings are sorted; of one rule at most a limited
// number is kept, and More counts the others by name of the rule.
type Report struct {
	Base     string // "" where no record of a folder has an address
	Count    int    // of the collection, as the first list page says; -1 where none does
	Sample   int    // how many list pages and records were asked for; 0 is all
	Records  int    // opened
	Lists    int    // opened, in one variant
	Requests int    // made; 0 for a folder
	Kept     int    // files of a folder that are there and among Options.Kept
	Findings []Finding
	More     map[string]int
	Stopped  string // why the walk ended early: "" where it did not

	// Unfinished says that a budget was used up: Stopped tells what was not checked.
	Unfinished bool
	Hints      []string // what to do about findings that have one cause

	moreNotes map[string]int // how many of More are notes
}

// Failed reports whether anything was found that is neither excepted nor a note,
// or nothing could be read.
func (r *Report) Failed() bool {
	if r.Lists == 0 {
		return true
	}
	for _, f := range r.Findings {
		if f.Reason == "" && !f.Note {
			return true
		}
	}
	return false
}
