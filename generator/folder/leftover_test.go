package folder

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestLeftover fails what is done after a commit: the snapshot is published, no
// error says otherwise, and the next build clears what is left.
func TestLeftover(t *testing.T) {
	old, next := site(2, "one", "two"), site(1, "1st")
	for _, name := range []string{stageDir, wrongFile, commitDir} {
		t.Run(name, func(t *testing.T) {
			out, isStaged := t.TempDir(), false
			build(t, out, old)
			if name == wrongFile {
				put(t, out+"/"+wrongFile, "")
			}
			s := stageAll(t, out, Options{unflushed: true, fault: func(op, path string) error {
				if isStaged && op == "remove" && path == name || name == commitDir && op == "rename" && path == stageDir {
					return syscall.EIO
				}
				return nil
			}}, next)
			isStaged = true
			c, err := s.Commit(t.Context())
			must(t, err)
			if !errors.Is(c.Leftover, syscall.EIO) || !strings.Contains(c.Leftover.Error(), name) {
				t.Errorf("left over: %v", c.Leftover)
			}
			equal(t, "files", read(t, out), next)
			if c := build(t, out, next); c.Leftover != nil || c.Any() {
				t.Errorf("the next build: %+v", c)
			}
			equal(t, ".sivu", inState(t, out), settled)
		})
	}
}
