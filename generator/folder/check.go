package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/fsutil"
)

// checkPlace refuses an output folder that sivu must not write to, judged by
// where it lies. It returns its absolute path and whether it is there.
func checkPlace(out, content string) (path string, exists bool, err error) {
	if out == "" {
		return "", false, errors.New("no output folder is named; name one")
	}
	path, err = filepath.Abs(out)
	if err != nil {
		return "", false, fmt.Errorf("cannot find the output folder %q: %w", out, err)
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", false, fmt.Errorf("cannot look at the output folder %q: %w", out, fsutil.Reason(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return "", false, fmt.Errorf("the output folder %q is a symlink; name the folder that it leads to", out)
	case !info.IsDir():
		return "", false, fmt.Errorf("the output folder %q is a file; name a folder, or remove the file", out)
	}
	exists = err == nil
	real, err := fsutil.Resolve(path)
	if err != nil {
		return "", false, fmt.Errorf("cannot find the output folder %q: %w", out, fsutil.Reason(err))
	}
	if real == filepath.Dir(real) {
		return "", false, fmt.Errorf("the output folder %q is the root of the file system; choose a folder of its own", out)
	}
	if home, err := os.UserHomeDir(); err == nil {
		// A home that this user cannot look at is none that could be written to.
		if same, err := fsutil.IsSame(real, home); err == nil && same {
			return "", false, fmt.Errorf("the output folder %q is your home folder; choose a folder of its own", out)
		}
	}
	if content != "" {
		err = checkOverlap(out, real, content)
	}
	return path, exists, err
}

// checkOverlap refuses an output folder that is, holds or lies in the content
// folder.
func checkOverlap(out, real, content string) error {
	realContent, err := fsutil.Resolve(content)
	if err != nil {
		return fmt.Errorf("cannot find the content folder %q: %w", content, fsutil.Reason(err))
	}
	for _, relation := range []struct {
		name string
		a, b string
		of   func(a, b string) (bool, error)
	}{
		{"is", real, realContent, fsutil.IsSame},
		{"lies in", real, realContent, fsutil.LiesIn},
		{"holds", realContent, real, fsutil.LiesIn},
	} {
		holds, err := relation.of(relation.a, relation.b)
		if err != nil {
			return fmt.Errorf("cannot compare the output folder %q with the content folder %q: %w", out, content, fsutil.Reason(err))
		}
		if holds {
			return fmt.Errorf("the output folder %q %s the content folder %q; choose one outside it", out, relation.name, content)
		}
	}
	return nil
}

// ownPaths are the folders and files that are read or written in place, each folder before
// its files. The stage is not among them: anything of its name is removed, and never
// followed.
var ownPaths = []struct {
	name  string
	isDir bool
}{
	{stateDir, true}, {pagesDir, true}, {commitDir, true},
	{lockFile, false}, {manifest, false}, {manifestLog, false}, {wrongFile, false}, {changesFile, false},
}

// checkOwner refuses a folder that holds something and that sivu never wrote
// to, and one where something else stands in the place of sivu's files and
// folders. A folder of the shape of a snapshot is adopted.
func checkOwner(root *disk, out string, bodies []api.File) (adopted bool, err error) {
	there := map[string]bool{}
	for _, own := range ownPaths {
		info, err := root.Lstat(own.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return false, problem("look at", fmt.Sprintf("%q", path.Join(filepath.ToSlash(out), own.name)), err)
		case own.isDir && !info.IsDir():
			return false, fmt.Errorf("%q in the output folder %q is %s; sivu writes a folder there: move it away", own.name, out, kindOf(info))
		case !own.isDir && !info.Mode().IsRegular():
			return false, fmt.Errorf("%q in the output folder %q is %s; sivu writes a file there: remove it", own.name, out, kindOf(info))
		}
		there[own.name] = true
	}
	if isThere, err := root.exists(backupDir); err != nil || isThere {
		if err == nil {
			err = fmt.Errorf("an older sivu was cut off while it published into %q: run the recover of that one, or remove %s and %s, and build again: that compares and writes every file", out, backupDir, manifest)
		}
		return false, err
	}
	if there[lockFile] || there[manifest] {
		return false, nil
	}
	empty, err := isEmpty(root)
	if err != nil {
		return false, problem("read the output folder", fmt.Sprintf("%q", out), err)
	}
	if empty {
		return false, nil
	}
	err = checkShape(root, bodies)
	if why, ok := err.(unfit); ok {
		return false, fmt.Errorf("the output folder %q %w (%w); choose a new or empty folder", out, errForeign, why)
	}
	return err == nil, err
}

// isEmpty reports whether the output folder holds nothing but .sivu and lost+found.
func isEmpty(root *disk) (bool, error) {
	f, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer f.Close()
	names, err := f.Readdirnames(3)
	if err == io.EOF {
		err = nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == stateDir || name == lostAndFound })
	return len(names) == 0, err
}

func kindOf(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return "a symlink"
	case mode.IsDir():
		return "a folder"
	case mode.IsRegular():
		return "a file"
	}
	return "neither a file nor a folder"
}

// makeFolders makes path and the folders above it that are missing, and
// returns those it made, outermost first.
func makeFolders(path string) (made []string, err error) {
	parent := filepath.Dir(path)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || path == parent {
		return nil, nil
	}
	if made, err = makeFolders(parent); err != nil {
		return made, err
	}
	switch err := os.Mkdir(path, folderMode); {
	case err == nil:
		made = append(made, path)
	case !errors.Is(err, fs.ErrExist):
		return made, err
	}
	return made, nil
}

// removeFolders removes the empty ones of the folders that makeFolders made.
func removeFolders(made []string) {
	for i := len(made) - 1; i >= 0; i-- {
		os.Remove(made[i])
	}
}
