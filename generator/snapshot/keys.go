package snapshot

import (
	"bytes"
	"slices"
	"strings"
)

// group returns what the files of one record, or of one list page, have in
// common: their keys follow each other from there on.
func (k key) group() key {
	k[17] = 0
	return k
}

// The manifest keeps a file under its key, and one of the output folder itself
// under its class and name, so that a new name does not shift the others. What a
// commit left for later follows under a mark that no class has.
const leftMark = "\xf0"

// stored returns the key as the manifest has it. Stored keys order as keys do.
func (k key) stored() string {
	if k.isTop() {
		return string(k[:1]) + topNames[k[1]]
	}
	return string(k[:])
}

// parseStored returns the key that was stored so. It accepts only keys of files
// that a snapshot may hold.
func parseStored(s string) (k key, ok bool) {
	if len(s) == 0 {
		return key{}, false
	}
	if c := s[0]; c == classTop || c == classEnd {
		k, ok = topKey(s[1:])
		return k, ok && k[0] == c
	}
	if len(s) != len(k) {
		return key{}, false
	}
	copy(k[:], s)
	if int(k[17]) >= len(suffixes) {
		return key{}, false
	}
	switch k.class() {
	case classRecord:
		return k, true
	case classIndex:
		return k, k == key{0: classIndex, 17: k[17]}
	case classList:
		digits := string(bytes.TrimRight(k[1:17], "\x00"))
		return k, isListNumber(digits) && !strings.Contains(digits, "\x00")
	}
	return key{}, false
}

// has reports whether a file is due.
func (r runs) has(k key) bool {
	return r.find(func(e *entry) int { return e.key.compare(k) })
}

// hasGroup reports whether a file of the same record or list page is due.
func (r runs) hasGroup(k key) bool {
	return r.find(func(e *entry) int { return e.key.group().compare(k.group()) })
}

func (r runs) find(compare func(*entry) int) bool {
	return slices.ContainsFunc(r, func(run []entry) bool {
		_, ok := slices.BinarySearchFunc(run, 0, func(e entry, _ int) int { return compare(&e) })
		return ok
	})
}
