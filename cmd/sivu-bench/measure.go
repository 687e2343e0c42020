package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// bench measures the program sivu in the folder dir.
type bench struct {
	sivu     string
	dir      string
	runs     int
	archives bool // compare the forms of a snapshot, and not sivu with its floor
	out      io.Writer
	missed   []error // limits that were not kept
}

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
	if b.archives {
		programs := b.forms(corpus, out)
		results, err := b.takeTurns(ctx, programs, out, n)
		if err == nil {
			b.compareForms(programs, results)
		}
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, _, err := timed(ctx, b.sivu, "build", "--quiet", "--content", corpus, "--out", kept); err != nil {
		return err
	}
	results, err := b.takeTurns(ctx, b.floors(self, corpus, kept, out), out, n)
	if err != nil {
		return err
	}
	b.compareFloor(results)
	b.judge(n, memory(buildMemory, n, results[0]))
	return b.measureRebuilds(ctx, self, corpus, kept, n)
}

// print prints medians of what the programs took for n records.
func (b *bench) print(programs []program, results [][]figures, n int) {
	fmt.Fprintf(b.out, "%d records, medians of %d runs\n", n, b.runs)
	for i, p := range programs {
		fmt.Fprintf(b.out, "  %-7s %8.3f s wall %8.1f us CPU per record %8.1f MB peak %8.1f MB written\n", p.name,
			median(results[i], func(f figures) float64 { return f.wall.Seconds() }),
			median(results[i], func(f figures) float64 { return float64(f.cpu.Microseconds()) / float64(n) }),
			median(results[i], func(f figures) float64 { return float64(f.peak) / 1e6 }),
			median(results[i], func(f figures) float64 { return float64(f.written) / 1e6 }))
	}
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

// takeTurns runs each program as often as wanted, prints what it took for n
// records, and returns it.
func (b *bench) takeTurns(ctx context.Context, programs []program, out string, n int) ([][]figures, error) {
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
	b.print(programs, results, n)
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
func (b *bench) compareFloor(results [][]figures) {
	ratio := func(of func(figures) time.Duration) float64 {
		return median(numbers(b.runs), func(i int) float64 { return of(results[0][i]).Seconds() / of(results[1][i]).Seconds() })
	}
	fmt.Fprintf(b.out, "  sivu/floor: %.2f wall, %.2f CPU\n", ratio(figures.wallTime), ratio(figures.cpuTime))
}

// compareForms tells what writing takes: what a build takes beyond a check, run
// by run.
func (b *bench) compareForms(programs []program, results [][]figures) {
	for i, p := range programs[1:] {
		beyond := func(of func(figures) time.Duration) float64 {
			return median(numbers(b.runs), func(run int) float64 { return (of(results[i+1][run]) - of(results[0][run])).Seconds() })
		}
		fmt.Fprintf(b.out, "  %s beyond check: %.2f s wall, %.2f s CPU\n", p.name, beyond(figures.wallTime), beyond(figures.cpuTime))
	}
}

// numbers are the numbers of so many runs.
func numbers(runs int) []int {
	list := make([]int, runs)
	for i := range list {
		list[i] = i
	}
	return list
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
