package verify

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

type encoding struct{ ending, coding string }

// encodings are the endings of precompressed files, with their content codings.
var encodings = []encoding{{"", ""}, {".gz", "gzip"}, {".br", "br"}, {".zst", "zstd"}}

// entries is a set of the files of one response: of each variant in each encoding.
type entries uint8

// entry returns the entry of a variant in an encoding, by its index.
func entry(api bool, index int) entries {
	if api {
		index += len(encodings)
	}
	return 1 << index
}

// inventory is the set of files in a folder, by their paths without endings: "404",
// "405", "pages/index", "pages/page-N" or "pages/ID/index".
type inventory map[string]entries

// cutEndings cuts the path of a file of a snapshot.
func cutEndings(path string) (name string, e entries, ok bool) {
	i := slices.IndexFunc(encodings[1:], func(c encoding) bool { return strings.HasSuffix(path, c.ending) }) + 1
	name, ok = strings.CutSuffix(strings.TrimSuffix(path, encodings[i].ending), ".json")
	if ok && (name == "404" || name == "405") {
		return name, entry(false, i), true
	}
	name, api := strings.CutSuffix(name, ".api")
	_, isList := listNumber(name)
	_, isRecord := recordID(name)
	return name, entry(api, i), ok && (name == "pages/index" || isList || isRecord)
}

// listNumber returns N of pages/page-N.
func listNumber(name string) (int, bool) {
	number, ok := strings.CutPrefix(name, "pages/page-")
	n, _ := strconv.Atoi(number)
	return n, ok && isPage(number)
}

// isPage reports whether a text is a page number in its only form.
func isPage(s string) bool {
	const longest = 9
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && len(s) <= longest && strconv.Itoa(n) == s
}

// recordID returns ID of pages/ID/index.
func recordID(name string) (uuid.UUID, bool) {
	name, ok := strings.CutPrefix(name, "pages/")
	name, isIndex := strings.CutSuffix(name, "/index")
	id, isID := parseID(name)
	return id, ok && isIndex && isID && id.String() == name
}

// scan lists all files below pages, and those of sivu at the top. What does not belong
// below pages is a finding; other files at the top are not sivu's.
func (c *folderCheck) scan(ctx context.Context) error {
	seen := 0
	return fs.WalkDir(c.fsys, ".", func(path string, d fs.DirEntry, err error) error {
		name, e, ok := cutEndings(path)
		inPages := path == "pages" || strings.HasPrefix(path, "pages/")
		switch {
		case err != nil:
			return fmt.Errorf("cannot read the folder: %w", err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && !inPages && path != ".":
			if ok {
				c.findKind(path, d)
			}
			return fs.SkipDir
		case d.IsDir():
			// Files in a folder that does not belong below pages are not looked at.
			id, isID := parseID(strings.TrimPrefix(path, "pages/"))
			if path == "." || path == "pages" || isID && path == "pages/"+id.String() {
				return nil
			}
			c.find(ruleFileSurplus, path, "no such folder", "it is there")
			return fs.SkipDir
		}
		if seen++; seen%1024 == 0 {
			c.Progress("files", seen, 0)
		}
		switch {
		case path == "pages" || !d.Type().IsRegular() && (inPages || ok):
			c.findKind(path, d)
		case ok:
			c.add(name, e, path)
		case inPages:
			c.find(ruleFileSurplus, path, "no such file", "it is there")
		}
		return nil
	})
}

func (c *folderCheck) add(name string, e entries, path string) {
	switch {
	case c.kept[name]&e != 0:
		c.report.Kept++
	case c.PlainOnly && e >= entry(true, 0):
		c.find(ruleFileSurplus, path, "no such file, because the host makes the api variants", "it is there")
		return
	}
	c.files[name] |= e
}

// fileKinds name the types of files.
var fileKinds = map[fs.FileMode]string{
	0: "a file", fs.ModeDir: "a folder", fs.ModeSymlink: "a symbolic link", fs.ModeNamedPipe: "a pipe",
	fs.ModeSocket: "a socket", fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
}

// findKind finds what is not a regular file, or for pages not a folder.
func (c *folderCheck) findKind(name string, d fs.DirEntry) {
	due := "a regular file"
	if name == "pages" {
		due = "a folder"
	}
	c.find(ruleFileKind, name, due, cmp.Or(fileKinds[d.Type()], "something else"))
}
