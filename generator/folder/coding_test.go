package folder

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/api"
)

// unpack are what clients do with variants, by ending.
var unpack = map[string]func(io.Reader) (io.Reader, error){
	".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	".zst": func(r io.Reader) (io.Reader, error) {
		d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(8<<20))
		return d, err
	},
}

// withVariants returns f and its variants in these codings, each as its packer
// makes it from the answer and nothing else.
func withVariants(t testing.TB, f files, codings ...string) files {
	t.Helper()
	all := maps.Clone(f)
	known, err := CodingsOf(codings)
	must(t, err)
	for name, data := range f {
		for _, c := range known {
			packed, err := c.NewEncoder()(nil, []byte(data))
			must(t, err)
			if strings.HasPrefix(name, "pages/") && len(packed) < len(data) {
				all[name+"."+c.Name] = string(packed)
			}
		}
	}
	return all
}

// TestVariantsUnpack has clients read every variant, and holds down that there
// are as many as there should be.
func TestVariantsUnpack(t *testing.T) {
	out := t.TempDir()
	bodies := []string{long("one"), "short", strings.Repeat("ä large body ", 900_000), ""}
	f := inRoot(site(2, bodies...), "_headers", long("one"))
	c := build(t, out, f, "zst", "gz", "br", "gz")
	got, variants := read(t, out), 0
	for name, packed := range got {
		reader := unpack[filepath.Ext(name)]
		if reader == nil {
			continue
		}
		variants++
		plain := got[strings.TrimSuffix(name, filepath.Ext(name))]
		r, err := reader(strings.NewReader(packed))
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err)
		if string(data) != plain {
			t.Errorf("%s does not unpack to what lies beside it", name)
		}
		if len(packed) >= len(plain) {
			t.Errorf("%s has %d bytes, and what lies beside it %d", name, len(packed), len(plain))
		}
	}
	// Two long records and three names of list pages, each plain and as api, in three codings.
	equal(t, "variants", variants, (2+3)*2*3)
	equal(t, "files", c.Files, len(f)+variants)
	equal(t, "bytes", got, withVariants(t, f, "br", "gz", "zst"))
}

// TestVariantsKeepStep goes from one set of codings and bodies to another, and
// looks at every file, at what the build says it did, and at times.
func TestVariantsKeepStep(t *testing.T) {
	first := site(2, long("one"), long("two"), long("three"), long("gone"))
	next := site(1, long("one"), "2nd", long("3rd"), "", long("new"))
	next["pages/page-1.json"], next["pages/index.api.json"] = first["pages/page-1.json"], first["pages/index.api.json"]
	for name, codings := range map[string]struct{ old, next []string }{
		"the same": {[]string{"gz", "br"}, []string{"br", "gz"}},
		"fewer":    {[]string{"gz", "br", "zst"}, []string{"br"}},
		"others":   {[]string{"gz"}, []string{"zst"}},
		"none":     {[]string{"gz", "zst"}, nil},
		"at last":  {nil, []string{"gz", "br", "zst"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			build(t, out, first, codings.old...)
			put(t, filepath.Join(out, "pages", id(3), "index.json.xz"), "mine")
			put(t, filepath.Join(out, "index.json.gz"), "mine")
			before, beforeTimes := read(t, out), times(t, out)
			c := build(t, out, next, codings.next...)
			after := withVariants(t, next, codings.next...)

			var added, changed, removed []string
			for name, data := range after {
				old, wasThere := before[name]
				switch {
				case !wasThere:
					added = append(added, name)
				case old != data:
					changed = append(changed, name)
				}
			}
			for name := range before {
				if _, stays := after[name]; !stays && before[name] != "mine" {
					removed = append(removed, name)
				}
			}
			for _, list := range [][]string{added, changed, removed} {
				slices.Sort(list)
			}
			equal(t, "added", slices.Collect(c.Added.All()), added)
			equal(t, "changed", slices.Collect(c.Changed.All()), changed)
			equal(t, "removed", slices.Collect(c.Removed.All()), removed)
			equal(t, "unchanged", c.Unchanged, len(after)-len(added)-len(changed))
			after["pages/"+id(3)+"/index.json.xz"], after["index.json.gz"] = "mine", "mine"
			equal(t, "files", read(t, out), after)
			for name, now := range times(t, out) {
				if old, wasThere := beforeTimes[name]; wasThere && slices.Contains(changed, name) != (now.Unix() > old.Unix()) {
					t.Errorf("the time of %s went from %v to %v", name, old, now)
				}
			}
			again := build(t, out, next, codings.next...)
			if again.Any() {
				t.Error("a second build found something to do")
			}
		})
	}
}

// TestVariantsWithoutManifest finds variants by their shape.
func TestVariantsWithoutManifest(t *testing.T) {
	out := t.TempDir()
	build(t, out, inRoot(site(2, long("one"), long("gone")), "_headers", "a"), "gz", "br", "zst")
	must(t, os.Remove(filepath.Join(out, manifest)))
	want := site(1, long("one"))
	build(t, out, want, "br")
	// In-root files are known by the manifest only.
	equal(t, "files", read(t, out), inRoot(withVariants(t, want, "br"), "_headers", "a"))
}

// TestOrderOfVariants looks at the folder at every step: a variant is never of
// an older snapshot than what lies beside it, and each coding has its lists
// after the records that they name.
func TestOrderOfVariants(t *testing.T) {
	old, next := site(2, long("one"), long("two"), long("gone")), site(3, long("1st"), "2nd", "", long("new"))
	oldAll, nextAll := withVariants(t, old, "br", "gz"), withVariants(t, next, "gz", "zst")
	out := t.TempDir()
	build(t, out, old, "br", "gz")
	s := stageAll(t, out, Options{Codings: []string{"gz", "zst"}}, next)
	var seen []string
	outOfStep := ""
	s.beforeEach(func(op, name string) error {
		if isStep(op, name) {
			seen = append(seen, op+" "+name)
		}
		now := read(t, out)
		step := ""
		for name, data := range now {
			plain := strings.TrimSuffix(name, filepath.Ext(name))
			if unpack[filepath.Ext(name)] == nil || now[plain] == "" || old[plain] == next[plain] {
				continue
			}
			if now[plain] == next[plain] && data == oldAll[name] && data != nextAll[name] {
				t.Errorf("before %s %s: %s is older than %s", op, name, name, plain)
			}
			if now[plain] == old[plain] && data == nextAll[name] && data != oldAll[name] {
				step = plain
			}
		}
		// Out of step is one answer at a time.
		if step != "" && outOfStep != "" && step != outOfStep {
			t.Errorf("%s is out of step, and %s as well", step, outOfStep)
		}
		outOfStep = step
		return nil
	})
	_, err := s.Commit(context.Background())
	must(t, err)
	equal(t, "files", read(t, out), nextAll)
	one, two, gone := "pages/"+id(0)+"/index", "pages/"+id(1)+"/index", "pages/"+id(2)+"/index"
	list := func(n string) []string {
		return []string{
			"remove pages/" + n + ".json.br", "rename pages/" + n + ".json.gz",
			"rename pages/" + n + ".json.zst", "rename pages/" + n + ".json",
		}
	}
	want := slices.Concat([]string{
		"write .sivu/manifest.log", "rename .sivu/commit", // first it is only made room for
		"remove " + one + ".api.json.br", "rename " + one + ".api.json.gz", "rename " + one + ".api.json.zst", "rename " + one + ".api.json",
		"remove " + one + ".json.br", "rename " + one + ".json.gz", "rename " + one + ".json.zst", "rename " + one + ".json",
		"remove " + two + ".api.json.br", "remove " + two + ".api.json.gz", "rename " + two + ".api.json",
		"remove " + two + ".json.br", "remove " + two + ".json.gz", "rename " + two + ".json",
		"rename pages/" + id(3),
		"rename pages/page-3.api.json.gz", "rename pages/page-3.api.json.zst", "rename pages/page-3.api.json",
		"rename pages/page-3.json.gz", "rename pages/page-3.json.zst", "rename pages/page-3.json",
	}, list("page-2.api"), list("page-2"), list("page-1.api"), list("page-1"), list("index.api"), list("index"), []string{
		"remove " + gone + ".api.json.br", "remove " + gone + ".api.json.gz", "remove " + gone + ".api.json",
		"remove " + gone + ".json.br", "remove " + gone + ".json.gz", "remove " + gone + ".json",
		"remove pages/" + id(2),
		"write .sivu/manifest.log", "rename .sivu/stage",
	})
	equal(t, "order", seen, want)
}

func TestUnknownCoding(t *testing.T) {
	out := filepath.Join(t.TempDir(), "public")
	if _, err := Open(out, Options{Codings: []string{"gz", "xz"}}); err == nil || err.Error() != `unknown coding "xz": the codings are br, gz, zst` {
		t.Errorf("got error %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the output folder was made")
	}
}

// TestEncodersAreReused gives the same bytes after other data, after an empty
// answer, and from a new encoder: variants depend on the answer alone.
func TestEncodersAreReused(t *testing.T) {
	for _, c := range Codings {
		used := c.NewEncoder()
		for _, body := range []string{long("one"), "", strings.Repeat("x", 1<<20), "a", long("one"), long("two")} {
			again, err := used(nil, []byte(body))
			must(t, err)
			fresh, err := c.NewEncoder()([]byte("kept"), []byte(body))
			must(t, err)
			if !bytes.Equal(append([]byte("kept"), again...), fresh) {
				t.Errorf("%s: %.10q gives other bytes at another time", c.Name, body)
			}
		}
	}
	packed, err := newGzip()(nil, []byte(long("one")))
	must(t, err)
	equal(t, "flags and time in a gzip header", packed[3:8], make([]byte, 5))
}

// The codings are those that paths know, in the same order.
func TestCodingsOfPaths(t *testing.T) {
	var names []string
	for _, c := range Codings {
		names = append(names, c.Name)
	}
	equal(t, "codings", names, api.Codings)
}
