package snapshot

import (
	"fmt"
	"strconv"
	"strings"
)

// Generation returns the identity of the snapshot that lies in the folder: every
// commit that changes anything gives it another one. It is "" where it is not
// known: there is no manifest, or a damaged one or one of an older version, or a
// build was cut off since then and the snapshot was not verified after that. See
// [Stage.Verify].
func (s *Stage) Generation() string {
	if s.isUnsure {
		return ""
	}
	return s.listedGeneration()
}

// listedGeneration returns the generation that the manifest names.
func (s *Stage) listedGeneration() string {
	if s.root == nil || s.suspect {
		return ""
	}
	o, err := s.openManifest()
	if err != nil || o == nil || !o.isCurrent() {
		return ""
	}
	return o.totals.name()
}

// KeepRest lets files of the old snapshot stay that are neither written nor
// removed. Without it they go. It needs a snapshot whose generation is known, and
// the same codings that this was written with. What one commit then costs depends
// on what it changes, not on how large the snapshot is.
func (s *Stage) KeepRest() { s.keepRest = true }

// Remove removes a file of the old snapshot, and its siblings with it. It is for
// builds that keep the rest. A file that is not there is passed over.
func (s *Stage) Remove(path string) error {
	k, ok := parsePath(path)
	if !ok || k.coding() != 0 {
		return fmt.Errorf("%s is not a file of a snapshot (%s)", strconv.Quote(path), asItWas)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = append(s.removed, k)
	return nil
}

// AppendList appends the bytes of a list page of the snapshot that lies in the
// folder. The error wraps [fs.ErrNotExist] where there is none.
func (s *Stage) AppendList(dst []byte, path string) ([]byte, error) {
	k, ok := parsePath(path)
	if !ok || !k.isList() {
		return dst, fmt.Errorf("%s is not a list page of a snapshot", strconv.Quote(path))
	}
	dst, err := s.pages.appendFile(dst, strings.TrimPrefix(path, pagesDir+"/"))
	if err != nil {
		return dst, problem("read", path, err)
	}
	return dst, nil
}
