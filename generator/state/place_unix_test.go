//go:build unix

package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whatever lies in the place of one of the files: it is not waited for, nothing is
// written through it, and a state is there in the end, or an error says what to do.
func TestOtherThingsInPlace(t *testing.T) {
	plants := map[string]func(name, victim string) error{
		"a FIFO":    func(name, _ string) error { return syscall.Mkfifo(name, 0o600) },
		"a symlink": func(name, victim string) error { return os.Symlink(victim, name) },
		"a folder": func(name, _ string) error {
			return errors.Join(os.Mkdir(name, 0o700), os.WriteFile(filepath.Join(name, "x"), nil, 0o600))
		},
	}
	for what, plant := range plants {
		for _, file := range []string{stateFile, logFile, tempFile} {
			dir := t.TempDir()
			victim := filepath.Join(dir, "victim")
			name := filepath.Join(dir, "state", file)
			err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Mkdir(filepath.Dir(name), 0o700), plant(name, victim))
			if err != nil {
				t.Fatal(err)
			}
			if s, err := Load(filepath.Dir(name)); err == nil {
				s.Close()
				t.Errorf("%s for %s: a state was read", what, file)
			}
			err = put(filepath.Dir(name))
			if what == "a folder" {
				if err == nil || !strings.HasSuffix(err.Error(), `" is a folder; remove it`) {
					t.Errorf("%s for %s: %v", what, file, err)
				}
				err = errors.Join(os.RemoveAll(name), put(filepath.Dir(name)))
			}
			if err != nil {
				t.Fatalf("%s for %s: %v", what, file, err)
			}
			check(t, filepath.Dir(name), "2", map[string]string{"a": "1", "b": "2"})
			if text, err := os.ReadFile(victim); string(text) != "mine" {
				t.Errorf("%s for %s: the file it leads to holds %q, %v", what, file, text, err)
			}
		}
	}
}

// put writes a state, and then a change.
func put(dir string) error {
	w, err := Create(dir, []byte("1"))
	if err != nil {
		return err
	}
	w.Put("a", []byte("1"))
	if err := w.Close(); err != nil {
		return err
	}
	s, err := Load(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Append(dir, []byte("2"), []Change{{Key: "b", Value: []byte("2")}})
	return err
}
