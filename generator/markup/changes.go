package markup

import "slices"

// Changes returns the questions that old and x may answer in different ways. A
// body that asked none of them (see [Result.Asked]), of a page whose own record
// is the same in both, has the same links with x as with old; only the numbers
// of pages may be others.
func (x *Index) Changes(old *Index) map[uint64]struct{} {
	changes := make(map[uint64]struct{})
	now, before := x.marks(), old.marks()
	for t := tableURLs; t <= tableLeftOut; t++ {
		mark, markBefore := now.pages, before.pages
		if t == tableLeftOut {
			mark, markBefore = now.leftOut, before.leftOut
		}
		a, b := x.keys(t), old.keys(t)
		for len(a)+len(b) > 0 {
			h := firstHash(a, b)
			var groupA, groupB []indexKey
			groupA, a = cutGroup(a, h)
			groupB, b = cutGroup(b, h)
			same := slices.EqualFunc(groupA, groupB, func(k, l indexKey) bool {
				return mark[k.page] == markBefore[l.page]
			})
			if !same {
				changes[t.question(h)] = struct{}{}
			}
		}
	}
	return changes
}

// marks are hashes of what links need to know of each page.
type marks struct {
	pages, leftOut []uint64
}

func (x *Index) marks() marks {
	m := marks{make([]uint64, len(x.pages)), make([]uint64, len(x.leftOut))}
	var text []byte
	for i := range x.pages {
		text = append(append(append(text[:0], x.pages[i].Path...), 0), x.pages[i].URL...)
		m.pages[i] = hashOf(string(text))
	}
	for i, path := range x.leftOut {
		m.leftOut[i] = hashOf(path)
	}
	return m
}

// firstHash returns the lower of the hashes that two lists of keys begin with.
func firstHash(a, b []indexKey) uint64 {
	switch {
	case len(a) == 0:
		return b[0].hash
	case len(b) == 0:
		return a[0].hash
	}
	return min(a[0].hash, b[0].hash)
}

// cutGroup cuts off the keys of hash h that a list begins with.
func cutGroup(keys []indexKey, h uint64) (group, rest []indexKey) {
	n := 0
	for n < len(keys) && keys[n].hash == h {
		n++
	}
	return keys[:n], keys[n:]
}
