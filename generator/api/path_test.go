package api

import (
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStored pins the stored form of paths: a change of it needs another version
// of the manifest.
func TestStored(t *testing.T) {
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	zeros := func(n int) string { return strings.Repeat("00", n) }
	id := testID.String()
	digits := strings.ReplaceAll(id, "-", "")
	want := map[string]string{
		"404.json":                        "02" + text("404.json"),
		"_headers":                        "02" + text("_headers"),
		"pages/" + id + "/index.api.json": "03" + digits + "00",
		"pages/" + id + "/index.json":     "03" + digits + "04",
		"pages/" + id + "/index.json.zst": "03" + digits + "07",
		"pages/index.json":                "04" + zeros(16) + "04",
		"pages/page-10.json":              "05" + text("10") + zeros(14) + "04",
		"pages/page-2.api.json.br":        "05" + text("2") + zeros(15) + "01",
		"pages/page-999999999.json":       "05" + text("999999999") + zeros(7) + "04",
		"staticwebapp.config.json":        "06" + text("staticwebapp.config.json"),
	}
	got := map[string]string{}
	for name := range want {
		p, ok := ParsePath(name)
		if again, good := ParseStored(p.Stored()); !ok || !good || again != p {
			t.Errorf("%s: %v %v", name, again, good)
		}
		got[name] = hex.EncodeToString([]byte(p.Stored()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{".json", "pages/.json", "pages//index.json", "pages/page-.json", "pages/page-0.json", "pages/page-1234567890.json", "404.json.gz"} {
		if p, ok := ParsePath(bad); ok {
			t.Errorf("%q is taken for %s", bad, p)
		}
	}
	for _, bad := range []string{"", "\x00\x04", "\x051\x002" + strings.Repeat("\x00", 13) + "\x04", "\x00", "\x02other", "\x06404.json", "\x07", "\x04" + strings.Repeat("\x01", 16) + "\x04", "\x05" + strings.Repeat("\x00", 16) + "\x04", "\x03short\x04", "\x03" + strings.Repeat("\x00", 16) + "\x08"} {
		if p, ok := ParseStored(bad); ok {
			t.Errorf("%q is taken for %s", bad, p)
		}
	}
}

func TestPathParts(t *testing.T) {
	if p, ok := ParsePath(RecordFolder(testID) + "/" + IndexName(API)); !ok || p.String() != "pages/"+testID.String()+"/index.api.json" || p.ID() != testID || p.Variant() != API || p.Folder() != RecordFolder(testID) {
		t.Errorf("the path of a record is %s", p)
	}
	if p := ListPath(120, Plain).WithCoding(2); p.String() != "pages/page-120.json.gz" || p.Number() != 120 || p.Coding() != 2 || p.WithCoding(0) != ListPath(120, Plain) || p.Folder() != Folder {
		t.Errorf("the path of a list page is %s", p)
	}
	if p, ok := RootPath("_headers"); !ok || !p.IsHostFile() || p.Folder() != "." || p.Coding() != 0 {
		t.Errorf("the path of a host's file is %s", p)
	}
	if p, ok := RootPath(NotFoundFile); !ok || p.IsHostFile() {
		t.Errorf("the path of an error body is %s", p)
	}
	for i, got := range endings {
		want := []string{".api.json", ".json"}[i/(codingMask+1)]
		if c := i & codingMask; c > 0 {
			want += "." + Codings[c-1]
		}
		if got != want {
			t.Errorf("ending %d is %s, want %s", i, got, want)
		}
	}
	if !slices.IsSorted(RootFiles) || !slices.IsSorted(HostFiles) || !slices.IsSorted(endings[:]) {
		t.Error("names are not in order")
	}
}

func FuzzParsePath(f *testing.F) {
	id := testID.String()
	f.Add("404.json", "405.json")
	f.Add("pages/index.json", "pages/index.api.json")
	f.Add("pages/page-1.api.json", "pages/page-10.json")
	f.Add("pages/"+id+"/index.json", "pages/"+strings.ToUpper(id)+"/index.api.json")
	f.Add("pages/../404.json", "PAGES/index.json")
	f.Add("pages/"+id+"/index.json.gz", "pages/"+id+"/index.api.json.br")
	f.Add("_headers", "staticwebapp.config.json")
	f.Fuzz(func(t *testing.T, a, b string) {
		pa, okA := ParsePath(a)
		pb, okB := ParsePath(b)
		if okA && pa.String() != a {
			t.Errorf("%q became %q", a, pa)
		}
		if okA && (!fs.ValidPath(a) || !filepath.IsLocal(a)) {
			t.Errorf("%q is the path of a snapshot", a)
		}
		if okA && okB && pa.Compare(pb) != strings.Compare(a, b) {
			t.Errorf("the paths of %q and %q have another order", a, b)
		}
		if again, ok := ParseStored(pa.Stored()); okA && (!ok || again != pa) {
			t.Errorf("%q is stored as %q", a, pa.Stored())
		}
	})
}
