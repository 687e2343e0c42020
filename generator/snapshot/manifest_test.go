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
	"strings"
	"testing"
)

// TestManifestBytes holds the format down: a change of it needs another number
// in totalsVersion.
func TestManifestBytes(t *testing.T) {
	keys := map[string]string{}
	for _, name := range []string{
		"404.json", record(1, ".api.json"), record(1, ".json"), record(1, ".json.zst"), "_headers", "staticwebapp.config.json",
		"pages/index.json", "pages/page-10.json", "pages/page-2.api.json.br", "pages/page-999999999.json",
	} {
		k, ok := parsePath(name)
		if again, good := parseStored(k.stored()); !ok || !good || again != k {
			t.Errorf("%s: %v %v", name, again, good)
		}
		keys[name] = hex.EncodeToString([]byte(k.stored()))
	}
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	zeros := func(n int) string { return strings.Repeat("00", n) }
	equal(t, "keys", keys, map[string]string{
		"404.json":                  "02" + text("404.json"),
		"_headers":                  "02" + text("_headers"),
		record(1, ".api.json"):      "03" + "012345671dad51d180b400c04fd430c8" + "00",
		record(1, ".json"):          "03" + "012345671dad51d180b400c04fd430c8" + "04",
		record(1, ".json.zst"):      "03" + "012345671dad51d180b400c04fd430c8" + "07",
		"pages/index.json":          "04" + zeros(16) + "04",
		"pages/page-10.json":        "05" + text("10") + zeros(14) + "04",
		"pages/page-2.api.json.br":  "05" + text("2") + zeros(15) + "01",
		"pages/page-999999999.json": "05" + text("999999999") + zeros(7) + "04",
		"staticwebapp.config.json":  "06" + text("staticwebapp.config.json"),
	})
	e := entry{size: 0x01020304, sum: sha256.Sum256([]byte("a"))}
	equal(t, "value", hex.EncodeToString(e.value()), "04030201"+"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
	k, _ := topKey("404.json")
	all := totals{[16]byte{1, 15: 2}, 1, 300, 3, 4, k, 5, 6}
	meta := all.append(nil)
	equal(t, "meta", hex.EncodeToString(meta), "03"+"01"+zeros(14)+"02"+"01"+"ac02"+"03"+"04"+"05"+"06"+"02"+text("404.json"))
	if again, err := parseTotals(meta); err != nil || again != all {
		t.Errorf("the meta is read as %v, %v", again, err)
	}
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
	b := append([]byte(manifestHeader2), entries...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestHostileManifest has entries that sivu cannot have written, with a
// checksum that fits: none of them may lead to a file.
func TestHostileManifest(t *testing.T) {
	rest := string(make([]byte, 36))
	uuid := "0123456789abcdef"
	for name, entries := range map[string]string{
		"an unknown kind":          "\x06" + rest,
		"the manifest itself":      "\x00" + rest,
		"the tree":                 "\x01" + rest,
		"unknown bits":             "\xa3" + uuid + rest,
		"another name":             "\x02\x08406.json" + rest,
		"a name with a path":       "\x02\x0b../404.json" + rest,
		"an empty name":            "\x02\x00" + rest,
		"a sibling of 404":         "\x32\x08404.json" + rest,
		"half a name":              "\x02\x08404",
		"no name":                  "\x02",
		"page 0":                   "\x25\x00\x00\x00\x00" + rest,
		"page 4294967295":          "\x25\xff\xff\xff\xff" + rest,
		"the same folder as none":  "\x63" + rest,
		"the same folder for page": "\x02\x08404.json" + rest + "\x65" + rest,
		"a folder twice":           "\x03" + uuid + rest + "\x23" + uuid + rest,
		"wrong order":              "\x25\x02\x00\x00\x00" + rest + "\x25\x0a\x00\x00\x00" + rest,
		"the same file twice":      "\x24" + rest + "\x24" + rest,
		"half an entry":            "\x24" + rest[:20],
		"half a uuid":              "\x03" + uuid[:5],
		"half a number":            "\x25\x01",
	} {
		data := sealed([]byte(entries))
		err := checkManifest(bytes.NewReader(data), int64(len(data)), func(entry) {})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// version1 is a manifest as it was before there were siblings and in-root
// files: of 404.json, two variants of record 1, one of record 2, the first list
// page and pages 10 and 2.
func version1(t testing.TB) []byte {
	t.Helper()
	rest := strings.Repeat("00", 36)
	entries, err := hex.DecodeString("0a94010000" + rest +
		"03" + "012345671dad51d180b400c04fd430c8" + rest + "1b" + rest +
		"0b" + "02468ace1dad51d180b400c04fd430c8" + rest +
		"0c" + rest + "0d0a000000" + rest + "0502000000" + rest)
	must(t, err)
	b := append([]byte(manifestHeader1), entries...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestManifestOfVersion1 builds over a snapshot of a sivu from before: what is
// in its manifest goes if it is no longer due, and nothing else does.
func TestManifestOfVersion1(t *testing.T) {
	out := t.TempDir()
	old := files{
		"404.json": "a", record(1, ".api.json"): "b", record(1, ".json"): "c", record(2, ".json"): "d",
		"pages/index.json": "e", "pages/page-10.json": "f", "pages/page-2.api.json": "g",
	}
	mine := files{"_headers": "mine", "pages/page-3.json": "mine", "pages/index.json.gz": "mine"}
	for name, data := range old {
		put(t, filepath.Join(out, name), data)
	}
	for name, data := range mine {
		put(t, filepath.Join(out, name), data)
	}
	put(t, filepath.Join(out, manifest), string(version1(t)))
	m, err := ReadManifest(out)
	must(t, err)
	var paths []string
	for e := range m.All() {
		paths = append(paths, e.Path)
	}
	equal(t, "paths", paths, slices.Sorted(maps.Keys(old)))

	want := files{"404.json": "a", record(1, ".json"): "C", "pages/index.json": "e"}
	c := build(t, out, want)
	equal(t, "removed", slices.Collect(c.Removed.All()),
		[]string{record(1, ".api.json"), record(2, ".json"), "pages/page-10.json", "pages/page-2.api.json"})
	maps.Copy(want, mine)
	equal(t, "files", read(t, out), want)
}

// TestHostileManifest1 has entries that version 1 did not have.
func TestHostileManifest1(t *testing.T) {
	rest := string(make([]byte, 36))
	for name, entries := range map[string]string{
		"an error of another kind": "\x0a\x03\x00\x00\x00" + rest,
		"an api variant of 404":    "\x02\x94\x01\x00\x00" + rest,
		"a sibling":                "\x2c" + rest,
		"an unknown class":         "\x0e" + rest,
		"the tree":                 "\x09" + rest,
		"half a number":            "\x0a\x94",
		"the same folder as none":  "\x13" + rest,
	} {
		b := append([]byte(manifestHeader1), entries...)
		sum := sha256.Sum256(b)
		b = append(b, sum[:]...)
		err := checkManifest(bytes.NewReader(b), int64(len(b)), func(entry) {})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	rest := string(make([]byte, 36))
	f.Add([]byte(""))
	f.Add([]byte("\x02\x08404.json" + rest + "\x03" + "0123456789abcdef" + rest + "\x63" + rest + "\x04" + rest + "\x2c" + rest))
	f.Add([]byte("\x25\x0a\x00\x00\x00" + rest + "\x25\x02\x00\x00\x00" + rest))
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
	f.Add(record(1, ".json.gz"), record(1, ".api.json.br"))
	f.Add("_headers", "staticwebapp.config.json")
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
