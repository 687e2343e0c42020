package generator

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// batch is how many neighbouring pieces of work one worker takes at a time:
// pages of one folder, mostly, so that the folder is opened once.
const batch = 64

// parallel calls work for every i below n. Each of jobs goroutines has a work
// function of its own, made by newWorker, which also returns how it ends. The
// first error, or the end of ctx, stops all.
func parallel(ctx context.Context, jobs, n int, newWorker func() (work func(i int) error, end func() error)) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(jobs, (n+batch-1)/batch) {
		group.Go(func() error {
			work, end := newWorker()
			err := takeBatches(ctx, &next, n, work)
			if endErr := end(); err == nil {
				err = endErr
			}
			return err
		})
	}
	return group.Wait()
}

func takeBatches(ctx context.Context, next *atomic.Int64, n int, work func(i int) error) error {
	for {
		start := int(next.Add(batch)) - batch
		if start >= n {
			return nil
		}
		for i := start; i < min(start+batch, n); i++ {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := work(i); err != nil {
				return err
			}
		}
	}
}
