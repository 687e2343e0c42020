package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

// folderFlags are the flags that say how a build treats its output folder.
type folderFlags struct {
	wait        bool
	keepRemoved age
}

func (f *folderFlags) add(command *cobra.Command) {
	addWait(command, &f.wait)
	command.Flags().Var(&f.keepRemoved, "keep-removed",
		"keep files of records and list pages that left the lists for this `time`, as in 10m or 24h, for clients that hold older lists")
	command.RegisterFlagCompletionFunc("keep-removed", cobra.NoFileCompletions)
}

func (f *folderFlags) apply(command *cobra.Command, o *generator.Options) {
	o.KeepRemoved = time.Duration(f.keepRemoved)
	if f.wait {
		o.OnWait = sayWaiting(command, o.Out)
	}
}

// checkCache refuses a cache in a place from where it would be published, or read
// as pages.
func checkCache(command *cobra.Command, o *generator.Options) error {
	if !command.Flags().Changed("cache") {
		return nil
	}
	if o.Cache == "" {
		return errors.New("--cache needs the name of a folder")
	}
	cache, err := fsutil.Resolve(o.Cache)
	if err != nil {
		return nil // the build says why it cannot be kept, and does without
	}
	if own, err := fsutil.Resolve(filepath.Join(o.Out, ".sivu")); err == nil && cache == own {
		return nil // the place that it has without the flag
	}
	if err := checkApart(cache, o); err != nil {
		return fmt.Errorf("cannot keep anything in --cache %s: %w", diag.Quote(o.Cache), err)
	}
	return nil
}

func addWait(command *cobra.Command, wait *bool) {
	command.Flags().BoolVar(wait, "wait", false, "wait while another build is at work on the output folder")
}

// sayWaiting returns what tells a person why nothing happens.
func sayWaiting(command *cobra.Command, out string) func() {
	return func() {
		say(command.ErrOrStderr(), "waiting for another build on %s to end; Ctrl-C ends the waiting", diag.Quote(out))
	}
}

// age is a flag that is a length of time, not below 0.
type age time.Duration

func (a *age) String() string {
	if *a == 0 {
		return "" // none was given
	}
	return time.Duration(*a).String()
}

func (*age) Type() string { return "duration" }

func (a *age) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("give a time as in 30s, 10m or 24h")
	}
	*a = age(d)
	return nil
}
