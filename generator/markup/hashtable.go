package markup

// hashTable leads from hashes to numbers. It holds no pointers: a large site has
// hundreds of thousands of entries.
type hashTable struct {
	slots []slot // a power of two, at most half of them taken
}

type slot struct {
	tag    uint32 // the upper half of the hash
	number int32  // from 1; 0 in a slot that is free
}

// newHashTable returns a table of the numbers below n for which key returns true.
func newHashTable(n int, key func(i int) (hash uint64, ok bool)) hashTable {
	size := 1
	for size < 2*n {
		size *= 2
	}
	t := hashTable{make([]slot, size)}
	for i := range n {
		h, ok := key(i)
		if !ok {
			continue
		}
		at := h & uint64(size-1)
		for t.slots[at].number != 0 {
			at = (at + 1) & uint64(size-1)
		}
		t.slots[at] = slot{uint32(h >> 32), int32(i + 1)}
	}
	return t
}

// appendFound appends the numbers that a hash leads to, in ascending order; a few
// of them may belong to other hashes.
func (t hashTable) appendFound(dst []int32, h uint64) []int32 {
	mask := uint64(len(t.slots) - 1)
	for at := h & mask; t.slots[at].number != 0; at = (at + 1) & mask {
		if t.slots[at].tag == uint32(h>>32) {
			dst = append(dst, t.slots[at].number-1)
		}
	}
	return dst
}
