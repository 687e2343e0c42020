package generator

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/work"
)

// unpacked returns the files of an archive, and their names in its order.
func unpacked(t *testing.T, name string, data []byte) (files map[string]string, order []string) {
	t.Helper()
	files = map[string]string{}
	add := func(name string, r io.Reader, err error) {
		text, readErr := io.ReadAll(r)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		files[name], order = string(text), append(order, name)
	}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			add(f.Name, r, err)
		}
		return files, order
	}
	var r io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(name, ".zst") {
		z, err := zstd.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	archive := tar.NewReader(r)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return files, order
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.Name, archive, nil)
	}
}

// filesIn returns the files of a snapshot in a folder.
func filesIn(t *testing.T, out string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, text := range written(t, out) {
		below, err := filepath.Rel(out, name)
		if err != nil {
			t.Fatal(err)
		}
		if text != "a folder" && !strings.HasPrefix(below, ".sivu") {
			files[filepath.ToSlash(below)] = text
		}
	}
	return files
}

// variedSite has records in several batches, whose ids have another order than
// their names.
func variedSite(n int) fstest.MapFS {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("fi/sivu-%03d.md", i)] = pageWith(fmt.Sprintf("modified: 2020-01-%02d\n", 1+i%28), strings.Repeat(fmt.Sprintf("Teksti %d. ", i), 1+i*i%300)+"\n")
	}
	return siteOf(files)
}

func hostNamed(t *testing.T, name string) *host.Host {
	t.Helper()
	h, ok := host.Named(name)
	if !ok {
		t.Fatalf("there is no host %s", name)
	}
	return h
}

// An archive holds what the folder holds, whatever the flags say, byte for byte,
// and in the order of publication.
func TestArchiveHoldsTheSnapshot(t *testing.T) {
	for what, o := range map[string]Options{
		"plain":    {},
		"siblings": {Precompress: api.Codings},
		"a host":   {Host: hostNamed(t, "netlify")},
		"edge":     {Host: hostNamed(t, "cloudflare-pages"), Edge: true, Precompress: nil},
		"links":    {Links: "file+query"},
	} {
		for _, f := range archive.Formats {
			t.Run(what+f.Ending, func(t *testing.T) {
				o := o
				o.Content, o.FS = "content", variedSite(150)
				intoFolder := o
				intoFolder.Out = t.TempDir()
				want := mustBuild(t, intoFolder)
				o.Archive = filepath.Join(t.TempDir(), "public"+f.Ending)
				got := mustBuild(t, o)
				data := []byte(readFile(t, o.Archive))
				files, order := unpacked(t, o.Archive, data)
				if diff := cmp.Diff(filesIn(t, intoFolder.Out), files); diff != "" {
					t.Errorf("files (-folder +archive):\n%s", diff)
				}
				if len(order) != len(files) {
					t.Errorf("%d entries have %d names", len(order), len(files))
				}
				checkPublicationOrder(t, order)
				a, b := want.Changes, got.Changes
				counts := func(c *folder.Changes) []any { return []any{c.Files, c.Bytes, c.Largest, c.LargestFile, c.InFolder} }
				if diff := cmp.Diff(counts(a), counts(b)); diff != "" {
					t.Errorf("counts (-folder +archive):\n%s", diff)
				}
				if b.Any() || got.ArchiveSize != int64(len(data)) || want.ArchiveSize != 0 {
					t.Errorf("changes %v, size %d, want none and %d", b.Any(), got.ArchiveSize, len(data))
				}
			})
		}
	}
}

// checkPublicationOrder wants records by id, then what routes, lists from the
// last page to the first, and the bodies of errors.
func checkPublicationOrder(t *testing.T, order []string) {
	t.Helper()
	key := func(name string) string {
		stem, below := strings.CutPrefix(name, "pages/")
		n := 0
		switch {
		case strings.Contains(stem, "/"):
			return "1" + stem[:36]
		case name == "404.json" || name == "405.json":
			return "4"
		case !below:
			return "2"
		}
		fmt.Sscanf(stem, "page-%d.", &n)
		return fmt.Sprintf("3%04d", 9999-max(n, 1))
	}
	if !slices.IsSortedFunc(order, func(a, b string) int { return strings.Compare(key(a), key(b)) }) {
		t.Errorf("the order is %v", order)
	}
}

// The bytes depend on the snapshot alone: not on how many work on it nor on who
// is first, and not on the names of sources that give their ids.
func TestArchiveReproducible(t *testing.T) {
	named := func(prefix string, from func(i int) int) fstest.MapFS {
		files := map[string]string{}
		for i := range 300 {
			fields := fmt.Sprintf("id: %08x-0000-4000-8000-000000000000\nurl: fi/s%d\n", from(i)*7919%10007, from(i))
			files[fmt.Sprintf("fi/%s-%03d.md", prefix, i)] = pageWith(fields, fmt.Sprintf("Teksti %d.\n", from(i)))
		}
		return siteOf(files)
	}
	sites := []fs.FS{named("a", func(i int) int { return i }), named("b", func(i int) int { return 299 - i })}
	for _, f := range archive.Formats {
		var want string
		for _, jobs := range []int{1, 2, 8, 8, 8} {
			for i, site := range sites {
				name := filepath.Join(t.TempDir(), "public"+f.Ending)
				mustBuild(t, Options{Content: "content", FS: site, Archive: name, Jobs: jobs, Precompress: []string{"gz"}})
				got := readFile(t, name)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s: %d jobs and site %d make other bytes", f.Ending, jobs, i)
				}
			}
		}
	}
}

// failedBuild is a build that problems keep from writing.
func failedBuild(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Failed {
		t.Fatal("the build did not fail")
	}
	return result
}

// Problems, also those that are known only at the end, an interruption at any
// moment, and a disk that fails leave the old archive and nothing else.
func TestArchiveFailure(t *testing.T) {
	good := variedSite(150)
	bad := maps.Clone(good)
	bad["fi/x.md"] = &fstest.MapFile{Data: []byte("---\ncreated: 2020-01-01\n---\n")}
	for _, f := range archive.Formats {
		dir := t.TempDir()
		name := filepath.Join(dir, "public"+f.Ending)
		mustBuild(t, Options{Content: "content", FS: goodSite(10), Archive: name})
		before := written(t, dir)
		check := func(what string) {
			t.Helper()
			if diff := cmp.Diff(before, written(t, dir)); diff != "" {
				t.Errorf("%s, %s: the folder of the archive changed:\n%s", f.Ending, what, diff)
			}
		}
		result := failedBuild(t, Options{Content: "content", FS: bad, Archive: name})
		if result.Changes != nil || result.Report.Errors != 1 {
			t.Errorf("the result is %+v", result)
		}
		check("an error")
		tooMany := *hostNamed(t, "netlify")
		tooMany.Limits.Files = 10
		result = failedBuild(t, Options{Content: "content", FS: good, Archive: name, Host: &tooMany, Strict: true})
		if len(result.Report.Diagnostics) != 1 || result.Report.Diagnostics[0].Pos.File != filepath.ToSlash(name) {
			t.Errorf("the result is %+v", result.Report)
		}
		check("a limit of the host")
		for _, stage := range []string{"looking for pages", "reading", "rendering", "listing", "publishing"} {
			ctx, cancel := context.WithCancel(t.Context())
			progress := &work.Progress{OnStage: func(now string, _ int) {
				if now == stage {
					cancel()
				}
			}}
			_, err := Build(ctx, Options{Content: "content", FS: good, Archive: name, Progress: progress})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: the error is %v", stage, err)
			}
			check("interrupted while " + stage)
		}
	}
}

// What does not go with an archive is refused before anything is written.
func TestArchiveRefused(t *testing.T) {
	dir := t.TempDir()
	for want, o := range map[string]Options{
		"a dry run needs an output folder":     {Archive: filepath.Join(dir, "a.zip"), DryRun: true},
		"does not tell what kind of archive":   {Archive: filepath.Join(dir, "a.7z")},
		`unknown coding "xz"`:                  {Archive: filepath.Join(dir, "a.zip"), Precompress: []string{"xz"}},
		"nobody takes what goes down the pipe": {Archive: archive.Pipe},
	} {
		o.Content, o.FS = "content", goodSite(1)
		if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("something was left: %v, %v", names, err)
	}
}

// A pipe gets the bytes of a tar, and nothing where there are problems.
func TestArchivePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.tar")
	mustBuild(t, Options{Content: "content", FS: variedSite(100), Archive: name})
	var out bytes.Buffer
	mustBuild(t, Options{Content: "content", FS: variedSite(100), Archive: archive.Pipe, ArchiveTo: &out})
	if out.String() != readFile(t, name) {
		t.Error("the bytes differ from those of a file")
	}
	out.Reset()
	bad := siteOf(map[string]string{"fi/a.md": goodPage, "fi/x.md": "---\ncreated: 2020-01-01\n---\n"})
	failedBuild(t, Options{Content: "content", FS: bad, Archive: archive.Pipe, ArchiveTo: &out})
	if out.Len() > 0 {
		t.Errorf("%d bytes were written", out.Len())
	}
}
