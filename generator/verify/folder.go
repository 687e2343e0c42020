package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"strings"

	"github.com/google/uuid"
)

// folderCheck checks a folder. As an opener it answers addresses with files.
type folderCheck struct {
	*checker

	fsys  fs.FS
	files inventory
	kept  inventory // files of Options.Kept, which no list page need lead to
	walk  *walk     // over the plain variant
}

// Folder checks the snapshot in a folder. Findings name files by their paths in it. An
// error means that the folder could not be read, or that ctx ended.
func Folder(ctx context.Context, folder fs.FS, o Options) (*Report, error) {
	o.Jobs = cmp.Or(max(o.Jobs, 0), 2*runtime.GOMAXPROCS(0))
	base, ctx := newChecker(ctx, strings.TrimRight(o.BaseURL, "/"), o)
	defer base.fail(nil)
	c := &folderCheck{checker: base, fsys: folder, files: inventory{}, kept: inventory{}}
	c.opener, c.nameOf = c, c.pathOf
	if o.Kept != nil {
		for path := range o.Kept {
			if name, e, ok := cutEndings(path); ok {
				c.kept[name] |= e
			}
		}
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.finish(), nil
}

func (c *folderCheck) run(ctx context.Context) error {
	if err := c.scan(ctx); err != nil {
		return err
	}
	if c.base == "" {
		c.chooseBase()
	}
	c.walk = c.walkBoth(ctx, !c.PlainOnly)
	if ctx.Err() == nil {
		c.checkErrors()
		c.checkFirst()
		c.checkSurplus()
		c.checkKept(ctx)
		c.checkEncoded(ctx)
	}
	return context.Cause(ctx)
}

// open only opens files that the inventory knows as regular ones.
func (c *folderCheck) open(ctx context.Context, address string, w want, _ *room) (*answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	path, _ := c.path(address)
	return c.readFile(path, w), context.Cause(ctx)
}

// readFile reads a file of the inventory, up to the limit of w. It returns
// nil where it cannot, which ends the verification.
func (c *folderCheck) readFile(path string, w want) *answer {
	if name, e, _ := cutEndings(path); c.files[name]&e == 0 {
		return &answer{Status: http.StatusNotFound}
	}
	file, err := c.fsys.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &answer{Status: http.StatusNotFound}
	}
	var body bytes.Buffer
	if err == nil {
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Size() < w.most() {
			body.Grow(int(info.Size()) + bytes.MinRead)
		}
		_, err = body.ReadFrom(io.LimitReader(file, w.most()+1))
	}
	if err != nil {
		c.fail(fmt.Errorf("cannot read the folder: %w", err))
		return nil
	}
	n := int64(body.Len())
	return &answer{Status: http.StatusOK, Body: body.Bytes(), Size: n, Sum: digestOf(body.Bytes()), Most: w.most(), Long: n > w.most()}
}

// read returns a file of the inventory, or nil where there is none to read.
func (c *folderCheck) read(path string) []byte {
	if a := c.readFile(path, wantRecord); a != nil && !a.Long {
		return a.Body
	}
	return nil
}

// path returns the file that answers an address: the one that it names, or the one that
// its query picks (contract.md 11).
func (c *folderCheck) path(address string) (string, bool) {
	if !below(c.base, address) {
		return "", false
	}
	path, query, _ := strings.Cut(strings.TrimPrefix(address, c.base+"/"), "?")
	if !strings.HasSuffix(path, "/") {
		return path, fs.ValidPath(path)
	}
	values, err := url.ParseQuery(query)
	if err != nil || !fs.ValidPath(strings.TrimSuffix(path, "/")) {
		return "", false
	}
	last := func(key string) string {
		list := append([]string{""}, values[key]...)
		return list[len(list)-1]
	}
	name := "index"
	if page := last("page"); page != "" && path == "pages/" {
		if !isPage(page) {
			return "", false
		}
		name = "page-" + page
	}
	return path + name + ending(last("format") == "api"), true
}

func (c *folderCheck) pathOf(address string) string {
	if path, ok := c.path(address); ok {
		return path
	}
	return address
}

// chooseBase takes the base address that most records of the first list page have. Where
// none has one, it is an address that no link leads to.
func (c *folderCheck) chooseBase() {
	c.base = "https://base.invalid"
	for _, path := range []string{"pages/index.json", "pages/page-1.json"} {
		root, _, err := parseJSON(c.read(path))
		if err != nil {
			continue
		}
		counts := map[string]int{}
		for _, r := range root.elements("results") {
			address, _ := r.string("url")
			base, _, _ := cutPages(address)
			if isAbsolute(base, "https", "http") && below(base, base+"/pages/") {
				if counts[base]++; counts[base] > counts[c.report.Base] {
					c.report.Base = base
				}
			}
		}
		if c.report.Base != "" {
			c.base = c.report.Base
			return
		}
	}
}

// compare finds that a file has not the bytes that are due, which name describes.
func (c *folderCheck) compare(rule *Rule, path, name string, due, came []byte) {
	if !bytes.Equal(due, came) {
		due, came := difference(string(due), string(came))
		c.find(rule, path, name+", "+due, came)
	}
}

func (c *folderCheck) checkErrors() {
	for path, due := range map[string]string{"404.json": notFoundBody, "405.json": methodBody} {
		came := "no file"
		if body := c.read(path); body != nil {
			came = show(string(body))
		}
		if came != show(due) {
			c.find(ruleErrorBody, path, due, came)
		}
	}
}

// checkFirst compares list page 1 under its two names.
func (c *folderCheck) checkFirst() {
	for _, api := range []bool{false, true} {
		index, path := "index"+ending(api), "pages/page-1"+ending(api)
		due := c.read("pages/" + index)
		if due == nil || api && c.PlainOnly {
			return // the walk has found that
		}
		if came := c.read(path); came == nil {
			c.find(ruleFirstPage, path, "a file with the bytes of "+index, "no file")
		} else {
			c.compare(ruleFirstPage, path, "the bytes of "+index, due, came)
		}
	}
}

// checkSurplus finds files that no list page leads to. Where the walk has not met all
// list pages, or all records, as in a sample, only numbers can tell.
func (c *folderCheck) checkSurplus() {
	due, records := max(1, c.walk.due(), len(c.walk.lists)), 0
	for name, there := range c.files {
		if there &^= c.kept[name]; there == 0 {
			continue
		}
		if n, ok := listNumber(name); ok && n > due {
			c.findSurplus(name, there, "no list page leads to it")
		}
		if id, ok := recordID(name); ok {
			if records++; c.Sample == 0 && c.walk.records[id] == nil {
				c.findSurplus(name, there, "no list page has this record")
			}
		}
	}
	if count := c.walk.count; c.Sample > 0 && records != count && !c.walk.gap {
		c.find(ruleFileSurplus, "pages", fmt.Sprintf("%s, because count is %d", plural(count, "record"), count), plural(records, "record"))
	}
}

// findSurplus names the first of the files of a response.
func (c *folderCheck) findSurplus(name string, there entries, came string) {
	if !c.walk.gap {
		c.find(ruleFileSurplus, name+ending(there&entry(false, 0) == 0), "no such file", came)
	}
}

// eachVariant calls do for both variants of all responses of an inventory.
func (c *folderCheck) eachVariant(ctx context.Context, files inventory, do func(name string, api bool)) {
	each(ctx, c.checker, maps.Keys(files), func(name string) {
		do(name, false)
		do(name, true)
	})
}

// checkKept checks files that are kept although they left the lists. They are of older
// snapshots, which may have had another base address and link style: only what a client
// needs to read them is checked. A sample leaves them out.
func (c *folderCheck) checkKept(ctx context.Context) {
	if c.Sample > 0 {
		return
	}
	c.eachVariant(ctx, c.kept, func(name string, api bool) {
		if c.kept[name]&c.files[name]&entry(api, 0) == 0 {
			return
		}
		path, w := name+ending(api), wantRecord
		n, isList := listNumber(name)
		id, isRecord := recordID(name)
		switch {
		case isList && n > len(c.walk.lists):
			w = wantList
		case !isRecord || c.walk.records[id] != nil:
			return
		}
		d := c.readJSON(path, c.readFile(path, w), false)
		switch {
		case d == nil:
		case isRecord:
			c.checkKeptRecord(path, id, d)
		default:
			if l := c.readList(n, path, d); l != nil {
				for i := range l.results {
					c.checkElement(form{}, path, i, &l.results[i])
				}
			}
		}
	})
}

func (c *folderCheck) checkKeptRecord(path string, id uuid.UUID, d *document) {
	if !c.checkObject(path, d) {
		return
	}
	if came, ok := d.string("url"); ok {
		if other, ok := d.id(); !ok || other != id {
			c.find(ruleURL, path, "url with "+id.String()+", as in the path", show(came))
		}
	}
	c.checkShared(path, "", d.value)
	c.checkDetail(path, d.value)
}

func (c *folderCheck) checkEncoded(ctx context.Context) {
	c.eachVariant(ctx, c.files, func(name string, api bool) {
		there, path := c.files[name], name+ending(api)
		for i, e := range encodings {
			switch {
			case i == 0 || there&entry(api, i) == 0:
			case there&entry(api, 0) == 0:
				c.find(ruleSiblingAlone, path+e.ending, path+" beside it", "no file")
			default:
				c.compareEncoded(path, e.ending, e.coding)
			}
		}
	})
}

func (c *folderCheck) compareEncoded(path, ending, coding string) {
	due, a := c.read(path), c.readFile(path+ending, wantRecord)
	if due == nil || a == nil {
		return
	}
	var came []byte
	reader, err := decode(coding, bytes.NewReader(a.Body))
	if err == nil {
		came, err = io.ReadAll(io.LimitReader(reader, int64(len(due))+1))
	}
	if err != nil {
		c.find(ruleSiblingBytes, path+ending, "the bytes of "+path, "it does not unpack: "+err.Error())
		return
	}
	c.compare(ruleSiblingBytes, path+ending, "the bytes of "+path, due, came)
}
