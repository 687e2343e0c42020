package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/diag"
)

// load loads a file by its bytes, and returns what was reported.
func load(raw []byte) (text string, ok bool, problems []string) {
	var l Loader
	fsys := fstest.MapFS{"fi/a.md": {Data: raw}}
	loaded, ok := l.Load(fsys, &File{Path: "fi/a.md"}, collect(&problems))
	return string(loaded), ok, problems
}

// collect returns a report function that appends "position: message [rule]".
func collect(problems *[]string) func(diag.Diagnostic) {
	return func(d diag.Diagnostic) {
		*problems = append(*problems, fmt.Sprintf("%s: %s [%s]", d.Pos, d.Message, d.Rule.Name))
	}
}

func TestLoadNormalizes(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"plain", "a\nb\n", "a\nb\n"},
		{"empty", "", ""},
		{"byte order mark", "\uFEFFa\n", "a\n"},
		{"only a byte order mark", "\uFEFF", ""},
		{"one of two byte order marks", "\uFEFF\uFEFFa", "\uFEFFa"},
		{"CRLF", "a\r\nb\r\n\r\nc", "a\nb\n\nc"},
		{"CRLF at both ends", "\r\n\r\n", "\n\n"},
		{"a CR alone", "a\rb\r", "a\rb\r"},
		{"CR before CRLF", "a\r\r\nb", "a\r\nb"},
		{"mixed", "\uFEFFa\r\nb\nc\rd\r\n", "a\nb\nc\rd\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok, problems := load([]byte(test.raw))
			if got != test.want || !ok || problems != nil {
				t.Errorf("Load(%q) = %q, %v, %q; want %q", test.raw, got, ok, problems, test.want)
			}
		})
	}
}

func TestLoadProblems(t *testing.T) {
	tests := []struct {
		name, raw string
		want      []string
	}{
		{"NUL", "aä\nöö\x00b\x00", []string{"fi/a.md:2:3: the file holds a NUL [encoding]"}},
		{"invalid UTF-8", "a\r\nöö\xe4\xff", []string{"fi/a.md:2:3: the byte 0xE4 is not UTF-8 [encoding]"}},
		{"cut UTF-8", "\uFEFFab\xc3", []string{"fi/a.md:1:3: the byte 0xC3 is not UTF-8 [encoding]"}},
		{"surrogate", "a\xed\xa0\x80", []string{"fi/a.md:1:2: the byte 0xED is not UTF-8 [encoding]"}},
		{"both", "\xff\n\x00", []string{"fi/a.md:2:1: the file holds a NUL [encoding]", "fi/a.md:1:1: the byte 0xFF is not UTF-8 [encoding]"}},
		{"UTF-16, little end first", "\xff\xfea\x00", []string{"fi/a.md:1:1: the file is UTF-16 [encoding]"}},
		{"UTF-16, big end first", "\xfe\xff\x00a", []string{"fi/a.md:1:1: the file is UTF-16 [encoding]"}},
		{"larger than allowed", strings.Repeat("a", MaxFileSize+1), []string{"fi/a.md: the file is larger than 16 MiB [file-size]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ok, problems := load([]byte(test.raw))
			if diff := cmp.Diff(test.want, problems); diff != "" || ok {
				t.Errorf("ok = %v, problems (-want +got):\n%s", ok, diff)
			}
		})
	}
	if _, ok, problems := load(bytes.Repeat([]byte("a"), MaxFileSize)); !ok {
		t.Errorf("a file of 16 MiB: %q", problems)
	}
}

// brokenFS is a file system whose files fail in a way of their own.
type brokenFS struct {
	fstest.MapFS
	fail map[string]error
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if err := b.fail[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b.MapFS.Open(name)
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := b.fail[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b.MapFS.ReadDir(name)
}

// Sub hides that of MapFS, which would lead around Open.
func (b brokenFS) Sub(string) (fs.FS, error) { return nil, fs.ErrInvalid }

func TestLoadUnreadable(t *testing.T) {
	fsys := brokenFS{fstest.MapFS{"a.md": {Data: []byte("a")}, "d": {Mode: fs.ModeDir}}, map[string]error{"fi/b.md": fs.ErrPermission}}
	var l Loader
	var problems []string
	for _, name := range []string{"fi/b.md", "gone.md", "d", "a.md"} {
		_, ok := l.Load(fsys, &File{Path: name}, collect(&problems))
		if ok != (name == "a.md") {
			t.Errorf("%s: ok = %v", name, ok)
		}
	}
	want := []string{
		"fi/b.md: the file cannot be read: permission denied [unreadable]",
		"gone.md: the file cannot be read: file does not exist [unreadable]",
		"d: this is a folder, not a file [file-kind]",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// growingFile says that it is smaller than it turns out to be.
type growingFile struct {
	fs.File
	r *strings.Reader
}

func (g growingFile) Read(p []byte) (int, error) { return g.r.Read(p) }

type growingFS struct {
	fstest.MapFS
	size int
}

func (g growingFS) Open(name string) (fs.File, error) {
	f, err := g.MapFS.Open(name)
	return growingFile{f, strings.NewReader(strings.Repeat("x", g.size))}, err
}

func TestLoadGrowingFile(t *testing.T) {
	var l Loader
	var problems []string
	small := growingFS{fstest.MapFS{"a.md": {Data: []byte("x")}}, 300_000}
	text, ok := l.Load(small, &File{Path: "a.md"}, collect(&problems))
	if len(text) != 300_000 || !ok {
		t.Errorf("%d bytes, ok %v, %q", len(text), ok, problems)
	}
	large := growingFS{small.MapFS, MaxFileSize + 100}
	if _, ok := l.Load(large, &File{Path: "a.md"}, collect(&problems)); ok || len(problems) != 1 || problems[0] != "a.md: the file is larger than 16 MiB [file-size]" {
		t.Errorf("ok %v, %q", ok, problems)
	}
}

func TestLoadReusesItsBuffer(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": strings.Repeat("a", 5000), "b.md": "b\r\n", "c.md": ""} {
		for _, folder := range []string{"fi", "en"} {
			writeFile(t, filepath.Join(dir, folder, name), text)
		}
	}
	folder := openFolder(t, dir)
	var l Loader
	for _, name := range []string{"fi/a.md", "fi/b.md", "en/b.md", "fi/c.md", "en/a.md", "fi/b.md"} {
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		var problems []string
		text, ok := l.Load(folder, &File{Path: name}, collect(&problems))
		if string(text) != strings.ReplaceAll(string(want), "\r\n", "\n") || !ok {
			t.Errorf("%s: %q, %v, %q", name, text, ok, problems)
		}
	}
}

func TestHash(t *testing.T) {
	if Hash([]byte("a")) != Hash([]byte("a")) {
		t.Error("one text has two hashes")
	}
	if Hash([]byte("a")) == Hash([]byte("b")) {
		t.Error("two texts have one hash")
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\uFEFFa\r\n", "\r\r\n\r", "\xff\xfe", "a\x00", "\xc3\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, ok, problems := load(raw)
		if ok != (len(problems) == 0) {
			t.Errorf("%q: ok = %v with %q", raw, ok, problems)
		}
		if want := strings.ReplaceAll(strings.TrimPrefix(string(raw), "\uFEFF"), "\r\n", "\n"); text != want {
			t.Errorf("%q: text %q, want %q", raw, text, want)
		}
		// The forms of one text load equal.
		if !ok || bytes.ContainsRune(raw, '\r') || strings.HasPrefix(text, "\uFEFF") {
			return
		}
		for _, form := range []string{text, "\uFEFF" + text, strings.ReplaceAll(text, "\n", "\r\n"), "\uFEFF" + strings.ReplaceAll(text, "\n", "\r\n")} {
			if again, ok, _ := load([]byte(form)); again != text || !ok {
				t.Errorf("%q: the form %q loads as %q", raw, form, again)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	text := bytes.Repeat([]byte("Näin löydät vuokra-asunnon Suomesta.\n"), 120)
	var files []File
	for i := range 500 {
		name := fmt.Sprintf("fi/asuminen/vuokra/sivu-%d.md", i)
		writeFile(b, filepath.Join(dir, name), string(text))
		files = append(files, File{Path: name})
	}
	folder := openFolder(b, dir)
	var l Loader
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok := l.Load(folder, &files[i%len(files)], nil); !ok {
			b.Fatal("not loaded")
		}
		i++
	}
}

// The second pass takes the text that the first one took, or none.
func TestReload(t *testing.T) {
	fsys := fstest.MapFS{"a.md": {Data: []byte("\xef\xbb\xbfeka\r\ntoka\r\n")}}
	file := &File{Path: "a.md"}
	var l Loader
	text, ok := l.Load(fsys, file, func(d diag.Diagnostic) { t.Error(d.Message) })
	if !ok {
		t.Fatal("the file was not loaded")
	}
	hash := Hash(text)
	text, ok = l.Reload(fsys, file, hash, func(d diag.Diagnostic) { t.Error(d.Message) })
	if !ok || string(text) != "eka\ntoka\n" {
		t.Errorf("got %q, %t", text, ok)
	}
	fsys["a.md"].Data = []byte("muu\n")
	var got []string
	report := func(d diag.Diagnostic) { got = append(got, d.Pos.String()+": "+d.Message+" ["+d.Rule.Name+"]") }
	if _, ok := l.Reload(fsys, file, hash, report); ok {
		t.Error("another text was taken")
	}
	delete(fsys, "a.md")
	if _, ok := l.Reload(fsys, file, hash, report); ok {
		t.Error("a missing file was taken")
	}
	want := []string{
		"a.md: the file changed while sivu was at work [changed-meanwhile]",
		"a.md: the file cannot be read: file does not exist [unreadable]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
