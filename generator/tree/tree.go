// Package tree is the snapshot as data: a list of paths in order, each with its size
// and SHA-256, and totals. It knows no disk and no bucket; package folder, and other
// destinations, bring what they hold from one tree to another.
//
// # In memory
//
// An [Entry] has no pointer, so that millions cost the garbage collector nothing.
// Writers gather entries in [Runs], each of them sorted; their merge is the tree.
//
// # Encoded
//
// The manifest is an encoded tree: a state of package state, a base and a log, whose
// keys are [api.Path.Stored] and whose meta is [Totals]. [Open] reads only the blocks
// that are asked for, [Writer] writes a base, and [Tree.Segment] what is appended to
// the log for a few changes. Files that left the tree and are still kept follow it,
// under keys of their own: see [Retained].
//
// # Order
//
// [Compare] returns the steps from one tree to another, and [Order] compares two steps
// by the order in which a destination makes them, so that a client which follows links
// meets no address that is not there:
//
//   - records, for nothing leads to those that are new yet;
//   - new list pages, the last one first;
//   - new and changed host files in the root: they route, and now everything that they
//     may lead to is there, while no list has a link yet that relies on them;
//   - changed list pages from the last to the second, then the first;
//   - the error bodies;
//   - then removals: list pages, the last one first, records, and host files last, for
//     nothing relies on them any more.
//
// The precompressed variants of an answer go right before it. Some servers send a
// variant with the validators of the answer beside it: old validators on new bytes cost
// one more request, but new validators on old bytes would be revalidated with success
// until the answer changes again.
package tree

import (
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"example.org/sivu/generator/api"
)

// Sum is the content of a file: its size in bytes and its SHA-256.
type Sum struct {
	Size   uint32
	SHA256 [sha256.Size]byte
}

// SumOf returns the sum of data, which has at most 4 GiB.
func SumOf(data []byte) Sum { return Sum{uint32(len(data)), sha256.Sum256(data)} }

// ReadSum returns the sum of all that can be read.
func ReadSum(r io.Reader) (s Sum, err error) {
	hash := sha256.New()
	n, err := io.Copy(hash, r)
	if err == nil && n > math.MaxUint32 {
		err = fmt.Errorf("it has %d bytes; at most %d fit", n, uint32(math.MaxUint32))
	}
	s.Size = uint32(n)
	hash.Sum(s.SHA256[:0])
	return s, err
}

// Op is an operation on a file. The zero value keeps it.
type Op byte

// The operations of a plan.
const (
	Keep          Op = iota
	Add              // a new file
	AddFolder        // a new file of a record that has no folder yet
	Change           // other bytes
	RemoveVariant    // a precompressed variant goes, and its answer stays
	Remove
)

// IsAdd reports whether the file is new.
func (op Op) IsAdd() bool { return op == Add || op == AddFolder }

// IsRemove reports whether the file goes.
func (op Op) IsRemove() bool { return op == Remove || op == RemoveVariant }

// Entry is one file of a tree. Op is [Keep] in a tree that is read, and else says what
// a destination does with the file.
type Entry struct {
	Path api.Path
	Op   Op
	Sum
}

// Snapshot is a tree whose files can be read. Any number of goroutines may use it.
type Snapshot interface {
	// All returns the files in order of path. It may be called any number of times.
	All() iter.Seq[Entry]
	// Read returns the bytes of a file.
	Read(p api.Path) ([]byte, error)
}

// Runs are sorted runs of entries. Writers sort theirs while they wait for nobody;
// what is left for the end is a merge.
type Runs [][]Entry

// SortRun sorts the entries of one run.
func SortRun(run []Entry) {
	slices.SortFunc(run, func(a, b Entry) int { return a.Path.Compare(b.Path) })
}

// All returns the entries of all runs in order of path.
func (r Runs) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		heap := make(Runs, 0, len(r))
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
func (r Runs) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(r) {
			return
		}
		if right := child + 1; right < len(r) && r[right][0].Path.Compare(r[child][0].Path) < 0 {
			child = right
		}
		if r[i][0].Path.Compare(r[child][0].Path) <= 0 {
			return
		}
		r[i], r[child] = r[child], r[i]
		i = child
	}
}

// Has reports whether the runs have the file.
func (r Runs) Has(p api.Path) bool {
	return r.find(func(e *Entry) int { return e.Path.Compare(p) })
}

// HasGroup reports whether the runs have a file of the same record or list page.
func (r Runs) HasGroup(p api.Path) bool {
	return r.find(func(e *Entry) int { return e.Path.Group().Compare(p.Group()) })
}

func (r Runs) find(compare func(*Entry) int) bool {
	return slices.ContainsFunc(r, func(run []Entry) bool {
		_, ok := slices.BinarySearchFunc(run, 0, func(e Entry, _ int) int { return compare(&e) })
		return ok
	})
}
