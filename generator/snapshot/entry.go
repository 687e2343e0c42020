package snapshot

import (
	"crypto/sha256"
	"iter"
	"slices"
)

// entry is one due file. It holds no pointer and no text, so that hundreds of
// thousands of them cost 56 bytes each and the garbage collector nothing.
type entry struct {
	size  uint32
	key   key
	state fileState
	fresh bool // the answer that it is, or is a sibling of, is a new one; set by the plan
	sum   [sha256.Size]byte
}

// fileState says how a due file relates to what lies in the output folder.
type fileState uint8

const (
	unchanged       fileState = iota
	added                     // not there yet
	addedWithFolder           // not there yet, and neither is the folder of its record
	changed                   // there, with other bytes
	gone                      // a sibling that is there and not due, beside an answer that is
)

func (s fileState) isAdded() bool { return s == added || s == addedWithFolder }

// runSize is how many entries a writer gathers before it sorts them and hands
// them over.
const runSize = 4096

// runs are sorted runs of entries. Writers sort while they wait for nobody;
// what is left for the end is a merge.
type runs [][]entry

// sortRun sorts the entries of one run.
func sortRun(run []entry) {
	slices.SortFunc(run, func(a, b entry) int { return a.key.compare(b.key) })
}

// all returns the entries of all runs in order.
func (r runs) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		heap := make(runs, 0, len(r))
		for _, run := range r {
			if len(run) > 0 {
				heap = append(heap, run)
			}
		}
		for i := len(heap)/2 - 1; i >= 0; i-- {
			heap.sink(i)
		}
		for len(heap) > 0 {
			if !yield(&heap[0][0]) {
				return
			}
			if heap[0] = heap[0][1:]; len(heap[0]) == 0 {
				heap[0] = heap[len(heap)-1]
				heap = heap[:len(heap)-1]
			}
			heap.sink(0)
		}
	}
}

// sink restores the order of a heap of runs below i: a run's first entry is
// not greater than those of its children.
func (r runs) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(r) {
			return
		}
		if right := child + 1; right < len(r) && r[right][0].key.compare(r[child][0].key) < 0 {
			child = right
		}
		if r[i][0].key.compare(r[child][0].key) <= 0 {
			return
		}
		r[i], r[child] = r[child], r[i]
		i = child
	}
}
