package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

// fromRoot returns a report whose files are named from the folder root. Names of
// files that do not lie below it stay as they are, and so do all where it is "".
func fromRoot(r diag.Report, root string) diag.Report {
	if root == "" {
		return r
	}
	r.Diagnostics = slices.Clone(r.Diagnostics)
	names := map[string]string{}
	for i := range r.Diagnostics {
		at := &r.Diagnostics[i].Pos
		if _, ok := names[at.File]; !ok {
			names[at.File] = nameFrom(root, at.File)
		}
		at.File = names[at.File]
	}
	return r
}

// nameFrom returns the path of a file below root. Symbolic links are followed first, as
// a repository knows a file by its own path; a file outside of root has the path of the
// link that leads to it.
func nameFrom(root, file string) string {
	path, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return file
	}
	for _, pair := range [][2]string{{resolved(root), resolved(path)}, {resolved(root), path}, {root, path}} {
		if name, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name)
		}
	}
	return file
}

// resolved is fsutil.Resolve, and the path itself where that fails.
func resolved(path string) string {
	if real, err := fsutil.Resolve(path); err == nil {
		return real
	}
	return path
}

// checkApart refuses a report in the content folder, or in the output folder, from where
// it would be published. target is an absolute path without symlinks.
func checkApart(target string, o *generator.Options) error {
	for _, folder := range []struct{ what, name string }{{"content", o.Content}, {"output", o.Out}} {
		if folder.name == "" {
			continue // there is none: the build writes an archive
		}
		if isIn, _ := fsutil.LiesIn(target, resolved(folder.name)); isIn {
			return fmt.Errorf("it lies in the %s folder; choose another place", folder.what)
		}
	}
	return nil
}
