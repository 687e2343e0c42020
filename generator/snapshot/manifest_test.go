package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestManifestBytes holds the format down: a change of it needs another number
// in the header.
func TestManifestBytes(t *testing.T) {
	out := t.TempDir()
	build(t, out, files{
		"404.json":                  "a",
		record(1, ".json"):          "bb",
		record(1, ".api.json"):      "ccc",
		record(2, ".json"):          "d",
		"pages/index.json":          "e",
		"pages/page-10.json":        "f",
		"pages/page-2.api.json":     "g",
		"pages/page-999999999.json": "",
	})
	sum := func(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }
	want := hex.EncodeToString([]byte("sivu manifest 1\n")) +
		"0a" + "94010000" + "01000000" + sum("a") +
		"03" + "012345671dad51d180b400c04fd430c8" + "03000000" + sum("ccc") +
		"1b" + "02000000" + sum("bb") +
		"0b" + "02468ace1dad51d180b400c04fd430c8" + "01000000" + sum("d") +
		"0c" + "01000000" + sum("e") +
		"0d" + "0a000000" + "01000000" + sum("f") +
		"05" + "02000000" + "01000000" + sum("g") +
		"0d" + "ffc99a3b" + "00000000" + sum("")
	raw, err := hex.DecodeString(want)
	must(t, err)
	end := sha256.Sum256(raw)
	got, err := os.ReadFile(filepath.Join(out, manifest))
	must(t, err)
	equal(t, "manifest", hex.EncodeToString(got), want+hex.EncodeToString(end[:]))
}

func TestReadManifest(t *testing.T) {
	out := t.TempDir()
	if _, err := ReadManifest(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in an empty folder: %v", err)
	}
	f := site(11, "one", "two", "three")
	build(t, out, f)
	m, err := ReadManifest(out)
	must(t, err)
	var paths []string
	for e := range m.All() {
		paths = append(paths, e.Path)
		if e.Size != int64(len(f[e.Path])) || e.SHA256 != sha256.Sum256([]byte(f[e.Path])) {
			t.Errorf("wrong size or hash: %v", e)
		}
	}
	equal(t, "paths", paths, slices.Sorted(maps.Keys(f)))
	equal(t, "count", m.Len(), len(f))
	for range m.All() {
		break // stopping early is fine
	}

	must(t, os.Truncate(filepath.Join(out, manifest), 200))
	_, err = ReadManifest(out)
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("of a damaged manifest: %v", err)
	}
}

// sealed returns the entries as a manifest that has them.
func sealed(entries []byte) []byte {
	b := append([]byte(manifestHeader), entries...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestHostileManifest has entries that sivu cannot have written, with a
// checksum that fits: none of them may lead to a file.
func TestHostileManifest(t *testing.T) {
	rest := string(make([]byte, 36))
	uuid := "0123456789abcdef"
	for name, entries := range map[string]string{
		"an unknown class":         "\x06" + rest,
		"the manifest itself":      "\x08" + rest,
		"the tree":                 "\x09" + rest,
		"unknown bits":             "\x2b" + uuid + rest,
		"an error of another kind": "\x0a\x03\x00\x00\x00" + rest,
		"an api variant of 404":    "\x02\x94\x01\x00\x00" + rest,
		"page 0":                   "\x0d\x00\x00\x00\x00" + rest,
		"page 4294967295":          "\x0d\xff\xff\xff\xff" + rest,
		"the same folder as none":  "\x13" + rest,
		"the same folder for page": "\x0a\x94\x01\x00\x00" + rest + "\x1d" + rest,
		"a folder twice":           "\x03" + uuid + rest + "\x0b" + uuid + rest,
		"wrong order":              "\x0d\x02\x00\x00\x00" + rest + "\x0d\x0a\x00\x00\x00" + rest,
		"the same file twice":      "\x0c" + rest + "\x0c" + rest,
		"half an entry":            "\x0c" + rest[:20],
		"half a uuid":              "\x03" + uuid[:5],
		"half a number":            "\x0d\x01",
	} {
		data := sealed([]byte(entries))
		err := checkManifest(bytes.NewReader(data), int64(len(data)), func(entry) {})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	rest := string(make([]byte, 36))
	f.Add([]byte(""))
	f.Add([]byte("\x0a\x94\x01\x00\x00" + rest + "\x03" + "0123456789abcdef" + rest + "\x1b" + rest + "\x04" + rest + "\x0c" + rest))
	f.Add([]byte("\x0d\x0a\x00\x00\x00" + rest + "\x0d\x02\x00\x00\x00" + rest))
	f.Fuzz(func(t *testing.T, entries []byte) {
		// Sealed, for a checksum that does not fit ends the reading at once.
		data := sealed(entries)
		var copied bytes.Buffer
		w := newManifestWriter(&copied)
		last := ""
		err := checkManifest(bytes.NewReader(data), int64(len(data)), func(e entry) {
			path := e.key.path()
			if k, ok := parsePath(path); !ok || k != e.key {
				t.Errorf("an entry of %q", path)
			}
			if path <= last {
				t.Errorf("%q follows %q", path, last)
			}
			last = path
			w.add(&e)
		})
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got error %v", err)
			}
			return
		}
		if w.close(); !bytes.Equal(copied.Bytes(), data) {
			t.Error("a manifest has two forms")
		}
		if err := checkManifest(bytes.NewReader(entries), int64(len(entries)), func(entry) {}); err == nil {
			t.Error("entries without a header or checksum were read")
		}
	})
}

func FuzzParsePath(f *testing.F) {
	f.Add("404.json", "405.json")
	f.Add("pages/index.json", "pages/index.api.json")
	f.Add("pages/page-1.api.json", "pages/page-10.json")
	f.Add(record(1, ".json"), record(2, ".api.json"))
	f.Add("pages/../404.json", "PAGES/index.json")
	f.Fuzz(func(t *testing.T, a, b string) {
		ka, okA := parsePath(a)
		kb, okB := parsePath(b)
		if okA && ka.path() != a {
			t.Errorf("%q became %q", a, ka.path())
		}
		if okA && (!fs.ValidPath(a) || !filepath.IsLocal(a)) {
			t.Errorf("%q is the path of a snapshot", a)
		}
		if okA && okB && ka.compare(kb) != bytes.Compare([]byte(a), []byte(b)) {
			t.Errorf("the keys of %q and %q have another order", a, b)
		}
	})
}
