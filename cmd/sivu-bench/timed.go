package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// figures are those of one run of one program.
type figures struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
	written   int64 // bytes of files
}

func (f figures) wallTime() time.Duration { return f.wall }
func (f figures) cpuTime() time.Duration  { return f.cpu }

// taken is what a run took, as the program between tells it.
type taken struct {
	Wall, CPU time.Duration
	Peak      int64
	Printed   string
}

// timed runs a command and returns what it took, and what it printed. A program
// that keeps nothing runs between them: Linux counts as the peak memory of a
// process also that of the one which started it, and this one walks large
// folders.
func timed(ctx context.Context, command ...string) (figures, string, error) {
	self, err := os.Executable()
	if err != nil {
		return figures{}, "", err
	}
	c := exec.CommandContext(ctx, self, append([]string{"timed"}, command...)...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Stderr = os.Stderr
	text, err := c.Output()
	var t taken
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		return figures{}, "", fmt.Errorf("%s: %w", command[0], errors.Join(err, context.Cause(ctx)))
	}
	return figures{wall: t.Wall, cpu: t.CPU, peak: t.Peak}, t.Printed, nil
}

// runTimed runs a command, and prints what it took. What the command has to say
// besides is only told if it fails.
func runTimed(ctx context.Context, command []string, w io.Writer) error {
	var printed, said bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &printed, &said
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	state := c.ProcessState
	return json.NewEncoder(w).Encode(taken{wall, state.UserTime() + state.SystemTime(), peakMemory(state), printed.String()})
}
