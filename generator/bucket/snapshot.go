package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/tree"
)

// Snapshot is the tree that was published last. It can be read until another one is
// published.
type Snapshot struct {
	*tree.Tree
	ctx   context.Context
	files *area
}

// Open reads the tree in the state of a bucket. Of the options, only the stores and their
// addresses count. The error is an [*Error] where nothing was published, or a publication
// did not end.
func Open(ctx context.Context, o Options) (*Snapshot, error) {
	state := session{area: &area{store: o.State, at: o.StateAt}}
	if err := state.read(ctx); err != nil {
		return nil, err
	}
	h := state.head
	const publish = "bring it to a snapshot with sivu publish"
	switch {
	case state.damage != nil:
		return nil, &Error{fmt.Sprintf("it is not known what %s holds: %v", o.At, state.damage), publish, state.damage}
	case h == nil || h.Tree == nil:
		return nil, &Error{fmt.Sprintf("%s holds no snapshot", o.At), "name the address that was given to sivu publish", nil}
	case h.Lock != nil:
		return nil, &Error{fmt.Sprintf("%s holds files of two snapshots: a publication is at work there, or did not end", o.At),
			"wait until it ends, or complete it with sivu publish", nil}
	}
	t, _, err := state.loadTree(ctx, h.Tree)
	if err != nil {
		return nil, fmt.Errorf("the state of %s cannot be used: %w", o.At, err)
	}
	return &Snapshot{t, ctx, &area{store: o.Store, at: o.At}}, nil
}

// Read returns the bytes of a file. What is not as the tree says is an error.
func (s *Snapshot) Read(p api.Path) ([]byte, error) {
	at := s.Cursor()
	at.Seek(p)
	e, err := at.Peek()
	if err == io.EOF || err == nil && e.Path != p {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	object, err := s.files.get(s.ctx, p.String(), int64(e.Size))
	if err != nil {
		return nil, err
	}
	if tree.SumOf(object.Data) != e.Sum {
		return nil, errors.New("it is not what sivu published there")
	}
	return object.Data, nil
}
