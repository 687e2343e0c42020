// Package snapshot puts the files of a snapshot on disk: all of them or none,
// and only those that differ from what is there.
//
// # The way of a build
//
// [Open] checks the output folder, locks it and makes an empty stage in it.
// Any number of [Writer] values then take files in any order. A writer
// compares each with the bytes that lie in the folder and stages it only if
// they differ, so an unchanged file keeps its time of modification, of which
// web servers make an ETag. A changed one gets a time that is later by a whole
// second at least. [Stage.Commit] moves the staged files in; [Stage.Abort]
// forgets them. [Stage.Review] tells before that what a commit will do. What a
// problem in a page makes of this is the caller's matter: it calls Abort. All
// errors here mean that sivu could not run.
//
// # The folder
//
//	pages/index.json         pages/index.api.json
//	pages/page-N.json        pages/page-N.api.json
//	pages/<uuid>/index.json  pages/<uuid>/index.api.json
//	X.json.br  X.json.gz  X.json.zst   siblings of any of these
//	404.json  405.json
//	_headers  .htaccess  404.html …    in-root files: see RootNames
//	.sivu/lock               held while a build is at work
//	.sivu/manifest           the files of the snapshot: path, size, SHA-256
//	.sivu/stage/             the new files, in the tree that they will have
//	.sivu/backup/            the old files, while a commit is at work
//	.sivu/trash/             a backup that is no longer needed
//
// These are all the paths that sivu writes or removes; the writers refuse any
// other, and so does the reader of a manifest. Everything else in the folder
// is left alone. A folder that holds something but neither a lock nor a
// manifest of sivu's is not written to. Neither is a symlink, the root of the
// file system, the home folder, or a folder that is, holds or lies in the
// content folder. A symlink in the place of one of sivu's own files or folders
// is an error, and nothing is ever written or removed through one that leads
// out of the output folder.
//
// # In-root files
//
// Files that a host wants in the folder itself have names that people write
// files under, too. So their path does not tell whose they are, and only the
// manifest does: one that is not in it is never written over nor removed, and a
// build that needs its name ends with an error before anything is changed. Only
// if it holds just the bytes that are due does the build take it over. 404.json
// and 405.json are in every snapshot, and so are sivu's wherever a snapshot is,
// as all that lies in the places below pages is. A file that is in the manifest
// and that someone changed is put right like any other.
//
// # Siblings
//
// An answer may have siblings: compressed forms in the [Codings] that
// [Options] name, which a server sends in its place. A writer makes them, each
// from the bytes of the answer alone, and only those that are smaller. Error
// bodies have none, for nothing is gained, nor have in-root files, which no
// client fetches. They are compared, staged and listed in the manifest as other
// files are. Whether a sibling differs is found by compressing again: that it is
// there says nothing about what is in it.
//
// # A commit
//
// Everything is written before the first move. Then, in this order:
//
//  1. records, those that are new as whole folders;
//  2. new list pages, the last one first;
//  3. new and changed in-root files: they route, and now everything that they
//     may lead to is there, while no list has a link yet that relies on them;
//  4. changed list pages from the last to the second, then the first, and the
//     error bodies: who follows next meets no address that is not there yet;
//  5. surplus list pages, the last one first, then surplus records, and then
//     surplus in-root files go: nothing relies on them any more;
//  6. the manifest is replaced;
//  7. backup is renamed to trash. From here on the new snapshot stands.
//
// The siblings of an answer are written or removed right before it. In between
// these renames a client may get the new bytes in one coding and the old ones in
// another, but always one whole answer. It is the siblings that go first, because
// some servers send a sibling with the validators of the answer beside it: old
// validators on new bytes cost one more request, but new validators on old bytes
// would be revalidated with success until the answer changes again. Of a new
// address siblings are there before anyone is led to it, and those of a surplus
// answer go before it does, so that the plain answer is what remains to the last.
//
// A first build moves pages in as one folder. A file that is replaced gets a
// second name in backup (a hard link, or a copy where there are none) and then
// the new one is renamed over it: no file of both snapshots is missing or torn
// at any moment. If a step fails, or the context is done, the steps before it
// are undone, the last one first; links and renames bring back the old bytes
// with their old times. Folders that removed records leave empty go last.
//
// The manifest is the same for the same snapshot: entries are in the order of
// their paths, and there is no time in it. A manifest of version 1, from before
// there were siblings and in-root files, is read as well. Where it is missing or
// damaged, surplus files are known by their paths instead, those listed above but
// for in-root files.
//
// # What is not promised
//
// Nothing is flushed to the disk (fsync). A build that was killed within a
// commit leaves its backup. The next Open puts back from it what had been
// replaced or removed, and removes the in-root files that had been added, of
// which backup holds a copy as long as it is there; what had been added below
// pages is found by its path and goes with the next commit. Between the two a
// reader may meet files of both snapshots.
package snapshot
