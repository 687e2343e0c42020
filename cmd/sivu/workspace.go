package main

import (
	"path/filepath"
	"slices"

	"example.org/sivu/generator/diag"
)

// fromRoot returns a report whose files are named from the folder root. Names of
// files that do not lie below it stay as they are, and so do all where it is "".
func fromRoot(r diag.Report, root string) diag.Report {
	if root == "" {
		return r
	}
	r.Diagnostics = slices.Clone(r.Diagnostics)
	for i := range r.Diagnostics {
		at := &r.Diagnostics[i].Pos
		at.File = nameFrom(root, at.File)
	}
	return r
}

// nameFrom follows symbolic links first: a repository holds a file at its own
// place, and at a link only where that leads. A file that a link brings in from
// elsewhere has the name with the link.
func nameFrom(root, file string) string {
	path, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return file
	}
	for _, way := range [][2]string{{resolved(root), resolved(path)}, {resolved(root), path}, {root, path}} {
		if name, err := filepath.Rel(way[0], way[1]); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name)
		}
	}
	return file
}

// resolved returns a path without symbolic links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path
	}
	return filepath.Join(resolved(folder), filepath.Base(path))
}
