package archive

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNoSpaceLeft builds into a small file system: wherever the space ends, the
// old archive stays and the message says why.
func TestNoSpaceLeft(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount a small tmpfs (%v); run as root for this test", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	for _, f := range Formats {
		name := filepath.Join(dir, "a"+f.Ending)
		old := site{records: 3, body: bodies}.write(t, name, Options{}, 1)
		failures := 0
		const most = 12
		for n := range most {
			s := site{records: 8 * n, body: func(i int) string { return strings.Repeat(string(answer()[i:]), 1) + strings.Repeat("x", i*200) }}
			a, err := Create(name, Options{})
			must(t, err)
			if err = s.fill(t, a, 2); err == nil {
				_, err = a.Commit(t.Context())
			} else {
				must(t, a.Abort())
			}
			if err == nil {
				old, err = os.ReadFile(name)
				must(t, err)
				continue
			}
			failures++
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space there and build again (the archive is as it was)") {
				t.Errorf("%s with %d records: error %q", f.Ending, s.records, err)
			}
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, old) {
				t.Fatalf("%s with %d records: the old archive has gone: %v", f.Ending, s.records, err)
			}
			if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
				t.Fatalf("%s with %d records: something was left: %v, %v", f.Ending, s.records, names, err)
			}
		}
		if failures == most || failures == 0 && f.Ending != ".tar.zst" {
			t.Errorf("%s: %d of %d builds failed; this proves nothing", f.Ending, failures, most)
		}
		must(t, os.Remove(name))
	}
}
