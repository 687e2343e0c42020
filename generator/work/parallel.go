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
	nextBatch := func() int { return int(next.Add(Batch)) - Batch }
	for range min(jobs, Batches(n)) {
		group.Go(func() error {
			work, end := newWorker()
			var err error
			for start := nextBatch(); start < n && err == nil; start = nextBatch() {
				for i := start; i < min(start+Batch, n) && err == nil; i++ {
					if ctx.Err() != nil {
						err = context.Cause(ctx)
					} else {
						err = work(i)
					}
				}
			}
			if endErr := end(); err == nil {
				err = endErr
			}
			return err
		})
	}
	return group.Wait()
}
