// Package folder puts the files of a snapshot on disk: all of them or none,
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
// forgets them. [Stage.Review] tells before that what a commit will do, and
// [Stage.Then] keeps the lock for what has to follow it. What a problem in a page
// makes of this is the caller's matter: it calls Abort. All errors here mean that
// sivu could not run.
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
//	.sivu/manifest.log       what changed in it since it was written whole
//	.sivu/stage/             the new files, in the tree that they will have
//	.sivu/backup/            the old files and a journal, while a commit is at work
//	.sivu/trash/             a backup that is no longer needed
//	.sivu/changes            what changed since the last report; changes.next that of a commit
//	.sivu/unsure             there after a build was cut off, until the snapshot was verified or built
//
// These are all the paths that sivu writes or removes; the writers refuse any
// other, and so does the reader of a manifest. Everything else in the folder
// is left alone. A folder that holds something but neither a lock nor a
// manifest of sivu's is not written to, unless it has exactly the shape of a
// snapshot: see below. Neither is a symlink, the root of the
// file system, the home folder, or a folder that is, holds or lies in the
// content folder. A symlink, or anything else that is not what it should be, in
// the place of one of sivu's own files or folders is an error, save in those of
// stage and trash, where it is removed; and nothing is ever written or removed
// through a symlink that leads out of the output folder.
//
// # A folder without a manifest
//
// Uploads and artifacts of a CI leave hidden files out, and .sivu with them. So a
// folder is adopted that holds a snapshot and nothing else, judged by names, and by
// the bytes of the error bodies: these; the first list page under both its names, and
// every one up to the last; folders of records, each with its answer or empty; siblings
// beside what they are of; and in-root files that this build writes. Then all of these but
// in-root files are sivu's, as if the manifest said so: each is compared, what is
// equal keeps its time, what is no longer due goes. In-root files are sivu's if
// they hold what is due, or was due for the snapshot that lies there (see
// [Stage.Claim]). [Changes] say so. [Recover] adopts nothing. A folder with sivu's
// lock is sivu's, and not adopted, though a build was killed before there was a
// manifest.
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
//  1. every file that will be replaced or removed gets a second name (a hard link,
//     or a copy where there are none) in a backup in the making, and a journal
//     there says what will be added;
//  2. all of that is flushed, and the backup gets its name: the commit has begun;
//  3. records, those that are new as whole folders;
//  4. new list pages, the last one first;
//  5. new and changed in-root files: they route, and now everything that they
//     may lead to is there, while no list has a link yet that relies on them;
//  6. changed list pages from the last to the second, then the first, and the
//     error bodies: who follows next meets no address that is not there yet;
//  7. the folders of all these are flushed, if anything will be removed;
//  8. surplus list pages, the last one first, then surplus records, and then
//     surplus in-root files go: nothing relies on them any more; then the folders
//     that surplus records leave empty;
//  9. the manifest comes to say so: its log grows, or it is replaced;
//  10. the folders and the manifest are flushed;
//  11. backup is renamed to trash, and that is flushed. From here on the new
//     snapshot stands.
//
// A commit that changes nothing does none of this and writes nothing.
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
// A first build moves pages in as one folder. A new file is renamed over the old
// one: no file of both snapshots is missing or torn at any moment. If a step fails,
// or the context is done, the steps before it are undone, the last one first; links
// and renames bring back the old bytes with their old times. A build that writes all
// files, and [Stage.Verify], also remove other folders of records that are empty.
// After step 11 there is no error any more: what cannot be cleared is told in
// [Changes].Leftover, and is left for the next build.
//
// # A part of a snapshot
//
// With [Stage.KeepRest], what is neither written nor removed stays, and a commit
// costs what it changes. The manifest is a state of package state: its key is that
// of a file in 18 bytes, its value the size and SHA-256, and its meta holds the
// totals and the generation. Of it a commit reads the blocks that it comes by, and
// to it, it adds a segment of the log. All entries are read only where the largest file
// of all went, and the next is asked for. [Stage.Generation] names a snapshot: it is another one after
// every commit that changed anything, so that who keeps knowledge of a snapshot
// elsewhere can tell whether it is of this one.
//
// Manifests of versions 1 and 2, which had no generation, are read as well. Where a
// manifest is missing or damaged, surplus files are known by their paths instead,
// those listed above, and in-root files by their bytes, as in a folder that is adopted.
//
// # Files that stay for a while
//
// A client that holds an older list may ask for a record or list page that left.
// With [Options].KeepRemoved such files, and their siblings, stay for that long; the
// manifest keeps them apart, with the time when they left, and they count as no part
// of the snapshot. Each later build removes those whose time is over by its own
// KeepRemoved, also one that changes nothing else. One that comes back is due like
// any other file, and what else was kept beside it goes at once. In-root files, and
// files of a record or list page of which another file stays, do not wait.
//
// # What a report tells
//
// A report lists what changed, for caches that have to forget it, so nothing may be
// missing in it. From the first build on of which a report is asked
// ([Options].Report), every build records what it changes, together with what was
// recorded before, and [Reported] ends that when a report was written. The record of
// a commit is on the disk before the commit begins and has the generation of the
// snapshot that it leads to, so that the manifest tells which of two holds. It has
// each path once: a file that came and went in between is one that was removed. Where
// a report was asked for once and never again, it grows with the paths that changed
// since then. A kill between a report and Reported makes the next one tell of the
// same again. Where the record is damaged, also that of a commit which may be done,
// or there is none though the folder held a snapshot already, changes are those that
// are known, and the report says that it is incomplete: after a loss of .sivu, and in
// the first report after builds without one.
//
// # When a build is cut off
//
// A build may be killed, or the power lost, at any moment. Before step 2 ends
// nothing of the snapshot was touched. After step 11 the new one stands. In between
// backup is there, and [Open] undoes the commit from the journal, the last step
// first: lists that lead to new records go before these. It can be cut off itself
// and begins again. So a build ends with exactly the new snapshot, and [Recover]
// alone with exactly the old or the new; until one of them ran, a client meets files
// of both, each whole, and every one that a list leads to. Undoing takes back new
// records, so that a client which read a new list in that time may miss them.
//
// Where the journal is missing or damaged, what the backup holds is put back all the
// same. What the commit added is not known then and stays; until a build comes to its
// end, the folder counts as one that is not as its manifest says.
//
// A build that was cut off may have filled the disk, so before anything else is
// written what it staged goes.
//
// The lock is one that the system lets go of when its holder ends, however it ends
// (flock, on Windows LockFileEx), so a dead one never stands in the way. Its file
// stays and says nothing.
//
// # What is promised where
//
// Flushing is fsync of each file and folder, or where there are more than a few,
// syncfs (Linux). On macOS, F_FULLFSYNC follows. Windows and Plan 9 have no way to
// flush a folder: renames there are as durable as the file system's own journal
// makes them. Elsewhere each file is flushed, however many there are.
//
//   - Local file systems with a journal or copy on write (ext4, xfs, btrfs, zfs,
//     APFS): all of the above, power loss included, as far as the disk does what it
//     is told.
//   - NTFS: renames are atomic for who opens files anew. A file that a reader holds
//     open without FILE_SHARE_DELETE cannot be replaced: the build ends with an error
//     and undoes what it did.
//   - tmpfs: all but power loss.
//   - overlay (containers): as the layer that is written to. A file of a lower layer
//     is copied up when it is linked or renamed, so hard links may fail there, and
//     copies take their place.
//   - NFS, SMB: a rename is atomic on the server, but clients cache names and may
//     see the old file for as long as their attribute cache lasts, or ESTALE where it
//     was opened before. A lock holds among machines only where the server keeps it
//     (NFS 4, or 3 with its lock manager); where there is none, two builds are not
//     kept apart.
//   - FAT, exFAT: no hard links, no journal: copies are made, a kill is survived, a
//     power loss may damage the file system itself.
//
// A file system that cannot flush a file or folder at all is written to without.
package folder
