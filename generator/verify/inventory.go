package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// codings are the endings of precompressed siblings.
var codings = []string{"gz", "br", "zst"}

// entries says which files there are of one answer: the two variants, and the
// siblings of each.
type entries uint8

// entry returns the bit of a variant, or of one of its siblings.
func entry(api bool, coding string) entries {
	bit := entries(1)
	if api {
		bit <<= 1 + len(codings)
	}
	return bit << (1 + slices.Index(codings, coding))
}

// inventory is what lies in a folder: little memory for a lot of files.
type inventory struct {
	index   entries
	lists   map[int]entries // by the number in page-N
	records map[uuid]entries
	errors  [2]entries // 404.json and 405.json, as plain variants

	kept *inventory // what may lie there although no list leads to it: see Options.Kept
}

func newInventory() *inventory {
	return &inventory{lists: map[int]entries{}, records: map[uuid]entries{}}
}

var errorFiles = [2]string{"404", "405"}

// snapshotFile is what the path of a file says.
type snapshotFile struct {
	number int // of page-N; 0 is none
	id     uuid
	record bool
	error  int // place in errorFiles; -1 is none
	api    bool
	coding string
}

// parsePath understands the path of a file of a snapshot.
func parsePath(name string) (f snapshotFile, ok bool) {
	f.error = -1
	for _, coding := range codings {
		if rest, ok := strings.CutSuffix(name, "."+coding); ok {
			name, f.coding = rest, coding
			break
		}
	}
	name, ok = strings.CutSuffix(name, ".json")
	if !ok {
		return f, false
	}
	if f.error = slices.Index(errorFiles[:], name); f.error >= 0 {
		return f, true
	}
	name, f.api = strings.CutSuffix(name, ".api")
	name, ok = strings.CutPrefix(name, "pages/")
	if !ok {
		return f, false
	}
	if number, ok := strings.CutPrefix(name, "page-"); ok {
		if !isPageNumber(number) {
			return f, false
		}
		fmt.Sscan(number, &f.number)
		return f, true
	}
	if name == "index" {
		return f, true
	}
	id, ok := strings.CutSuffix(name, "/index")
	if !ok {
		return f, false
	}
	f.record = true
	f.id, ok = parseID(id)
	return f, ok && f.id.String() == id
}

// of returns what there is of the answer that a file belongs to.
func (v *inventory) of(f snapshotFile) entries {
	switch {
	case f.error >= 0:
		return v.errors[f.error]
	case f.record:
		return v.records[f.id]
	case f.number > 0:
		return v.lists[f.number]
	}
	return v.index
}

func (v *inventory) add(f snapshotFile) {
	all := v.of(f) | entry(f.api, f.coding)
	switch {
	case f.error >= 0:
		v.errors[f.error] = all
	case f.record:
		v.records[f.id] = all
	case f.number > 0:
		v.lists[f.number] = all
	default:
		v.index = all
	}
}

func (v *inventory) has(name string) bool {
	f, ok := parsePath(name)
	return ok && v.holds(f)
}

func (v *inventory) holds(f snapshotFile) bool { return v.of(f)&entry(f.api, f.coding) != 0 }

// takeInventory looks at all files below pages, and at those of sivu's beside
// it. What does not belong below pages is a finding; what else lies at the top
// is somebody else's.
func (c *checker) takeInventory(ctx context.Context, fsys fs.FS) (*inventory, error) {
	v := newInventory()
	v.kept = c.keptInventory()
	top, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("cannot read the folder: %w", err)
	}
	for _, d := range top {
		if f, ok := parsePath(d.Name()); ok {
			c.takeFile(v, d.Name(), f, d)
		}
		if d.Name() == "pages" && !d.IsDir() {
			c.findKind("pages", d)
			return v, nil
		}
	}
	seen := 0
	err = fs.WalkDir(fsys, "pages", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == "pages" && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read the folder: %w", err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir():
			return c.takeFolder(name)
		}
		if seen++; seen%1024 == 0 {
			c.advance("files", seen, 0)
		}
		f, ok := parsePath(name)
		if !ok && d.Type().IsRegular() {
			c.find(ruleFileSurplus, name, "", "no such file", "it is there")
			return nil
		}
		c.takeFile(v, name, f, d)
		return nil
	})
	return v, err
}

// takeFolder judges a folder below pages. What lies in one that does not belong
// there is not looked at.
func (c *checker) takeFolder(name string) error {
	if name == "pages" {
		return nil
	}
	id, ok := parseID(path.Base(name))
	if ok && path.Dir(name) == "pages" && id.String() == path.Base(name) {
		return nil
	}
	c.find(ruleFileSurplus, name, "", "no such folder", "it is there")
	return fs.SkipDir
}

func (c *checker) takeFile(v *inventory, name string, f snapshotFile, d fs.DirEntry) {
	switch {
	case !d.Type().IsRegular():
		c.findKind(name, d)
	case v.kept.holds(f):
		c.report.Kept++
		v.add(f)
	case c.NoTwins && f.api:
		c.find(ruleFileSurplus, name, "", "no such file, because the host makes the api variants", "it is there")
	default:
		v.add(f)
	}
}

func (c *checker) findKind(name string, d fs.DirEntry) {
	came := "something else"
	for mode, text := range map[fs.FileMode]string{
		fs.ModeDir: "a folder", fs.ModeSymlink: "a symbolic link", fs.ModeNamedPipe: "a pipe", fs.ModeSocket: "a socket",
		fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
	} {
		if d.Type() == mode {
			came = text
		}
	}
	due := "a regular file"
	if name == "pages" {
		due = "a folder"
		if d.Type().IsRegular() {
			came = "a file"
		}
	}
	c.find(ruleFileKind, name, "", due, came)
}
