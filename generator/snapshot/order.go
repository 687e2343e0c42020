package snapshot

import "cmp"

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
	return cmp.Or(
		cmp.Compare(pageOf(b), pageOf(a)),
		a.coded(0).compare(b.coded(0)),
		cmp.Compare(siblingRank(a), siblingRank(b)),
	)
}

// pageOf returns the number of a list page, and 0 for anything else.
func pageOf(k key) uint32 {
	if k.class() != classList {
		return 0
	}
	return k.number()
}

func siblingRank(k key) byte {
	if c := k.coding(); c != 0 {
		return c
	}
	return codingMask + 1
}
