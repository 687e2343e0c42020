package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the length of the parts, each is read back as it was, in a file and in
// memory, with any number of writers side by side.
func TestSpool(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, store := range map[string]*Spool{"file": {File: file}, "memory": {}} {
		t.Run(name, func(t *testing.T) {
			writers := []*Spooler{{Spool: store}, {Spool: store}, {Spool: store}}
			var kept []Ref
			var want [][]byte
			for i := range 300 {
				length := 10_000 + i
				if i%50 == 0 {
					length = 3*chunkSize + i
				}
				b := bytes.Repeat([]byte(fmt.Sprintf("%03d.", i)), length/4)
				h, err := writers[i%len(writers)].Write(b)
				if err != nil {
					t.Fatal(err)
				}
				kept, want = append(kept, h), append(want, b)
			}
			for _, w := range writers {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			for i, h := range kept {
				got, err := store.Append([]byte("before"), h)
				if err != nil || !bytes.Equal(got, append([]byte("before"), want[i]...)) {
					t.Fatalf("part %d, of %d bytes, is not what was written (%v)", i, len(want[i]), err)
				}
			}
		})
	}
}
