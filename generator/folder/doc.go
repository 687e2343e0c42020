// Package folder puts a snapshot into a folder: the whole new one or none of it, and
// only the files that differ.
//
// [Open] checks the output folder, locks it, finishes a commit that was cut off, and makes
// an empty stage. Any number of [Writer] values then take files in any order. A writer
// compares each with the bytes in the folder and stages it only if they differ, so that an
// unchanged file keeps its time of modification, of which web servers make an ETag; a
// changed one gets a time that is later by a second at least. [Stage.Commit] brings the
// folder to the staged snapshot; [Stage.Abort] forgets it. [Stage.Review] returns before
// that what the commit will change. Errors mean that sivu could not run: problems of pages are
// the caller's matter.
//
// # The folder
//
//	pages/…                the answers: see package api, which has the grammar of paths
//	X.json.br .gz .zst     precompressed variants of answers
//	404.json  405.json     error bodies
//	_headers  .htaccess …  host files: see api.HostFiles
//	.sivu/lock             held while a build is at work
//	.sivu/manifest         the snapshot as package tree encodes it, and its log,
//	.sivu/manifest.log     which grows by the changes of each commit
//	.sivu/stage/           the new files, under the paths that they will have
//	.sivu/commit/          the same from the mark of a commit to its end
//	.sivu/changes          the changes since the last report
//	.sivu/wrong            there while files are known to differ from the manifest
//
// sivu writes and removes these paths and no others. A folder that holds something but
// neither a lock nor a manifest of sivu's is refused, unless it has exactly the shape of a
// snapshot, as an upload leaves it that skips hidden files: that is adopted ([Changes]
// say so), host files only with the bytes that are due ([Stage.Claim]). Also refused are a
// symlink, the root of the file system, the home folder, and a folder that is, holds or
// lies in the content folder. Nothing is written or removed through a symlink that leads
// out of the folder.
//
// People write files of the names of host files, too. Only the manifest tells which are
// sivu's; one that it does not list is never written over nor removed, and a build that
// needs its name ends before anything is changed, unless it holds just the bytes due.
// Everything else in the folder is left alone.
//
// # A commit
//
// A commit is finished, never undone:
//
//  1. Prepare. The stage holds the new bytes with their times, the plan, the new manifest
//     or the new segment of its log, and the record of changes. Room for the log is made, the
//     permissions of every folder to be changed are checked, and all is flushed. Until
//     then any failure, also a kill, leaves the old snapshot whole.
//  2. Mark. The stage is renamed to commit, and that is flushed.
//  3. Apply. The steps of the plan are taken in the order of package tree: new and changed
//     files are renamed into place, new records as whole folders, a first build as one;
//     a flush; then files are removed, with the folders of records that this empties.
//  4. Finish. The record of changes and the manifest are put in place, and flushed. The
//     commit is renamed to stage, and cleared.
//
// A step is done where its source is gone and its target has the planned bytes, so that
// steps 3 and 4 can be cut off and repeated, by the same build or any other, whatever its
// settings. After the mark they need no more room, and the context is not looked at. Where
// they fail nonetheless, the error says so, and the next build or [Recover] goes on. A
// plan that is damaged or unknown, a target that has neither the bytes before nor those
// after, and a host file that someone else wrote meanwhile are errors with a hint.
// Until the commit is finished, [Hold], [ReadManifest] and dry runs refuse the folder.
// Web servers go on: each file is of the old or the new snapshot, whole, and every address
// that a list leads to is there.
//
// A commit that changes nothing writes nothing. With [Stage.Incremental] all files stay that
// are neither written nor removed, and the cost of a commit is that of its changes. A
// manifest that is missing or damaged is made anew: surplus files are then known by their
// paths.
//
// # Files that are kept for a while
//
// A client that holds an older list may ask for a record or list page that left. With
// [Options].KeepRemoved such files stay that long; the manifest lists them apart. Each
// later build removes those whose time is over by its own KeepRemoved. One that comes back
// is due like any other, and others of its group go then. Host files, and files of a group
// of which another stays, do not wait.
//
// # Reports
//
// A report lists the changes, for caches that have to forget it, so nothing may be
// missing in it. From the first build with [Options].Report on, every build records its
// changes together with those recorded before, and [Reported] ends that when a report was
// written. Where the record was damaged or lost the report says that it is incomplete.
//
// # What is promised where
//
//   - Local file systems with a journal or copy on write (ext4, xfs, btrfs, zfs, APFS): all
//     of the above, power loss included, as far as the disk does what it is told. Flushing
//     is fsync of files and folders, or syncfs (Linux) where there are many, and
//     F_FULLFSYNC on macOS.
//   - NTFS: renames are as durable as its journal makes them. A file that another program
//     holds open without sharing it is waited for, for two seconds.
//   - tmpfs: all but power loss. Overlay (containers): as the layer that is written to.
//   - NFS, SMB: a rename is atomic on the server, but clients may see the old name for as
//     long as they cache it. Locks hold among machines only where the server keeps them
//     (NFS 4, or 3 with its lock manager).
//   - FAT, exFAT: a kill is survived; a power loss may damage the file system itself.
//
// The lock is one that the system lets go of when its holder ends, however it ends (flock,
// LockFileEx). A file system without locks or flushing is written to without.
package folder
