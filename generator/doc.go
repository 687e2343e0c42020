// Package generator turns a content folder into a snapshot: every JSON answer
// of a read API, as files. [Build], [Check] and [Preview] are the only wiring
// there is between the rooms of the house.
//
// # The way of the data
//
// Data goes one way, and nobody imports backwards; a test holds the table of
// what each room may import.
//
//	content → source → page → markup → lint → api → tree → folder, archive → host
//	                                             → preview                   → verify
//
//	source    the content folder as pages: the walk, site.yaml, the formats, dates
//	page      the record as data: language, kind, meta, times
//	markup    a body as content: rendered, cleaned, links resolved, embeds taken out
//	lint      rules that need the whole collection
//	api       the contract as code: addresses, paths of files, link styles, JSON
//	state     what one build tells the next: keys and values that are checked when read
//	tree      a snapshot as data: its files in order, its manifest, the steps between two
//	folder    bytes on disk: staged, compared, and published by a plan that is finished
//	archive   the same bytes as one reproducible file
//	bucket    a snapshot in an object store, brought from one tree to the next
//	host      the ways to serve a snapshot: what each can keep, its files, its limits
//	preview   the server of one machine, and what watches the content folder
//	verify    the conformance checker, for a folder or an address; knows nothing of api
//	fsutil    what the os package lacks: locks, flushing, files that are replaced whole
//	diag      what is wrong with pages, as data, and how it is printed
//
// What is text and no Go lies in templates beside this folder: configurations of
// hosts, and the page browser of the preview.
//
// # Two passes
//
// The first pass reads each source, understands its head, and keeps one small
// record of it: enough for the links, the rules and the order of the lists. What
// a list shows of it is set aside in a file below .sivu, and no body is kept. The
// rules of lint then judge the collection.
//
// The second pass reads each source again, renders and cleans its body, resolves
// its links against the records of the first, and stages the files of the
// record. Of anchors it keeps only hashes; links to anchors of other pages are
// judged when all are known. A source that changed between the passes is an
// error.
//
// Problems of pages are diagnostics; both passes go on to find them all. Only
// if there are none are the list pages written and the snapshot moved into
// place. So memory grows with the records of lists and not with bodies, and the
// output folder never holds half a site.
//
// # What changed
//
// Each run leaves a trace: what it found of every source by itself, and what the
// links of its body asked the index. The next run reads only sources that changed,
// renders only those and the bodies whose links now lead elsewhere, takes everything
// else from the trace, and so comes to the end that a run comes to which knows
// nothing; tests hold that over random edits. The rules of lint are run again only
// where a fact changed that one of them reads. A build keeps the trace in the state
// and writes only what differs; of records that it did not read, it takes what lists
// show from the list pages that lie there.
//
// [Live] keeps a site built in memory, for the preview. A [View] makes the files of
// the snapshot when they are asked for. [Preview] puts Live between the watcher and
// the server.
//
// # Where a new thing goes
//
//   - a source format: a file in source, and a line in source.Formats
//   - a syntax of bodies: a constant in page, and a case in Render in markup
//   - a kind of page: an element of page.Kinds
//   - a rule over the collection: a file in lint, and a line in lint.Rules with the
//     facts that it reads
//   - a link style: an element of api.Styles
//   - a way to print problems: a file in diag, and a line in diag.Formats
//   - a host: a file in host, its texts in templates/hosts, and a line in host.Hosts
//   - a sentence that verify checks: a rule in verify, and a line in its list
//   - a coding of siblings: an element of folder.Codings
//   - a form of archive: an element of archive.Formats
//   - an object store with another API: a Store in bucket
//   - a command: a file in cmd/sivu, and a line in commands in its root.go
//
// Beside cmd/sivu there are two programs for whoever works on it: sivu-bench
// measures builds and rebuilds, and sivu-serve is the plain file server of "make serve".
package generator
