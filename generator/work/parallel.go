package work

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Batch is how many neighbouring pieces of work one worker takes at a time: pages of
// one folder, mostly, so that the folder is opened once.
const Batch = 64

// Batches returns how many batches n pieces of work are.
func Batches(n int) int { return (n + Batch - 1) / Batch }

// Parallel calls work for every i below n. Each of jobs goroutines has a work
// function of its own, made by newWorker, which also returns how it ends. The
// first error, or the end of ctx, stops all.
func Parallel(ctx context.Context, jobs, n int, newWorker func() (work func(i int) error, end func() error)) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(jobs, Batches(n)) {
		group.Go(func() error {
			work, end := newWorker()
			err := doBatches(ctx, &next, n, work)
			if endErr := end(); err == nil {
				err = endErr
			}
			return err
		})
	}
	return group.Wait()
}

func doBatches(ctx context.Context, next *atomic.Int64, n int, work func(i int) error) error {
	for {
		start := int(next.Add(Batch)) - Batch
		if start >= n {
			return nil
		}
		for i := start; i < min(start+Batch, n); i++ {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := work(i); err != nil {
				return err
			}
		}
	}
}
