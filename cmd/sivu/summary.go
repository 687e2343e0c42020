package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
)

// printSummary writes what a run found and did, in lines of at most columns.
func printSummary(w io.Writer, r *generator.Result, flags *pageFlags, columns int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s in %s%s\n", plural(r.Records, "record"), plural(len(r.Languages), "language"), others(r))
	if len(r.Languages) > 0 {
		fmt.Fprintln(b, wrapped(countTexts(r.Languages), "  ", columns))
	}
	if r.Changes == nil && !r.Failed {
		printCoverage(b, r)
	}
	if r.MTimeDates {
		fmt.Fprintln(b, `dates may come from mtime ("dates" in site.yaml): the same pages may give other bytes elsewhere`)
	}
	fmt.Fprintln(b, outcome(r, flags))
	return b.Flush()
}

// outcome is the last line: what came of the run.
func outcome(r *generator.Result, flags *pageFlags) string {
	took := r.Duration.Round(time.Millisecond)
	found := ""
	if r.Report.Errors+r.Report.Warnings > 0 {
		found = plural(r.Report.Errors, "error") + ", " + plural(r.Report.Warnings, "warning") + "; "
	}
	switch {
	case r.Failed && flags.options.Out == "":
		return fmt.Sprintf("%sfailed in %s", found, took)
	case r.Failed:
		return fmt.Sprintf("%snothing was written to %s, in %s", found, diag.Clean(flags.options.Out), took)
	case r.Changes == nil:
		return fmt.Sprintf("%sdone in %s", found, took)
	}
	verb := "written to"
	if flags.options.DryRun {
		verb = "due in"
	}
	c := r.Changes
	return fmt.Sprintf("%s%s, %s, %s %s %s: %d added, %d changed, %d removed, %d as before; in %s",
		found, plural(r.ListPages, "list page"), plural(c.Files, "file"), byteSize(c.Bytes), verb, diag.Clean(flags.options.Out),
		c.Added.Len(), c.Changed.Len(), c.Removed.Len(), c.Unchanged, took)
}

// others is what was found beside records.
func others(r *generator.Result) string {
	var b strings.Builder
	for _, c := range []struct {
		n    int
		name string
	}{{r.Skipped, "left out"}, {r.Excluded, "excluded"}, {r.OtherFiles, "no source pages"}} {
		if c.n > 0 {
			fmt.Fprintf(&b, ", %d %s", c.n, c.name)
		}
	}
	return b.String()
}

func countTexts(counts []generator.Count) []string {
	var texts []string
	for _, c := range counts {
		texts = append(texts, fmt.Sprintf("%s %d", diag.Clean(c.Name), c.Records))
	}
	return texts
}

// printCoverage writes how far the site is translated, language by language.
func printCoverage(w io.Writer, r *generator.Result) {
	fmt.Fprintf(w, "%s:\n", plural(r.Coverage.Topics, "topic"))
	for _, l := range r.Coverage.Languages {
		fmt.Fprintf(w, "  %-8s %5d there %5d missing %5d older than %s\n", diag.Clean(l.Language), l.Topics,
			r.Coverage.Topics-l.Topics, l.Outdated, diag.Clean(r.Coverage.Languages[0].Language))
	}
}

// printChanges lists what a build would do to the output folder.
func printChanges(w io.Writer, r *generator.Result) error {
	b := bufio.NewWriter(w)
	for path := range r.Changes.Added.All() {
		fmt.Fprintf(b, "add %s\n", path)
	}
	for path := range r.Changes.Changed.All() {
		fmt.Fprintf(b, "change %s\n", path)
	}
	for path := range r.Changes.Removed.All() {
		fmt.Fprintf(b, "remove %s\n", path)
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
