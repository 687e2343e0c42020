// Package preview is an HTTP server for one machine: it serves a snapshot exactly
// as the contract says, and beside it a page browser for authors and reviewers, and
// the images, sounds and films of the content folder.
//
// [Listen] takes an address, [New] makes a server, and [Server.Show] gives it a
// [Site]: the answers of a snapshot, from a [Folder] on disk or from memory, and
// what the sources say beyond them. Show can be called again at any time.
//
// # The contract
//
// Every request below /pages is mapped to a file of a snapshot by the one rule
// of contract.md 11, and answered from the [Answers] of the last Show. Nothing of a
// request becomes part of a path: it only picks a name out of a closed set. Where
// the contract leaves a choice,
//
//   - an answer has a strong ETag made of its bytes and their content coding, and
//     a request that names it in If-None-Match gets 304 (RFC 9110, 13.1.2)
//   - bodies above a kilobyte are sent as br, zstd or gzip where the client takes
//     that and it is smaller (RFC 9110, 12.5.3); a client that takes none of them
//     gets the plain bytes
//   - ranges are not served
//   - Cache-Control is no-cache: what is shown may change at any time
//   - "page=" without a value is a bad page: 404
//   - before the first Show with answers, or while the folder with them is gone, the
//     status is 503, and if an answer cannot be read, 500, with a body of the form of
//     the other errors
//
// # Beside the contract
//
// The page browser and what it needs lie at addresses that the contract does not
// use, under a strict Content-Security-Policy, for GET and HEAD only:
//
//	/                        index.html of Options.Browser
//	/_preview/NAME           its other files
//	/_preview/state.json     languages, pages, stubs and problems of the site
//	/_preview/events         server-sent events: "state", on each change
//	/_preview/body/ID        the content of a record as a document for a sandboxed
//	                         frame; it asks for /_preview/body.css
//	/PATH                    an image, a sound or a film at PATH in the content folder
//
// Where there is a page browser, an address that is neither one of these nor below
// /pages leads a client that prefers HTML, as browsers do when a link in a record
// is followed, to the view that finds the page: 302 to /#/at/ADDRESS. All other
// clients get the contract's 404.
//
// State and events carry a version, which grows with each Show. It begins with the
// time of day, so that a browser that outlives the server does not take a new
// server's version for an old one's.
//
// # Safety
//
// The server listens on the loopback interface by default, and answers only
// requests whose Host is its own; all others get 421. So a website cannot read the
// preview by giving its own name this address (DNS rebinding).
//
// Answers of the contract name the origin of the request as allowed where that is
// a loopback origin, as of a client under development, or one of Options.Origins
// (Fetch, CORS protocol). Pages of any other origin cannot read them.
package preview

import (
	"io/fs"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

// Answers are the files of one snapshot, by their paths in it, such as
// "pages/index.json". They are safe for concurrent use. Callers do not change
// the bytes they get, nor does the implementation.
type Answers interface {
	// Answer returns the bytes of a file, or nil where there is none.
	Answer(file string) ([]byte, error)
}

// Site is what is shown at one moment. Its JSON is a part of /_preview/state.json.
type Site struct {
	Answers   Answers     `json:"-"`               // nil: there are none yet
	Media     Media       `json:"-"`               // images, sounds and films of the records
	Languages []string    `json:"languages"`       // those of the site, the reference language first; nil where that is not known
	Failed    bool        `json:"failed"`          // the problems stop a build
	Report    diag.Report `json:"problems"`        // of the sources as they are now
	Stubs     []Stub      `json:"stubs,omitempty"` // sources that are left out until they are finished
	Pages     []Page      `json:"pages"`           // of all records, and of pages that cannot be shown; nil where the sources are not known
	Changed   []uuid.UUID `json:"-"`               // records that were added, changed or removed since the Site before; nil: any
}

// Page is the source of a record, or of a page that has none because of its errors.
type Page struct {
	ID       uuid.UUID `json:"id,omitzero"`        // none where the page is Hidden
	Language string    `json:"language,omitempty"` // of a page that is Hidden; others have it in their record
	Topic    string    `json:"topic"`
	Kind     string    `json:"kind"`
	File     string    `json:"file"`             // of the source
	Text     uint32    `json:"text,omitempty"`   // hash of the body's text, which tells translations from copies
	Broken   Version   `json:"broken,omitempty"` // which version is shown of a page with errors; "" where it has none
}

// Stub is a source that is left out until it is finished.
type Stub struct {
	Topic    string `json:"topic"`
	Language string `json:"language"`
}

// Version says which version is shown of a page whose source has errors.
type Version string

// The versions of a page with errors.
const (
	Earlier Version = "earlier" // as it last was without errors
	Flawed  Version = "flawed"  // as it is, which never was without errors
	Hidden  Version = "hidden"  // nothing: it has no version that can be shown
)

// Options configure a server. The zero value serves the contract to requests that
// name the loopback interface, whatever the port.
type Options struct {
	Base     string      // base address, without a slash at its end: see Listener.Base
	Hosts    []string    // values of Host that are answered: see Listener.Hosts; nil: loopback names with any port
	Origins  []string    // whose scripts may read answers of the contract, beside loopback origins: see ParseOrigin
	Browser  fs.FS       // the page browser: index.html at the root; nil: none
	Snapshot bool        // the site is a folder that was built, for state.json
	Log      func(error) // gets answers that cannot be read and connections that break; may be nil
}

// Error says why a preview cannot start, and what to do about it.
type Error struct {
	Problem string
	Hint    string // the cure; "" where there is none
	Err     error  // the cause, may be nil
}

// Error returns the problem, and the reason where there is one.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Problem
	}
	return e.Problem + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
