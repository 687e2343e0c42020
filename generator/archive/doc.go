// Package archive puts the files of a snapshot into one file: for hosts that take
// such a file, for CI artefacts, for a pipe to another machine.
//
// # The way of an archive
//
// [Create] checks the place and makes sure that something can be written there.
// Any number of [Writer] values then take files, as those of package folder do.
// [Archive.Commit] puts the archive together and into its place; [Archive.Abort]
// forgets it. At no moment does its name lead to a part of an archive: until all
// of it is written and flushed to the disk, it has a name of its own beside the
// one that it is for, and then it is renamed. What builds that were killed left
// under such names is removed by the next one for the same archive.
//
// # The same bytes
//
// An archive depends on the files of the snapshot and on nothing else: not on how
// many writers there were nor on which was first, not on the machine, its user,
// its umask or its clock, not on the names of the sources. To that end writers
// are told the number of the block that their next files belong to. A block is
// encoded by itself; the archive is its blocks in the order of their numbers. So
// work is done in parallel, and the memory it takes does not grow with the
// archive: what is encoded waits in a file without a name. For as long as that
// takes, the disk holds the archive twice.
//
// Entries are files of mode 0644 that belong to user and group 0. There are none
// for folders, which every program makes by itself.
//
// # The time of an entry
//
// The clock would make other bytes each time, and one time for all entries would
// do harm in silence: many a server makes the validator of an answer (RFC 9110,
// 8.8) of the time and the size of its file, and rsync goes by the same two. So an
// answer that changed and kept its size would never reach clients that have the
// old one. The time of an entry therefore comes from a hash of its bytes. It is an
// even second, as zip needs it, of the four years from 2020 on: equal bytes have
// equal times, others almost certainly other ones, and none lies in the future.
//
// # The forms
//
// A tar is of the ustar kind, which every tar reads. In a .tar.zst each block is a
// frame of its own (RFC 8878, 3.1). In a zip, entries are deflated as far as that
// makes them smaller, with sizes ahead of the data and never behind it, so that it
// can be read as it arrives. Package archive/zip of Go's library is not used to
// write it: that keeps hundreds of bytes of each entry in memory until the end.
//
// # Reading
//
// [Open] unpacks an archive into a temporary file and returns its files as a tree, to be
// published for instance. A tar has no checksums, so a damage of its bytes is not found;
// one that was cut off between two files lacks those that come last, the first list page
// and the error bodies.
//
// # What is not done
//
// An archive is never compared with the one it replaces: all of it is written
// each time, and nobody can say what has changed in it.
package archive
