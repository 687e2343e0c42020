package snapshot

import (
	"bytes"
	"cmp"
)

// publishOrder puts records before the lists that name them, later list pages
// before earlier ones, in-root files between the list pages that are new and
// those that change, and the error bodies last. The siblings of an answer go
// before it: see the package comment.
func publishOrder(a, b *entry) int {
	return cmp.Or(cmp.Compare(publishRank(a), publishRank(b)), answerOrder(a.key, b.key))
}

func publishRank(e *entry) int {
	switch {
	case e.key.class() == classRecord:
		return 0
	case e.key.isList() && e.fresh:
		return 1
	case e.key.isInRoot():
		return 2
	case e.key.isList():
		return 3
	}
	return 4
}

// removeOrder puts lists before the records that they name, later list pages
// first, siblings before their answers, and in-root files last.
func removeOrder(a, b key) int {
	return cmp.Or(cmp.Compare(removeRank(a), removeRank(b)), answerOrder(a, b))
}

func removeRank(k key) int {
	switch {
	case k.isList():
		return 0
	case k.class() == classRecord:
		return 1
	case k.isInRoot():
		return 3
	}
	return 2
}

// answerOrder orders files of one rank: later list pages before earlier ones,
// the first of all last, others by path, and siblings before their answers.
func answerOrder(a, b key) int {
	if c := comparePages(&b, &a); c != 0 {
		return c
	}
	if c := a.coded(0).compare(b.coded(0)); c != 0 {
		return c
	}
	return cmp.Compare(siblingRank(a), siblingRank(b))
}

// comparePages compares the numbers of two list pages. Anything else comes before
// them all.
func comparePages(a, b *key) int {
	x, y := pageDigits(a), pageDigits(b)
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return bytes.Compare(x, y)
}

// pageDigits returns the number of a list page in decimal digits, and nothing for
// anything else.
func pageDigits(k *key) []byte {
	if k.class() != classList {
		return nil
	}
	return bytes.TrimRight(k[1:17], "\x00")
}

func siblingRank(k key) byte {
	if c := k.coding(); c != 0 {
		return c
	}
	return codingMask + 1
}
