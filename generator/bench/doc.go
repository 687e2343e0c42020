// Package bench measures whole builds, as ratios to programs that run beside
// them. It has no code but tests: see make bench, make bench-profile and
// bench_test.go.
//
// The floor is a program that reads each file, cuts off the front matter without a
// look, renders the rest with the extensions that sivu uses, encodes both variants
// and writes them. It reads no front matter, cleans nothing, resolves no links, has
// no list pages, stages nothing and keeps no manifest.
//
// Rebuilds are measured after changes of the corpus that are undone again. They are
// compared with a walk that stats every source, and with writing the list pages.
// Where a size has a limit (limitsOf) that is missed, the benchmark says so, goes on,
// and fails.
//
// A corpus of more than 200,000 records is made while it is read: only the output
// needs a disk.
package bench
