package folder

import (
	"iter"
	"slices"

	"example.org/sivu/generator/api"
)

// Changes are the result of a commit, or in a dry run that of the commit that would be made.
type Changes struct {
	Added, Changed, Removed Paths
	Unchanged               int    // files that stayed as they were
	Files                   int    // files of the new snapshot
	Bytes                   int64  // their size together
	Kept                    int    // files that left the snapshot, now or before, and are still there
	Generation              string // of the new snapshot: see [Stage.Generation]
	Adopted                 bool   // the folder had the files of a snapshot, and no manifest

	// SinceReport are the changes for a report: see [Reported].
	SinceReport SinceReport

	// Leftover is why something of a build that is done could not be cleared, or nil.
	// The next build clears it.
	Leftover error

	Largest     int64  // the size of the largest file, or -1 where it is not known and Options.Largest did not ask
	LargestFile string // its path
	InFolder    int    // entries of pages, the folder that has most
}

// Any reports whether the snapshot differs from the one before.
func (c *Changes) Any() bool {
	return c.Added.Len()+c.Changed.Len()+c.Removed.Len() > 0
}

// Paths is a list of files. Its zero value is empty.
type Paths struct {
	count int
	all   iter.Seq[api.Path] // in order
}

func pathsOf(list []api.Path) Paths { return Paths{len(list), slices.Values(list)} }

// Len returns how many files the list has.
func (p Paths) Len() int { return p.count }

// All returns the paths below the output folder, slash-separated and in order.
func (p Paths) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		if p.count == 0 {
			return
		}
		for path := range p.all {
			if !yield(path.String()) {
				return
			}
		}
	}
}
