package verify

import (
	"context"
	"fmt"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// keptInventory is what [Options].Kept names, of files that a snapshot may have.
func (c *checker) keptInventory() *inventory {
	v := newInventory()
	if c.Kept == nil {
		return v
	}
	for name := range c.Kept {
		if f, ok := parsePath(name); ok {
			v.add(f)
		}
	}
	return v
}

// recordsInLists counts the records that are there and due in a list.
func (c *folderCheck) recordsInLists() int {
	n := 0
	for id, there := range c.files.records {
		if there&^c.files.kept.records[id] != 0 {
			n++
		}
	}
	return n
}

// checkKept checks the files that stay although they left the lists. They are of
// older snapshots, which may have had another address and another link style: what
// is due is what a client needs to read them. A sample leaves them out.
func (c *folderCheck) checkKept(ctx context.Context) error {
	if c.Sample > 0 {
		return nil
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(c.Jobs)
	check := func(name string, kept entries, w want, judge func(path string, d *document)) {
		for _, api := range []bool{false, true} {
			if path := name + ending(api); kept&entry(api, "") != 0 && c.files.has(path) && inner.Err() == nil {
				group.Go(func() error { return c.readKept(inner, path, w, judge) })
			}
		}
	}
	for number, kept := range c.files.kept.lists {
		if number > len(c.walk.lists) {
			check("pages/page-"+strconv.Itoa(number), kept, wantList, c.checkKeptList)
		}
	}
	for id, kept := range c.files.kept.records {
		if c.walk.records[id] == nil {
			check("pages/"+id.String()+"/index", kept, wantRecord, func(path string, d *document) { c.checkKeptRecord(path, id, d.value) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// readKept has a file judged, if it is JSON.
func (c *folderCheck) readKept(ctx context.Context, path string, w want, judge func(path string, d *document)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	a, err := readAnswer(c.fsys, path, w)
	if err != nil {
		return err
	}
	if d := c.readJSON(path, a, w); d != nil {
		judge(path, d)
	}
	return nil
}

func (c *folderCheck) checkKeptRecord(path string, id uuid, v *value) {
	if v.kind != kindObject {
		c.find(ruleRecordTypes, path, "", "an object", v.kind.String())
		return
	}
	c.checkKeys(ruleRecordKeys, path, "", v, detailKeys)
	if came, ok := v.string("url"); ok {
		if other, ok := parseID(idIn(came)); !ok || other != id {
			c.find(ruleURL, path, "", "url with "+id.String()+", as in the path", show(came))
		}
	}
	c.checkShared(path, "", v)
	c.checkDetail(path, v)
}

func (c *folderCheck) checkKeptList(path string, d *document) {
	l := c.readList(0, path, d)
	if l == nil {
		return
	}
	for i := range l.results {
		v, part := &l.results[i], fmt.Sprintf("results[%d].", i)
		if v.kind != kindObject {
			c.find(ruleEnvelopeTypes, path, "", part[:len(part)-1]+" is an object", showValue(v))
			continue
		}
		c.checkListKeys(path, part, v)
		c.checkShared(path, part, v)
	}
}
