package main

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"time"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
)

// report is the JSON report of a build; its names are part of what other
// programs rely on. Lists of paths follow it: see encodeReport. They are of all that
// changed since the last report.
type report struct {
	Version     string        `json:"sivu"`
	Published   bool          `json:"published"` // the output folder, or the archive, holds this snapshot now
	DryRun      bool          `json:"dry_run"`
	Adopted     bool          `json:"adopted"` // the output folder held a snapshot whose .sivu was lost
	Records     int           `json:"records"`
	Languages   []reportCount `json:"languages"`
	Kinds       []reportCount `json:"kinds"`
	Skipped     int           `json:"skipped"`
	Excluded    int           `json:"excluded"`
	OtherFiles  int           `json:"other_files"`
	ListPages   int           `json:"list_pages"`
	Files       int           `json:"files"`
	Bytes       int64         `json:"bytes"`
	ArchiveSize int64         `json:"archive_bytes,omitempty"`
	Unchanged   int           `json:"unchanged"`
	Kept        int           `json:"kept"`                 // files that left the snapshot and stay for a while
	KeptUntil   time.Time     `json:"kept_until,omitzero"`  // a build after that, with the same --keep-removed, removes the last of them
	Read        int           `json:"read"`                 // sources whose text was looked at
	Rendered    int           `json:"rendered"`             // bodies that were
	Incomplete  bool          `json:"incomplete,omitempty"` // more may have changed: not all is recorded since the last report, or there was none
	Leftover    string        `json:"leftover,omitempty"`   // what could not be cleared after publishing, and why; the next build clears it
	Seconds     float64       `json:"seconds"`
	Stages      []reportStage `json:"stages"`
	Diagnostics diag.Report   `json:"problems"`
}

type reportCount struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

type reportStage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

func newReport(r *generator.Result, dryRun bool) report {
	out := report{
		Version: version(), DryRun: dryRun, Published: r.Changes != nil && !dryRun,
		Records: r.Records, Skipped: r.Skipped, Excluded: r.Excluded, OtherFiles: r.OtherFiles,
		Languages: reportCounts(r.Languages), Kinds: reportCounts(r.Kinds), Stages: []reportStage{},
		Read: r.Read, Rendered: r.Rendered,
		ListPages: r.ListPages, Seconds: seconds(r.Duration), Diagnostics: r.Report,
	}
	for _, s := range r.Stages {
		out.Stages = append(out.Stages, reportStage{s.Name, seconds(s.Duration)})
	}
	if r.Changes != nil {
		out.ArchiveSize = r.ArchiveSize
		out.Adopted = r.Changes.Adopted
		if r.Changes.Leftover != nil {
			out.Leftover = r.Changes.Leftover.Error()
		}
		out.Files, out.Bytes = r.Changes.Files, r.Changes.Bytes
		out.Unchanged, out.Incomplete = r.Changes.SinceReport.Unchanged, r.Changes.SinceReport.Incomplete
		out.Kept, out.KeptUntil = r.Changes.Kept, r.KeptUntil.UTC().Truncate(time.Second)
	}
	return out
}

func reportCounts(counts []generator.Count) []reportCount {
	list := []reportCount{}
	for _, c := range counts {
		list = append(list, reportCount(c))
	}
	return list
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// encodeReport writes the lists of paths one by one: a large site has hundreds
// of thousands.
func encodeReport(w io.Writer, r *generator.Result, dryRun bool) error {
	head, err := json.Marshal(newReport(r, dryRun))
	if err != nil {
		return err
	}
	var changes folder.SinceReport
	if r.Changes != nil {
		changes = r.Changes.SinceReport
	}
	b := bufio.NewWriter(w)
	b.Write(head[:len(head)-1])
	b.WriteString(`,"changes":`)
	encodeLists(b, changes, func(file string) []string { return []string{file} })
	b.WriteString(`,"addresses":`)
	encodeLists(b, changes, r.Addresses)
	b.WriteString("}\n")
	return b.Flush()
}

func encodeLists(b *bufio.Writer, changes folder.SinceReport, texts func(file string) []string) {
	separator := byte('{')
	for _, list := range []struct {
		name  string
		paths folder.Paths
	}{{"added", changes.Added}, {"changed", changes.Changed}, {"removed", changes.Removed}} {
		b.WriteByte(separator)
		b.WriteString(`"` + list.name + `":[`)
		encodeStrings(b, list.paths.All(), texts)
		b.WriteByte(']')
		separator = ','
	}
	b.WriteByte('}')
}

func encodeStrings(b *bufio.Writer, files iter.Seq[string], texts func(file string) []string) {
	first := true
	for file := range files {
		for _, text := range texts(file) {
			if !first {
				b.WriteByte(',')
			}
			first = false
			// A string always has a JSON form.
			quoted, _ := json.Marshal(text)
			b.Write(quoted)
		}
	}
}
