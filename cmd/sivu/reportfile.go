package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"example.org/sivu/generator"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

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
	}
	if err == nil && info != nil && info.IsDir() {
		err = errors.New("it is a folder")
	}
	if err == nil {
		err = checkApart(target, options)
	}
	switch {
	case err != nil:
	case info != nil && !info.Mode().IsRegular():
		r.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		r.temp, err = createReport(target, info)
		if err == nil {
			r.file = r.temp.File
		}
	}
	if err != nil {
		return nil, r.problem(err)
	}
	return r, nil
}

// createReport makes the file that is to replace target, of which info is known
// where it is there already: then both have one mode.
func createReport(target string, info fs.FileInfo) (*fsutil.NewFile, error) {
	f, err := fsutil.Create(target, ".sivu-report-"+uuid.NewString(), 0o644)
	if err != nil || info == nil {
		return f, err
	}
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		f.Abort()
		return nil, err
	}
	return f, nil
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
