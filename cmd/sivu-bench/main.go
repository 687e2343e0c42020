// Command sivu-bench measures whole builds: it makes a corpus, runs sivu and
// two programs that show how fast such a job can be at all, and prints
// medians, and ratios of runs that were made next to each other.
//
//	sivu-bench [flags]              measure; see -help
//	sivu-bench corpus FOLDER N      write the corpus of N records
//	sivu-bench floor CORPUS OUT     read, render with goldmark, encode, write: nothing else
//	sivu-bench write SNAPSHOT OUT   write files of the names and sizes of a snapshot
//	sivu-bench made OUT N           build N records whose sources are made while they are read
//	sivu-bench sources N            make those sources as often as a build reads them
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
package main

import (
	"context"
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

func run(ctx context.Context, args []string) error {
	if len(args) == 3 && args[0] == "floor" {
		return runFloor(args[1], args[2])
	}
	if len(args) == 3 && args[0] == "corpus" {
		return writeCorpus(args[1], args[2])
	}
	if len(args) == 3 && args[0] == "write" {
		return runWrite(args[1], args[2])
	}
	if len(args) == 3 && args[0] == "made" {
		return runMade(ctx, args[1], args[2], os.Stdout)
	}
	if len(args) == 2 && args[0] == "sources" {
		return runSources(args[1])
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
	if b.sivu == "" || b.dir == "" || b.runs < 1 {
		return fmt.Errorf("-sivu and -dir must be given, and -runs be at least 1")
	}
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
	return nil
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
