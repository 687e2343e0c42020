package source

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func openFolder(t testing.TB, dir string) *Folder {
	t.Helper()
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}

// walk walks a file system and returns the paths found and what was reported.
func walk(fsys fs.FS, exclude ...string) (listing *Listing, paths, problems []string) {
	listing = Walk(fsys, &Site{Exclude: exclude}, collect(&problems))
	for _, f := range listing.Files {
		paths = append(paths, f.Path)
	}
	slices.Sort(problems)
	return listing, paths, problems
}

func filesOf(names ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, name := range names {
		fsys[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return fsys
}

func TestWalk(t *testing.T) {
	deep := strings.Repeat("d/", 64)
	tests := []struct {
		name     string
		fsys     fs.FS
		exclude  []string
		paths    []string
		other    int
		excluded int
		problems []string
	}{
		{name: "nothing", fsys: fstest.MapFS{}},
		{
			name:  "endings in any letter case",
			fsys:  filesOf("a.md", "b.markdown", "c.html", "d.htm", "E.MD", "f.HtMl", "g.txt", "h", "i.md.bak", "j.xhtml"),
			paths: []string{"E.MD", "a.md", "b.markdown", "c.html", "d.htm", "f.HtMl"},
			other: 4,
		},
		{
			name:  "sorted by path, not by folder",
			fsys:  filesOf("a/b.md", "a-b.md", "a.md", "a/a.md", "b.md"),
			paths: []string{"a-b.md", "a.md", "a/a.md", "a/b.md", "b.md"},
		},
		{
			name:  "passed over",
			fsys:  filesOf("site.yaml", ".git/a.md", ".a.md", "fi/.cache/b.md", "fi/.b.md", "fi/site.yaml", "fi/a.md"),
			paths: []string{"fi/a.md"},
			other: 1,
		},
		{
			name: "foreign formats",
			fsys: filesOf("b.rst", "c/x.rst", "a/z.RST", "n.njk", "d.adoc", "r.rst", "a.md"),
			problems: []string{
				`a/z.RST: 4 files end in ".rst", a format that sivu does not read [foreign-format]`,
				`d.adoc: 1 file ends in ".adoc", a format that sivu does not read [foreign-format]`,
				`n.njk: 1 file ends in ".njk", a format that sivu does not read [foreign-format]`,
			},
			paths: []string{"a.md"},
		},
		{
			name:     "exclude",
			fsys:     brokenFS{filesOf("a.md", "base-l10n/x.md", "drafts/y.md", "drafts/z/y.md", "en/_x.md", "en/x.md", "en/drafts/a.md", "x.rst"), map[string]error{"base-l10n": errors.New("read"), "drafts": errors.New("read")}},
			exclude:  []string{"base-l10n", "drafts/**", "**/_*", "*.rst"},
			paths:    []string{"a.md", "en/drafts/a.md", "en/x.md"},
			excluded: 4,
		},
		{
			name: "names",
			fsys: filesOf("fi/a\nb.md", "fi/\x1b[2J.txt", "fi/a\u0085.md", "fi/x\xff.md", `fi/a\b.md`, "bad\tfolder/a.md", "fi/ok käännös 与.md"),
			problems: []string{
				`"bad\tfolder": the name "bad\tfolder" holds the control character "\t" [file-name]`,
				`"fi/\x1b[2J.txt": the name "\x1b[2J.txt" holds the control character "\x1b" [file-name]`,
				`"fi/a\nb.md": the name "a\nb.md" holds the control character "\n" [file-name]`,
				`"fi/a\u0085.md": the name "a\u0085.md" holds the control character "\u0085" [file-name]`,
				`"fi/x\xff.md": the name "x\xff.md" is not UTF-8 [file-name]`,
				`fi/a\b.md: the name "a\\b.md" holds a backslash [file-name]`,
			},
			paths: []string{"fi/ok käännös 与.md"},
		},
		{
			name: "names that are alike",
			fsys: filesOf("fi/a.md", "fi/A.md", "fi/ä.md", "fi/a\u0308.md", "fi/Maße.md", "fi/MASSE.md", "FI/b.md", "en/a.md", "en/Readme.txt", "en/README.txt"),
			problems: []string{
				`fi/Maße.md: the names "MASSE.md" and "Maße.md" differ only in letter case [file-name]`,
				`fi/a.md: the names "A.md" and "a.md" differ only in letter case [file-name]`,
				`fi/ä.md: the names "a\u0308.md" and "\u00e4.md" differ only in how Unicode composes their letters [file-name]`,
				`fi: the names "FI" and "fi" differ only in letter case [file-name]`,
			},
			paths: []string{"FI/b.md", "en/a.md", "fi/A.md", "fi/MASSE.md", "fi/Maße.md", "fi/a.md", "fi/a\u0308.md", "fi/ä.md"},
			other: 2,
		},
		{
			name:     "depth",
			fsys:     filesOf(deep+"a.md", deep+"d/b.md"),
			paths:    []string{deep + "a.md"},
			problems: []string{deep + "d: folders are nested more than 64 levels deep [file-kind]"},
		},
		{
			name:     "unreadable folder",
			fsys:     brokenFS{filesOf("a.md", "locked/b.md"), map[string]error{"locked": fs.ErrPermission}},
			paths:    []string{"a.md"},
			problems: []string{"locked: the folder cannot be read: permission denied [unreadable]"},
		},
		{
			name: "special files",
			fsys: fstest.MapFS{"a.md": {Mode: fs.ModeNamedPipe}, "b.md": {Mode: fs.ModeSocket}, "c": {Mode: fs.ModeDevice}, "d.md": {Mode: fs.ModeIrregular}},
			problems: []string{
				"a.md: this is a FIFO, not a file [file-kind]",
				"b.md: this is a socket, not a file [file-kind]",
				"c: this is a device, not a file [file-kind]",
				"d.md: this is a special file, not a file [file-kind]",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			listing, paths, problems := walk(test.fsys, test.exclude...)
			slices.Sort(test.problems)
			if diff := cmp.Diff(test.paths, paths); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if listing.Other != test.other || listing.Excluded != test.excluded {
				t.Errorf("%d other, %d excluded; want %d, %d", listing.Other, listing.Excluded, test.other, test.excluded)
			}
		})
	}
}

func TestWalkTellsOfFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "fi", "a.md")
	writeFile(t, name, "12345")
	modified := time.Date(2019, 5, 6, 8, 6, 31, 0, time.UTC)
	if err := os.Chtimes(name, modified, modified); err != nil {
		t.Fatal(err)
	}
	listing, _, problems := walk(openFolder(t, dir))
	if problems != nil || len(listing.Files) != 1 {
		t.Fatalf("files %v, problems %q", listing.Files, problems)
	}
	if f := listing.Files[0]; f.Size != 5 || f.ModTime != modified.UnixMicro() || FormatOfFile(f.Path) != FormatOfFile("a.md") {
		t.Errorf("file %+v", f)
	}
}

// symlink makes a symlink, or skips the test where the machine has none.
func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("symlinks need a privilege here: ", err)
		}
		t.Fatal(err)
	}
}

func TestWalkSymlinks(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "secret.md"), "secret")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "fi", "a.md"), "the page")
	writeFile(t, filepath.Join(dir, "en", "b.md"), "b")
	back, err := filepath.Rel(filepath.Join(dir, "fi"), filepath.Join(outside, "secret.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"sv/../fi/beside.md": "a.md",
		"fi/across.md":       "../en/b.md",
		"fi/twice.md":        "across.md",
		"fi/absolute.md":     filepath.Join(outside, "secret.md"),
		"fi/relative.md":     back,
		"fi/inside.md":       filepath.Join(dir, "fi", "a.md"),
		"fi/through.md":      "relative.md",
		"fi/dangling.md":     "nothing.md",
		"fi/loop.md":         "loop.md",
		"fi/folder":          "../en",
		"fi/parent":          "..",
		"fi/out":             outside,
		"fi/image.png":       filepath.Join(outside, "secret.md"),
		"fi/.hidden":         outside,
		"skipped":            outside,
	} {
		symlink(t, filepath.FromSlash(target), filepath.Join(dir, filepath.FromSlash(name)))
	}
	symlink(t, filepath.Join("out", "secret.md"), filepath.Join(dir, "fi", "by-folder.md"))

	folder := openFolder(t, dir)
	listing, paths, problems := walk(folder, "skipped")
	if diff := cmp.Diff([]string{"en/b.md", "fi/a.md", "fi/across.md", "fi/beside.md", "fi/twice.md"}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	want := []string{
		"fi/absolute.md: the symlink leaves the content folder [file-kind]",
		"fi/by-folder.md: the symlink cannot be followed: path escapes from parent [file-kind]",
		"fi/dangling.md: 1 symlink leads to nothing, and is left out [dangling-symlink]",
		"fi/folder: the symlink leads to a folder; folders are not followed [file-kind]",
		"fi/image.png: the symlink leaves the content folder [file-kind]",
		"fi/inside.md: the symlink leaves the content folder [file-kind]",
		"fi/loop.md: the symlink cannot be followed: too many levels of symbolic links [file-kind]",
		"fi/out: the symlink leaves the content folder [file-kind]",
		"fi/parent: the symlink leads to a folder; folders are not followed [file-kind]",
		"fi/relative.md: the symlink leaves the content folder [file-kind]",
		"fi/through.md: the symlink leaves the content folder [file-kind]",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}

	var l Loader
	got := map[string]string{}
	for i := range listing.Files {
		text, ok := l.Load(folder, &listing.Files[i], collect(&problems))
		if !ok {
			t.Errorf("%s is not loaded", listing.Files[i].Path)
		}
		got[listing.Files[i].Path] = string(text)
	}
	texts := map[string]string{"en/b.md": "b", "fi/a.md": "the page", "fi/across.md": "b", "fi/beside.md": "the page", "fi/twice.md": "b"}
	if diff := cmp.Diff(texts, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	for _, name := range []string{"fi/absolute.md", "fi/relative.md", "fi/through.md", "fi/by-folder.md", "fi/out/secret.md"} {
		if text, ok := l.Load(folder, &File{Path: name}, collect(&problems)); ok {
			t.Errorf("%s: read %q from outside the folder", name, text)
		}
	}
}

func TestWalkSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	makeFIFO(t, filepath.Join(dir, "fifo.md"))
	listener, err := net.Listen("unix", filepath.Join(dir, "s.md"))
	if err != nil {
		t.Skip("no sockets in folders here: ", err)
	}
	defer listener.Close()
	symlink(t, "fifo.md", filepath.Join(dir, "link.md"))
	writeFile(t, filepath.Join(dir, "z.md"), "z")

	folder := openFolder(t, dir)
	_, paths, problems := walk(folder)
	if diff := cmp.Diff([]string{"z.md"}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	want := []string{
		"fifo.md: this is a FIFO, not a file [file-kind]",
		"link.md: this is a FIFO, not a file [file-kind]",
		"s.md: this is a socket, not a file [file-kind]",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}

	// A file that turns into a FIFO after the walk must not make sivu wait.
	var l Loader
	problems = nil
	if _, ok := l.Load(folder, &File{Path: "fifo.md"}, collect(&problems)); ok || len(problems) != 1 || problems[0] != want[0] {
		t.Errorf("ok %v, problems %q", ok, problems)
	}
}

func TestWalkUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root, and on Windows: TestWalk and TestLoadUnreadable stand in")
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.md"), "a")
	writeFile(t, filepath.Join(dir, "locked", "b.md"), "b")
	for _, name := range []string{"a.md", "locked"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(dir, "locked"), 0o700)
	folder := openFolder(t, dir)
	listing, _, problems := walk(folder)
	var l Loader
	for i := range listing.Files {
		l.Load(folder, &listing.Files[i], collect(&problems))
	}
	want := []string{
		"locked: the folder cannot be read: permission denied [unreadable]",
		"a.md: the file cannot be read: permission denied [unreadable]",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestOpenFolderErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	writeFile(t, file, "")
	for name, want := range map[string]string{
		filepath.Join(dir, "none"): "does not exist; name the folder of the source pages with --content",
		file:                       "is not a folder",
		filepath.Join(file, "x"):   "cannot be opened: not a directory",
	} {
		_, err := OpenFolder(name)
		if want = fmt.Sprintf("content folder %q %s", name, want); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestFolderIsAnFS(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "fi", "asuminen", "a.md"), "a")
	writeFile(t, filepath.Join(dir, "b.md"), "b")
	folder := openFolder(t, dir)
	if err := fstest.TestFS(folder, "fi/asuminen/a.md", "b.md"); err != nil {
		t.Error(err)
	}
}

func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	for i := range 2000 {
		writeFile(b, filepath.Join(dir, fmt.Sprintf("l%d/asuminen/a%d/sivu-%d.md", i%12, i%17, i)), "x")
	}
	folder := openFolder(b, dir)
	site := DefaultSite()
	site.Exclude = []string{"drafts/**"}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(Walk(folder, site, nil).Files); n != 2000 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/file")
}

// unlinkedFS is a folder whose symlinks can be followed and not be read: so fails a
// disk or a network in between.
type unlinkedFS struct{ fstest.MapFS }

func (f unlinkedFS) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: errors.New("input/output error")}
}

// plainFS is a file system that has no symlinks.
type plainFS struct{ fs.FS }

// TestMediaBehindSymlinks holds that a symlink is media only where it is known to
// lead to media.
func TestMediaBehindSymlinks(t *testing.T) {
	files := filesOf("fi/a.png", "fi/secret.md", "fi/secret.txt")
	for name, target := range map[string]string{"fi/b.png": "a.png", "fi/c.png": "b.png", "fi/text.png": "secret.txt", "fi/page.png": "secret.md"} {
		files[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
	}
	for name, test := range map[string]struct {
		fsys fs.FS
		want []string
	}{
		"symlinks":                     {files, []string{"fi/a.png", "fi/b.png", "fi/c.png"}},
		"symlinks that cannot be read": {unlinkedFS{files}, []string{"fi/a.png"}},
		"no symlinks":                  {plainFS{filesOf("fi/a.png", "fi/secret.txt")}, []string{"fi/a.png"}},
	} {
		t.Run(name, func(t *testing.T) {
			listing, _, _ := walk(test.fsys)
			var got []string
			for _, f := range listing.Media {
				got = append(got, f.Path)
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("media (-want +got):\n%s", diff)
			}
		})
	}
}
