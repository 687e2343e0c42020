package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
)

// follow returns the file that a symlink leads to. A symlink that leads anywhere
// else is reported, and the result is nil.
func (w *folderWalk) follow(full string) fs.FileInfo {
	info, err := fs.Stat(w.fsys, full)
	message, what := "", "file"
	switch {
	case leaves(w.fsys, full):
		message = "the symlink leaves the content folder"
	case errors.Is(err, fs.ErrNotExist):
		w.mu.Lock()
		defer w.mu.Unlock()
		w.dangling = append(w.dangling, full)
		return nil
	case err != nil:
		message = "the symlink cannot be followed: " + diag.Clean(fsutil.Reason(err).Error())
	case info.IsDir():
		message, what = "the symlink leads to a folder; folders are not followed", "folder"
	default:
		return info
	}
	w.report(ruleFileKind.At(diag.Position{File: full}, "%s", message).
		WithHint("put the %s itself in its place, or name the symlink under \"exclude\" in site.yaml", what))
	return nil
}

// danglingProblem is one warning for all symlinks to nothing: whoever adopts a site need
// not mend them.
func danglingProblem(names []string) diag.Diagnostic {
	what := "1 symlink leads to nothing, and is left out"
	if len(names) > 1 {
		what = fmt.Sprintf("%d symlinks lead to nothing, and are left out", len(names))
	}
	return ruleDangling.At(diag.Position{File: slices.Min(names)}, "%s", what).
		WithHint("remove them, or name them under \"exclude\" in site.yaml")
}

// maxSymlinks is how many symlinks may lead from one to the next.
const maxSymlinks = 40

// leaves reports whether a symlink leads out of the file system by its name. The
// file system itself refuses all other ways out.
func leaves(fsys fs.FS, name string) bool {
	for range maxSymlinks {
		target, err := fs.ReadLink(fsys, name)
		if err != nil {
			return false
		}
		if filepath.IsAbs(target) || path.IsAbs(target) {
			return true
		}
		name = path.Join(path.Dir(name), filepath.ToSlash(target))
		if name == ".." || strings.HasPrefix(name, "../") {
			return true
		}
	}
	return false
}
