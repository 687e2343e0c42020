// Command sivu turns a folder of multilingual source pages into a read API of
// plain JSON files.
//
// Standard output is for results that programs can read. Text for people alone
// (progress, problems as text) goes to standard error.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/bucket"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/verify"
	"example.org/sivu/generator/work"
)

// The exit statuses of every command.
const (
	exitDone     = 0
	exitProblems = 1 // pages have problems
	exitFailed   = 2 // sivu could not run
)

// errProblems ends a command whose report has been printed.
var errProblems = errors.New("pages have problems")

func main() {
	os.Exit(execute())
}

// execute runs the command line and returns the exit status. A first Ctrl-C
// ends the run in good order, a second one at once. A reader that goes away, as
// head does, ends no build and is no failure: it only misses the rest of the output.
// For that SIGPIPE is caught and not ignored, as git would inherit that.
func execute() int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	work.TuneMemory(ctx)
	err := newRoot().ExecuteContext(ctx)
	switch {
	case err == nil, isReaderGone(err):
		return exitDone
	case errors.Is(err, errProblems):
		return exitProblems
	}
	printError(os.Stderr, err)
	return exitFailed
}

// isReaderGone reports whether err is of standard output or standard error alone, the
// reader of which went away.
func isReaderGone(err error) bool {
	isOther := func(err error) bool { return !isReaderGone(err) }
	switch err := err.(type) {
	case *fs.PathError:
		return errors.Is(err, syscall.EPIPE) && (err.Path == os.Stdout.Name() || err.Path == os.Stderr.Name())
	case interface{ Unwrap() error }:
		return isReaderGone(err.Unwrap())
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(err.Unwrap(), isOther)
	}
	return false
}

// endings are the signals that ask a run to end: Ctrl-C, a host that shuts down,
// a terminal that is closed. Under nohup the last is ignored, and stays so.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// printError prints why sivu could not run, and the cure where there is one.
func printError(w io.Writer, err error) {
	toPeople(w, func(w io.Writer) error {
		fmt.Fprintln(w, "sivu: "+diag.Clean(err.Error()))
		if hint := hintOf(err); hint != "" {
			fmt.Fprintln(w, "    hint: "+diag.Clean(hint))
		}
		return nil
	})
}

// hintOf returns the cure of an error, and "" where it has none.
func hintOf(err error) string {
	return cmp.Or(
		hintIn(err, func(e *hintedError) string { return e.hint }),
		hintIn(err, func(e *baseurl.Error) string { return e.Hint }),
		hintIn(err, func(e *host.Refusal) string { return e.Hint }),
		hintIn(err, func(e *bucket.Error) string { return e.Hint }),
		hintIn(err, func(e *preview.Error) string { return e.Hint }),
		hintIn(err, func(e *verify.Error) string { return e.Hint }),
	)
}

func hintIn[E error](err error, hint func(E) string) string {
	if e, ok := errors.AsType[E](err); ok {
		return hint(e)
	}
	return ""
}

// hintedError is an error and its cure.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

// hinted is fmt.Errorf for an error with a cure.
func hinted(hint, format string, args ...any) error {
	return &hintedError{fmt.Errorf(format, args...), hint}
}

// interrupted returns the error of a run that was told to stop; left describes the state
// that it leaves behind. Errors of other runs stay as they are.
func interrupted(ctx context.Context, err error, left string) error {
	switch {
	case ctx.Err() == nil:
		return err
	case err.Error() == context.Cause(ctx).Error():
		return errors.New("interrupted; " + left)
	}
	return fmt.Errorf("interrupted: %w", err)
}
