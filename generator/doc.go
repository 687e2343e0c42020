// Package generator turns a content folder into a snapshot: every JSON answer of a
// read API, as files. It only connects the packages below it: [Build], [Check] and
// [Preview].
//
// # Packages
//
// Data goes one way, and a test holds the table of what each package may import:
//
//	settings → source → corpus → lists → tree → a folder, an archive, a bucket or a view
//
//	settings  flags, site.yaml and host as one value that does not change during a build
//	source    the content folder as pages: the walk, site.yaml, the formats, dates
//	baseurl   the base address of the service, parsed
//	page      a record as data: language, kind, meta, times
//	markup    a body as content: rendered, cleaned, links resolved, embeds taken out
//	lint      rules that need all pages
//	api       the contract as code: addresses, link styles, JSON
//	corpus    a site during a build: scan, lint, render, reuse, build cache
//	lists     the list pages, all of them or those that changed
//	state     keys and values on disk that are checked when read: manifest and build cache
//	tree      a snapshot as data: its files in order, its manifest, the steps between two
//	folder    a folder as destination: staged, compared, and published by a plan that is finished
//	archive   one reproducible file as destination, and read again as a tree
//	bucket    an object store as destination, brought from one tree to the next
//	diff      two snapshots compared: files, records, addresses that are gone
//	view      a site in memory as destination, for the preview
//	preview   serves a snapshot on one machine, and a page browser beside it
//	watch     reports changes in the content folder, for the live preview
//	host      the ways to serve a snapshot: what each can keep, its files, its limits
//	adopt     proposes the site.yaml of a folder that was not made for sivu
//	author    writes sources: fresh pages, and ids into pages without one
//	verify    the conformance checker, for a folder or an address; shares no code with api
//	diag      problems of pages as data, and how they are printed
//	fsutil    locks, flushing, files that are replaced whole
//	work      workers, progress, and the garbage collector
//
// What is text and no Go lies in templates beside this folder: the reference that
// "sivu help" prints, JSON Schemas, configurations of hosts, the page browser of the
// preview, and what "sivu init" begins a site with. Comments that cite contract.md mean
// templates/help/contract.md.
//
// # Where to find things
//
//   - Where a link is made: links.go in markup finds the page that a link means, in
//     the index of all pages (index.go); [api.Links] writes the addresses of records and lists.
//   - Why a page was rendered again: reuse.go in corpus says what of the previous
//     build is reused, and so what is not.
//   - Where a list page comes from: [corpus.Corpus.Lists] gives the order, package lists
//     makes the pages; items of records that were not read come out of the list pages
//     of the previous build, split by [api.Links.SplitEnvelope].
//   - What becomes of a template marker: markers_known.go in markup.
//   - What the manifest holds: the package comment of tree. The build cache is
//     written by [corpus.Corpus.Save]; codec.go there says what is in it.
//   - How a file reaches its destination: [corpus.Writer] takes the files of records,
//     [lists.Writer] list pages, and destination.go here makes both for a folder or an
//     archive. Nothing is moved into place before it is known that no page has errors.
//   - How a file reaches a bucket: plan.go in bucket compares the tree of a folder or an
//     archive with the one that the bucket holds, apply.go sends what differs.
//
// # Where a new thing goes
//
//   - a source format: a file in source, with a page.Syntax if its bodies are neither
//     Markdown nor HTML, a line in source.Formats, and for sivu new an element of
//     pageWriters in author
//   - something that rendered pages say of themselves: rendered.go in source; of a site as
//     a whole, such as sitemaps: a hash in corpus, so that a page is read again when its
//     part changes
//   - a key of site.yaml: a field of source.Site, and a line in site_keys.go in source
//   - template markers of another generator: its name in page.Generators, and a line in
//     templates of markup, or in markers_lines.go what begins a line
//   - a kind of page: an element of page.Kinds
//   - a rule over the collection: a file in lint, and a line in lint.Rules with the
//     facts that it reads
//   - a link style: an element of api.Styles
//   - a way to print problems: a file in diag, and a line in diag.Formats
//   - a host: a file in host, its texts in templates/hosts, and a line in host.Hosts
//   - a sentence that verify checks: a rule in verify, and a line in its list
//   - a coding of precompressed variants: an element of folder.Codings, its name in
//     api.Codings, its endings in api, and its reader in verify
//   - a variant of answers: api.Variants and its endings in api; preview and verify, which
//     read them
//   - a file beside pages: its name in api, and a line in writeTop of destination.go; the
//     hosts' upload scripts name what they send
//   - a form of archive: an element of archive.Formats
//   - an object store with another API: a Store in bucket
//   - another kind of destination: a package with writers as package archive has, and a
//     case of openDestination in destination.go
//   - a generator whose sites sivu init knows: an element of generators in place.go of
//     adopt, and what its configuration says in generators.go
//   - a command: a file in cmd/sivu, and a line in commands in its root.go
//   - a topic of the reference: a file in templates/help
//
// A key of site.yaml, a rule, a host, a command and a flag have an entry in templates/help,
// keys and rules also in templates/schema/site.json. Tests of cmd/sivu hold that;
// "make golden" writes the tables, and asks for what people have to write.
//
// Package bench has no code but tests: it measures builds and rebuilds.
package generator
