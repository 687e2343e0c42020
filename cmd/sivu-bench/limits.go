package main

import (
	"fmt"
	"time"
)

// peaks are the most bytes of memory that a build of so many records may need,
// whether it builds all or only what changed.
var peaks = map[int]int64{100_008: 120e6, 1_000_008: 1000e6}

// limits are the most that rebuilds may take, beside what is measured with them.
type limits struct {
	noChange float64       // in walks that stat every source
	body     time.Duration // beyond a rebuild where nothing changed
	lists    float64       // beyond the same, in writings of the list pages
}

// rebuildLimits are the limits of a site of so many records. Other sizes have
// none.
var rebuildLimits = map[int]limits{100_008: {noChange: 2, body: 50 * time.Millisecond, lists: 2}}

// figure is something measured that there may be a limit for.
type figure struct {
	name  string
	value float64
	most  float64 // 0 for no limit
	unit  string
}

// judge prints the figures of a corpus of n records, and keeps as an error of
// the whole which of them miss their limit.
func (b *bench) judge(n int, figures ...figure) {
	for _, f := range figures {
		limit := ""
		if f.most > 0 {
			limit = fmt.Sprintf(" (limit %g%s)", f.most, f.unit)
		}
		if f.most > 0 && f.value > f.most {
			limit = fmt.Sprintf(" (limit %g%s: missed)", f.most, f.unit)
			b.missed = append(b.missed, fmt.Errorf("%d records: %s is %.2f%s, and may be %g%s", n, f.name, f.value, f.unit, f.most, f.unit))
		}
		fmt.Fprintf(b.out, "  %s: %.2f%s%s\n", f.name, f.value, f.unit, limit)
	}
}

// Names of figures of memory.
const (
	buildMemory   = "most memory of a build"
	rebuildMemory = "most memory of a rebuild"
)

// memory is the figure of the most memory that any of some runs needed.
func memory(name string, n int, runs ...[]figures) figure {
	var most int64
	for _, list := range runs {
		for _, f := range list {
			most = max(most, f.peak)
		}
	}
	return figure{name, float64(most) / 1e6, float64(peaks[n]) / 1e6, " MB"}
}

// compareRebuilds returns the figures that limits are for, run by run and then
// the median. What a change takes is told beyond the run next to it that found
// none.
func compareRebuilds(n int, results map[string][]figures) []figure {
	l := rebuildLimits[n]
	each := func(of func(wall func(name string) float64) float64) float64 {
		return median(numbers(len(results[noChange])), func(run int) float64 {
			return of(func(name string) float64 { return results[name][run].wall.Seconds() })
		})
	}
	list := []figure{
		{"no change / stat walk", each(func(wall func(string) float64) float64 { return wall(noChange) / wall(statWalk) }), l.noChange, ""},
		{"one body - no change", each(func(wall func(string) float64) float64 { return 1e3 * (wall(oneBody) - wall(noChange)) }), float64(l.body.Milliseconds()), " ms"},
		{"(new record - no change) / list pages", each(func(wall func(string) float64) float64 {
			return (wall(newRecord) - wall(noChange)) / wall(listPages)
		}), l.lists, ""},
	}
	var builds [][]figures
	for name, runs := range results {
		if name != statWalk && name != listPages {
			builds = append(builds, runs)
		}
	}
	return append(list, memory(rebuildMemory, n, builds...))
}
