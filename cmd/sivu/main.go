// Command sivu turns a folder of multilingual source pages into a read API of
// plain JSON files.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"example.org/sivu/generator/diag"
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
// ends the run in good order, a second one at once.
func execute() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	tuneMemory()
	err := newRoot().ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errProblems):
		return exitProblems
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "sivu: interrupted; nothing was published")
		return exitFailed
	}
	fmt.Fprintln(os.Stderr, "sivu: "+diag.Clean(err.Error()))
	return exitFailed
}
