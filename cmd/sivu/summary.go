package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
)

// show prints the problems that a build or a check found, the changes of a dry run and a
// summary. It returns errProblems where the problems forbid to write.
func (f *pageFlags) show(s *screen, r *generator.Result) error {
	format, _ := diag.FormatNamed(f.format) // the flag takes no other name
	report := r.Report
	if format.FromRoot {
		report = fromRoot(report, os.Getenv("GITHUB_WORKSPACE"))
	}
	err := s.findings(func(w io.Writer, color bool) error {
		return format.Print(w, report, diag.Style{Color: color, Rest: when(!f.all, "--all prints every one")})
	})
	if c := r.Changes; c != nil {
		if f.options.DryRun {
			list := s.out
			if !s.forPeople {
				list = s.err
			}
			err = errors.Join(err, printChanges(list, c))
		}
		if c.Leftover != nil {
			s.warn("the snapshot is published, but " + c.Leftover.Error() + " (the next build clears it)")
		}
		if c.SinceReport.Incomplete && f.options.Report {
			s.warn("this report cannot list everything that changed since the last one; let caches forget all addresses")
		}
	}
	return ending(r.Failed, errors.Join(err, s.summarize(func(s *summary) { s.build(r, f) })))
}

// printProblems prints problems for people, by cause; rest says where all can be read.
func printProblems(w io.Writer, r diag.Report, rest string) error {
	return toPeople(w, func(lines io.Writer) error {
		return diag.Formats[0].Print(lines, r, diag.Style{Color: hasColor(w), Rest: rest})
	})
}

// printChanges lists the files that a build would write or remove.
func printChanges(w io.Writer, c *folder.Changes) error {
	b := bufio.NewWriter(w)
	for _, list := range []struct {
		verb  string
		paths folder.Paths
	}{{"add", c.Added}, {"change", c.Changed}, {"remove", c.Removed}} {
		for path := range list.paths.All() {
			fmt.Fprintf(b, "%s %s\n", list.verb, path)
		}
	}
	return b.Flush()
}

// build writes the summary of a build or a check.
func (s *summary) build(r *generator.Result, flags *pageFlags) {
	s.facts("records", fmt.Sprint(r.Records)+when(len(r.Languages) > 0, " in "+plural(len(r.Languages), "language")),
		when(r.Skipped > 0, fmt.Sprintf("%d left out", r.Skipped)), when(r.Excluded > 0, fmt.Sprintf("%d excluded", r.Excluded)),
		when(r.OtherFiles > 0, plural(r.OtherFiles, "other file")+" ignored"))
	s.facts("", mapped(r.Languages, func(c generator.Count) string { return fmt.Sprintf("%s %d", diag.Clean(c.Name), c.Records) })...)
	if r.Changes == nil && !r.Failed {
		s.coverage(r)
	}
	s.row("next change", when(!r.NextChange.IsZero(), r.NextChange.UTC().Format(time.RFC3339)+", when a page is published or expires"))
	s.row("dates", when(r.MTimeDates, "from mtime too: the same pages may give other bytes on another machine"))
	if c := r.Changes; c != nil {
		s.facts("list pages", fmt.Sprint(r.ListPages))
		s.facts("files", fmt.Sprint(c.Files), byteSize(c.Bytes))
		if flags.options.Archive != "" {
			s.facts("archive", byteSize(r.ArchiveSize))
		} else {
			s.row("adopted", when(c.Adopted, "a snapshot whose .sivu is lost: every file was compared"))
			s.facts("changes", fmt.Sprintf("%d added", c.Added.Len()), fmt.Sprintf("%d changed", c.Changed.Len()),
				fmt.Sprintf("%d removed", c.Removed.Len()), fmt.Sprintf("%d unchanged", c.Unchanged))
			s.row("kept", when(c.Kept > 0, plural(c.Kept, "removed file")+", at most until a build after "+r.KeptUntil.Format(time.DateTime)))
			if r.Rendered < r.Records {
				s.facts("read", plural(r.Read, "source"), fmt.Sprintf("%d rendered", r.Rendered))
			}
		}
		if r.StateError != nil {
			s.row("state", "not kept, so the next build reads everything: "+diag.Clean(r.StateError.Error()))
		}
	}
	const many = 10 // one page in so many
	s.row("markers", when(r.MarkerPages*many > r.Records,
		fmt.Sprintf("of templates on %s; the site as its generator renders it has what they stand for: sivu init RENDERED-FOLDER", plural(r.MarkerPages, "page"))))
	if r.Report.Errors+r.Report.Warnings > 0 {
		s.facts("problems", plural(r.Report.Errors, "error"), plural(r.Report.Warnings, "warning"))
	}
	fmt.Fprintln(s, outcome(r, flags))
}

// coverage writes how far the site is translated, language by language.
func (s *summary) coverage(r *generator.Result) {
	c := r.Coverage()
	s.facts("topics", fmt.Sprint(c.Topics))
	if c.Topics == 0 {
		return
	}
	fmt.Fprintf(s, "%-*s%5s  %8s  %12s  %5s  %7s\n", labelWidth, "", "there", "outdated", "untranslated", "stubs", "missing")
	untranslated, stubs := 0, 0
	for _, l := range c.Languages {
		fmt.Fprintf(s, "%-*s%5d  %8d  %12d  %5d  %7d\n", labelWidth, "  "+diag.Clean(l.Language), l.Topics, l.Outdated, l.Untranslated, l.Stubs, l.Missing(c))
		untranslated, stubs = untranslated+l.Untranslated, stubs+l.Stubs
	}
	reference := diag.Clean(c.Languages[0].Language)
	s.row("", "outdated: modified before the page in "+reference)
	s.row("", when(untranslated > 0, "untranslated: there with the text of the page in "+reference))
	s.row("", when(stubs > 0, "stubs: drafts, and what skip_if leaves out"))
}

// outcome is the last line of a summary.
func outcome(r *generator.Result, flags *pageFlags) string {
	took := duration(r.Duration)
	out, _ := flags.destination()
	out = diag.Name(out)
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
