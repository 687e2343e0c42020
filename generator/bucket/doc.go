// Package bucket publishes a snapshot to a bucket of an object store. [Publish] compares
// the tree of a [tree.Snapshot] with the tree that the bucket holds, and sends and removes
// the files that differ, in the order of package tree. A [Store] gives access to a bucket:
// get, conditional put, list and delete. [OpenS3] returns one for the S3 API; another API
// is another Store.
//
// A snapshot is a folder ([OpenFolder]) or an archive, and so is whole before the first
// request: nothing is sent of a build that fails. Precompressed variants are not
// published, as a bucket cannot negotiate.
//
// # The state
//
// What the bucket holds is recorded at an address of its own, .sivu below the snapshot
// unless told otherwise:
//
//	head          JSON: hashes of the tree and of the table of headers, the names of the
//	              tree's objects, how many objects left the tree and since when, a lock
//	tree/SHA256   the tree as package tree encodes it: a base, and segments of its log
//
// The objects of the tree never change. A publication writes a segment, or a new base
// where the log is a quarter of it, and up to 16 segments are put together as one. So
//
//   - nothing changed and nothing due is one GET;
//   - a change is its files and four small writes: a segment, the probe of it, and head
//     twice. Base and segments are read whole: 54 bytes for each file;
//   - other headers in the table send every file again.
//
// # What is not known
//
// Where head is missing or damaged, or one of its objects is, the bucket is listed below
// pages. An object is believed to be as it is due where its ETag is the MD5 of the file,
// as it is after one PUT, and if four objects that are looked at have the headers of the
// table; 404.json and 405.json are read; anything else is sent again. Objects with names of sivu's that are not due
// count as files that left the tree. If a publication with another table was cut off
// before the state was lost, single objects may keep its headers until they change.
//
// # Whose objects
//
// Only paths of package api are written or removed. Those below pages, 404.json and
// 405.json are sivu's. Names of a host's files in the root are used by others, too: such
// an object is only written over or removed if the state says that sivu wrote it, and
// one that is in the way is an error before anything is sent.
//
// # Files that left the tree
//
// They stay for Options.KeepRemoved, for clients that hold an older list. The first
// publication after that removes them, also where nothing else changed. Each goes by its
// own KeepRemoved.
//
// # One publisher at a time
//
// Before the first file, a conditional PUT of head takes the lock: a nonce, the name of
// the publisher, its lease, and the tree that it is to bring about (its plan). The owner
// renews the lease each third of it; a refusal, or two thirds without success, ends it.
// Others see the age of head by the store's own clock, Date less Last-Modified, so that
// clocks of publishers need not agree. The last write of head ends the lock and names the
// new tree. After a failure, an owner that still can gives the lock up.
//
// A publisher that finds a lock whose lease is over takes it, with one more plan. Where
// the recorded tree and any of the plans differ, the bytes in the bucket are not known:
// these paths are sent, or count as files that left. After eight plans without an
// end the bucket is listed. Thus every publication that ends leaves exactly its own tree,
// whatever the ones before it came to. In between, a client meets files of several trees,
// each whole, and no link to a file that is not there.
//
// Whether the store honours conditions is probed in each publication that writes, by PUTs
// that must be refused. Where it does not, [Result.Unconditional] says so: head is then
// compared before it is written, which two publishers within a moment can both survive.
//
// # What a late request can do
//
// An owner stops sending at two thirds of its lease, at the latest. But a PUT of one that
// is cut off may lie in the network, or in the store, until after the lease, when another
// owner has written the same object or removed it. The store then has the older file, or
// one too many, and the state does not say so, until the path changes again. No store
// offers conditions over several objects that would rule this out. With a lease of a
// minute, such a request has to be late by more than 20 seconds. Removing head makes the
// next publication list the bucket and find such objects by their ETags.
package bucket
