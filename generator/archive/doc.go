// Package archive writes the files of a snapshot into one file, and reads it: for hosts
// that take such a file, for CI artefacts, for a pipe to another machine.
//
// # Writing
//
// [Create] checks that an archive may and can be written. Any number of [Writer] values
// then take files, as those of package folder do. [Archive.Commit] puts the archive
// together and gives it its name; [Archive.Abort] removes it. Until all of it is written
// and flushed to the disk it is a temporary file beside the archive that it replaces. A
// temporary file of a build that was killed is removed by the next build of the same
// archive. An archive is never compared with the one that it replaces.
//
// # The same bytes
//
// An archive depends on the files of the snapshot and on nothing else: not on the number
// of writers or their speed, not on the machine, its user, its umask or its clock, not on
// the names of the sources. For that, writers say to which block, by its number, their next
// files belong. A block is encoded by itself; the archive is its blocks in the order of
// their numbers. So work is done in parallel, and memory does not grow with the archive:
// encoded blocks wait in a spool file, and until Commit is done the disk holds the archive
// twice.
//
// Entries are files of mode 0644 that belong to user and group 0. There are none
// for folders, which every program makes by itself.
//
// # The time of an entry
//
// The clock would make other bytes each time, and one time for all entries would do
// harm: many servers make the validator of an answer (RFC 9110, 8.8) of the time and the
// size of its file, and rsync compares the same two, so an answer that changed and kept its
// size would not reach clients that have the old one. The time of an entry therefore comes
// from a hash of its bytes. It is an even second, as zip needs it, of the four years from
// 2020 on: equal bytes have equal times, others almost certainly other ones, and none lies
// in the future.
//
// # Formats
//
// A tar is of the ustar kind, which every tar reads. In a .tar.zst each block is a
// frame of its own (RFC 8878, 3.1). In a zip, entries are deflated as far as that
// makes them smaller, with sizes ahead of the data and never behind it, so that it
// can be read as it arrives. Package archive/zip of Go's library does not write it,
// because that keeps hundreds of bytes of each entry in memory for the directory at the
// end: here the directory is made of the local headers, which are read once more.
//
// # Reading
//
// [Open] unpacks an archive into a temporary file and returns its files as a tree, to be
// published for instance. A tar has no checksums, so damaged bytes are not found; one that
// was cut off between two files lacks those that come last, the first list page and the
// error bodies.
package archive
