package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.org/sivu/generator/folder"
)

// TestRefused has paths where no archive may be: nothing there changes.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"folder.zip", "content"} {
		must(t, os.Mkdir(path(name), 0o755))
	}
	for name, data := range map[string]string{
		"text.zip": "my notes", "tar.zip": strings.Repeat("x", 257) + "ustar", "short.tar": "ustar", "zip.tar.zst": "PK\x03\x04",
	} {
		must(t, os.WriteFile(path(name), []byte(data), 0o644))
	}
	must(t, os.Symlink("content", path("link")))
	must(t, os.Symlink("nowhere.zip", path("lost.zip")))
	before, err := os.ReadDir(dir)
	must(t, err)
	for name, want := range map[string]string{
		"public.rar":         `does not tell what kind of archive it is for; the endings are .tar.zst, .zip, .tar`,
		"public":             `does not tell what kind of archive it is for`,
		"folder.zip":         `: it is a folder (the archive is as it was)`,
		"text.zip":           `: what lies there is no .zip archive; move it away, or choose another name (the archive is as it was)`,
		"tar.zip":            `: what lies there is no .zip archive`,
		"short.tar":          `: what lies there is no .tar archive`,
		"zip.tar.zst":        `: what lies there is no .tar.zst archive`,
		"none/x.zip":         `none" is not there; make it first`,
		"content/x.zip":      `: it lies in the content folder; choose another place`,
		"link/x.zip":         `: it lies in the content folder; choose another place`,
		"lost.zip":           `: it is a symlink that leads nowhere; remove it (the archive is as it was)`,
		"content/none/x.zip": `is not there; make it first`,
	} {
		_, err := Create(path(name), Options{Content: path("content")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", name, err, want)
		}
		if _, missing := os.Lstat(path(name)); err != nil && missing != nil && strings.Contains(err.Error(), "as it was") {
			t.Errorf("%s: there is no archive, and the error is %v", name, err)
		}
	}
	if _, err := Create(Pipe, Options{}); err == nil {
		t.Error("a pipe to nowhere was taken")
	}
	after, err := os.ReadDir(dir)
	must(t, err)
	if len(after) != len(before) {
		t.Errorf("before there was %v, and now %v", before, after)
	}
}

// An archive replaces one of its form, an empty file, and what a symlink leads
// to, which stays. It keeps the mode.
func TestReplaced(t *testing.T) {
	for _, f := range Formats {
		dir := t.TempDir()
		name, link := filepath.Join(dir, "a"+f.Ending), filepath.Join(dir, "link"+strings.ToUpper(f.Ending))
		must(t, os.WriteFile(name, nil, 0o600))
		must(t, os.Symlink("a"+f.Ending, link))
		old := site{records: 3, body: bodies}.write(t, name, Options{}, 1)
		next := site{records: 5, body: bodies}.write(t, link, Options{}, 1)
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, next) || bytes.Equal(got, old) {
			t.Errorf("%s was not replaced through a symlink: %v", f.Ending, err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the symlink was replaced: %v", err)
		}
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Errorf("the mode is %v", info.Mode())
		}
	}
}

// A failure leaves the old archive and nothing else, whenever it comes.
func TestFailure(t *testing.T) {
	broken := errors.New("broken")
	for what, build := range map[string]func(t *testing.T, name string) error{
		"abort": func(t *testing.T, name string) error {
			a, err := Create(name, Options{})
			must(t, err)
			_, err = a.Scratch()
			must(t, err)
			must(t, site{records: 30, body: bodies}.fill(t, a, 2))
			return errors.Join(broken, a.Abort(), a.Abort())
		},
		"a file in no block": func(t *testing.T, name string) error {
			a, err := Create(name, Options{})
			must(t, err)
			w := a.NewWriter()
			if err := w.WriteFile("404.json", nil); err == nil {
				t.Error("it was taken")
			}
			must(t, w.Close())
			_, err = a.Commit(t.Context())
			return err
		},
		"a sibling that cannot be made": func(t *testing.T, name string) error {
			pack := func() folder.Encoder {
				return func(dst, data []byte) ([]byte, error) { return nil, broken }
			}
			a, err := Create(name, Options{Codings: []folder.Coding{{Name: "br", NewEncoder: pack}}})
			must(t, err)
			if err := (site{records: 3, body: bodies}).fill(t, a, 1); !errors.Is(err, broken) {
				t.Errorf("got error %v", err)
			}
			_, err = a.Commit(t.Context())
			return err
		},
		"a writer at work": func(t *testing.T, name string) error {
			a, err := Create(name, Options{})
			must(t, err)
			a.NewWriter()
			_, err = a.Commit(t.Context())
			return err
		},
		"interrupted": func(t *testing.T, name string) error {
			a, err := Create(name, Options{})
			must(t, err)
			must(t, site{records: 30, body: bodies}.fill(t, a, 2))
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(broken)
			_, err = a.Commit(ctx)
			if !errors.Is(err, broken) {
				t.Errorf("got error %v", err)
			}
			return err
		},
		"interrupted on the way": func(t *testing.T, name string) error {
			a, err := Create(name, Options{})
			must(t, err)
			must(t, site{records: 30, body: bodies}.fill(t, a, 2))
			_, err = a.Commit(&countdown{Context: t.Context(), left: 12})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got error %v", err)
			}
			return err
		},
	} {
		for _, f := range Formats {
			t.Run(what+f.Ending, func(t *testing.T) {
				name := filepath.Join(t.TempDir(), "a"+f.Ending)
				old := site{records: 3, body: bodies}.write(t, name, Options{}, 1)
				if err := build(t, name); err == nil {
					t.Error("there was no error")
				}
				if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, old) {
					t.Errorf("the old archive has gone: %v", err)
				}
				if names, err := os.ReadDir(filepath.Dir(name)); err != nil || len(names) != 1 {
					t.Errorf("something was left: %v, %v", names, err)
				}
			})
		}
	}
}

// countdown is done after it was asked so many times.
type countdown struct {
	context.Context

	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Temporary files of killed builds go with the next build; those of a running build, and
// other files, stay.
func TestLeftFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.zip")
	s := site{records: 3, body: bodies}
	running, err := Create(name, Options{})
	must(t, err)
	random := strings.TrimPrefix(filepath.Base(running.target.temp.Name()), ".a.zip.sivu-")
	left := filepath.Join(dir, ".a.zip.sivu-"+strings.Repeat("A", len(random)))
	others := []string{".b.zip.sivu-" + strings.Repeat("A", len(random)), ".a.zip.sivu-notes", "a.zip.sivu-" + strings.Repeat("A", len(random))}
	for _, o := range others {
		must(t, os.WriteFile(filepath.Join(dir, o), nil, 0o644))
	}
	must(t, os.WriteFile(left, []byte("half"), 0o644))
	next := s.write(t, name, Options{}, 1)
	if _, err := os.Stat(left); err == nil {
		t.Error("what was left is still there")
	}
	for _, o := range others {
		if _, err := os.Stat(filepath.Join(dir, o)); err != nil {
			t.Error(err)
		}
	}
	must(t, s.fill(t, running, 1))
	_, err = running.Commit(t.Context())
	must(t, err)
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, next) {
		t.Errorf("the build that was at work made other bytes: %v", err)
	}
}

// A pipe gets a tar, and only when all is well.
func TestPipe(t *testing.T) {
	var out bytes.Buffer
	a, err := Create(Pipe, Options{To: &out})
	must(t, err)
	s := site{records: 9, body: bodies}
	must(t, s.fill(t, a, 2))
	if out.Len() > 0 {
		t.Error("something was written before the commit")
	}
	_, err = a.Commit(t.Context())
	must(t, err)
	if got := unpack(t, "a.tar", out.Bytes()); len(got) != len(s.files()) {
		t.Errorf("there are %d files, want %d", len(got), len(s.files()))
	}
	if want := s.write(t, filepath.Join(t.TempDir(), "a.tar"), Options{}, 1); !bytes.Equal(out.Bytes(), want) {
		t.Error("a file has other bytes")
	}

	a, err = Create(Pipe, Options{To: closed{}})
	must(t, err)
	must(t, s.fill(t, a, 2))
	if _, err := a.Commit(t.Context()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got error %v", err)
	}
}

// closed is a pipe that nobody reads any more.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The spool of an archive without a name lies in the folder for temporary files, which an
// error names.
func TestPipeNeedsTemporaryFiles(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", none)
	t.Setenv("TMP", none) // of Windows
	_, err := Create(Pipe, Options{To: io.Discard})
	if err == nil || !strings.Contains(err.Error(), strconv.Quote(none)) {
		t.Errorf("got error %v, want one that names %s", err, none)
	}
}
