//go:build linux || darwin || freebsd

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.org/sivu/generator"
)

// Flags of BenchmarkSizes; make bench gives them.
var (
	sivuFlag  = flag.String("sivu", "", "the `program` to measure, with its whole path")
	dirFlag   = flag.String("dir", "", "`folder` to work in, with its whole path; a tmpfs takes the disk out of the figures")
	runsFlag  = flag.Int("runs", 5, "runs of each program")
	sizesFlag = flag.String("n", "1200,12000,100008", "numbers of records")
)

// TestMain makes of the test binary also the programs that it runs. The first may be
// of use by itself, as in go test ./generator/bench -args corpus /tmp/corpus 12000.
//
//	corpus FOLDER N      write the corpus of N records
//	floor CORPUS OUT     the floor: see the package comment
//	stat CORPUS          walk a corpus, and stat every file
//	lists SNAPSHOT OUT   write its list pages, and print how long that took
//	million OUT N        build N records whose sources are made while they are read
//	build ...            build, in place of sivu
func TestMain(m *testing.M) {
	flag.Parse()
	args := flag.Args()
	if len(args) == 0 {
		os.Exit(m.Run())
	}
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch args[0] + strconv.Itoa(len(args)-1) {
	case "corpus2":
		n, err := records(args[2])
		if err != nil {
			return err
		}
		return makeCorpus(args[1], n)
	case "floor2":
		return runFloor(args[1], args[2])
	case "stat1":
		return runStat(args[1])
	case "lists2":
		return runLists(args[1], args[2], os.Stdout)
	case "million2":
		return runMillion(context.Background(), args[1], args[2])
	case "build5", "build7":
		return buildAs(args)
	}
	return fmt.Errorf("cannot run %q", args)
}

// buildAs builds as sivu build --quiet --content FOLDER --out FOLDER, and where
// --report FILE follows, writes a report of the changes.
func buildAs(args []string) error {
	result, err := generator.Build(context.Background(), generator.Options{Content: args[3], Out: args[5]})
	if err == nil && result.Failed {
		err = errors.New("the corpus has errors")
	}
	if err != nil || len(args) < 8 {
		return err
	}
	c := result.Changes
	text, err := json.Marshal(map[string]any{"changes": map[string][]string{
		"added": slices.Collect(c.Added.All()), "changed": slices.Collect(c.Changed.All()), "removed": slices.Collect(c.Removed.All()),
	}})
	if err != nil {
		return err
	}
	return os.WriteFile(args[7], text, 0o644)
}

// records returns a number of records that all languages can share.
func records(size string) (int, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < len(languages) || n%len(languages) != 0 {
		return 0, fmt.Errorf("%q records: give a multiple of %d", size, len(languages))
	}
	return n, nil
}

// BenchmarkSizes measures a program in sites of several sizes, and fails where one
// misses a limit. Ctrl-C ends it in good order: nothing is left behind.
func BenchmarkSizes(b *testing.B) {
	if *sivuFlag == "" || *dirFlag == "" || *runsFlag < 1 {
		b.Skip("no program to measure: see make bench")
	}
	ctx, stop := signal.NotifyContext(b.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for size := range strings.SplitSeq(*sizesFlag, ",") {
		b.Run(size, func(b *testing.B) {
			n, err := records(size)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				run := bench{sivu: *sivuFlag, dir: *dirFlag, runs: *runsFlag, out: os.Stdout}
				measure := run.measure
				if n > onDisk {
					measure = run.measureMillion
				}
				if err := measure(ctx, n); err != nil {
					b.Fatal(err)
				}
				for _, err := range run.missed {
					b.Error(err)
				}
			}
		})
	}
}

// BenchmarkBuild builds pages that are made while they are read, into an empty
// folder.
func BenchmarkBuild(b *testing.B) {
	const n = 12_000
	for b.Loop() {
		if err := runMillion(b.Context(), filepath.Join(b.TempDir(), "out"), fmt.Sprint(n)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n*b.N), "us/record")
}
