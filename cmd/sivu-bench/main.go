//go:build linux || darwin || freebsd

// Command sivu-bench measures whole builds, as ratios to programs that were run
// beside them:
//
//	sivu-bench [flags]              measure; see -help
//	sivu-bench corpus FOLDER N      write the corpus of N records
//	sivu-bench floor CORPUS OUT     the baseline: read, render with goldmark, encode, write
//	sivu-bench stat CORPUS          walk a corpus, and stat every file
//	sivu-bench lists SNAPSHOT OUT   write its list pages, and print how long that took
//	sivu-bench million OUT N        build N records whose sources are made while they are read
//
// The floor reads each file, cuts off the front matter without a look, renders
// the rest with the extensions that sivu uses, encodes both variants and writes
// them. It reads no front matter, cleans nothing, resolves no links, has no
// list pages, stages nothing and keeps no manifest.
//
// Rebuilds are measured after changes of the corpus that are undone again. They
// are compared with a walk that stats every source, and with writing the list
// pages. Where a size has a limit (see judge) that is missed, sivu-bench says so,
// goes on, and ends with an error.
//
// A corpus of more than 200,000 records is made while it is read: only the
// output needs a disk.
//
// Where the time of a build goes, go tool pprof shows: see make bench-profile.
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

func run(ctx context.Context, args []string) error {
	switch strings.Join(args[:min(1, len(args))], "") + strconv.Itoa(len(args)-1) {
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
		return runMillion(ctx, args[1], args[2])
	}
	b := bench{out: os.Stdout}
	flags := flag.NewFlagSet("sivu-bench", flag.ContinueOnError)
	flags.StringVar(&b.sivu, "sivu", "", "the `program` to measure")
	flags.StringVar(&b.dir, "dir", "", "`folder` to work in; a tmpfs takes the disk out of the figures")
	flags.IntVar(&b.runs, "runs", 5, "runs of each program")
	sizes := flags.String("n", "1200,12000,100008", "numbers of records")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.sivu == "" || b.dir == "" || b.runs < 1 || flags.NArg() > 0 {
		return fmt.Errorf("-sivu and -dir must be given, -runs be at least 1, and nothing follow the flags")
	}
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := records(size)
		if err != nil {
			return err
		}
		measure := b.measure
		if n > onDisk {
			measure = b.measureMillion
		}
		if err := measure(ctx, n); err != nil {
			return err
		}
	}
	return errors.Join(b.missed...)
}

// records returns a number of records that all languages can share.
func records(size string) (int, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < len(languages) || n%len(languages) != 0 {
		return 0, fmt.Errorf("%q records: give a multiple of %d", size, len(languages))
	}
	return n, nil
}
