package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"

	"example.org/sivu/generator"
	"example.org/sivu/generator/work"
)

// runProfile builds the snapshot of a corpus into out, as sivu does, and then
// runs the floor into a folder beside it that is removed again. It prints which
// step of both took which processor time.
func runProfile(ctx context.Context, corpus, out string, w io.Writer) error {
	var n int
	build, err := profiled(func() (err error) {
		n, err = buildAll(ctx, corpus, out)
		return err
	})
	if err != nil {
		return err
	}
	beside, err := os.MkdirTemp(filepath.Dir(filepath.Clean(out)), ".floor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(beside)
	floor, err := profiled(func() error { return runFloor(corpus, beside) })
	if err != nil {
		return err
	}
	return printSteps(w, n, build, floor)
}

// buildAll builds as sivu does, whatever is in out, and returns how many records
// there are.
func buildAll(ctx context.Context, corpus, out string) (int, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work.TuneMemory(ctx)
	result, err := generator.Build(ctx, generator.Options{Content: corpus, Out: out, Full: true})
	if err != nil {
		return 0, err
	}
	if result.Failed || result.Records == 0 {
		return 0, fmt.Errorf("%d records were built: %v", result.Records, result.Report.Diagnostics)
	}
	return result.Records, nil
}

// usage is where the time of a program went.
type usage struct {
	wall  time.Duration
	steps []spent // in the order of steps, and then the rest
}

// spent is processor time.
type spent struct {
	all    time.Duration
	system time.Duration // of all, in system calls
}

func (s *spent) add(other spent) { s.all, s.system = s.all+other.all, s.system+other.system }

// total is the time of all steps.
func (u *usage) total() (all spent) {
	for _, s := range u.steps {
		all.add(s)
	}
	return all
}

// profiled runs a program and returns where its time went.
func profiled(program func() error) (*usage, error) {
	var data bytes.Buffer
	if err := pprof.StartCPUProfile(&data); err != nil {
		return nil, err
	}
	start := time.Now()
	err := program()
	wall := time.Since(start)
	pprof.StopCPUProfile()
	if err != nil {
		return nil, err
	}
	p, err := profile.Parse(&data)
	if err != nil {
		return nil, err
	}
	return &usage{wall, attribute(p)}, nil
}

// printSteps prints the time of each step for one of n records.
func printSteps(w io.Writer, n int, build, floor *usage) error {
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(n) }
	all, least := build.total(), floor.total()
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / max(all.all.Seconds(), 1e-9) }
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d records: us of CPU for each\n", n)
	fmt.Fprintf(&b, "  %-24s %8s %7s %12s %8s\n", "", "sivu", "", "system calls", "floor")
	line := func(name string, s, f spent) {
		fmt.Fprintf(&b, "  %-24s %8.1f %5.1f %% %12.1f %8.1f\n", name, each(s.all), share(s.all), each(s.system), each(f.all))
	}
	for i, s := range steps {
		line(s.name, build.steps[i], floor.steps[i])
	}
	line("rest", build.steps[len(steps)], floor.steps[len(steps)])
	line("together", all, least)
	fmt.Fprintf(&b, "  %.2f s wall, the floor %.2f s\n", build.wall.Seconds(), floor.wall.Seconds())
	_, err := w.Write(b.Bytes())
	return err
}
