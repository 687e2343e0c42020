package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
)

// folderOpener answers addresses with the files of a snapshot.
type folderOpener struct {
	fsys  fs.FS
	files *inventory
	base  string
}

// open only opens files that the inventory knows as regular ones.
func (f *folderOpener) open(ctx context.Context, address string, w want) (*answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	path, ok := f.path(address)
	if !ok || !f.files.has(path) {
		return &answer{Status: http.StatusNotFound}, nil
	}
	return readAnswer(f.fsys, path, w)
}

// readAnswer reads a file, up to the size that is read of any.
func readAnswer(fsys fs.FS, path string, w want) (*answer, error) {
	file, err := fsys.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &answer{Status: http.StatusNotFound}, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read the folder: %w", err)
	}
	defer file.Close()
	var body bytes.Buffer
	if info, err := file.Stat(); err == nil && info.Size() < w.most() {
		body.Grow(int(info.Size()) + bytes.MinRead)
	}
	n, err := body.ReadFrom(io.LimitReader(file, w.most()+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the folder: %w", err)
	}
	return &answer{Status: http.StatusOK, Body: body.Bytes(), Size: n, Sum: digestOf(body.Bytes()), Most: w.most(), Long: n > w.most()}, nil
}

// path returns the file that answers an address: the one that it names, or the
// one that its query picks (DESIGN.md, the files of a snapshot).
func (f *folderOpener) path(address string) (string, bool) {
	rest, ok := strings.CutPrefix(address, f.base+"/")
	if !ok || !below(f.base, address) {
		return "", false
	}
	path, query, _ := strings.Cut(rest, "?")
	if !strings.HasSuffix(path, "/") {
		return path, fs.ValidPath(path)
	}
	values, err := url.ParseQuery(query)
	if err != nil || !fs.ValidPath(strings.TrimSuffix(path, "/")) {
		return "", false
	}
	last := func(key string) string {
		if list := values[key]; len(list) > 0 {
			return list[len(list)-1]
		}
		return ""
	}
	name := "index"
	if page := last("page"); page != "" && path == "pages/" {
		if !isPageNumber(page) {
			return "", false
		}
		name = "page-" + page
	}
	return path + name + ending(last("format") == "api"), true
}

// isPageNumber reports whether a text is a number in the only form that page
// has.
func isPageNumber(s string) bool {
	const longest = 9
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && len(s) <= longest && strconv.Itoa(n) == s
}

// Folder checks the snapshot in a folder. Findings name files by their paths in
// there. An error means that the folder could not be read, or that ctx ended.
func Folder(ctx context.Context, folder fs.FS, o Options) (*Report, error) {
	if o.Jobs <= 0 {
		o.Jobs = 2 * runtime.GOMAXPROCS(0)
	}
	base := strings.TrimRight(o.BaseURL, "/")
	c := newChecker(base, o)
	files, err := c.takeInventory(ctx, folder)
	if err != nil {
		return nil, err
	}
	if base == "" {
		if c.base, err = commonBase(folder, files); err != nil {
			return nil, err
		}
		if c.base != nowhere {
			c.report.Base = c.base
		}
	}
	opener := &folderOpener{folder, files, c.base}
	c.place = func(address string) string {
		if path, ok := opener.path(address); ok {
			return path
		}
		return address
	}
	walk, err := c.walkBoth(ctx, opener, !o.NoTwins)
	if err != nil {
		return nil, err
	}
	check := &folderCheck{c, folder, files, walk}
	if err := check.run(ctx); err != nil {
		return nil, err
	}
	return c.finish(), nil
}

// nowhere is the base address where no record has one: no link leads there.
const nowhere = "https://base.invalid"

// commonBase returns the base address that most records of the first list page
// have, or nowhere.
func commonBase(fsys fs.FS, files *inventory) (string, error) {
	for _, path := range []string{"pages/index.json", "pages/page-1.json"} {
		if !files.has(path) {
			continue
		}
		a, err := readAnswer(fsys, path, wantList)
		if err != nil {
			return "", err
		}
		if root, _, err := parseJSON(a.Body); err == nil {
			if base := mostCommonBase(root); base != "" {
				return base, nil
			}
		}
	}
	return nowhere, nil
}

func mostCommonBase(root *value) string {
	best, counts := "", map[string]int{}
	results, ok := root.get("results")
	if !ok {
		return ""
	}
	for i := range results.items {
		address, _ := results.items[i].string("url")
		at := strings.LastIndex(address, "/pages/")
		if at < 0 {
			continue
		}
		base := address[:at]
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || !below(base, base+"/pages/") {
			continue
		}
		counts[base]++
		if counts[base] > counts[best] {
			best = base
		}
	}
	return best
}
