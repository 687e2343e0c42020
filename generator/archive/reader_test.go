package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/tree"
)

// Archives of every format are read again.
func TestReader(t *testing.T) {
	for _, f := range Formats {
		s := site{records: 41, body: bodies}
		name := filepath.Join(t.TempDir(), "a"+f.Ending)
		s.write(t, name, Options{}, 2)
		r, err := Open(name)
		must(t, err)
		var names []string
		for e := range r.All() {
			data, err := r.Read(e.Path)
			must(t, err)
			if tree.SumOf(data) != e.Sum {
				t.Errorf("%s: %s has another sum", f.Ending, e.Path)
			}
			names = append(names, e.Path.String()+"="+string(data))
		}
		r.Close()
		var want []string
		for _, e := range s.files() {
			want = append(want, e.Name+"="+e.Data)
		}
		slices.Sort(want)
		if !slices.Equal(names, want) {
			t.Errorf("%s: got %d files, want %d", f.Ending, len(names), len(want))
		}
		if _, err := os.Stat(r.spool.Name()); err == nil {
			t.Errorf("%s is left", r.spool.Name())
		}
	}
}

// packTar packs entries as another program would.
func packTar(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		must(t, w.WriteHeader(&h))
		_, err := w.Write(make([]byte, h.Size))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// A file that is no archive of a snapshot is an error that says why; folders, and sivu's
// own files, are passed over.
func TestReaderRefuses(t *testing.T) {
	file := func(name string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 3, Mode: 0o644}
	}
	good := packTar(t, tar.Header{Name: "./", Typeflag: tar.TypeDir}, file("./404.json"), file("./.sivu/manifest"), file("pages/index.json"))
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	_, err := z.Create("../404.json")
	must(t, errors.Join(err, z.Close()))
	for _, test := range []struct {
		name    string
		data    []byte
		problem string
	}{
		{"a.tar", good, ""},
		{"a.tar", good[:1025], "it is damaged or cut off (404.json: unexpected EOF)"},
		{"a.tar", nil, "it is no tar"},
		{"a.zip", good, "it is no zip"},
		{"a.zip", zipped.Bytes(), `it holds "../404.json", which is no file of a snapshot`},
		{"a.zip", []byte("PK\x03\x04 and no more"), "it is damaged or cut off (zip: not a valid zip file)"},
		{"a.tar.zst", []byte("\x28\xb5\x2f\xfd no more"), "it is damaged or cut off ("},
		{"a.tgz", good, "does not tell what kind of archive"},
		{"a.tar", packTar(t, file("404.json"), file("404.json")), "it holds 404.json twice"},
		{"a.tar", packTar(t, file("/404.json")), `it holds "/404.json"`},
		{"a.tar", packTar(t, file("robots.txt")), `it holds "robots.txt"`},
		{"a.tar", packTar(t, tar.Header{Name: "404.json", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}), "is not a regular file"},
	} {
		name := filepath.Join(t.TempDir(), test.name)
		must(t, os.WriteFile(name, test.data, 0o644))
		t.Setenv("TMPDIR", t.TempDir())
		r, err := Open(name)
		if test.problem == "" && test.name == "a.tar" {
			must(t, err)
			if len(r.files) != 2 {
				t.Errorf("got %v", r.files)
			}
			r.Close()
		} else if err == nil || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s: %v, want %q", test.name, err, test.problem)
		}
		if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
			t.Errorf("%s: %v is left", test.name, left)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.tar")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// FuzzReader looks for archives that end the program, or are read as what they are not.
func FuzzReader(f *testing.F) {
	for i, format := range Formats {
		name := filepath.Join(f.TempDir(), "a"+format.Ending)
		site{records: 2, body: bodies}.write(f, name, Options{}, 1)
		data, err := os.ReadFile(name)
		must(f, err)
		f.Add(i, data)
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		name := filepath.Join(t.TempDir(), "a"+Formats[uint(i)%uint(len(Formats))].Ending)
		must(t, os.WriteFile(name, data, 0o600))
		r, err := Open(name)
		if err != nil {
			return
		}
		defer r.Close()
		last := ""
		for e := range r.All() {
			if text := e.Path.String(); text <= last {
				t.Errorf("%q follows %q", text, last)
			} else {
				last = text
			}
		}
	})
}
