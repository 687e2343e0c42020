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
// forgets them. What a problem in a page makes of this is the caller's matter:
// it calls Abort. All errors here mean that sivu could not run.
//
// # The folder
//
//	pages/index.json         pages/index.api.json
//	pages/page-N.json        pages/page-N.api.json
//	pages/<uuid>/index.json  pages/<uuid>/index.api.json
//	404.json  405.json
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
// # A commit
//
// Everything is written before the first move. Then, in this order:
//
//  1. records, those that are new as whole folders;
//  2. list pages from the last to the second, then the first, and the error
//     bodies: who follows next meets no address that is not there yet;
//  3. surplus list pages, the last one first, and then surplus records go;
//  4. the manifest is replaced;
//  5. backup is renamed to trash. From here on the new snapshot stands.
//
// A first build moves pages in as one folder. A file that is replaced gets a
// second name in backup (a hard link, or a copy where there are none) and then
// the new one is renamed over it: no file of both snapshots is missing or torn
// at any moment. If a step fails, or the context is done, the steps before it
// are undone, the last one first; links and renames bring back the old bytes
// with their old times. Folders that removed records leave empty go last.
//
// The manifest is the same for the same snapshot: entries are in the order of
// their paths, and there is no time in it. Where it is missing or damaged,
// surplus files are known by their paths instead, those listed above.
//
// # What is not promised
//
// Nothing is flushed to the disk (fsync). A build that was killed within a
// commit leaves its backup. The next Open puts back from it what had been
// replaced or removed; what had been added is found by its path and goes with
// the next commit. Between the two a reader may meet files of both snapshots.
package snapshot
