//go:build linux || darwin || freebsd

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// figures are those of one run of one program.
type figures struct {
	Wall, CPU time.Duration
	Peak      int64 // bytes of resident memory
	Printed   string
}

// measured runs a command and returns what it took. What the command has to say
// besides is only told if it fails. Linux counts as the peak memory of a process also
// that of the one which started it: this program keeps little.
func measured(ctx context.Context, command ...string) (figures, error) {
	var printed, said bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &printed, &said
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return figures{}, fmt.Errorf("%s: %w: %s", command[0], errors.Join(err, context.Cause(ctx)), bytes.TrimSpace(said.Bytes()))
	}
	state := c.ProcessState
	return figures{wall, state.UserTime() + state.SystemTime(), peakMemory(state), printed.String()}, nil
}

// peakMemory returns the most memory a process had, in bytes. Linux counts it
// in units of 1024 bytes, macOS in bytes.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}

// median returns the median of a value of so many runs.
func median(runs int, of func(run int) float64) float64 {
	values := make([]float64, runs)
	for i := range values {
		values[i] = of(i)
	}
	slices.Sort(values)
	half := len(values) / 2
	if len(values)%2 == 0 {
		return (values[half-1] + values[half]) / 2
	}
	return values[half]
}
