package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// bench measures the program sivu in the folder dir.
type bench struct {
	sivu string
	dir  string
	runs int
}

// figures are those of one run of one program.
type figures struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
}

// measure prints the figures for a corpus of n records. The programs take
// turns, so that a noisy moment of the machine hits them alike.
func (b *bench) measure(ctx context.Context, n int) error {
	corpus := filepath.Join(b.dir, fmt.Sprintf("corpus-%d", n))
	out := filepath.Join(b.dir, "out")
	kept := filepath.Join(b.dir, "snapshot")
	defer os.RemoveAll(corpus)
	defer os.RemoveAll(out)
	defer os.RemoveAll(kept)
	if err := makeCorpus(corpus, n); err != nil {
		return err
	}
	if _, err := timed(ctx, b.sivu, "build", "--quiet", "--content", corpus, "--out", kept); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	programs := []struct {
		name    string
		command []string
	}{
		{"sivu", []string{b.sivu, "build", "--quiet", "--content", corpus, "--out", out}},
		{"floor", []string{self, "floor", corpus, out}},
		{"write", []string{self, "write", kept, out}},
	}
	results := make([][]figures, len(programs))
	for range b.runs {
		for i, p := range programs {
			if err := os.RemoveAll(out); err != nil {
				return err
			}
			f, err := timed(ctx, p.command...)
			if err != nil {
				return err
			}
			results[i] = append(results[i], f)
		}
	}
	fmt.Printf("%d records, medians of %d runs\n", n, b.runs)
	for i, p := range programs {
		fmt.Printf("  %-6s %8.3f s wall %8.1f us CPU per record %8.1f MB peak\n", p.name,
			median(results[i], func(f figures) float64 { return f.wall.Seconds() }),
			median(results[i], func(f figures) float64 { return float64(f.cpu.Microseconds()) / float64(n) }),
			median(results[i], func(f figures) float64 { return float64(f.peak) / 1e6 }))
	}
	pairs := make([]int, b.runs)
	for i := range pairs {
		pairs[i] = i
	}
	ratio := func(of func(figures) time.Duration) float64 {
		return median(pairs, func(i int) float64 { return of(results[0][i]).Seconds() / of(results[1][i]).Seconds() })
	}
	fmt.Printf("  sivu/floor: %.2f wall, %.2f CPU\n",
		ratio(func(f figures) time.Duration { return f.wall }), ratio(func(f figures) time.Duration { return f.cpu }))
	return nil
}

// timed runs a command and returns what it took.
func timed(ctx context.Context, command ...string) (figures, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stderr = os.Stderr
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return figures{}, fmt.Errorf("%s: %w", command[0], err)
	}
	return figures{wall: wall, cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peak: peakMemory(c.ProcessState)}, nil
}

func median[T any](list []T, of func(T) float64) float64 {
	values := make([]float64, len(list))
	for i, v := range list {
		values[i] = of(v)
	}
	slices.Sort(values)
	if n := len(values); n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[len(values)/2]
}
