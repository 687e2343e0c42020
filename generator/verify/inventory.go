package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// resource identifies an answer of a snapshot, in both variants.
type resource struct {
	kind   resourceKind
	number int32 // of a list page page-N
	id     uuid  // of a record
}

type resourceKind uint8

const (
	indexPage resourceKind = iota // pages/index
	listPage                      // pages/page-N
	record                        // pages/ID/index
	notFound                      // 404
	badMethod                     // 405
)

// name returns the path of the files of a resource without their endings.
func (r resource) name() string {
	switch r.kind {
	case notFound:
		return "404"
	case badMethod:
		return "405"
	case record:
		return "pages/" + r.id.String() + "/index"
	case listPage:
		return "pages/page-" + strconv.Itoa(int(r.number))
	}
	return "pages/index"
}

// encodings are the endings of precompressed files, with their content codings.
var encodings = []struct{ ending, coding string }{{"", ""}, {".gz", "gzip"}, {".br", "br"}, {".zst", "zstd"}}

// entries is a set of the files of a resource: of each variant in each encoding.
type entries uint8

// entry returns the entry of a variant in an encoding, by its index in encodings.
func entry(api bool, encoding int) entries {
	if api {
		encoding += len(encodings)
	}
	return 1 << encoding
}

// inventory is the set of files in a folder. It takes little memory for many files.
type inventory map[resource]entries

func (v inventory) has(name string) bool {
	r, e, ok := parsePath(name)
	return ok && v[r]&e != 0
}

// parsePath returns the resource and the entry of the path of a file of a snapshot.
func parsePath(name string) (r resource, e entries, ok bool) {
	encoding := 0
	for i, c := range encodings[1:] {
		if rest, ok := strings.CutSuffix(name, c.ending); ok {
			name, encoding = rest, i+1
			break
		}
	}
	if name, ok = strings.CutSuffix(name, ".json"); !ok {
		return r, 0, false
	}
	switch name {
	case "404":
		return resource{kind: notFound}, entry(false, encoding), true
	case "405":
		return resource{kind: badMethod}, entry(false, encoding), true
	}
	name, api := strings.CutSuffix(name, ".api")
	e = entry(api, encoding)
	name, ok = strings.CutPrefix(name, "pages/")
	if number, isPage := strings.CutPrefix(name, "page-"); isPage {
		n, isNumber := parsePage(number)
		return resource{kind: listPage, number: n}, e, ok && isNumber
	}
	if name == "index" {
		return r, e, ok
	}
	text, isIndex := strings.CutSuffix(name, "/index")
	id, isID := parseID(text)
	return resource{kind: record, id: id}, e, ok && isIndex && isID && id.String() == text
}

// parsePage reads a page number in its only form.
func parsePage(s string) (int32, bool) {
	const longest = 9
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || len(s) > longest || strconv.Itoa(n) != s {
		return 0, false
	}
	return int32(n), true
}

// scan lists all files below pages, and those of sivu at the top. What does not belong
// below pages is a finding; other files at the top are not sivu's.
func (c *folderCheck) scan(ctx context.Context) error {
	top, err := fs.ReadDir(c.fsys, ".")
	if err != nil {
		return fmt.Errorf("cannot read the folder: %w", err)
	}
	for _, d := range top {
		if r, e, ok := parsePath(d.Name()); ok {
			c.add(d.Name(), r, e, d)
		}
		if d.Name() == "pages" && !d.IsDir() {
			c.findKind("pages", d)
			return nil
		}
	}
	seen := 0
	return fs.WalkDir(c.fsys, "pages", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == "pages" && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read the folder: %w", err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir():
			return c.scanFolder(name)
		}
		if seen++; seen%1024 == 0 {
			c.advance("files", seen, 0)
		}
		r, e, ok := parsePath(name)
		if !ok && d.Type().IsRegular() {
			c.find(ruleFileSurplus, name, "no such file", "it is there")
			return nil
		}
		c.add(name, r, e, d)
		return nil
	})
}

// scanFolder checks a folder below pages. Files in a folder that does not belong there
// are not looked at.
func (c *folderCheck) scanFolder(name string) error {
	id, ok := parseID(path.Base(name))
	if name == "pages" || ok && name == "pages/"+id.String() {
		return nil
	}
	c.find(ruleFileSurplus, name, "no such folder", "it is there")
	return fs.SkipDir
}

func (c *folderCheck) add(name string, r resource, e entries, d fs.DirEntry) {
	switch {
	case !d.Type().IsRegular():
		c.findKind(name, d)
		return
	case c.kept[r]&e != 0:
		c.report.Kept++
	case c.PlainOnly && e >= entry(true, 0):
		c.find(ruleFileSurplus, name, "no such file, because the host makes the api variants", "it is there")
		return
	}
	c.files[r] |= e
}

// findKind finds what is not a regular file, or for pages not a folder.
func (c *folderCheck) findKind(name string, d fs.DirEntry) {
	due, came := "a regular file", "something else"
	if name == "pages" {
		due = "a folder"
	}
	switch mode := d.Type(); {
	case mode.IsRegular():
		came = "a file"
	case mode.IsDir():
		came = "a folder"
	case mode&fs.ModeSymlink != 0:
		came = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		came = "a pipe"
	case mode&fs.ModeSocket != 0:
		came = "a socket"
	case mode&fs.ModeDevice != 0:
		came = "a device"
	}
	c.find(ruleFileKind, name, due, came)
}
