package folder

import (
	"context"
	"path/filepath"
	"testing"
)

// What a build sets aside lies in .sivu while it lasts, and nowhere after it.
func TestScratch(t *testing.T) {
	for name, end := range map[string]func(*Stage) error{
		"abort":  (*Stage).Abort,
		"commit": func(s *Stage) error { _, err := s.Commit(context.Background()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			s, err := Open(out, Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := s.Scratch()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteAt([]byte("aside"), 1<<20); err != nil {
				t.Fatal(err)
			}
			if again, err := s.Scratch(); err != nil || again != f {
				t.Errorf("a second call gave another file: %v", err)
			}
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(filepath.Join(out, ".sivu", "*", "*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if _, err := f.Write(nil); err == nil {
				t.Error("the file is still open")
			}
		})
	}
}

func TestScratchInDryRun(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "out"), Options{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Abort()
	if f, err := s.Scratch(); f != nil || err != nil {
		t.Errorf("a dry run has %v, %v", f, err)
	}
}
