package generator

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"example.org/sivu/generator/state"
)

// storedSite is a small site that was built, with something of everything that one
// build tells the next: links to anchors, embeds, problems, a draft.
type storedSite struct {
	dir      string
	contents []fstest.MapFS      // the content that was built, and edits of it
	fresh    []map[string]string // what a build of each into an empty folder writes
	files    map[string]string   // of the output folder of the first, .sivu included
	parts    []storedPart        // of its state and its manifest
}

// storedPart is a piece of a file in .sivu.
type storedPart struct {
	file string
	what string // "meta", "key" or "value"
	key  string
	text string
}

func newStoredSite(t testing.TB) *storedSite {
	page := func(n, body string) *fstest.MapFile {
		return &fstest.MapFile{ModTime: time.Unix(1e9, 0), Data: []byte("---\nid: 6ba7b810-9dad-51d1-80b4-00000000000" + n +
			"\ncreated: 2020-01-0" + n + "\ntitle: T" + n + "\nembeds: [https://example.org/" + n + "]\n---\n" + body)}
	}
	built := fstest.MapFS{
		"site.yaml":  {Data: []byte("base_url: https://api.example.org\nlanguages: [en, fi]\ndates: [fields]\n")},
		"en/a.md":    page("1", "# A\n\n[b](b.md#part), [lost](lost.md), [no anchor](b.md#none), ![image](a.png)\n"),
		"en/b.md":    page("2", "# B\n\n## Part\n\n[a](a.md#a) <script>x</script>\n"),
		"en/c.html":  {ModTime: time.Unix(1e9, 0), Data: []byte("<html><head><title>C</title><meta name=dcterms.identifier content=6ba7b810-9dad-51d1-80b4-000000000003><meta name=dcterms.created content=2020-01-03></head><body><p id=c><a href=/en/b#part>b</a></p></body></html>")},
		"fi/a.md":    page("4", "\r\n# A\r\n\r\n[c](../en/c.html#c)\r\n"),
		"fi/gone.md": {ModTime: time.Unix(1e9, 0), Data: []byte("---\ndraft: true\n---\n")},
	}
	edited := func(edit func(content fstest.MapFS)) fstest.MapFS {
		content := maps.Clone(built)
		edit(content)
		return content
	}
	s := &storedSite{dir: t.TempDir(), contents: []fstest.MapFS{
		built,
		edited(func(c fstest.MapFS) { delete(c, "en/b.md") }),
		edited(func(c fstest.MapFS) { c["fi/new.md"] = page("5", "[c](../en/c.html#c)\n") }),
		edited(func(c fstest.MapFS) { c["en/moved.md"] = c["en/b.md"]; delete(c, "en/b.md") }),
		edited(func(c fstest.MapFS) { c["fi/a.md"] = page("4", "[c](../en/c.html#d)") }),
	}}
	for i, content := range s.contents {
		out := filepath.Join(s.dir, "fresh")
		s.build(t, content, out, false)
		files := treeIn(t, out)
		if i == 0 {
			s.files = files
			s.split(t)
		}
		s.fresh = append(s.fresh, maps.Clone(files))
		maps.DeleteFunc(s.fresh[i], func(name, _ string) bool { return filepath.Dir(name) == ".sivu" })
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// build builds, and never fails: whatever is stored, a build comes to its end.
func (s *storedSite) build(t testing.TB, content fstest.MapFS, out string, full bool) {
	t.Helper()
	result, err := Build(t.Context(), Options{Content: "content", FS: content, Out: out, Full: full})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed || result.StateError != nil {
		t.Fatalf("%+v, %v", result.Report, result.StateError)
	}
}

func treeIn(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		name, _ = filepath.Rel(dir, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// storedFiles are the files of which every part is changed.
var storedFiles = []string{".sivu/state", ".sivu/manifest"}

func (s *storedSite) split(t testing.TB) {
	for _, file := range storedFiles {
		stored, err := state.Open(bytes.NewReader([]byte(s.files[file])), int64(len(s.files[file])), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.parts = append(s.parts, storedPart{file, "meta", "", string(stored.Meta())})
		for c := stored.From(""); ; {
			key, value, ok := c.Next()
			if !ok {
				break
			}
			s.parts = append(s.parts, storedPart{file, "key", key, key}, storedPart{file, "value", key, string(value)})
		}
	}
	if len(s.parts) < 20 {
		t.Fatalf("only %d parts are stored", len(s.parts))
	}
}

// with returns a stored file in which one part is another, with checksums that fit.
func (s *storedSite) with(part int, text string) string {
	var meta string
	values := map[string]string{}
	for i, p := range s.parts {
		if p.file != s.parts[part].file {
			continue
		}
		if i == part {
			p.text = text
		}
		switch p.what {
		case "meta":
			meta = p.text
		case "key":
			values[p.text] = s.parts[i+1].text
		case "value":
			if _, ok := values[p.key]; ok {
				values[p.key] = p.text
			}
		}
	}
	var b bytes.Buffer
	w := state.NewWriter(&b, []byte(meta))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		w.Put(key, []byte(values[key]))
	}
	if err := w.Finish(); err != nil {
		panic(err)
	}
	return b.String()
}

// try builds over a snapshot of which one stored part is another, and then whole:
// neither fails, and the second writes what is due.
func (s *storedSite) try(t testing.TB, part int, text string, edit int) {
	t.Helper()
	out := filepath.Join(s.dir, "out")
	if err := os.RemoveAll(out); err != nil {
		t.Fatal(err)
	}
	for name, data := range s.files {
		if name == s.parts[part].file {
			data = s.with(part, text)
		}
		name = filepath.Join(out, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s.build(t, s.contents[edit], out, false)
	s.build(t, s.contents[edit], out, true)
	got := treeIn(t, out)
	for name, data := range s.fresh[edit] {
		if got[name] != data {
			t.Errorf("%s of edit %d differs", name, edit)
		}
	}
}

// replaced returns a text with some of its bytes replaced.
func replaced(text string, at, cut int, insert string) string {
	at = min(at, len(text))
	return text[:at] + insert + text[at+min(cut, len(text)-at):]
}

// numbers are what stands for numbers that no build writes, as varints and as text.
var numbers = []string{"\x00", "\x01", "\x7f", "\xff\x7f", "\xff\xff\xff\xff\x07", "\xff\xff\xff\xff\x0f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	"-1", "-9223372036854775808", "9223372036854775807", "10000000"}

// TestStoredNumbers puts numbers that no build writes into what is stored, at
// random places, and at those that were found to matter.
func TestStoredNumbers(t *testing.T) {
	s := newStoredSite(t)
	for _, field := range []string{`"Files":`, `"Written":`} {
		at := bytes.Index([]byte(s.parts[0].text), []byte(field))
		for _, number := range numbers[len(numbers)-4:] {
			s.try(t, 0, replaced(s.parts[0].text, at+len(field), 1, number), 0)
		}
	}
	tries := 20
	if os.Getenv("SIVU_ALL") != "" {
		tries = 100
	}
	for range tries {
		part := rand.IntN(len(s.parts))
		at, number, edit := rand.IntN(len(s.parts[part].text)+1), numbers[rand.IntN(len(numbers))], rand.IntN(len(s.contents))
		text := replaced(s.parts[part].text, at, rand.IntN(3), number)
		if s.try(t, part, text, edit); t.Failed() {
			t.Fatalf("%s %q of %s is %q", s.parts[part].what, s.parts[part].key, s.parts[part].file, text)
		}
	}
}

// FuzzStored changes anything that is stored, with checksums that fit.
func FuzzStored(f *testing.F) {
	s, step := newStoredSite(f), 64
	if os.Getenv("SIVU_ALL") != "" {
		step = 16
	}
	for i, p := range s.parts {
		for at := i % 16; at < len(p.text); at += step {
			f.Add(uint8(i), uint16(at), uint8(1), numbers[(i+at)%len(numbers)], uint8(at))
		}
	}
	f.Fuzz(func(t *testing.T, part uint8, at uint16, cut uint8, insert string, edit uint8) {
		i := int(part) % len(s.parts)
		s.try(t, i, replaced(s.parts[i].text, int(at), int(cut), insert), int(edit)%len(s.contents))
	})
}
