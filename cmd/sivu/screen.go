package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/work"
)

// screen shows a run to whoever started it: progress while it lasts, then
// problems and a summary.
type screen struct {
	out, err io.Writer
	format   diag.Format
	progress work.Progress
	display
}

// newScreen begins to show progress.
func newScreen(command *cobra.Command, flags *pageFlags) *screen {
	s := &screen{out: command.OutOrStdout(), err: command.ErrOrStderr()}
	s.format, _ = diag.FormatNamed(flags.format) // the flag takes no other name
	flags.options.Progress = &s.progress
	if s.begin(s.err, flags.quiet || !s.forPeople(), s.progress.Now) {
		s.progress.OnStage = func(stage string, total int) {
			if total > 0 {
				stage = fmt.Sprintf("%s: %d", stage, total)
			}
			fmt.Fprintln(s.err, stage)
		}
	}
	return s
}

// forPeople reports whether problems are printed for people and not for
// programs.
func (s *screen) forPeople() bool { return s.format.Name == diag.Formats[0].Name }

// display is a progress bar where there is a terminal for it.
type display struct {
	stop    chan struct{}
	stopped sync.WaitGroup
}

// begin shows what now tells, and reports whether lines are to be printed in place of
// a bar.
func (d *display) begin(w io.Writer, quiet bool, now func() (stage string, done, total int)) bool {
	d.stop = make(chan struct{})
	if !quiet && isScreen(w) && width(w) >= minBar {
		d.stopped.Go(func() { drawBar(w, now, d.stop) })
		return false
	}
	return !quiet
}

// end takes the bar away.
func (d *display) end() {
	close(d.stop)
	d.stopped.Wait()
}

// drawBar shows the progress of a run that takes long enough to be looked at,
// until stop is closed. now tells how far the run is.
func drawBar(w io.Writer, now func() (stage string, done, total int), stop <-chan struct{}) {
	const interval = 100 * time.Millisecond
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	var bar *progressbar.ProgressBar
	var shown string
	for {
		select {
		case <-stop:
			if bar != nil {
				bar.Clear()
			}
			return
		case <-ticker.C:
		}
		stage, done, total := now()
		if stage == "" {
			continue
		}
		if bar == nil || stage != shown {
			if bar != nil {
				bar.Clear()
			}
			bar, shown = newBar(w, stage, total), stage
		}
		bar.Set(min(done, max(total, 1)))
	}
}

// minBar is how many columns a bar needs with its stage and percentage, and
// wideBar how many for counts and times besides.
const (
	minBar  = 32
	wideBar = 70
)

// newBar returns a bar for one stage; a stage of unknown length has a spinner.
func newBar(w io.Writer, stage string, total int) *progressbar.ProgressBar {
	wide := total > 0 && width(w) >= wideBar
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-17s", stage)),
		progressbar.OptionFullWidth(),
		progressbar.OptionSetElapsedTime(wide),
		progressbar.OptionSetPredictTime(wide),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionUseANSICodes(true),
		func(bar *progressbar.ProgressBar) {
			if wide {
				progressbar.OptionShowCount()(bar)
			}
		},
	)
}

// show prints problems and the summary, and returns errProblems where the
// problems decide the exit status. A reader that went away changes nothing of
// what the run did, nor of its exit status.
func (s *screen) show(result *generator.Result, flags *pageFlags) error {
	err := s.print(result, flags)
	switch {
	case result.Failed:
		return errProblems
	case errors.Is(err, syscall.EPIPE):
		return nil
	}
	return err
}

// print keeps what programs read on standard output apart from the rest.
func (s *screen) print(result *generator.Result, flags *pageFlags) error {
	problems, changes, summary := s.err, s.out, s.out
	if !s.forPeople() {
		problems, changes, summary = s.out, s.err, s.err
	}
	if flags.answers {
		summary = s.err
	}
	report := result.Report
	if s.format.FromRoot {
		report = fromRoot(report, os.Getenv("GITHUB_WORKSPACE"))
	}
	var err error
	if s.forPeople() {
		err = printProblems(problems, report)
	} else {
		err = s.format.Print(problems, report, false)
	}
	if flags.options.DryRun && result.Changes != nil {
		err = errors.Join(err, printChanges(changes, result))
	}
	if c := result.Changes; c != nil && c.Leftover != nil {
		s.warn("the snapshot is published, but " + c.Leftover.Error() + " (the next build clears it)")
	}
	if c := result.Changes; c != nil && c.SinceReport.Incomplete && flags.options.Report {
		s.warn("nothing, or not all, is recorded of what changed since the last report: the report may not tell of all")
	}
	if !flags.quiet {
		err = errors.Join(err, toPeople(summary, func(w io.Writer) error {
			return printSummary(w, result, flags, width(summary))
		}))
	}
	return err
}

// printProblems prints problems for people.
func printProblems(w io.Writer, r diag.Report) error {
	return toPeople(w, func(lines io.Writer) error { return diag.Formats[0].Print(lines, r, hasColor(w)) })
}

func (s *screen) warn(text string) { say(s.err, "sivu: warning: %s", diag.Clean(text)) }

// reported makes the next report begin where the one that was written ends.
func (s *screen) reported(result *generator.Result, flags *pageFlags) {
	o := &flags.options
	if !o.Report || o.DryRun || o.Archive != "" || result.Changes == nil {
		return
	}
	if err := folder.Reported(o.Out, result.Changes.Generation); err != nil {
		s.warn("the report is written, and the next one will tell of the same changes again: " + err.Error())
	}
}
