package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
)

// screen shows a run to whoever started it: progress while it lasts, then
// problems and a summary. Answers for programs go to standard output alone.
type screen struct {
	out, err io.Writer
	format   diag.Format
	progress generator.Progress
	stop     chan struct{}
	stopped  sync.WaitGroup
}

// newScreen checks the flags that concern it, and begins to show progress.
func newScreen(command *cobra.Command, flags *pageFlags) (*screen, error) {
	format, ok := diag.FormatNamed(flags.format)
	if !ok {
		return nil, fmt.Errorf("unknown format %s: give %s", diag.Quote(flags.format), choices(formatNames()))
	}
	s := &screen{out: command.OutOrStdout(), err: command.ErrOrStderr(), format: format, stop: make(chan struct{})}
	flags.options.Progress = &s.progress
	switch {
	case flags.quiet || format.Name != diag.Formats[0].Name:
	case isTerminal(s.err):
		s.stopped.Go(s.drawBar)
	default:
		s.progress.OnStage = func(stage string, total int) {
			if total > 0 {
				stage = fmt.Sprintf("%s: %d", stage, total)
			}
			fmt.Fprintln(s.err, stage)
		}
	}
	return s, nil
}

// end takes the progress bar away.
func (s *screen) end() {
	close(s.stop)
	s.stopped.Wait()
}

// drawBar shows the progress of a run that takes long enough to be looked at.
func (s *screen) drawBar() {
	const interval = 100 * time.Millisecond
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	var bar *progressbar.ProgressBar
	var shown string
	for {
		select {
		case <-s.stop:
			if bar != nil {
				bar.Clear()
			}
			return
		case <-ticker.C:
		}
		stage, done, total := s.progress.Now()
		if bar == nil || stage != shown {
			if bar != nil {
				bar.Clear()
			}
			bar, shown = newBar(s.err, stage, total), stage
		}
		bar.Set(min(done, max(total, 1)))
	}
}

// newBar returns a bar for one stage; a stage of unknown length has a spinner.
func newBar(w io.Writer, stage string, total int) *progressbar.ProgressBar {
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-17s", stage)),
		progressbar.OptionShowCount(),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionUseANSICodes(os.Getenv("TERM") != "dumb"),
	)
}

// show prints problems and the summary, and returns errProblems where the
// problems decide the exit status.
func (s *screen) show(result *generator.Result, flags *pageFlags) error {
	problems, summary := s.err, s.out
	if s.format.Name != diag.Formats[0].Name {
		problems, summary = s.out, s.err
	}
	if err := s.format.Print(problems, result.Report, hasColor(problems)); err != nil {
		return err
	}
	if flags.options.DryRun && !result.Failed {
		if err := printChanges(s.out, result); err != nil {
			return err
		}
	}
	if !flags.quiet {
		if err := printSummary(summary, result, flags, width(summary)); err != nil {
			return err
		}
	}
	if result.Failed {
		return errProblems
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func hasColor(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// width returns the number of columns to fill.
func width(w io.Writer) int {
	const usual = 80
	f, ok := w.(*os.File)
	if !ok {
		return usual
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return usual
	}
	return columns
}

// wrapped returns the items in lines of at most columns, each after the indent.
func wrapped(items []string, indent string, columns int) string {
	var b strings.Builder
	used := columns
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if used+1+len([]rune(item)) > columns {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			used = len(indent)
		} else {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(item)
		used += len([]rune(item))
	}
	return b.String()
}
