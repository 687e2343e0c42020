package main

import (
	"os"
	"runtime/debug"
)

// tuneMemory trades some of the collector's work against the peak: sivu's
// memory is mostly records that stay to the end of a run. GOGC, where it is
// set, has its way.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}
