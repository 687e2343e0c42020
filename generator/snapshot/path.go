package snapshot

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
)

// The names that sivu uses in an output folder.
const (
	pagesDir    = "pages"
	stateDir    = ".sivu"
	stageDir    = stateDir + "/stage"
	scratchFile = stageDir + "/scratch"
	backupDir   = stateDir + "/backup"
	journalFile = backupDir + "/journal"
	prepareDir  = stageDir + "/backup" // a backup in the making
	trashDir    = stateDir + "/trash"
	lockFile    = stateDir + "/lock"
	manifest    = stateDir + "/manifest"
	manifestLog = manifest + ".log"
	unsureFile  = stateDir + "/unsure"
	recordFile  = stateDir + "/changes"
	nextRecord  = recordFile + ".next"

	lostAndFound = "lost+found" // what a file system of its own comes with
)

// key is the path of a file in 18 bytes: its class, what tells it from others
// of the class (an id, a number as decimal digits, or the place of a name in
// topNames), and its ending. Keys order as the paths do, byte by byte, so
// nothing needs the text to sort.
type key [18]byte

// The classes of paths, in the order of the paths. The first two are not files
// of a snapshot but are moved in as such files are.
const (
	classManifest byte = iota // .sivu/manifest and its log
	classTree                 // pages, the folder as a whole
	classTop                  // 404.json, 405.json, and in-root files before pages
	classRecord               // pages/<uuid>/index.json
	classIndex                // pages/index.json
	classList                 // pages/page-N.json
	classEnd                  // in-root files after pages
)

// suffixes are the endings an answer may have, in the order of the paths. A key
// holds the index, or wholeFolder for the folder of a record. The two low bits
// of an index are the coding: 0 is none, others are places in Codings, from 1.
var suffixes = [...]string{
	".api.json", ".api.json.br", ".api.json.gz", ".api.json.zst",
	".json", ".json.br", ".json.gz", ".json.zst",
}

const (
	plainSuffix = 4
	codingMask  = 3
	wholeFolder = 0xff
)

var (
	manifestKey = key{0: classManifest}
	logKey      = key{0: classManifest, 1: 1}
	treeKey     = key{0: classTree}
)

func (k key) class() byte { return k[0] }

func (k key) compare(other key) int { return bytes.Compare(k[:], other[:]) }

// folder returns the key of the folder that holds a record's files.
func (k key) folder() key {
	k[17] = wholeFolder
	return k
}

// isTop reports whether the file lies in the output folder itself.
func (k key) isTop() bool { return k.class() == classTop || k.class() == classEnd }

// isInRoot reports whether the file is one of RootNames.
func (k key) isInRoot() bool { return k.isTop() && !slices.Contains(errorBodies, topNames[k[1]]) }

// isList reports whether the file is a list page.
func (k key) isList() bool { return k.class() == classIndex || k.class() == classList }

// coding returns 0 for a file as it is, and else which sibling it is.
func (k key) coding() byte {
	if k.isTop() {
		return 0
	}
	return k[17] & codingMask
}

// coded returns the key of an answer's sibling; 0 is the answer itself.
func (k key) coded(coding byte) key {
	k[17] = k[17]&^codingMask | coding
	return k
}

// path returns the path below the output folder.
func (k key) path() string {
	b := make([]byte, 0, 64)
	switch k.class() {
	case classManifest:
		if k == logKey {
			return manifestLog
		}
		return manifest
	case classTree:
		return pagesDir
	case classTop, classEnd:
		return topNames[k[1]]
	case classRecord:
		b = append(b, "pages/"...)
		b = appendID(b, k[1:17])
		if k[17] == wholeFolder {
			return string(b)
		}
		b = append(b, "/index"...)
	case classIndex:
		b = append(b, "pages/index"...)
	case classList:
		b = append(b, "pages/page-"...)
		b = append(b, bytes.TrimRight(k[1:17], "\x00")...)
	}
	return string(append(b, suffixes[k[17]]...))
}

// parsePath returns the key of a path that a snapshot may hold. It accepts the
// one spelling of each, and so nothing that leads out of the folder.
func parsePath(path string) (key, bool) {
	name, inPages := strings.CutPrefix(path, pagesDir+"/")
	if !inPages {
		return topKey(path)
	}
	if id, file, ok := strings.Cut(name, "/"); ok {
		return recordKey(id, file)
	}
	stem, suffix, ok := cutSuffix(name)
	if !ok {
		return key{}, false
	}
	if stem == "index" {
		return key{0: classIndex, 17: suffix}, true
	}
	n, ok := strings.CutPrefix(stem, "page-")
	if !ok || !isListNumber(n) {
		return key{}, false
	}
	return listKey(n, suffix), true
}

// topKey returns the key of a file in the output folder itself.
func topKey(name string) (key, bool) {
	i, ok := slices.BinarySearch(topNames, name)
	k := key{0: classTop, 1: byte(i)}
	if name > pagesDir {
		k[0] = classEnd
	}
	return k, ok
}

// recordKey returns the key of a file in a record's folder.
func recordKey(id, file string) (key, bool) {
	k := key{0: classRecord}
	stem, suffix, ok := cutSuffix(file)
	if !ok || stem != "index" || !parseID(k[1:17], id) {
		return key{}, false
	}
	k[17] = suffix
	return k, true
}

// listKey returns the key of the list page whose number has these digits, nine
// at most.
func listKey(digits string, suffix byte) key {
	k := key{0: classList, 17: suffix}
	copy(k[1:17], digits)
	return k
}

func cutSuffix(name string) (stem string, suffix byte, ok bool) {
	for i, s := range suffixes {
		if stem, ok := strings.CutSuffix(name, s); ok {
			return stem, byte(i), true
		}
	}
	return "", 0, false
}

// isListNumber reports whether s is [1-9][0-9]{0,8}.
func isListNumber(s string) bool {
	return len(s) >= 1 && len(s) <= 9 && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// parseID reads an id of 8-4-4-4-12 lower-case hexadecimal digits into dst.
func parseID(dst []byte, s string) bool {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' || strings.ContainsAny(s, "ABCDEF") {
		return false
	}
	var digits [32]byte
	n := copy(digits[:], s[:8])
	n += copy(digits[n:], s[9:13])
	n += copy(digits[n:], s[14:18])
	n += copy(digits[n:], s[19:23])
	copy(digits[n:], s[24:])
	_, err := hex.Decode(dst, digits[:])
	return err == nil
}

// appendID appends the spelling that parseID reads.
func appendID(b, id []byte) []byte {
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, id[:n])
		id = id[n:]
	}
	return b
}
