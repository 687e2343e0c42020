package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/tree"
)

// runWrite writes files of the names and sizes of the snapshot into out.
func runWrite(from, out string) error {
	debug.SetGCPercent(400)
	manifest, err := folder.ReadManifest(from)
	if err != nil {
		return err
	}
	var folders [][]tree.Entry
	var last string
	for e := range manifest.All() {
		if folder := e.Path.Folder(); folder != last || len(folders) == 0 {
			folders, last = append(folders, nil), folder
		}
		folders[len(folders)-1] = append(folders[len(folders)-1], e)
	}
	return writeGroups(out, folders)
}

// runLists writes files of the names and sizes of the snapshot's list pages into
// out, one after the other, in the least way in which nobody meets a torn one: each
// under another name, and then renamed over the one that is there. It prints how many
// seconds this took, without what it takes to find out which they are.
func runLists(from, out string, w io.Writer) error {
	manifest, err := folder.ReadManifest(from)
	if err != nil {
		return err
	}
	var lists []tree.Entry
	var largest uint32
	for e := range manifest.All() {
		if e.Path.IsList() && e.Path.Coding() == 0 {
			lists, largest = append(lists, e), max(largest, e.Size)
		}
	}
	data := make([]byte, largest)
	err = os.MkdirAll(filepath.Join(out, api.Folder), 0o755)
	start := time.Now()
	for _, e := range lists {
		name := filepath.Join(out, filepath.FromSlash(e.Path.String()))
		if err == nil {
			err = os.WriteFile(name+".new", data[:e.Size], 0o644)
		}
		if err == nil {
			err = os.Rename(name+".new", name)
		}
	}
	if err == nil {
		_, err = fmt.Fprintln(w, time.Since(start).Seconds())
	}
	return err
}

// isList reports whether a file of a snapshot is a list page.
func isList(file string) bool {
	answer, ok := api.ParseFile(file)
	return ok && answer.List > 0
}

// writeGroups writes files below out, on several workers. Those of a group are
// in one folder, and written by one worker.
func writeGroups(out string, groups [][]tree.Entry) error {
	var largest uint32
	for _, group := range groups {
		for _, e := range group {
			largest = max(largest, e.Size)
		}
	}
	writer, err := newTreeWriter(out)
	if err != nil {
		return err
	}
	data := make([]byte, largest)
	return each(len(groups), func() func(int) error {
		return func(i int) error {
			if folder := groups[i][0].Path.Folder(); folder != "." && folder != api.Folder {
				if _, err := writer.folder(folder); err != nil {
					return err
				}
			}
			for _, e := range groups[i] {
				if err := writer.write(e.Path.String(), data[:e.Size]); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

// runStat walks a folder and stats every file in it: what has to be done to know
// that nothing changed, in the plain way.
func runStat(folder string) error {
	return filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = d.Info()
		return err
	})
}
