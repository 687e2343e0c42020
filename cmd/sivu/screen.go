package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/work"
)

// screen shows a run: its progress while it lasts, then what it found, and a summary.
type screen struct {
	out, err  io.Writer
	summary   io.Writer // gets the summary
	quiet     bool      // no progress and no summary
	forPeople bool      // findings are text on standard error; else they are on standard output, for programs

	work.Progress
	stop    chan struct{}
	stopped sync.WaitGroup
}

// newScreen begins to show progress: as a bar where there is a terminal for it, else as
// a line for each stage, which begins with before. format is how findings are printed.
func newScreen(command *cobra.Command, quiet bool, format, before string) *screen {
	s := &screen{out: command.OutOrStdout(), err: command.ErrOrStderr(), quiet: quiet, forPeople: format == "text"}
	s.summary = s.out
	if !s.forPeople {
		s.summary = s.err
	}
	s.stop = make(chan struct{})
	switch {
	case quiet || !s.forPeople:
	case isScreen(s.err) && width(s.err) >= minBar:
		s.stopped.Go(s.drawBar)
	default:
		s.OnStage = func(stage string, total int) {
			if total > 0 {
				stage = fmt.Sprintf("%s: %d", stage, total)
			}
			fmt.Fprintln(s.err, before+stage)
		}
	}
	return s
}

// end takes the bar away.
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
	clear := func() {
		if bar != nil {
			bar.Clear()
		}
	}
	defer func() { clear() }()
	for {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
		stage, done, total := s.Now()
		if stage != shown {
			clear()
			bar, shown = newBar(s.err, stage, total), stage
		}
		if bar != nil {
			bar.Set(min(done, max(total, 1)))
		}
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
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-17s", stage)),
		progressbar.OptionFullWidth(),
		progressbar.OptionSetElapsedTime(wide),
		progressbar.OptionSetPredictTime(wide),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionUseANSICodes(true),
	}
	if wide {
		options = append(options, progressbar.OptionShowCount())
	}
	if total == 0 {
		total = -1
	}
	return progressbar.NewOptions(total, options...)
}

func (s *screen) warn(text string) { say(s.err, "sivu: warning: %s", diag.Clean(text)) }

// findings has print write findings, in color where people see it.
func (s *screen) findings(print func(w io.Writer, color bool) error) error {
	if !s.forPeople {
		return print(s.out, false)
	}
	return toPeople(s.err, func(w io.Writer) error { return print(w, hasColor(s.err)) })
}

// summarize has print write a summary, unless the run is quiet.
func (s *screen) summarize(print func(*summary)) error {
	if s.quiet {
		return nil
	}
	return toPeople(s.summary, func(w io.Writer) error {
		rows := &summary{bufio.NewWriter(w), width(s.summary)}
		print(rows)
		return rows.Flush()
	})
}

// ending returns the error that a run ends with: errProblems if it failed, else the error
// of printing. A reader that went away changes nothing of the run or its exit status.
func ending(failed bool, printing error) error {
	switch {
	case failed:
		return errProblems
	case errors.Is(printing, syscall.EPIPE):
		return nil
	}
	return printing
}

// summary is written in rows: a label, and text in lines of at most so many columns.
type summary struct {
	*bufio.Writer
	columns int
}

// labelWidth is the width of the first column of a summary.
const labelWidth = 12

// row writes a label and a text, and nothing where the text is empty.
func (s *summary) row(label, text string) {
	if text == "" {
		return
	}
	line := wrapLine(fmt.Sprintf("%-*s", labelWidth, label), text, labelWidth, s.columns, "")
	fmt.Fprintln(s, strings.ReplaceAll(line, noBreak, " "))
}

// facts writes a label and those facts that are not empty, with commas between them. No
// line ends within one.
func (s *summary) facts(label string, facts ...string) {
	facts = slices.DeleteFunc(facts, func(fact string) bool { return fact == "" })
	s.row(label, strings.Join(mapped(facts, func(fact string) string { return strings.ReplaceAll(fact, " ", noBreak) }), ", "))
}

// when returns a text where it is true, and "" else.
func when(isTrue bool, text string) string {
	if isTrue {
		return text
	}
	return ""
}

// duration returns d as fine as people care for.
func duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func plural(n int, noun string) string { return diag.Plural(n, noun) }

// byteSize returns n in the largest unit of 1000 that it fills.
func byteSize(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	size := float64(n)
	for _, name := range []string{"kB", "MB"} {
		if size /= unit; size < unit {
			return fmt.Sprintf("%.1f %s", size, name)
		}
	}
	return fmt.Sprintf("%.1f GB", size/unit)
}
