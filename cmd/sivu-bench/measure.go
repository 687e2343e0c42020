package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bench measures the program sivu in the folder dir.
type bench struct {
	sivu     string
	dir      string
	runs     int
	archives bool // compare the forms of a snapshot, and not sivu with its floor
}

// figures are those of one run of one program.
type figures struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
	written   int64 // bytes of files
}

func (f figures) wallTime() time.Duration { return f.wall }
func (f figures) cpuTime() time.Duration  { return f.cpu }

// program is one that is measured.
type program struct {
	name    string
	command []string
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
	programs, compare := b.forms(corpus, out), b.compareForms
	if !b.archives {
		if _, _, err := timed(ctx, b.sivu, "build", "--quiet", "--content", corpus, "--out", kept); err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		programs, compare = b.floors(self, corpus, kept, out), b.compareFloor
	}
	results, err := b.takeTurns(ctx, programs, out)
	if err != nil {
		return err
	}
	fmt.Printf("%d records, medians of %d runs\n", n, b.runs)
	for i, p := range programs {
		fmt.Printf("  %-7s %8.3f s wall %8.1f us CPU per record %8.1f MB peak %8.1f MB written\n", p.name,
			median(results[i], func(f figures) float64 { return f.wall.Seconds() }),
			median(results[i], func(f figures) float64 { return float64(f.cpu.Microseconds()) / float64(n) }),
			median(results[i], func(f figures) float64 { return float64(f.peak) / 1e6 }),
			median(results[i], func(f figures) float64 { return float64(f.written) / 1e6 }))
	}
	compare(programs, results)
	return nil
}

// floors are sivu, and programs that show how fast its job can be at all.
func (b *bench) floors(self, corpus, kept, out string) []program {
	return []program{
		{"sivu", []string{b.sivu, "build", "--quiet", "--content", corpus, "--out", out}},
		{"floor", []string{self, "floor", corpus, out}},
		{"write", []string{self, "write", kept, out}},
	}
}

// forms are the forms that sivu writes a snapshot in, after a check, which does
// the same but writes nothing.
func (b *bench) forms(corpus, out string) []program {
	list := []program{
		{"check", []string{b.sivu, "check", "--quiet", "--content", corpus}},
		{"folder", []string{b.sivu, "build", "--quiet", "--content", corpus, "--out", out}},
	}
	for _, form := range []string{"tar.zst", "zip", "tar"} {
		list = append(list, program{form, []string{b.sivu, "build", "--quiet", "--content", corpus, "--archive", filepath.Join(out, "snapshot."+form)}})
	}
	return list
}

// takeTurns runs each program as often as wanted, and returns what it took.
func (b *bench) takeTurns(ctx context.Context, programs []program, out string) ([][]figures, error) {
	results := make([][]figures, len(programs))
	for range b.runs {
		for i, p := range programs {
			if err := os.RemoveAll(out); err != nil {
				return nil, err
			}
			if err := os.Mkdir(out, 0o755); err != nil {
				return nil, err
			}
			f, _, err := timed(ctx, p.command...)
			if err == nil {
				f.written, err = sizeOf(out)
			}
			if err != nil {
				return nil, err
			}
			results[i] = append(results[i], f)
		}
	}
	return results, nil
}

// sizeOf returns the size of all files below a folder.
func sizeOf(folder string) (size int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// compareFloor compares sivu with its floor, run by run.
func (b *bench) compareFloor(_ []program, results [][]figures) {
	ratio := func(of func(figures) time.Duration) float64 {
		return median(b.numbers(), func(i int) float64 { return of(results[0][i]).Seconds() / of(results[1][i]).Seconds() })
	}
	fmt.Printf("  sivu/floor: %.2f wall, %.2f CPU\n", ratio(figures.wallTime), ratio(figures.cpuTime))
}

// compareForms tells what writing takes: what a build takes beyond a check, run
// by run.
func (b *bench) compareForms(programs []program, results [][]figures) {
	for i, p := range programs[1:] {
		beyond := func(of func(figures) time.Duration) float64 {
			return median(b.numbers(), func(run int) float64 { return (of(results[i+1][run]) - of(results[0][run])).Seconds() })
		}
		fmt.Printf("  %s beyond check: %.2f s wall, %.2f s CPU\n", p.name, beyond(figures.wallTime), beyond(figures.cpuTime))
	}
}

// numbers are the numbers of the runs.
func (b *bench) numbers() []int {
	list := make([]int, b.runs)
	for i := range list {
		list[i] = i
	}
	return list
}

// timed runs a command and returns what it took, and what it printed.
func timed(ctx context.Context, command ...string) (figures, string, error) {
	var printed strings.Builder
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = &printed, os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return figures{}, "", fmt.Errorf("%s: %w", command[0], err)
	}
	return figures{wall: wall, cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peak: peakMemory(c.ProcessState)}, printed.String(), nil
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
