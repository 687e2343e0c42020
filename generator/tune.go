package generator

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// TuneMemory lets the garbage collector wait for about the same amount of garbage,
// whatever the size of the site, until ctx ends. By itself it would
// run every few megabytes while a site is small, and let a large one grow to
// twice of what it needs. GOGC, where it is set, has its way.
func TuneMemory(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const interval = 20 * time.Millisecond
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	percent := gcPercent(0)
	debug.SetGCPercent(percent)
	go func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			metrics.Read(live)
			if live[0].Value.Kind() != metrics.KindUint64 {
				return
			}
			// Each change stops the program for a moment.
			if wanted := gcPercent(live[0].Value.Uint64()); max(wanted, percent)-min(wanted, percent) > percent/10 {
				percent = wanted
				debug.SetGCPercent(percent)
			}
		}
	}()
}

// gcPercent returns how far the heap may grow over what is live.
func gcPercent(live uint64) int {
	const (
		usual = 40 << 20
		large = 48 << 20 // of what is live; then every byte counts
		tight = 20 << 20
	)
	headroom := uint64(usual)
	if live > large {
		headroom = tight
	}
	return int(min(max(100*headroom/max(live, 1), 35), 800))
}
