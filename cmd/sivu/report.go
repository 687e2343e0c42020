package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/work"
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
		Languages: reportCounts(r.Languages), Kinds: reportCounts(r.Kinds), Stages: mapped(r.Stages, func(s work.Stage) reportStage { return reportStage{s.Name, seconds(s.Duration)} }),
		Read: r.Read, Rendered: r.Rendered,
		ListPages: r.ListPages, Seconds: seconds(r.Duration), Diagnostics: r.Report,
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
	return mapped(counts, func(c generator.Count) reportCount { return reportCount(c) })
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

// reportFile is where the report of a build goes. Whether there is a place for it
// is found out before the build, so that none is begun that could not report.
type reportFile struct {
	name string
	temp *fsutil.NewFile // what is to replace the file; nil where name is written to as it is
	file *os.File        // nil where no report is asked for, and at the end
}

// openReport opens a report next to the file that it is to replace. What is no
// file, as /dev/stdout, is written to as it is.
func openReport(name string, options *generator.Options) (*reportFile, error) {
	r := &reportFile{name: name}
	if name == "" {
		return r, nil
	}
	target, info, err := resolveReport(name)
	if err == nil {
		if err := checkNoArchive(name, target, info, options); err != nil {
			return nil, err
		}
		err = r.open(target, info, options)
	}
	if err != nil {
		r.close()
		return nil, r.problem(err)
	}
	return r, nil
}

// open opens the report. A file that it is to replace has info, and hands on its mode.
func (r *reportFile) open(target string, info fs.FileInfo, options *generator.Options) (err error) {
	if info != nil && info.IsDir() {
		return errors.New("it is a folder")
	}
	if err := checkApart(target, options); err != nil {
		return err
	}
	if info != nil && !info.Mode().IsRegular() {
		r.file, err = os.OpenFile(r.name, os.O_WRONLY, 0)
		return err
	}
	if r.temp, err = fsutil.Create(target, ".sivu-report-"+uuid.NewString(), 0o644); err != nil {
		return err
	}
	r.file = r.temp.File
	if info != nil {
		return r.file.Chmod(info.Mode().Perm())
	}
	return nil
}

// resolveReport follows symlinks to a file, and returns what is known of it where
// it is there.
func resolveReport(name string) (target string, info fs.FileInfo, err error) {
	if name == "-" {
		return "", nil, errors.New("standard output is for the summary; name a file")
	}
	info, err = os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		target = name
	case err == nil:
		target, err = filepath.EvalSymlinks(name)
	case errors.Is(err, fs.ErrNotExist):
		info = nil
		target, err = filepath.EvalSymlinks(filepath.Dir(name))
		target = filepath.Join(target, filepath.Base(name))
	}
	if err == nil {
		target, err = filepath.Abs(target)
	}
	return target, info, err
}

// checkNoArchive refuses a report that would go to where the archive goes.
func checkNoArchive(name, target string, info fs.FileInfo, options *generator.Options) error {
	var there fs.FileInfo
	switch out, isFile := options.ArchiveTo.(*os.File); {
	case options.Archive == "":
		return nil
	case options.Archive != archive.Pipe:
		there, _ = os.Stat(options.Archive)
		if full, err := fsutil.Resolve(options.Archive); err == nil && full == target || isSame(there, info) {
			return fmt.Errorf("--archive %s and --report %s name the same file", diag.Quote(options.Archive), diag.Quote(name))
		}
	case isFile:
		if there, _ = out.Stat(); isSame(there, info) {
			return fmt.Errorf("standard output is for the archive, and --report %s leads there, too", diag.Quote(name))
		}
	}
	return nil
}

func isSame(a, b fs.FileInfo) bool { return a != nil && b != nil && os.SameFile(a, b) }

// statOf returns nil where nothing is known of a file.
func statOf(name string) fs.FileInfo {
	info, _ := os.Stat(name)
	return info
}

// write writes the report and puts it in its place, whole. When it returns, the report
// is on the disk: what it tells of is forgotten then.
func (r *reportFile) write(result *generator.Result, dryRun bool) error {
	if r.file == nil {
		return nil
	}
	err := encodeReport(r.file, result, dryRun)
	switch {
	case err == nil && r.temp != nil:
		err = r.temp.Commit(true)
	case err == nil:
		err = r.file.Close()
	default:
		r.close()
	}
	r.file = nil
	if err != nil {
		return fmt.Errorf("the build is done, but not its report: %w", r.problem(err))
	}
	return nil
}

// close takes back a report that was not written.
func (r *reportFile) close() {
	if r.file == nil {
		return
	}
	if r.temp != nil {
		r.temp.Abort()
	} else {
		r.file.Close()
	}
	r.file = nil
}

func (r *reportFile) problem(err error) error {
	return fmt.Errorf("cannot write the report %s: %w", diag.Quote(r.name), fsutil.Reason(err))
}
