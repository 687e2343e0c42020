package folder

import (
	"iter"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Changes says what a commit did, or in a dry run would do.
type Changes struct {
	Added, Changed, Removed Paths
	Unchanged               int    // files that stayed as they were
	Files                   int    // files of the new snapshot
	Bytes                   int64  // their size together
	Kept                    int    // files that left the snapshot, now or before, and are still there
	Generation              string // of the new snapshot: see [Stage.Generation]
	Adopted                 bool   // the folder had the files of a snapshot, and no manifest

	// SinceReport is what a report tells: see [Reported].
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

// Paths is a list of files in a compact form. Its zero value is empty.
type Paths struct {
	count int
	runs  tree.Runs          // of which those in the list are
	in    func(tree.Op) bool // for which this holds,
	paths []api.Path         // and these
}

// Len returns how many files the list has.
func (p Paths) Len() int { return p.count }

// All returns the paths below the output folder, slash-separated and in order.
func (p Paths) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, path := range p.paths {
			if !yield(path.String()) {
				return
			}
		}
		if p.count == len(p.paths) {
			return
		}
		for e := range p.runs.All() {
			if p.in(e.Op) && !yield(e.Path.String()) {
				return
			}
		}
	}
}
