package work

import (
	"cmp"
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// TuneMemory lets the garbage collector wait for about the same amount of garbage,
// whatever the size of the site, until ctx ends. By itself it would
// run every few megabytes while a site is small, and let a large one grow to
// twice of what it needs. GOGC and GOMEMLIMIT take precedence.
func TuneMemory(ctx context.Context) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const interval = 20 * time.Millisecond
	tuneFor(0)
	go func() {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		tuned := uint64(0)
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			metrics.Read(sample)
			// Each change stops the program for a moment.
			live := sample[0].Value.Uint64()
			if max(live, tuned)-min(live, tuned) > tuned/16 {
				tuned = live
				tuneFor(live)
			}
		}
	}()
}

// tuneFor tunes the garbage collector for so many bytes that are live.
func tuneFor(live uint64) {
	debug.SetGCPercent(gcPercent(live))
	debug.SetMemoryLimit(memoryLimit(live))
}

// room is how many bytes of garbage a large site may leave: so 100,000 records need less
// than 256 MB.
var room atomic.Uint64

const defaultRoom = 112 << 20

// LimitGarbage sets how many bytes of garbage there may be where much is live, for a
// command with a limit of its own.
func LimitGarbage(bytes uint64) { room.Store(bytes) }

// gcPercent returns how far the heap may grow over what is live, in percent.
func gcPercent(live uint64) int {
	const (
		small = 40 << 20 // bytes of garbage in a small site, at most 800 percent
		least = 40       // percent, in the largest: so a million need less than 1 GB
	)
	room := cmp.Or(room.Load(), defaultRoom)
	percent := func(bytes uint64) uint64 { return 100 * bytes / max(live, 1) }
	return int(min(max(percent(small), 160), max(percent(room), least), 800))
}

// memoryLimit returns how many bytes the program may take from the system before
// it gives back what it no longer uses. It is more than gcPercent asks for, so
// that it never makes the garbage collector run.
func memoryLimit(live uint64) int64 {
	const other = 12 << 20
	least := 48<<20 + cmp.Or(room.Load(), defaultRoom)
	return int64(max(least, live+live/100*uint64(gcPercent(live))+other))
}
