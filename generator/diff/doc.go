// Package diff compares two snapshots: which files differ, and what that means to
// readers: records that were added, removed, moved or changed, and addresses that
// no longer answer.
//
// Two trees are compared first, by path, size and SHA-256. Only records whose files
// differ are read, each in its plain variant. A record has moved if its id stays and its
// meta.url differs; or if its id differs and a record of the same language has its
// meta.url, or else its content: then its old address is gone.
//
// [Compare] returns a [Report]; [Report.Print] prints it in one of the [Formats].
package diff
