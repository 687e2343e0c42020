package bucket

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"example.org/sivu/generator/tree"
)

// stage numbers the sets of steps that have to wait for each other, in their order: the
// first list page, to which clients come first, waits for the others.
func stage(s *tree.Step) int {
	first := 0
	if s.Path.IsList() && s.Path.Number() <= 1 && !s.Op.IsRemove() {
		first = 1
	}
	return 2*s.Rank() + first
}

var stageNames = [tree.FirstRemoval]string{"records", "list pages", "files of the host", "list pages", "error bodies"}

// apply sends and removes objects, those of one stage in parallel.
func (p *publisher) apply(ctx context.Context, pl *plan) error {
	for steps := pl.steps; len(steps) > 0; {
		end := slices.IndexFunc(steps, func(s tree.Step) bool { return stage(&s) != stage(&steps[0]) })
		if end < 0 {
			end = len(steps)
		}
		if err := p.applyStage(ctx, steps[:end]); err != nil {
			return err
		}
		steps = steps[end:]
	}
	return nil
}

func (p *publisher) applyStage(ctx context.Context, steps []tree.Step) error {
	name := "removing"
	if !steps[0].Op.IsRemove() {
		name = "sending " + stageNames[steps[0].Rank()]
	}
	p.Progress(name, 0, len(steps))
	var done atomic.Int64
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i := range steps {
		if limited.Err() != nil {
			break
		}
		group.Go(func() error {
			err := p.applyStep(limited, &steps[i])
			p.Progress(name, int(done.Add(1)), len(steps))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (p *publisher) applyStep(ctx context.Context, s *tree.Step) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.Op.IsRemove() {
		return p.store.delete(ctx, s.Path.String())
	}
	data, err := p.snapshot.Read(s.Path)
	if err != nil {
		return err
	}
	if tree.SumOf(data) != s.New {
		return &Error{s.Path.String() + " is not as it was built", "build anew, and publish again: what was sent until now is put right then", nil}
	}
	_, err = p.store.put(ctx, s.Path.String(), data, p.headersOf(s.Path), Condition{})
	return err
}

// sweep removes objects of the state that publishers left which did not end before they
// had the lock. While it is held, no other publisher needs one that head does not name.
func (p *publisher) sweep(ctx context.Context, old *head, pl *plan) error {
	used := slices.Concat(pl.next.objects(), named(old))
	for o, err := range p.session.list(ctx, treeFolder) {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(o.Key, treeFolder)
		if !isSum(name) || slices.Contains(used, name) {
			continue
		}
		if err := p.session.delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}

// removeReplaced removes the objects of trees that head does not name any more. What is
// left after a failure is swept when the next base is written.
func (p *publisher) removeReplaced(ctx context.Context, old *head, pl *plan) {
	for _, name := range replaced(old, pl) {
		p.session.delete(ctx, treeFolder+name)
	}
}

// replaced returns the objects that the old head names, and the next one does not.
func replaced(old *head, pl *plan) []string {
	return slices.DeleteFunc(named(old), func(name string) bool { return slices.Contains(pl.next.objects(), name) })
}

// named returns the objects that a head names.
func named(h *head) (names []string) {
	if h == nil {
		return nil
	}
	if h.Tree != nil {
		names = h.Tree.objects()
	}
	if h.Lock != nil {
		for _, t := range h.Lock.Plans {
			names = append(names, t.objects()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
