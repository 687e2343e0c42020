package bucket

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// previous is the tree that the bucket holds, as far as it is known.
type previous struct {
	tree *tree.Tree // nil where nothing was recorded
	ref  *treeRef   // of tree
	log  []byte     // of tree

	files  iter.Seq[tree.Entry] // of the bucket, in order of path; without a sum where their bytes are not known
	listed []listedFile         // of a list, in order of path
	resend bool                 // headers changed: every object is sent again
}

// listedFile is an object of which the MD5 is known.
type listedFile struct {
	path api.Path
	md5  [md5.Size]byte
}

// All returns the previous tree, in order of path. Files that are sent again, or whose
// bytes are not known, have no sum.
func (p *previous) All() iter.Seq[tree.Entry] {
	return func(yield func(tree.Entry) bool) {
		for e := range p.files {
			if p.resend {
				e.Sum = tree.Sum{}
			}
			if !yield(e) {
				return
			}
		}
	}
}

// holds reports whether the list of the objects shows that one is as a file of the snapshot.
func (p *publisher) holds(ctx context.Context, prev *previous, s *tree.Step) (bool, error) {
	i, ok := slices.BinarySearchFunc(prev.listed, s.Path, func(f listedFile, path api.Path) int { return f.path.Compare(path) })
	if !ok {
		return false, nil
	}
	data, err := p.snapshot.Read(s.Path)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return prev.listed[i].md5 == md5.Sum(data) && tree.SumOf(data) == s.New, err
}

// load reads the tree that the last publication recorded. Where it is missing, damaged or
// does not fit, the objects are listed, and the result says why.
func (p *publisher) load(ctx context.Context) (*previous, error) {
	h, why := p.session.head, &p.result.Rebuilt
	switch {
	case p.session.damage != nil:
		*why = p.session.damage.Error()
	case h == nil:
		*why = "the bucket has no state"
	case h.Tree == nil:
		*why = "the first publication did not end"
	default:
		prev, err := p.loadRecorded(ctx, h)
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, tree.ErrDamaged) {
			return prev, err
		}
		*why = "the state of the bucket cannot be used: " + err.Error()
	}
	return p.list(ctx)
}

func (p *publisher) loadRecorded(ctx context.Context, h *head) (*previous, error) {
	t, log, err := p.session.loadTree(ctx, h.Tree)
	if err != nil {
		return nil, err
	}
	prev := &previous{tree: t, ref: h.Tree, log: log, files: t.All(), resend: h.Headers != p.headersHash}
	if h.Lock == nil {
		return prev, nil
	}
	var touched []tree.Edit // by publishers that did not end
	for _, ref := range h.Lock.Plans {
		planned, _, err := p.session.loadTree(ctx, ref)
		if err != nil {
			return nil, err
		}
		for step := range tree.Compare(t.All(), planned.All()) {
			touched = append(touched, tree.Put(step.Path, tree.Sum{}))
		}
	}
	prev.files = t.With(touched).All()
	return prev, nil
}

// loadTree reads a tree and checks all of it.
func (s *session) loadTree(ctx context.Context, ref *treeRef) (*tree.Tree, []byte, error) {
	var parts [2][]byte // base and log
	for i, name := range ref.objects() {
		object, err := s.get(ctx, treeFolder+name, treeLimit)
		if err != nil {
			return nil, nil, err
		}
		if hashOf(object.Data) != name {
			return nil, nil, fmt.Errorf("%s%s: %w", treeFolder, name, tree.ErrDamaged)
		}
		parts[min(i, 1)] = append(parts[min(i, 1)], object.Data...)
	}
	t, err := tree.Open(bytes.NewReader(parts[0]), int64(len(parts[0])), parts[1])
	if err == nil {
		err = t.Check()
	}
	return t, parts[1], err
}

// list lists the objects below pages. Names of a host's files in the root are used by
// others, too, so those that are there are not taken for sivu's.
func (p *publisher) list(ctx context.Context) (*previous, error) {
	prev := new(previous)
	var files []tree.Entry
	p.Progress("listing the bucket", 0, 0)
	for o, err := range p.store.list(ctx, api.Folder+"/") {
		if err != nil {
			return nil, err
		}
		path, ok := api.ParsePath(o.Key)
		if !ok {
			continue // somebody else's
		}
		files = append(files, tree.Entry{Path: path})
		f := listedFile{path: path}
		if len(o.ETag) == hex.EncodedLen(len(f.md5)) {
			if _, err := hex.Decode(f.md5[:], []byte(o.ETag)); err == nil {
				prev.listed = append(prev.listed, f)
			}
		}
	}
	fits, err := p.headersFit(ctx, prev.listed)
	if !fits {
		prev.listed = nil
	}
	if len(files) > 0 && err == nil {
		files, err = p.lookAtErrorBodies(ctx, prev, files)
	}
	tree.SortRun(files)
	prev.files = slices.Values(files)
	slices.SortFunc(prev.listed, func(a, b listedFile) int { return a.path.Compare(b.path) })
	return prev, err
}

// lookAtErrorBodies adds the bodies of errors, which are not below pages, to a list.
func (p *publisher) lookAtErrorBodies(ctx context.Context, prev *previous, files []tree.Entry) ([]tree.Entry, error) {
	for _, name := range api.ErrorFiles {
		path, _ := api.ParsePath(name)
		object, err := p.store.get(ctx, name, headLimit)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && object.Headers == p.headersOf(path):
			prev.listed = append(prev.listed, listedFile{path, md5.Sum(object.Data)})
		case err != nil && !errors.Is(err, ErrTooLarge):
			return nil, err
		}
		files = append(files, tree.Entry{Path: path})
	}
	return files, nil
}

// headersFit looks at some objects of a list, which does not say their headers: those of
// another program are sent again.
func (p *publisher) headersFit(ctx context.Context, listed []listedFile) (bool, error) {
	const most, limit = 4, 1 << 30
	samples := min(most, len(listed))
	for i := range samples {
		path := listed[i*(len(listed)-1)/max(samples-1, 1)].path // the first and the last among them
		object, err := p.store.get(ctx, path.String(), limit)
		if errors.Is(err, fs.ErrNotExist) || err == nil && object.Headers != p.headersOf(path) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
