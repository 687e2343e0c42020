package source

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
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
		message = "the symlink leads to nothing"
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

// maxSymlinks is how many symlinks may lead from one to the next.
const maxSymlinks = 40

// leaves reports whether a symlink leads out of the file system by its name. The
// file system itself refuses whatever else would leave it.
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

// kindOfFile names the type of what is neither a file nor a symlink.
func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// isMedia reports whether a file is an image, a sound or a film, and so is the
// target where it is a symlink: a source must not be served under another name.
func (w *folderWalk) isMedia(name string) bool {
	for range maxSymlinks {
		if MediaType(name) == "" || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
			return false
		}
		info, err := fs.Lstat(w.fsys, name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return err == nil
		}
		target, err := fs.ReadLink(w.fsys, name)
		if err != nil {
			return false
		}
		name = path.Join(path.Dir(name), filepath.ToSlash(target))
	}
	return false
}
