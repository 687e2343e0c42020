package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
)

// labelWidth is the width of the first column of a summary.
const labelWidth = 12

// summary is written in rows: a label, and facts in lines of at most so many
// columns.
type summary struct {
	*bufio.Writer
	columns int
}

// printSummary writes what a run found and did.
func printSummary(w io.Writer, r *generator.Result, flags *pageFlags, columns int) error {
	s := &summary{bufio.NewWriter(w), columns}
	s.records(r)
	if r.Changes == nil && !r.Failed {
		s.coverage(r)
	}
	if r.MTimeDates {
		s.row("dates", strings.Fields("from mtime too: the same pages may give other bytes on another machine"))
	}
	if c := r.Changes; c != nil {
		s.row("list pages", facts(fmt.Sprint(r.ListPages)))
		s.row("files", facts(fmt.Sprint(c.Files), byteSize(c.Bytes)))
		if flags.options.Archive == "" {
			if c.Adopted {
				s.row("adopted", strings.Fields("a snapshot whose .sivu is lost: every file was compared"))
			}
			s.row("changes", facts(changeTexts(c)...))
			if c.Kept > 0 {
				s.row("kept", strings.Fields(plural(c.Kept, "removed file")+", at most until a build after "+r.KeptUntil.Format(time.DateTime)))
			}
			if r.Rendered < r.Records {
				s.row("read", facts(plural(r.Read, "source"), fmt.Sprintf("%d rendered", r.Rendered)))
			}
		} else {
			s.row("archive", facts(byteSize(r.ArchiveSize)))
		}
		if r.StateError != nil {
			s.row("state", strings.Fields("not kept, so the next build reads everything: "+diag.Clean(r.StateError.Error())))
		}
	}
	if r.Report.Errors+r.Report.Warnings > 0 {
		s.row("problems", facts(plural(r.Report.Errors, "error"), plural(r.Report.Warnings, "warning")))
	}
	fmt.Fprintln(s, outcome(r, flags))
	return s.Flush()
}

// row writes a label and words, which it does not break.
func (s *summary) row(label string, words []string) {
	var b strings.Builder
	whole := mapped(words, func(word string) string { return strings.ReplaceAll(word, " ", noBreak) })
	wrapLine(&b, fmt.Sprintf("%-*s", labelWidth, label), strings.Join(whole, " "), labelWidth, s.columns, "")
	fmt.Fprintln(s, strings.ReplaceAll(b.String(), noBreak, " "))
}

// facts returns texts as the words of one row, with commas between them.
func facts(texts ...string) []string {
	for i := range len(texts) - 1 {
		texts[i] += ","
	}
	return texts
}

// records tells what was found.
func (s *summary) records(r *generator.Result) {
	found := []string{fmt.Sprint(r.Records)}
	if n := len(r.Languages); n > 0 {
		found[0] += " in " + plural(n, "language")
	}
	if r.Skipped > 0 {
		found = append(found, fmt.Sprintf("%d left out", r.Skipped))
	}
	if r.Excluded > 0 {
		found = append(found, fmt.Sprintf("%d excluded", r.Excluded))
	}
	if r.OtherFiles > 0 {
		found = append(found, plural(r.OtherFiles, "other file")+" ignored")
	}
	s.row("records", facts(found...))
	var languages []string
	for _, c := range r.Languages {
		languages = append(languages, fmt.Sprintf("%s %d", diag.Clean(c.Name), c.Records))
	}
	if len(languages) > 0 {
		s.row("", facts(languages...))
	}
}

// coverage tells how far the site is translated, language by language.
func (s *summary) coverage(r *generator.Result) {
	const table = "%-*s%5d  %7d  %8d\n"
	s.row("topics", facts(fmt.Sprint(r.Coverage().Topics)))
	if r.Coverage().Topics == 0 {
		return
	}
	fmt.Fprintf(s, "%-*s%5s  %7s  %8s\n", labelWidth, "", "there", "missing", "outdated")
	for _, l := range r.Coverage().Languages {
		fmt.Fprintf(s, table, labelWidth, "  "+diag.Clean(l.Language), l.Topics, r.Coverage().Topics-l.Topics, l.Outdated)
	}
	s.row("", strings.Fields("outdated: modified before the page in "+diag.Clean(r.Coverage().Languages[0].Language)))
}

func changeTexts(c *folder.Changes) []string {
	return []string{
		fmt.Sprintf("%d added", c.Added.Len()),
		fmt.Sprintf("%d changed", c.Changed.Len()),
		fmt.Sprintf("%d removed", c.Removed.Len()),
		fmt.Sprintf("%d unchanged", c.Unchanged),
	}
}

// outcome is the last line: what came of the run.
func outcome(r *generator.Result, flags *pageFlags) string {
	took := duration(r.Duration)
	out := diag.Name(destination(&flags.options))
	switch {
	case r.Failed && out == "":
		return "failed in " + took
	case r.Failed:
		return "nothing written to " + out + ", in " + took
	case r.Changes == nil:
		return "done in " + took
	case flags.options.DryRun:
		return "dry run: nothing written to " + out + " (" + took + ")"
	}
	return "written to " + out + " in " + took
}

// duration returns d as fine as people care for.
func duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// printChanges lists what a build would do to the output folder.
func printChanges(w io.Writer, r *generator.Result) error {
	b := bufio.NewWriter(w)
	for _, list := range []struct {
		verb  string
		paths folder.Paths
	}{{"add", r.Changes.Added}, {"change", r.Changes.Changed}, {"remove", r.Changes.Removed}} {
		for path := range list.paths.All() {
			fmt.Fprintf(b, "%s %s\n", list.verb, path)
		}
	}
	return b.Flush()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

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
