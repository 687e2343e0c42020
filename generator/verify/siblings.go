package verify

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// folderCheck checks the files of a snapshot that no walk opens.
type folderCheck struct {
	*checker

	fsys  fs.FS
	files *inventory
	walk  *walk
}

func (c *folderCheck) run(ctx context.Context) error {
	if err := c.checkErrors(); err != nil {
		return err
	}
	if err := c.checkFirst(); err != nil {
		return err
	}
	c.checkSurplus()
	if err := c.checkKept(ctx); err != nil {
		return err
	}
	return c.checkSiblings(ctx)
}

// read returns a file of the inventory, or nil where there is none to read.
func (c *folderCheck) read(path string) ([]byte, error) {
	if !c.files.has(path) {
		return nil, nil
	}
	a, err := readAnswer(c.fsys, path, wantRecord)
	if err != nil || a.Long {
		return nil, err
	}
	return a.Body, nil
}

func (c *folderCheck) checkErrors() error {
	for i, due := range [...]string{notFoundBody, methodBody} {
		path := errorFiles[i] + ".json"
		body, err := c.read(path)
		switch {
		case err != nil:
			return err
		case body == nil:
			c.find(ruleErrorBody, path, "", due, "no file")
		case string(body) != due:
			c.find(ruleErrorBody, path, "", due, show(string(body)))
		}
	}
	return nil
}

// checkFirst compares list page 1 under its two names.
func (c *folderCheck) checkFirst() error {
	for _, api := range []bool{false, true} {
		if api && c.NoTwins {
			continue
		}
		index, err := c.read("pages/index" + ending(api))
		if err != nil || index == nil {
			return err // the walk has found that
		}
		path := "pages/page-1" + ending(api)
		first, err := c.read(path)
		switch {
		case err != nil:
			return err
		case first == nil:
			c.find(ruleFirstPage, path, "", "a file with the bytes of index"+ending(api), "no file")
		case !bytes.Equal(index, first):
			due, came := difference(string(index), string(first))
			c.find(ruleFirstPage, path, "", "the bytes of index"+ending(api)+", "+due, came)
		}
	}
	return nil
}

// checkSurplus finds files that nothing leads to. Where the walk has not met
// all list pages, all records of a sample for one, only numbers can tell.
func (c *folderCheck) checkSurplus() {
	due := max(c.walk.due(), len(c.walk.lists))
	for number, there := range c.files.lists {
		there &^= c.files.kept.lists[number]
		if there != 0 && number > 1 && number > due && !c.walk.gap {
			c.surplus("pages/page-"+strconv.Itoa(number), there, "no list page leads to it")
		}
	}
	if c.walk.gap {
		return
	}
	if c.Sample > 0 {
		if there := c.recordsInLists(); there != c.walk.count {
			c.find(ruleFileSurplus, "pages", "", fmt.Sprintf("%s, because count is %d", plural(c.walk.count, "record"), c.walk.count), plural(there, "record"))
		}
		return
	}
	for id, there := range c.files.records {
		if there &^= c.files.kept.records[id]; there != 0 && c.walk.records[id] == nil {
			c.surplus("pages/"+id.String()+"/index", there, "no list page has this record")
		}
	}
}

// surplus reports the first of the files of an answer.
func (c *folderCheck) surplus(name string, there entries, came string) {
	path := name + ending(there&entry(false, "") == 0)
	c.find(ruleFileSurplus, path, "", "no such file", came)
}

// checkSiblings compares precompressed files with those beside them.
func (c *folderCheck) checkSiblings(ctx context.Context) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.Jobs)
	check := func(name string, there entries) {
		for _, api := range []bool{false, true} {
			for _, coding := range codings {
				if there&entry(api, coding) != 0 && inner.Err() == nil {
					group.Go(func() error { return c.checkSibling(inner, name+ending(api), coding, there&entry(api, "") != 0) })
				}
			}
		}
	}
	for i, there := range c.files.errors {
		check(errorFiles[i], there)
	}
	check("pages/index", c.files.index)
	for number, there := range c.files.lists {
		check("pages/page-"+strconv.Itoa(number), there)
	}
	for id, there := range c.files.records {
		check("pages/"+id.String()+"/index", there)
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (c *folderCheck) checkSibling(ctx context.Context, path, coding string, plainThere bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	packed := path + "." + coding
	if !plainThere {
		c.find(ruleSiblingAlone, packed, "", path+" beside it", "no file")
		return nil
	}
	plain, err := c.read(path)
	if err != nil || plain == nil {
		return err
	}
	a, err := readAnswer(c.fsys, packed, wantRecord)
	if err != nil {
		return err
	}
	unpacked, err := unpack(a.Body, coding, int64(len(plain))+1)
	switch {
	case err != nil:
		c.find(ruleSiblingBytes, packed, "", "the bytes of "+path, "it does not unpack: "+err.Error())
	case !bytes.Equal(unpacked, plain):
		due, came := difference(string(plain), string(unpacked))
		c.find(ruleSiblingBytes, packed, "", "the bytes of "+path+", "+due, came)
	}
	return nil
}

// unpack returns at most so many bytes of what a body unpacks to.
func unpack(body []byte, coding string, most int64) ([]byte, error) {
	name := map[string]string{"gz": "gzip", "br": "br", "zst": "zstd"}[coding]
	var u unpacker
	defer u.close()
	reader, err := u.reader(http.Header{"Content-Encoding": {name}}, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(reader, most))
}
