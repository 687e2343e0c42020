package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
// programs rely on. Problems and lists of paths follow it: see encodeReport. They are of all that
// changed since the last report.
type report struct {
	Version     string            `json:"sivu"`
	Published   bool              `json:"published"` // the output folder, or the archive, holds this snapshot now
	DryRun      bool              `json:"dry_run"`
	Adopted     bool              `json:"adopted"` // the output folder held a snapshot whose .sivu was lost
	Records     int               `json:"records"`
	Languages   []generator.Count `json:"languages"`
	Kinds       []generator.Count `json:"kinds"`
	Skipped     int               `json:"skipped"`
	Excluded    int               `json:"excluded"`
	OtherFiles  int               `json:"other_files"`
	ListPages   int               `json:"list_pages"`
	Files       int               `json:"files"`
	Bytes       int64             `json:"bytes"`
	ArchiveSize int64             `json:"archive_bytes,omitempty"`
	Unchanged   int               `json:"unchanged"`
	Kept        int               `json:"kept"`                 // files that left the snapshot and stay for a while
	KeptUntil   time.Time         `json:"kept_until,omitzero"`  // a build after that, with the same --keep-removed, removes the last of them
	NextChange  time.Time         `json:"next_change,omitzero"` // when the next page is published or expires by itself
	Read        int               `json:"read"`                 // sources that were read
	Rendered    int               `json:"rendered"`             // bodies that were
	Incomplete  bool              `json:"incomplete,omitempty"` // more may have changed: not all is recorded since the last report, or there was none
	Leftover    string            `json:"leftover,omitempty"`   // what could not be cleared after publishing, and why; the next build clears it
	Seconds     float64           `json:"seconds"`
	Stages      []reportStage     `json:"stages"`
}

type reportStage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

func newReport(r *generator.Result, dryRun bool) report {
	c := cmp.Or(r.Changes, &folder.Changes{})
	out := report{
		Version: version(), DryRun: dryRun, Published: r.Changes != nil && !dryRun, Adopted: c.Adopted,
		Records: r.Records, Languages: append([]generator.Count{}, r.Languages...), Kinds: append([]generator.Count{}, r.Kinds...),
		Skipped: r.Skipped, Excluded: r.Excluded, OtherFiles: r.OtherFiles,
		ListPages: r.ListPages, Files: c.Files, Bytes: c.Bytes, ArchiveSize: r.ArchiveSize,
		Unchanged: c.SinceReport.Unchanged, Kept: c.Kept, KeptUntil: r.KeptUntil.UTC().Truncate(time.Second),
		NextChange: r.NextChange,
		Read:       r.Read, Rendered: r.Rendered, Incomplete: c.SinceReport.Incomplete,
		Seconds: seconds(r.Duration),
		Stages:  mapped(r.Stages, func(s work.Stage) reportStage { return reportStage{s.Name, seconds(s.Duration)} }),
	}
	if c.Leftover != nil {
		out.Leftover = c.Leftover.Error()
	}
	return out
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// encodeReport writes problems and paths one by one: a large site has hundreds of
// thousands.
func encodeReport(w io.Writer, r *generator.Result, dryRun bool) error {
	head, err := json.Marshal(newReport(r, dryRun))
	if err != nil {
		return err
	}
	changes := cmp.Or(r.Changes, &folder.Changes{}).SinceReport
	b := bufio.NewWriter(w)
	b.Write(head[:len(head)-1])
	b.WriteString(`,"problems":`)
	if err := r.Report.WriteJSON(b); err != nil {
		return err
	}
	b.WriteString(`,"changes":`)
	encodeLists(b, changes, func(file string) []string { return []string{file} })
	b.WriteString(`,"addresses":`)
	encodeLists(b, changes, r.Addresses)
	b.WriteString("}\n")
	return b.Flush()
}

// encodeLists writes three lists of paths as an object, with the texts for each path.
func encodeLists(b *bufio.Writer, changes folder.SinceReport, texts func(file string) []string) {
	encode := func(before, name string, paths folder.Paths) {
		b.WriteString(before + `"` + name + `":[`)
		separator := ""
		for file := range paths.All() {
			for _, text := range texts(file) {
				quoted, _ := json.Marshal(text) // a string always has a JSON form
				b.WriteString(separator)
				b.Write(quoted)
				separator = ","
			}
		}
		b.WriteByte(']')
	}
	encode("{", "added", changes.Added)
	encode(",", "changed", changes.Changed)
	encode(",", "removed", changes.Removed)
	b.WriteByte('}')
}

// reportFile is the file of a report. It is opened before the build, so that none is
// begun that could not report.
type reportFile struct {
	name string
	temp *fsutil.NewFile // replaces the file; nil where that is written to as it is
	file *os.File        // nil where no report is asked for, and at the end
}

// openReport opens a report beside the file that it is to replace, whose mode it gets.
// What is no file, as /dev/stdout, is written to as it is.
func openReport(name string, o *generator.Options) (*reportFile, error) {
	r := &reportFile{name: name}
	if name == "" {
		return r, nil
	}
	info := statOf(name)
	target, err := fsutil.Resolve(name)
	if err == nil {
		if err := checkNoArchive(name, target, info, o); err != nil {
			return nil, err
		}
		err = checkApart(target, o)
	}
	switch {
	case name == "-":
		err = errors.New("standard output is for the summary; name a file")
	case info != nil && info.IsDir():
		err = errors.New("it is a folder")
	case err != nil:
	case info != nil && !info.Mode().IsRegular():
		r.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		if r.temp, err = fsutil.Create(target, ".sivu-report-"+uuid.NewString(), 0o644); err != nil {
			break
		}
		if r.file = r.temp.File; info != nil {
			err = r.file.Chmod(info.Mode().Perm())
		}
	}
	if err != nil {
		r.close()
		return nil, r.problem(err)
	}
	return r, nil
}

// checkNoArchive refuses a report that would go to where the archive goes.
func checkNoArchive(name, target string, info fs.FileInfo, o *generator.Options) error {
	switch out, isFile := o.ArchiveTo.(*os.File); {
	case o.Archive == "":
	case o.Archive != archive.Pipe:
		if resolved(o.Archive) == target || isSame(statOf(o.Archive), info) {
			return fmt.Errorf("--archive %s and --report %s name the same file", diag.Quote(o.Archive), diag.Quote(name))
		}
	case isFile:
		if there, _ := out.Stat(); isSame(there, info) {
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

// write writes the report. When it returns, the whole report is on the disk: the record
// of changes that it was made from is deleted after that.
func (r *reportFile) write(result *generator.Result, dryRun bool) error {
	if r.file == nil {
		return nil
	}
	err := encodeReport(r.file, result, dryRun)
	switch {
	case err != nil:
		r.close()
	case r.temp != nil:
		err = r.temp.Commit(true)
	default:
		err = r.file.Close()
	}
	r.file = nil
	if err != nil {
		return fmt.Errorf("the build is done, but not its report: %w", r.problem(err))
	}
	return nil
}

// close removes a report that was not written.
func (r *reportFile) close() {
	switch {
	case r.file == nil:
	case r.temp != nil:
		r.temp.Abort()
	default:
		r.file.Close()
	}
	r.file = nil
}

func (r *reportFile) problem(err error) error {
	return fmt.Errorf("cannot write the report %s: %w", diag.Quote(r.name), fsutil.Reason(err))
}
