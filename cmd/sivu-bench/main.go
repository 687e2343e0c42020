// Command sivu-bench measures whole builds: it makes a corpus, runs sivu and
// programs that show how fast such a job can be at all, and prints medians, and
// ratios of runs that were made next to each other.
//
//	sivu-bench [flags]              measure; see -help
//	sivu-bench corpus FOLDER N      write the corpus of N records
//	sivu-bench floor CORPUS OUT     read, render with goldmark, encode, write: nothing else
//	sivu-bench write SNAPSHOT OUT   write files of the names and sizes of a snapshot
//	sivu-bench stat CORPUS          walk a corpus, and stat every file
//	sivu-bench lists SNAPSHOT OUT   write its list pages, each under another name first, and print the seconds
//	sivu-bench made OUT N           build N records whose sources are made while they are read
//	sivu-bench sources N            make those sources as often as a build reads them
//	sivu-bench timed COMMAND...     run a command, and print what it took as JSON
//	sivu-bench profile CORPUS OUT   build, and show which step takes which time, beside the floor
//
// Of more than 200,000 records there are no sources on disk: those sizes are
// built by sivu-bench itself, with the package that sivu is made of, beside
// smaller ones that are built in the same way. What it takes to make the sources
// is told apart. Only the output needs a disk, and is removed.
//
// The floor reads each file, cuts off the front matter without a look, renders
// the rest with the extensions that sivu uses, encodes both variants and writes
// them. It reads no front matter, cleans nothing, resolves no links, has no
// list pages, stages nothing and keeps no manifest.
//
// Rebuilds are measured after changes that are undone again: none at all, one
// body, one record on top of all lists, a new time of every file. What they may
// take is judged by the walk and the writing of list pages that were run beside
// them. Where a size has limits (see limits.go) and one is missed, sivu-bench
// says so, goes on, and ends with an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sivu-bench:", err)
		os.Exit(1)
	}
}

// subcommand is a program that is measured beside sivu, or helps to look closer.
type subcommand struct {
	name      string
	arguments int
	run       func(ctx context.Context, args []string) error
}

var subcommands = []subcommand{
	{"corpus", 2, func(_ context.Context, args []string) error { return writeCorpus(args[0], args[1]) }},
	{"floor", 2, func(_ context.Context, args []string) error { return runFloor(args[0], args[1]) }},
	{"write", 2, func(_ context.Context, args []string) error { return runWrite(args[0], args[1]) }},
	{"stat", 1, func(_ context.Context, args []string) error { return runStat(args[0]) }},
	{"lists", 2, func(_ context.Context, args []string) error { return runLists(args[0], args[1], os.Stdout) }},
	{"made", 2, func(ctx context.Context, args []string) error { return runMade(ctx, args[0], args[1], os.Stdout) }},
	{"sources", 1, func(_ context.Context, args []string) error { return runSources(args[0]) }},
	{"profile", 2, func(ctx context.Context, args []string) error { return runProfile(ctx, args[0], args[1], os.Stdout) }},
}

func run(ctx context.Context, args []string) error {
	if len(args) > 1 && args[0] == "timed" {
		return runTimed(ctx, args[1:], os.Stdout)
	}
	for _, c := range subcommands {
		if len(args) == 1+c.arguments && args[0] == c.name {
			return c.run(ctx, args[1:])
		}
	}
	var b bench
	flags := flag.NewFlagSet("sivu-bench", flag.ContinueOnError)
	flags.StringVar(&b.sivu, "sivu", "", "the `program` to measure")
	flags.StringVar(&b.dir, "dir", "", "`folder` to work in; a tmpfs takes the disk out of the figures")
	flags.IntVar(&b.runs, "runs", 5, "runs of each program")
	flags.BoolVar(&b.archives, "archives", false, "compare the forms of a snapshot: a folder, and archives")
	sizes := flags.String("n", "1200,12000,100008", "numbers of records")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.sivu == "" || b.dir == "" || b.runs < 1 || flags.NArg() > 0 {
		return fmt.Errorf("-sivu and -dir must be given, -runs be at least 1, and nothing follow the flags")
	}
	b.out = os.Stdout
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := records(size)
		if err != nil {
			return err
		}
		measure := b.measure
		if n > onDisk {
			measure = b.measureMade
		}
		if err := measure(ctx, n); err != nil {
			return err
		}
	}
	return errors.Join(b.missed...)
}

// writeCorpus keeps a corpus, for a closer look than measure takes.
func writeCorpus(folder, size string) error {
	n, err := records(size)
	if err != nil {
		return err
	}
	return makeCorpus(folder, n)
}

// records returns a number of records that all languages can share.
func records(size string) (int, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < len(languages) || n%len(languages) != 0 {
		return 0, fmt.Errorf("%q records: give a multiple of %d", size, len(languages))
	}
	return n, nil
}
