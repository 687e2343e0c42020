package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/bucket"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/tree"
)

// defaultOut is the folder that a build writes to, and that other commands look
// at, where none is named.
const defaultOut = "public"

// hintBuilt says which folder is to be named.
const hintBuilt = "sivu build writes a snapshot; name the folder that it was given with --out"

// addBuilt adds the flag that names a folder with a snapshot as the argument does.
func addBuilt(command *cobra.Command) {
	command.Flags().String("out", defaultOut, "`folder`, as build has it; the same as the argument FOLDER")
	command.MarkFlagDirname("out")
	command.Args = takes(0, 1, "only one folder", "public")
	command.ValidArgsFunction = completeFolder
}

// namedFolder returns the folder that the argument names, or else a flag. It has
// to hold something that sivu wrote.
func namedFolder(command *cobra.Command, args []string, flag string) (string, error) {
	name := command.Flags().Lookup(flag).Value.String()
	if len(args) > 0 {
		if command.Flags().Changed(flag) {
			return "", hinted("give one of the two", "%s and --%s both name a folder", diag.Quote(args[0]), flag)
		}
		name = args[0]
	}
	return name, checkBuilt(name, hintBuilt)
}

// checkBuilt refuses a folder that no build wrote to; missing is the hint for one that
// does not exist.
func checkBuilt(name, missing string) error {
	if name == "" {
		return hinted(hintBuilt, "the name of the folder is empty")
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hinted(missing, "folder %s does not exist", diag.Quote(name))
	case err != nil:
		return fmt.Errorf("folder %s cannot be opened: %w", diag.Quote(name), fsutil.Reason(err))
	case !info.IsDir():
		return hinted(hintBuilt, "%s is not a folder", diag.Quote(name))
	}
	for _, part := range []string{"pages", ".sivu"} {
		if _, err := os.Lstat(filepath.Join(name, part)); !errors.Is(err, fs.ErrNotExist) {
			return nil // other problems are found when it is read
		}
	}
	return noSnapshot(name, "there is no folder pages in it")
}

func noSnapshot(name, reason string) error {
	return hinted(hintOuter(name), "%s holds no snapshot: %s", diag.Quote(name), reason)
}

// hintOuter looks whether the folder within a snapshot was named.
func hintOuter(name string) string {
	full, err := filepath.Abs(name)
	if err != nil || filepath.Base(full) != "pages" {
		return hintBuilt
	}
	if _, err := os.Stat(filepath.Join(full, "index.json")); err != nil {
		return hintBuilt
	}
	return "name the folder around it: " + filepath.Clean(filepath.Join(name, ".."))
}

// readManifest reads the manifest of the snapshot in a folder.
func readManifest(name string) (*tree.Tree, error) {
	if err := checkBuilt(name, hintBuilt); err != nil {
		return nil, err
	}
	manifest, err := folder.ReadManifest(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noSnapshot(name, ".sivu/manifest is missing")
	}
	return manifest, err
}

// openSnapshot opens a folder or an archive. With wait it waits while a build is at work
// on the folder.
func openSnapshot(command *cobra.Command, name string, wait bool) (tree.Snapshot, func(), error) {
	info, err := os.Stat(name)
	hasEnding := func(ending string) bool { return strings.HasSuffix(strings.ToLower(name), ending) }
	switch {
	case errors.Is(err, fs.ErrNotExist) && slices.ContainsFunc(archive.Endings(), hasEnding):
		return nil, nil, fmt.Errorf("archive %s does not exist", diag.Quote(name))
	case err == nil && info.Mode().IsRegular():
		r, err := archive.Open(name)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	if err := checkBuilt(name, hintBuilt); err != nil {
		return nil, nil, err
	}
	opened, err := bucket.OpenFolder(name)
	if wait && errors.Is(err, folder.ErrLocked) {
		sayWaiting(command, name)
	}
	for wait && errors.Is(err, folder.ErrLocked) {
		select {
		case <-command.Context().Done():
			return nil, nil, errors.New("interrupted")
		case <-time.After(200 * time.Millisecond):
		}
		opened, err = bucket.OpenFolder(name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, noSnapshot(name, ".sivu/manifest is missing")
	case err != nil:
		return nil, nil, err
	}
	return opened, opened.Close, nil
}
