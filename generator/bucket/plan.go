package bucket

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// plan has the steps that bring a bucket to a tree, and the tree's encoded form.
type plan struct {
	steps []tree.Step // in the order in which they are made
	left  []api.Path  // files that leave the tree, in order
	held  []api.Path  // files that a list shows to be there, of which caches may have other bytes
	bytes int64       // to be sent

	retained map[api.Path]int64 // objects that are no part of the tree and stay, and when they left it

	object  []byte // the new one of the state: a segment or a base
	name    string // of object
	next    *treeRef
	newBase bool
}

// files returns the files of the snapshot that are published. A bucket cannot negotiate,
// so precompressed variants are not.
func (p *publisher) files() iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for e := range p.snapshot.All() {
			if e.Path.Coding() == 0 && !yield(e) {
				return
			}
		}
	}
}

// sum computes the totals and the hash of the tree, and checks that it is a whole one.
func (p *publisher) sum() error {
	missing := map[string]bool{api.Folder + "/" + api.IndexName(api.Plain): true}
	for _, name := range api.ErrorFiles {
		missing[name] = true
	}
	h := sha256.New()
	for e := range p.files() {
		p.result.Files++
		p.result.Bytes += int64(e.Size)
		fmt.Fprintf(h, "%s\x00%d %x\n", e.Path.Stored(), e.Size, e.SHA256)
		if len(missing) > 0 {
			delete(missing, e.Path.String())
		}
	}
	for name := range missing {
		return &Error{"what is to be published is not a whole snapshot: " + name + " is missing", "publish a folder or an archive that sivu build wrote", nil}
	}
	p.content = hex.EncodeToString(h.Sum(nil))
	return nil
}

// makePlan compares two trees, and counts what differs.
func (p *publisher) makePlan(ctx context.Context, prev *previous) (*plan, error) {
	now, keep := p.Now().Unix(), int64(p.KeepRemoved/time.Second)
	pl, r := &plan{retained: map[api.Path]int64{}}, &p.result
	var changes []tree.Edit
	for s := range tree.Compare(prev.All(), p.files()) {
		if !s.Op.IsRemove() {
			changes = append(changes, tree.Put(s.Path, s.New))
			held, err := p.holds(ctx, prev, &s)
			if err != nil {
				return nil, err
			}
			if held {
				pl.held = append(pl.held, s.Path)
				continue
			}
			pl.steps = append(pl.steps, s)
			pl.bytes += int64(s.New.Size)
			if s.Op == tree.Change {
				r.Changed++
			} else {
				r.Added++
			}
			continue
		}
		changes = append(changes, tree.Delete(s.Path))
		pl.left = append(pl.left, s.Path)
		pl.retained[s.Path] = now
	}
	var unretained []tree.Retained
	if prev.tree != nil {
		var err error
		if unretained, err = prev.tree.RetainedFiles(); err != nil {
			return nil, err
		}
	}
	for _, u := range unretained {
		if _, again := pl.retained[u.Path]; !again {
			pl.retained[u.Path] = u.Since
		}
	}
	if len(pl.retained) > 0 {
		for e := range p.files() {
			delete(pl.retained, e.Path)
		}
	}
	for path, since := range pl.retained {
		if since+keep <= now {
			pl.steps = append(pl.steps, tree.Step{Path: path, Op: tree.Remove})
			delete(pl.retained, path)
			r.Removed++
		}
	}
	for _, u := range unretained {
		if pl.retained[u.Path] != u.Since {
			changes = append(changes, tree.Forget(u))
		}
	}
	slices.SortFunc(pl.steps, func(a, b tree.Step) int { return tree.Order(&a, &b) })
	r.Unchanged, r.Left, r.Kept, r.KeptSince = r.Files-r.Added-r.Changed, len(pl.left), len(pl.retained), time.Unix(pl.leftSince(), 0)
	return pl, p.encode(pl, prev, changes)
}

// encode makes the objects of the next tree: a segment where that is short, else a base.
func (p *publisher) encode(pl *plan, prev *previous, changes []tree.Edit) error {
	totals := tree.Totals{Files: int64(p.result.Files), Bytes: p.result.Bytes, Largest: -1, Retained: int64(len(pl.retained)), RetainedSince: pl.leftSince()}
	rand.Read(totals.Generation[:]) // no two objects are equal, so none is removed that another publisher has just written
	var retained []tree.Retained
	for _, path := range slices.SortedFunc(maps.Keys(pl.retained), api.Path.Compare) {
		r := tree.Retained{Path: path, Since: pl.retained[path]}
		retained, changes = append(retained, r), append(changes, tree.Retain(r))
	}
	if prev.tree != nil && !prev.resend {
		if segment, short := prev.tree.Segment(totals, changes); short {
			segments := slices.Clone(prev.ref.Segments)
			if len(segments) == maxSegments {
				segments, segment = nil, append(slices.Clone(prev.log), segment...)
			}
			pl.next = &treeRef{prev.ref.Base, append(segments, pl.add(segment))}
			return nil
		}
	}
	var base bytes.Buffer
	w := tree.NewWriter(&base, totals)
	for e := range p.files() {
		w.Put(&e)
	}
	err := w.Finish(retained)
	pl.next, pl.newBase = &treeRef{Base: pl.add(base.Bytes())}, true
	return err
}

// add sets the new object, and returns its name.
func (pl *plan) add(object []byte) string {
	pl.object, pl.name = object, hashOf(object)
	return pl.name
}

// leftSince returns when the first of the retained files left, or 0.
func (pl *plan) leftSince() int64 {
	if len(pl.retained) == 0 {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(pl.retained)))
}

// checkForeign refuses to write a host's file over one that somebody else put there.
func (p *publisher) checkForeign(ctx context.Context, pl *plan) error {
	for _, s := range pl.steps {
		if !s.Path.IsHostFile() || !s.Op.IsAdd() {
			continue
		}
		object, err := p.store.get(ctx, s.Path.String(), int64(s.New.Size))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, ErrTooLarge) || err == nil && tree.SumOf(object.Data) != s.New:
			return &Error{p.At.url(s.Path.String()) + " is there already, and sivu did not write it",
				"remove it, or publish to another prefix", nil}
		case err != nil:
			return err
		}
	}
	return nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
